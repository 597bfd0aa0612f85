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

// applicationID marks the files of this program ("MGRF"); the first migration writes it.
const applicationID = 1296519750

// noVersions is the version of a file before any migration.
const noVersions = -1

// upgrade brings the file to the newest schema version and returns a writing connection. Several processes may do so at
// once, even on a new file: one that loses a race, for the lock or for a migration, tries again. The connection stays
// open, since closing a file's last connection costs a checkpoint.
func upgrade(ctx context.Context, path, uri string, o Options) (*conn, error) {
	deadline := time.Now().Add(o.BusyTimeout)
	for {
		c, err := upgradeOnce(ctx, path, uri, o)
		if c != nil || err != nil && (!isBusy(err) || time.Now().After(deadline)) {
			return c, err
		}
		// SQLite refuses the switch to WAL at once while another process switches; the busy timeout does not apply.
		select {
		case <-time.After(time.Duration(2+rand.IntN(20)) * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// upgradeOnce returns a connection once the file is at the newest version. If it returns neither connection nor error,
// try again.
func upgradeOnce(ctx context.Context, path, uri string, o Options) (_ *conn, err error) {
	if inWAL(path) {
		_ = matchShm(path) // SQLite reports why it cannot be created
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
	_ = matchShm(path) // the file is ours: the next statement switches it to WAL
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

// migrate runs the migrations up to target through goose, which needs database/sql.
func migrate(ctx context.Context, path string, busy time.Duration, target int64) error {
	db, err := dialSQL(fileURI(path, url.Values{"modeof": {path}, "_txlock": {"immediate"}}), busy)
	if err != nil {
		return err
	}
	return errors.Join(migrations.Up(ctx, db, target), db.Close())
}

// checkVersion returns the file's schema version. It refuses a file of another program or of a newer version of this
// program.
func checkVersion(ctx context.Context, c *conn, path string) (int64, error) {
	id, _, err := c.int64(ctx, "PRAGMA application_id")
	if err != nil {
		return 0, err
	}
	strangers := int64(0)
	if id == 0 { // the table of versions is created before the application id is set
		strangers, _, err = c.int64(ctx,
			`SELECT count(*) FROM sqlite_master WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\' AND tbl_name <> ?`, migrations.Table)
		if err != nil {
			return 0, err
		}
		if strangers > 0 { // another process may have just created the file; it writes id and tables in one transaction
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
		e := memory.Errorf(memory.Unavailable,
			"The database %s has schema version %d, newer than the %d of this program.", path, version, latest).
			WithHint("Update memory-graph, or set MEMORY_GRAPH_DB to another file.")
		e.Err = tooNew{}
		return 0, e
	}
	return version, nil
}

// tooNew is the cause of the error for a file that only a newer program can read.
type tooNew struct{}

func (tooNew) Error() string { return "written by a newer program" }

// outdated is the cause of the error for a file that only a writing store can upgrade. The version is 0 if nothing was
// ever stored in the file.
type outdated struct{ version int64 }

func (o outdated) Error() string { return fmt.Sprintf("schema version %d", o.version) }

// Outdated reports whether Open refused a file only because of its older schema version, and returns that version: 0 if
// nothing was ever stored in the file, because the start that created it was interrupted. The next start that may write
// upgrades the file.
func Outdated(err error) (version int64, ok bool) {
	var o outdated
	ok = errors.As(err, &o)
	return o.version, ok
}

// checkReadable refuses a file that a read-only store would have to upgrade. With anySchema it accepts any file in
// which something was ever stored.
func checkReadable(ctx context.Context, c *conn, path string, anySchema bool) error {
	version, err := checkVersion(ctx, c, path)
	if err != nil {
		return err
	}
	latest := migrations.Latest()
	if version >= latest {
		return nil
	}
	if version > 0 {
		_, used, err := c.int64(ctx, `SELECT 1 FROM mg_episodes UNION ALL SELECT 1 FROM mg_entities UNION ALL
			SELECT 1 FROM mg_events LIMIT 1`)
		if err != nil || used && anySchema {
			return err
		}
		if !used {
			version = 0
		}
	}
	e := memory.Errorf(memory.Unavailable, "The database %s has schema version %d, older than the %d of this program.",
		path, max(version, 0), latest).
		WithHint("Start once without MEMORY_GRAPH_READ_ONLY to bring it up to date.")
	e.Err = outdated{max(version, 0)}
	return e
}

// schemaVersion returns the newest applied migration, 0 for none, noVersions if even the table of migrations is
// missing.
func schemaVersion(ctx context.Context, c *conn) (int64, error) {
	_, found, err := c.int64(ctx, `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`, migrations.Table)
	if err != nil || !found {
		return noVersions, err
	}
	version, _, err := c.int64(ctx, `SELECT max(version_id) FROM `+migrations.Table+` WHERE is_applied`)
	return version, err
}
