// Package migrations holds the schema as numbered SQL files and brings a database file to the newest of them. Each file
// runs in one transaction, so a process killed in the middle leaves the version it started from.
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

// Table is where the applied versions are kept: rows of (version_id, is_applied).
const Table = "mg_schema_versions"

//go:embed *.sql
var files embed.FS

// Latest is the version that this program writes and reads: the number of the newest file, at least 1.
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

// Up brings the database to version target (Latest, but for tests). The database's transactions must begin IMMEDIATE.
// Two processes may run it at once: the loser fails on what already exists, and finds on its next call nothing to do.
func Up(ctx context.Context, db *sql.DB, target int64) error {
	p, err := goose.NewProvider(goose.DialectSQLite3, db, files,
		goose.WithTableName(Table), goose.WithLogger(goose.NopLogger()), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	if _, err := p.UpTo(ctx, target); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}
