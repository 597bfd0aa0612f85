package store

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
)

// pool lends connections, each to one borrower at a time. It opens them on first use.
type pool struct {
	open  func(context.Context) (*conn, error)
	slots chan *conn // nil: not opened yet
	done  chan struct{}
}

// newPool returns a pool as large as conns. A nil is a connection that is opened on first use.
func newPool(conns []*conn, open func(context.Context) (*conn, error)) *pool {
	p := &pool{open: open, slots: make(chan *conn, len(conns)), done: make(chan struct{})}
	for _, c := range conns {
		p.slots <- c
	}
	return p
}

// with runs fn on a connection. When ctx ends, waiting for the connection and a long statement end too.
func (p *pool) with(ctx context.Context, fn func(*conn) error) (err error) {
	var c *conn
	select {
	case <-p.done:
		return errClosed
	default:
	}
	select {
	case c = <-p.slots:
	case <-ctx.Done():
		return ctx.Err()
	case <-p.done:
		return errClosed
	}
	defer func() { p.slots <- c }()
	if c == nil {
		if c, err = p.open(ctx); err != nil {
			c = nil
			return err
		}
	}
	defer func() {
		// The driver panics when WebAssembly traps or runs out of memory. The connection is lost, but the process
		// continues.
		if r := recover(); r != nil {
			c = nil
			err = fmt.Errorf("sqlite panicked: %v\n%s", r, debug.Stack())
		}
	}()
	old := c.setInterrupt(ctx)
	err = fn(c)
	c.setInterrupt(old)
	var broken *brokenError
	if errors.As(err, &broken) {
		_ = c.close() // broken already
		c = nil
	}
	return err
}

// close refuses new borrowers, waits for the current ones and closes all connections. Call it only once.
func (p *pool) close() error {
	close(p.done)
	var errs []error
	for range cap(p.slots) {
		if c := <-p.slots; c != nil {
			errs = append(errs, c.close())
		}
	}
	return errors.Join(errs...)
}
