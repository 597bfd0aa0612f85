package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/driver"

	"memory-graph/internal/memory"
)

// conn is one connection with its prepared statements. Only one goroutine may use it at a time (see pool). It uses the
// driver's own API, not database/sql: a row of a search costs half as much, and no text is converted because it looks
// like a time. This file, errors.go and runtime.go are the only ones that know the driver.
type conn struct {
	raw    *sqlite3.Conn
	stmts  map[string]*sqlite3.Stmt
	queued []string // kinds of the jobs that the current write transaction queued
}

// cursor is the current row of a statement's result. Columns count from 0. It is a value and allocates nothing. A NULL
// reads as the zero value.
type cursor struct{ s *sqlite3.Stmt }

func (r cursor) null(column int) bool     { return r.s.ColumnType(column) == sqlite3.NULL }
func (r cursor) bool(column int) bool     { return r.s.ColumnBool(column) }
func (r cursor) int(column int) int       { return r.s.ColumnInt(column) }
func (r cursor) int64(column int) int64   { return r.s.ColumnInt64(column) }
func (r cursor) float(column int) float64 { return r.s.ColumnFloat(column) }
func (r cursor) text(column int) string   { return r.s.ColumnText(column) }

// time reads a stored time (see memory.ParseStored); NULL is the zero time.
func (r cursor) time(column int) (time.Time, error) {
	return memory.ParseStored(r.s.ColumnText(column))
}

// rawText and rawBlob return SQLite's own memory. It must not be changed, and the next row or statement may overwrite
// it.
func (r cursor) rawText(column int) []byte { return r.s.ColumnRawText(column) }
func (r cursor) rawBlob(column int) []byte { return r.s.ColumnRawBlob(column) }

// count returns the number of columns.
func (r cursor) count() int { return r.s.ColumnCount() }

// columns reads the first len(into) columns in one call into SQLite: int64, float64, string, []byte or nil. A []byte is
// SQLite's own memory, as with rawBlob.
func (r cursor) columns(into []any) error { return r.s.Columns(into...) }

// maxStatements bounds a connection's prepared statements. The SQL of this package is a fixed set, except for the names
// of vec0's tables, which carry their generation, and for the shapes of filters.
const maxStatements = 128

func (c *conn) prepare(sql string) (*sqlite3.Stmt, error) {
	if s, ok := c.stmts[sql]; ok {
		return s, nil
	}
	if len(c.stmts) >= maxStatements {
		c.forget()
	}
	s, tail, err := c.raw.PrepareFlags(sql, sqlite3.PREPARE_PERSISTENT)
	if err != nil {
		return nil, fmt.Errorf("prepare %.60q: %w", sql, err)
	}
	if s == nil || tail != "" {
		return nil, fmt.Errorf("prepare %.60q: not one statement", sql)
	}
	c.stmts[sql] = s
	return s, nil
}

// forget closes the prepared statements that are not in use.
func (c *conn) forget() {
	for sql, s := range c.stmts {
		if !s.Busy() {
			_ = s.Close() // repeats the error of the statement's last run, which the caller already has
			delete(c.stmts, sql)
		}
	}
}

// query runs one statement and calls row for each row of its result. The row function must not run the same statement
// again.
func (c *conn) query(ctx context.Context, sql string, row func(cursor) error, args ...any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	countStatement(ctx)
	s, err := c.prepare(sql)
	if err != nil {
		return err
	}
	if err := bind(s, args); err != nil {
		return err
	}
	for s.Step() {
		if row == nil {
			continue
		}
		if err := row(cursor{s}); err != nil {
			_ = s.Reset()
			return err
		}
	}
	err = s.Err()
	if e := s.Reset(); err == nil { // Reset reports the same error again
		err = e
	}
	if e := s.ClearBindings(); err == nil { // otherwise the connection would keep a long text in memory
		err = e
	}
	return err
}

// exec runs one statement and returns the number of rows it changed.
func (c *conn) exec(ctx context.Context, sql string, args ...any) (int64, error) {
	if err := c.query(ctx, sql, nil, args...); err != nil {
		return 0, err
	}
	return c.raw.Changes(), nil
}

// script runs SQL without parameters, which may be several statements. They are not kept as prepared statements.
func (c *conn) script(sql string) error { return c.raw.Exec(sql) }

// lastID returns the rowid of the row inserted last on this connection.
func (c *conn) lastID() int64 { return c.raw.LastInsertRowID() }

// setInterrupt ends running and later statements when ctx ends. It returns the previous context.
func (c *conn) setInterrupt(ctx context.Context) (old context.Context) {
	return c.raw.SetInterrupt(ctx)
}

