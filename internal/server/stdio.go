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

// ServeStdio serves one host over stdin and stdout until stdin or ctx ends. Both are a clean end and return nil. It
// replaces the stdio loop of mcp-go, which runs calls out of order, drops answers when its queue or stdin ends, and
// shares one session among all servers of a process:
//
//   - Tool calls run one after another in the order in which they arrived, so a read sees the write before it.
//   - Everything else is answered at once, even while a tool call waits for a database that another process has locked.
//   - When stdin ends, every call that was read is answered. When ctx ends, calls that finish within Grace are
//     answered.
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

	// Calls outlive ctx by the grace time, so they have their own context.
	work, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	c := &connection{
		mcp: srv, sess: sess, log: o.Log, out: stdout, maxLine: o.MaxLineBytes, stop: stop,
		budget: semaphore.NewWeighted(pendingBytes), last: make(chan struct{}),
	}
	close(c.last)
	return c.serve(ctx, srv.WithContext(work, sess), stdin, o)
}

// pendingBytes limits the memory of calls that wait for their turn. Above it, reading pauses. callBytes is the cost of
// a call in addition to its message.
const (
	pendingBytes = 64 << 20
	callBytes    = 4 << 10
)

// connection is the connection to one host on stdio.
type connection struct {
	mcp     *mcpserver.MCPServer
	sess    *session
	log     *slog.Logger
	maxLine int
	stop    context.CancelCauseFunc // ends all work when the host no longer reads answers
	budget  *semaphore.Weighted
	last    chan struct{} // closed when the most recently read tool call is answered
	running running
	calls   sync.WaitGroup // tool calls and other requests that finish on their own
	streams sync.WaitGroup // work that runs until it is stopped

	writing sync.Mutex
	out     io.Writer
}

// serve reads until the end and then waits for the answers. work is the context of everything that it starts.
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

// loop dispatches messages until the input ends, ctx ends or all work is stopped.
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

// dispatch answers a message or starts the work that will answer it.
func (c *connection) dispatch(ctx context.Context, m message) {
	if m.tooLong {
		c.refuse(nil, mcp.INVALID_REQUEST, fmt.Sprintf("message is longer than %d bytes", c.maxLine))
		return
	}
	e, bad := parseEnvelope(m.line)
	if bad != nil {
		c.refuse(e.id, bad.code, bad.text)
		return
	}
	if wrong := unsupported(e, declaredVersion(m.line), ""); wrong != nil {
		c.write(wrong)
		return
	}
	switch {
	case e.answer:
		// The server sends no requests, so nothing waits for an answer.
	case e.method == string(mcp.MethodNotificationCancelled) && e.id == nil:
		c.running.cancel(m.line)
	case e.method == string(mcp.MethodToolsCall) && e.id != nil:
		c.enqueue(ctx, m.line, e.id)
	case e.method == string(mcp.MethodSubscriptionsListen):
		c.start(ctx, &c.streams, m.line, e.id)
	case e.method == string(mcp.MethodInitialize) || e.id == nil:
		c.handle(ctx, m.line, e.id) // in order: later messages depend on the client's name and on cancellations
	default:
		c.start(ctx, &c.calls, m.line, e.id)
	}
}

// start handles a request that waits for no other.
func (c *connection) start(ctx context.Context, group *sync.WaitGroup, line []byte, id any) {
	ctx, done := c.running.begin(ctx, id)
	group.Go(func() {
		defer done()
		c.handle(ctx, line, id)
	})
}

// enqueue runs a tool call after the previous one. A chain of goroutines is the queue. Reading continues while calls
// wait, so a host that writes all its calls before it reads an answer does not block.
func (c *connection) enqueue(ctx context.Context, line []byte, id any) {
	weight := int64(min(len(line)+callBytes, pendingBytes))
	if c.budget.Acquire(ctx, weight) != nil {
		return // all work is stopped
	}
	before, answered := c.last, make(chan struct{})
	c.last = answered
	own, done := c.running.begin(ctx, id)
	c.calls.Go(func() {
		defer c.budget.Release(weight)
		defer close(answered)
		defer done()
		select {
		case <-before: // also for a cancelled call, because the next one waits only for this one
		case <-ctx.Done():
			return
		}
		c.handle(own, line, id)
	})
}

// handle passes one message to mcp-go. It also answers if mcp-go panics; the tools recover their own panics.
func (c *connection) handle(ctx context.Context, line []byte, id any) {
	defer func() {
		if r := recover(); r != nil {
			c.log.Error("handling a message panicked", "panic", r, "stack", string(debug.Stack()))
			if id != nil {
				c.refuse(id, mcp.INTERNAL_ERROR, "internal error")
			}
		}
	}()
	if ctx.Err() != nil {
		return
	}
	ctx, failed := withFailure(ctx)
	resp := c.mcp.HandleMessage(ctx, line)
	if e, ok := resp.(mcp.JSONRPCError); ok {
		resp = failed.repair(e, line)
	}
	if resp != nil && !errors.Is(context.Cause(ctx), errCancelled) {
		c.write(resp)
	}
}

func (c *connection) refuse(id any, code int, text string) {
	c.write(mcp.NewJSONRPCError(mcp.NewRequestId(id), code, text, nil))
}

// write sends one message as one line. If writing fails, it ends all work, because no answer can be delivered.
func (c *connection) write(msg any) {
	b, err := json.Marshal(msg)
	if err != nil {
		c.log.Error("dropped a message that cannot be encoded as JSON", "error", err)
		return
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if _, err := c.out.Write(append(b, '\n')); err != nil {
		c.stop(fmt.Errorf("write stdout: %w", err))
	}
}

// notify sends the server's notifications to the host.
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
