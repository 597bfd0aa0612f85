package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	mcpserver "github.com/mark3labs/mcp-go/server"

	"memory-graph/internal/memory"
	"memory-graph/tools"
)

// HTTPOptions are the settings of ServeHTTP.
type HTTPOptions struct {
	Addr         string // host:port; port 0 selects a free port
	Public       bool   // allow an Addr that other machines can reach; Token must then be set
	SSE          bool   // also offer the older transport at /sse
	Token        string // bearer token; "" uses the token in TokenFile, which is created if missing
	TokenFile    string // in the data directory
	MaxBodyBytes int64  // of one request; 0 means 4 MiB

	Notices   io.Writer           // gets the server's address and the token's file, for a person; may be nil
	Listening func(addr net.Addr) // called once, before the first request; may be nil
}

// maxHeaderBytes limits the header of a request.
const maxHeaderBytes = 64 << 10

// ServeHTTP serves streamable HTTP at /mcp, the read-only interfaces at /api/v1 and /metrics, the page of explore
// (read-only here), and, if configured, the older SSE transport at /sse. It returns nil when ctx ends. Errors:
// InvalidArgument for an address that is not allowed, Unavailable if it cannot listen on it or store the token.
func ServeHTTP(ctx context.Context, mem tools.Memory, o Options) error {
	o = o.withDefaults()
	if err := checkAddr(o.HTTP); err != nil {
		return err
	}
	token, where, err := bearerToken(o.HTTP, o.Log)
	if err != nil {
		return err
	}
	lis, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.HTTP.Addr)
	if err != nil {
		return memory.Errorf(memory.Unavailable, "cannot listen on %s: %w.", o.HTTP.Addr, err).
			WithHint("Stop the program that uses this address, or choose another port with --http.")
	}
	h, err := newHTTP(mem, o, token)
	if err != nil {
		return errors.Join(err, lis.Close())
	}
	if o.HTTP.Notices != nil {
		fmt.Fprintf(o.HTTP.Notices, "memory-graph listens on http://%s/mcp\nbearer token: %s\n", lis.Addr(), where)
	}
	if o.HTTP.Listening != nil {
		o.HTTP.Listening(lis.Addr())
	}
	tcp, ok := lis.(*net.TCPListener)
	if !ok {
		return errors.Join(fmt.Errorf("listen on %s: the listener is a %T, not TCP", lis.Addr(), lis), lis.Close())
	}
	return h.serve(ctx, newDoor(tcp, h.places))
}

// httpServer is the state of a running ServeHTTP.
type httpServer struct {
	handler    http.Handler
	streamable *mcpserver.StreamableHTTPServer // nil for the page of explore
	sse        *mcpserver.SSEServer            // nil if not configured
	sessions   *sessions                       // the sessions of streamable
	streams    chan struct{}                   // holds one element for each open event stream
	places     int                             // maximum number of open connections
	maxBody    int64                           // of one request, in bytes
	bodyTime   time.Duration                   // time limit for reading the body of one request
	running    *atomic.Int64                   // running tool calls
	log        *slog.Logger
	grace      time.Duration
}