// overwrite writes data over part of a blob, in place: no copy of the old bytes remains in the table.
func (c *conn) overwrite(table, column string, rowid, offset int64, data []byte) error {
	blob, err := c.raw.OpenBlob("main", table, column, rowid, true)
	if err != nil {
		return fmt.Errorf("open %s of row %d of %s: %w", column, rowid, table, err)
	}
	defer func() { _ = blob.Close() }() // Close only repeats the error of a failed write
	if _, err := blob.Seek(offset, io.SeekStart); err != nil {
		return err
	}
	_, err = blob.Write(data)
	return err
}

// int64 returns the first column of the first row. ok is false when there is no row or the column is NULL.
func (c *conn) int64(ctx context.Context, sql string, args ...any) (n int64, ok bool, err error) {
	err = c.query(ctx, sql, func(row cursor) error {
		if !ok && !row.null(0) {
			n, ok = row.int64(0), true
		}
		return nil
	}, args...)
	return n, ok, err
}

// nullable is a text that is stored as NULL when it is empty.
type nullable string

func bind(s *sqlite3.Stmt, args []any) error {
	for i, arg := range args {
		var err error
		switch v := arg.(type) {
		case nil:
			err = s.BindNull(i + 1)
		case string:
			err = s.BindText(i+1, v)
		case nullable:
			if v == "" {
				err = s.BindNull(i + 1)
			} else {
				err = s.BindText(i+1, string(v))
			}
		case []byte:
			err = s.BindBlob(i+1, v)
		case int64:
			err = s.BindInt64(i+1, v)
		case int:
			err = s.BindInt64(i+1, int64(v))
		case bool:
			err = s.BindBool(i+1, v)
		case float64:
			err = s.BindFloat(i+1, v)
		default:
			err = fmt.Errorf("cannot bind a %T", arg)
		}
		if err != nil {
			return fmt.Errorf("bind parameter %d: %w", i+1, err)
		}
	}
	return nil
}

// end commits when err is nil and rolls back otherwise. It returns err, or the reason why the commit failed.
func (c *conn) end(err error) error {
	if err == nil {
		err = c.script("COMMIT")
	}
	if err != nil && !c.raw.GetAutocommit() {
		// A cancelled context must not keep the transaction open.
		old := c.setInterrupt(context.Background())
		defer c.setInterrupt(old)
		if e := c.script("ROLLBACK"); e != nil {
			return errors.Join(err, &brokenError{e})
		}
	}
	return err
}

// brokenError marks a connection that must not be used again.
type brokenError struct{ err error }

func (e *brokenError) Error() string { return "roll back: " + e.err.Error() }
func (e *brokenError) Unwrap() error { return e.err }

// access is how a connection opens its file. Neither value creates one.
type access sqlite3.OpenFlag

const (
	forReading access = access(sqlite3.OPEN_READONLY)
	forWriting access = access(sqlite3.OPEN_READWRITE)
)

// dialPlain opens the file at path read-only, with the driver's defaults and nothing else set.
func dialPlain(path string) (*conn, error) {
	raw, err := sqlite3.OpenFlags(path, sqlite3.OPEN_READONLY)
	if err != nil {
		return nil, err
	}
	return &conn{raw: raw, stmts: make(map[string]*sqlite3.Stmt)}, nil
}

// dialSQL opens a file for a library that needs database/sql.
func dialSQL(uri string, busy time.Duration) (*sql.DB, error) {
	return driver.Open(uri, func(c *sqlite3.Conn) error { return c.BusyTimeout(busy) })
}

// dial opens a connection. Waiting for a lock ends with ctx or after busy.
func dial(ctx context.Context, uri string, how access, busy time.Duration, pragmas []pragma) (_ *conn, err error) {
	raw, err := sqlite3.OpenFlags(uri, sqlite3.OpenFlag(how)|sqlite3.OPEN_URI)
	if err != nil {
		return nil, err
	}
	c := &conn{raw: raw, stmts: make(map[string]*sqlite3.Stmt)}
	defer func() {
		if err != nil {
			_ = c.close() // the first error counts
		}
	}()
	defer c.setInterrupt(c.setInterrupt(ctx))
	if err := raw.BusyTimeout(busy); err != nil {
		return nil, err
	}
	// Without the query planner stability guarantee, the planner looks at the value of a LIMIT ?, and each new value
	// prepares the statement again. That takes 2 ms for one of the larger statements, however few rows it reads.
	if _, err := raw.Config(sqlite3.DBCONFIG_ENABLE_QPSG, true); err != nil {
		return nil, fmt.Errorf("keep query plans: %w", err)
	}
	return c, c.set(pragmas)
}

func (c *conn) set(pragmas []pragma) error {
	for _, p := range pragmas {
		if err := c.script("PRAGMA " + p.name + " = " + p.value); err != nil {
			return fmt.Errorf("pragma %s: %w", p.name, err)
		}
	}
	return nil
}

func (c *conn) close() error {
	for _, s := range c.stmts {
		_ = s.Close() // repeats the error of the statement's last run
	}
	clear(c.stmts)
	return c.raw.Close()
}
