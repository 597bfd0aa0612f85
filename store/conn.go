package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// conn is one connection with its prepared statements. It is used by one goroutine at a time (see pool). The driver's
// own interface is used and not database/sql: on the way of a search a row costs half as much, and nothing guesses that
// a text which looks like a time is one.
type conn struct {
	*sqlite3.Conn
	stmts map[string]*sqlite3.Stmt
}

// maxStatements bounds a connection's prepared statements: the SQL of this package is a fixed set but for vec0's tables
// (named by their generation) and the shape of a filter.
const maxStatements = 128

func (c *conn) prepare(sql string) (*sqlite3.Stmt, error) {
	if s, ok := c.stmts[sql]; ok {
		return s, nil
	}
	if len(c.stmts) >= maxStatements {
		c.forget()
	}
	s, tail, err := c.PrepareFlags(sql, sqlite3.PREPARE_PERSISTENT)
	if err != nil {
		return nil, fmt.Errorf("prepare %.60q: %w", sql, err)
	}
	if s == nil || tail != "" {
		return nil, fmt.Errorf("prepare %.60q: not one statement", sql)
	}
	c.stmts[sql] = s
	return s, nil
}

// forget closes the prepared statements that are not running.
func (c *conn) forget() {
	for sql, s := range c.stmts {
		if !s.Busy() {
			_ = s.Close() // reports again the error of the statement's last run, which its caller has
			delete(c.stmts, sql)
		}
	}
}

// query runs one statement and calls row for each row of its result; what a row's raw columns point to is gone with the
// next row. A statement must not run again from inside its own row function.
func (c *conn) query(ctx context.Context, sql string, row func(*sqlite3.Stmt) error, args ...any) error {
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
		if err := row(s); err != nil {
			_ = s.Reset()
			return err
		}
	}
	err = s.Err()
	if e := s.Reset(); err == nil { // Reset reports the same error again
		err = e
	}
	if e := s.ClearBindings(); err == nil { // a long text would stay in the connection's memory
		err = e
	}
	return err
}

// exec runs one statement and gives the number of rows that it changed.
func (c *conn) exec(ctx context.Context, sql string, args ...any) (int64, error) {
	if err := c.query(ctx, sql, nil, args...); err != nil {
		return 0, err
	}
	return c.Changes(), nil
}

// int64 gives the first column of the first row; ok is false where there is none or it is NULL.
func (c *conn) int64(ctx context.Context, sql string, args ...any) (n int64, ok bool, err error) {
	err = c.query(ctx, sql, func(s *sqlite3.Stmt) error {
		if !ok && s.ColumnType(0) != sqlite3.NULL {
			n, ok = s.ColumnInt64(0), true
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

// end commits when err is nil and rolls back otherwise. It gives err, or why the commit failed.
func (c *conn) end(err error) error {
	if err == nil {
		err = c.Exec("COMMIT")
	}
	if err != nil && !c.GetAutocommit() {
		// A cancelled context must not keep the transaction open.
		old := c.SetInterrupt(context.Background())
		defer c.SetInterrupt(old)
		if e := c.Exec("ROLLBACK"); e != nil {
			return errors.Join(err, &brokenError{e})
		}
	}
	return err
}

// brokenError says that a connection must be thrown away.
type brokenError struct{ err error }

func (e *brokenError) Error() string { return "roll back: " + e.err.Error() }
func (e *brokenError) Unwrap() error { return e.err }

// dial opens a connection. Waiting for a lock ends with ctx or after busy.
func dial(ctx context.Context, uri string, flags sqlite3.OpenFlag, busy time.Duration, pragmas []pragma) (_ *conn,
	err error) {
	raw, err := sqlite3.OpenFlags(uri, flags|sqlite3.OPEN_URI)
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: raw, stmts: make(map[string]*sqlite3.Stmt)}
	defer func() {
		if err != nil {
			_ = c.close() // the first error counts
		}
	}()
	defer c.SetInterrupt(c.SetInterrupt(ctx))
	if err := c.BusyTimeout(busy); err != nil {
		return nil, err
	}
	// Without the stability guarantee the planner looks at the value of a LIMIT ?, and each new binding of it throws the
	// prepared statement away: 2 ms for one of the larger ones, whatever it reads.
	if _, err := c.Config(sqlite3.DBCONFIG_ENABLE_QPSG, true); err != nil {
		return nil, fmt.Errorf("keep query plans: %w", err)
	}
	return c, c.set(pragmas)
}

func (c *conn) set(pragmas []pragma) error {
	for _, p := range pragmas {
		if err := c.Exec("PRAGMA " + p.name + " = " + p.value); err != nil {
			return fmt.Errorf("pragma %s: %w", p.name, err)
		}
	}
	return nil
}

func (c *conn) close() error {
	for _, s := range c.stmts {
		_ = s.Close() // reports again what the statement's last run reported
	}
	clear(c.stmts)
	return c.Close()
}
