package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
	"golang.org/x/sync/semaphore"

	"memory-graph/tools"
)

// ServeStdio answers one host over stdin and stdout until stdin ends or ctx does; both are a clean end and give nil. It
// replaces the stdio loop of mcp-go, which runs calls out of order, drops answers when its queue or stdin ends, and
// shares one session among all servers of a process:
//
//   - tool calls run one after the other in the order in which they came, so that a read sees the write before it;
//   - everything else is answered at once, also while a tool call waits for a database that another process has locked;
//   - at the end of stdin every call that was read is answered; when ctx ends, what can be answered within Grace is.
func ServeStdio(ctx context.Context, mem tools.Memory, o Options, stdin io.Reader, stdout io.Writer) error {
	o = o.withDefaults()
	srv, err := newMCP(mem, o, func() func() { return func() {} })
	if err != nil {
		return err
	}
	sess := newSession()
	if err := srv.RegisterSession(ctx, sess); err != nil {
		return fmt.Errorf("register session: %w", err)
	}
	defer srv.UnregisterSession(context.WithoutCancel(ctx), sess.SessionID())

	// Calls outlive ctx by the grace time, so they hang on a context of their own.
	work, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	c := &connection{
		mcp: srv, sess: sess, log: o.Log, out: stdout, maxLine: o.MaxLineBytes, stop: stop,
		budget: semaphore.NewWeighted(pendingBytes), last: make(chan struct{}),
	}
	close(c.last)
	return c.serve(ctx, srv.WithContext(work, sess), stdin, o)
}

// pendingBytes bounds what calls that were read and wait for their turn may hold: above it, reading pauses. callBytes
// is what a call costs besides its message.
const (
	pendingBytes = 64 << 20
	callBytes    = 4 << 10
)

// connection is one host on stdio.
type connection struct {
	mcp     *mcpserver.MCPServer
	sess    *session
	log     *slog.Logger
	maxLine int
	stop    context.CancelCauseFunc // ends all work, when nobody can read the answers any more
	budget  *semaphore.Weighted
	last    chan struct{}  // closed when the tool call that was read last is answered
	calls   sync.WaitGroup // tool calls and other requests that end by themselves
	streams sync.WaitGroup // what runs until it is stopped

	writing sync.Mutex
	out     io.Writer
}

// serve reads until the end, then waits for the answers. work is the context of everything that is run.
func (c *connection) serve(ctx, work context.Context, stdin io.Reader, o Options) error {
	c.streams.Go(func() { c.notify(work) })
	lines := make(chan message)
	go readLines(work, bufio.NewReader(stdin), c.maxLine, lines)

	err := c.loop(ctx, work, lines)
	idle := make(chan struct{})
	go func() { c.calls.Wait(); close(idle) }()
	select {
	case <-idle:
	case <-work.Done():
	case <-ctx.Done():
		wait(idle, o.Grace)
	}
	c.stop(nil)
	c.calls.Wait()
	c.streams.Wait()
	if cause := context.Cause(work); err == nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}

// loop dispatches messages until there are no more, or ctx or all work has been stopped.
func (c *connection) loop(ctx, work context.Context, lines <-chan message) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-work.Done():
			return nil
		case m, ok := <-lines:
			if !ok {
				return nil
			}
			if m.err != nil {
				return fmt.Errorf("read stdin: %w", m.err)
			}
			c.dispatch(work, m)
		}
	}
}

// dispatch answers a message or sees to it that it is answered.
func (c *connection) dispatch(ctx context.Context, m message) {
	if m.tooLong {
		c.refuse(nil, mcp.INVALID_REQUEST, fmt.Sprintf("message is longer than %d bytes", c.maxLine))
		return
	}
	e, bad := parseEnvelope(m.line)
	switch {
	case bad != nil:
		c.refuse(e.id, bad.code, bad.text)
	case e.answer:
		// We ask the host nothing, so nothing waits for its answer.
	case e.method == string(mcp.MethodToolsCall) && e.id != nil:
		c.enqueue(ctx, m.line, e.id)
	case e.method == string(mcp.MethodSubscriptionsListen):
		c.streams.Go(func() { c.handle(ctx, m.line, e.id) })
	case e.method == string(mcp.MethodInitialize) || e.id == nil:
		c.handle(ctx, m.line, e.id) // before what follows: who calls, and which call is cancelled
	default:
		c.calls.Go(func() { c.handle(ctx, m.line, e.id) })
	}
}

// enqueue runs a tool call behind the one before it. A chain of goroutines is the queue: reading goes on while calls
// wait, so that a host that writes all its calls before it reads an answer does not block.
func (c *connection) enqueue(ctx context.Context, line []byte, id any) {
	weight := int64(min(len(line)+callBytes, pendingBytes))
	if c.budget.Acquire(ctx, weight) != nil {
		return // all work was stopped
	}
	before, done := c.last, make(chan struct{})
	c.last = done
	c.calls.Go(func() {
		defer c.budget.Release(weight)
		defer close(done)
		select {
		case <-before:
		case <-ctx.Done():
			return
		}
		c.handle(ctx, line, id)
	})
}

// handle lets mcp-go answer one message. Our tools do not panic; what else might is answered all the same.
func (c *connection) handle(ctx context.Context, line []byte, id any) {
	defer func() {
		if r := recover(); r != nil {
			c.log.Error("message failed", "panic", r, "stack", string(debug.Stack()))
			if id != nil {
				c.refuse(id, mcp.INTERNAL_ERROR, "internal error")
			}
		}
	}()
	if ctx.Err() != nil {
		return
	}
	if resp := c.mcp.HandleMessage(ctx, line); resp != nil {
		c.write(resp)
	}
}

func (c *connection) refuse(id any, code int, text string) {
	c.write(mcp.NewJSONRPCError(mcp.NewRequestId(id), code, text, nil))
}

// write sends one message as one line. When nobody reads any more, all work ends: no answer could be delivered.
func (c *connection) write(msg any) {
	b, err := json.Marshal(msg)
	if err != nil {
		c.log.Error("message dropped: it does not encode", "error", err)
		return
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if _, err := c.out.Write(append(b, '\n')); err != nil {
		c.stop(fmt.Errorf("write stdout: %w", err))
	}
}

// notify passes on what the server tells the host unasked.
func (c *connection) notify(ctx context.Context) {
	for {
		select {
		case n := <-c.sess.notifications:
			c.write(n)
		case <-ctx.Done():
			return
		}
	}
}
