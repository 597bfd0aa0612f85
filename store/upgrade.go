package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/migrations"
)

// applicationID marks our files ("MGRF"); the first migration writes it.
const applicationID = 1296519750

// noVersions is the version of a file that no migration has touched yet.
const noVersions = -1

// upgrade brings the file to the newest schema version. Several processes may do so at once, on a file that does not
// exist yet too: whoever loses a race (to the lock, or to the same migration) looks again. The writing connection it
// gives is kept open, since closing a file's last connection costs a checkpoint.
func upgrade(ctx context.Context, path, uri string, o Options) (*conn, error) {
	deadline := time.Now().Add(o.BusyTimeout)
	for {
		c, err := upgradeOnce(ctx, path, uri, o)
		if c != nil || err != nil && (!isBusy(err) || time.Now().After(deadline)) {
			return c, err
		}
		// The switch to WAL is refused at once while another process switches, whatever the busy timeout is.
		select {
		case <-time.After(time.Duration(2+rand.IntN(20)) * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// upgradeOnce gives the connection when the file is at the newest version. Neither connection nor error: look again.
func upgradeOnce(ctx context.Context, path, uri string, o Options) (_ *conn, err error) {
	if inWAL(path) {
		_ = matchShm(path) // SQLite says why it cannot be made
	}
	c, err := dial(ctx, uri, forWriting, o.BusyTimeout, connectionPragmas)
	if err != nil {
		return nil, err
	}
	current := false
	defer func() {
		if !current {
			err = errors.Join(err, c.close())
		}
	}()
	before, err := checkVersion(ctx, c, path)
	if err != nil {
		return nil, err
	}
	_ = matchShm(path) // it is ours: from the next statement on it is in WAL mode
	if err := c.set(writerPragmas(o.Synchronous)); err != nil {
		return nil, err
	}
	if before == migrations.Latest() {
		current = true
		return c, nil
	}
	failed := migrate(ctx, path, o.BusyTimeout, migrations.Latest())
	if failed == nil {
		return nil, nil
	}
	after, err := schemaVersion(ctx, c)
	if err != nil {
		return nil, err
	}
	if after != before { // another process was faster
		return nil, nil
	}
	return nil, failed
}

// migrate runs the migrations up to target through goose, which wants database/sql.
func migrate(ctx context.Context, path string, busy time.Duration, target int64) error {
	db, err := dialSQL(fileURI(path, url.Values{"modeof": {path}, "_txlock": {"immediate"}}), busy)
	if err != nil {
		return err
	}
	return errors.Join(migrations.Up(ctx, db, target), db.Close())
}

// checkVersion gives the file's schema version, and refuses what is another program's or a newer program's.
func checkVersion(ctx context.Context, c *conn, path string) (int64, error) {
	id, _, err := c.int64(ctx, "PRAGMA application_id")
	if err != nil {
		return 0, err
	}
	strangers := int64(0)
	if id == 0 { // the table of versions comes before the mark
		strangers, _, err = c.int64(ctx,
			`SELECT count(*) FROM sqlite_master WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\' AND tbl_name <> ?`, migrations.Table)
		if err != nil {
			return 0, err
		}
		if strangers > 0 { // another process of ours may have made the file since: mark and tables come in one transaction
			if id, _, err = c.int64(ctx, "PRAGMA application_id"); err != nil {
				return 0, err
			}
		}
	}
	if id == applicationID {
		strangers = 0
	}
	if id != 0 && id != applicationID || strangers > 0 {
		return 0, memory.Errorf(memory.Unavailable, "%s is a database of another program.",
			path).WithHint("Set MEMORY_GRAPH_DB to a file of its own.")
	}
	version, err := schemaVersion(ctx, c)
	if err != nil {
		return 0, err
	}
	if latest := migrations.Latest(); version > latest {
		return 0, memory.Errorf(memory.Unavailable,
			"The database %s has schema version %d, newer than the %d of this program.", path, version, latest).
			WithHint("Update memory-graph, or set MEMORY_GRAPH_DB to another file.")
	}
	return version, nil
}

// outdated is the cause of the error for a file that only a store which may write can bring up to date.
type outdated struct{ version int64 }

func (o outdated) Error() string { return fmt.Sprintf("schema version %d", o.version) }

// Outdated says whether Open refused a file only because it is of an older schema version, which it also gives: the
// next start that may write brings it up to date.
func Outdated(err error) (version int64, ok bool) {
	var o outdated
	ok = errors.As(err, &o)
	return o.version, ok
}

// checkReadable refuses what a read-only store cannot bring up to date, but with anySchema not what has tables to look
// at.
func checkReadable(ctx context.Context, c *conn, path string, anySchema bool) error {
	version, err := checkVersion(ctx, c, path)
	if err != nil {
		return err
	}
	latest := migrations.Latest()
	if version >= latest || anySchema && version > 0 {
		return nil
	}
	e := memory.Errorf(memory.Unavailable, "The database %s has schema version %d, older than the %d of this program.",
		path, max(version, 0), latest).
		WithHint("Start once without MEMORY_GRAPH_READ_ONLY to bring it up to date.")
	e.Err = outdated{max(version, 0)}
	return e
}

// schemaVersion gives the newest applied migration, 0 where none is, noVersions where even their table is missing.
func schemaVersion(ctx context.Context, c *conn) (int64, error) {
	_, found, err := c.int64(ctx, `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`, migrations.Table)
	if err != nil || !found {
		return noVersions, err
	}
	version, _, err := c.int64(ctx, `SELECT max(version_id) FROM `+migrations.Table+` WHERE is_applied`)
	return version, err
}
