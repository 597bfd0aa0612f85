// Package migrations holds the schema as numbered SQL files and migrates a database file to the newest version. Each
// file runs in one transaction, so a process that is killed leaves the previous version.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/pressly/goose/v3"
)

// Table is the table of the applied versions: rows of (version_id, is_applied).
const Table = "mg_schema_versions"

//go:embed *.sql
var files embed.FS

// Latest returns the schema version that this program reads and writes: the number of the newest file, at least 1.
func Latest() int64 {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return 0 // unreachable: the pattern is a constant
	}
	var latest int64
	for _, name := range names {
		number, _, _ := strings.Cut(name, "_")
		if v, err := strconv.ParseInt(number, 10, 64); err == nil && v > latest {
			latest = v
		}
	}
	return latest
}

// Up migrates the database to the version target, which is Latest except in tests. The database's transactions must
// begin IMMEDIATE. Two processes may call it at once: the loser gets an error because the objects exist already, and
// its next call has nothing to do.
func Up(ctx context.Context, db *sql.DB, target int64) error {
	p, err := goose.NewProvider(goose.DialectSQLite3, db, files,
		goose.WithTableName(Table), goose.WithLogger(goose.NopLogger()), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("load the schema migrations: %w", err)
	}
	if _, err := p.UpTo(ctx, target); err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	return nil
}
