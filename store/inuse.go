package store

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/ncruces/go-sqlite3"

	"memory-graph/internal/memory"
)

// InUse reports whether anyone has the database at path open. A file that is no database is not in use. It does not
// notice a process that only reads and opened the file while nobody wrote, because such a process holds no lock. InUse
// needs the right to write the file, and may move the write-ahead log into it.
func InUse(ctx context.Context, path string, o Options) (bool, error) {
	o, err := o.withDefaults()
	if err != nil {
		return false, err
	}
	if err := startRuntime(o.CacheDir, o.Log); err != nil {
		return false, err
	}
	alone := []pragma{{"locking_mode", "exclusive", "the next statement fails if another process has the file open"}}
	c, err := dial(ctx, fileURI(path, url.Values{"modeof": {path}}), forWriting, time.Millisecond, alone)
	if err == nil {
		_, err = c.text(ctx, "SELECT count(*) FROM sqlite_schema")
		err = errors.Join(err, c.close())
	}
	switch {
	case isBusy(err):
		return true, nil
	case err == nil, errors.Is(err, sqlite3.NOTADB), errors.Is(err, sqlite3.CORRUPT):
		return false, nil
	}
	return false, memory.AsError(err)
}