func newHTTP(mem tools.Memory, o Options, token *bearer) (*httpServer, error) {
	places := places(openFiles())
	h := &httpServer{
		streams: make(chan struct{}, places/2), places: places, maxBody: o.HTTP.MaxBodyBytes, bodyTime: bodyTimeout,
		running: new(atomic.Int64), log: o.Log, grace: o.Grace,
	}
	h.sessions = newSessions(h.endSession)
	around := func() func() {
		h.running.Add(1)
		return func() { h.running.Add(-1) }
	}
	measured := newMetrics()
	o.Tools.Observe = measured.observe
	srv, err := newMCP(mem, o, around)
	if err != nil {
		return nil, err
	}
	h.streamable = mcpserver.NewStreamableHTTPServer(srv,
		mcpserver.WithSessionIdManager(h.sessions),
		mcpserver.WithHTTPContextFunc(withUserAgent),
		mcpserver.WithStreamableHTTPLogger(o.Log),
		mcpserver.WithDisableLocalhostProtection(true), // guardHTTP checks the Host header with its own rules
	)
	mux := http.NewServeMux()
	mux.Handle(mcpPath, http.HandlerFunc(h.mcp))
	if err := handleREST(mux, mem, o, around, false); err != nil {
		return nil, err
	}
	page := newPageDoor(token, o.HTTP.Public)
	if err := page.handle(mux, false); err != nil {
		return nil, err
	}
	mux.Handle(metricsPath, measured.handler(mem, o.Version, h.running.Load))
	if o.HTTP.SSE {
		h.sse = mcpserver.NewSSEServer(srv,
			mcpserver.WithSSEContextFunc(withUserAgent),
			mcpserver.WithKeepAlive(true),
			mcpserver.WithSSEDisableLocalhostProtection(true),
			// Without a list of origins, mcp-go allows every origin. This one allows no other site.
			mcpserver.WithSSECORS(mcpserver.WithCORSAllowedOrigins("http://localhost")),
		)
		mux.Handle("/sse", h.stream(h.sse.SSEHandler()))
		mux.Handle("/message", h.message(h.sse.MessageHandler()))
	}
	h.handler = guardHTTP(h.bodies(mux), o.HTTP, token, page)
	return h, nil
}

// serve answers until ctx ends. It then accepts no more connections, lets running tool calls finish, ends the event
// streams, and closes the remaining connections after the grace time.
func (h *httpServer) serve(ctx context.Context, lis net.Listener) error {
	base, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	srv := &http.Server{
		Handler:           h.handler,
		ReadHeaderTimeout: readHeaderTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(h.log.Handler(), slog.LevelDebug),
		BaseContext:       func(net.Listener) context.Context { return base },
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, visitorKey{}, c)
		},
		ConnState: func(c net.Conn, s http.ConnState) {
			if v, ok := c.(*visitor); ok {
				v.work(s != http.StateIdle)
			}
		},
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(lis) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve http: %w", err)
	case <-ctx.Done():
	}
	grace, done := context.WithTimeout(context.WithoutCancel(ctx), h.grace)
	defer done()
	go h.endStreams(grace, cut)
	err := srv.Shutdown(grace)
	if errors.Is(err, context.DeadlineExceeded) {
		h.log.Warn("closed connections that did not end within the grace time", "grace", h.grace)
		err = srv.Close()
	}
	if h.streamable != nil {
		err = errors.Join(err, h.streamable.Shutdown(grace))
	}
	return err
}

// endStreams waits until no tool call runs or ctx ends, then closes the sessions and calls cut to end the open streams.
func (h *httpServer) endStreams(ctx context.Context, cut func()) {
	defer cut()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if h.running.Load() == 0 {
			if h.streamable != nil {
				h.streamable.CloseSessions(ctx)
			}
			if h.sse != nil {
				h.sse.CloseSessions()
			}
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// checkAddr rejects an address that other machines can reach, unless the user allowed it and chose a token.
func checkAddr(o HTTPOptions) error {
	host, _, err := net.SplitHostPort(o.Addr)
	if err != nil {
		return memory.Errorf(memory.InvalidArgument, "%q is not a listen address: %w.", o.Addr,
			err).WithHint("Use host:port, such as 127.0.0.1:8765.")
	}
	if isLoopback(host) {
		return nil
	}
	if !o.Public {
		return memory.Errorf(memory.InvalidArgument, "%s can be reached from other machines.", o.Addr).
			WithHint("Use 127.0.0.1, or set http_public and a token and put a proxy with TLS in front.")
	}
	if o.Token == "" {
		return memory.Errorf(memory.InvalidArgument, "%s can be reached from other machines and no token is set.", o.Addr).
			WithHint("Set MEMORY_GRAPH_TOKEN.")
	}
	return nil
}

// isLoopback reports whether a host, without port, is reachable from this machine only.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return ip != nil && ip.IsLoopback()
}
