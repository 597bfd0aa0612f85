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
	Addr         string // host:port; port 0 takes a free one
	Public       bool   // allow an Addr beyond this machine; then Token must be set
	SSE          bool   // also offer the older transport at /sse
	Token        string // bearer token; "" takes the one in TokenFile, made there if need be
	TokenFile    string // in the data directory
	MaxBodyBytes int64  // of one request; 0 is 4 MiB

	Notices   io.Writer           // told where the server listens and where the token is, for a person; nil: nobody
	Listening func(addr net.Addr) // called once, before the first request; may be nil
}

// maxHeaderBytes bounds the header of a request.
const maxHeaderBytes = 64 << 10

// ServeHTTP offers streamable HTTP at /mcp, and the older SSE transport at /sse where asked for, until ctx ends, which
// is a clean end and gives nil. Errors: InvalidArgument for an address that is not allowed, Unavailable for one that
// cannot be had or a token that cannot be kept.
func ServeHTTP(ctx context.Context, mem tools.Memory, o Options) error {
	o = o.withDefaults()
	if err := checkAddr(o.HTTP); err != nil {
		return err
	}
	token, where, err := bearerToken(o.HTTP)
	if err != nil {
		return err
	}
	lis, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.HTTP.Addr)
	if err != nil {
		return memory.Errorf(memory.Unavailable, "cannot listen on %s: %w.", o.HTTP.Addr, err).
			WithHint("Stop what listens there, or choose another port with --http.")
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
		return errors.Join(fmt.Errorf("listen on %s: not TCP but %T", lis.Addr(), lis), lis.Close())
	}
	return h.serve(ctx, newDoor(tcp, h.places))
}

// httpServer is everything that runs while ServeHTTP does.
type httpServer struct {
	handler    http.Handler
	streamable *mcpserver.StreamableHTTPServer
	sse        *mcpserver.SSEServer // nil where not offered
	sessions   *sessions            // of streamable
	streams    chan struct{}        // one element for each event stream that is open
	places     int                  // connections that may be open
	maxBody    int64                // of one request, in bytes
	bodyTime   time.Duration        // for the body of one request
	running    *atomic.Int64        // tool calls under way
	log        *slog.Logger
	grace      time.Duration
}

func newHTTP(mem tools.Memory, o Options, token string) (*httpServer, error) {
	places := places(openFiles())
	h := &httpServer{
		streams: make(chan struct{}, places/2), places: places, maxBody: o.HTTP.MaxBodyBytes, bodyTime: bodyTimeout,
		running: new(atomic.Int64), log: o.Log, grace: o.Grace,
	}
	h.sessions = newSessions(h.endSession)
	srv, err := newMCP(mem, o, func() func() {
		h.running.Add(1)
		return func() { h.running.Add(-1) }
	})
	if err != nil {
		return nil, err
	}
	named := func(ctx context.Context, r *http.Request) context.Context {
		return context.WithValue(ctx, userAgentKey{}, r.UserAgent())
	}
	h.streamable = mcpserver.NewStreamableHTTPServer(srv,
		mcpserver.WithSessionIdManager(h.sessions),
		mcpserver.WithHTTPContextFunc(named),
		mcpserver.WithStreamableHTTPLogger(o.Log),
		mcpserver.WithDisableLocalhostProtection(true), // guardHTTP has looked at Host, by its own rules
	)
	mux := http.NewServeMux()
	mux.Handle("/mcp", http.HandlerFunc(h.mcp))
	if o.HTTP.SSE {
		h.sse = mcpserver.NewSSEServer(srv,
			mcpserver.WithSSEContextFunc(named),
			mcpserver.WithKeepAlive(true),
			mcpserver.WithSSEDisableLocalhostProtection(true),
			// Without a list of origins mcp-go answers "any origin". Browsers of other sites get nothing from us: the one
			// named here stands for none.
			mcpserver.WithSSECORS(mcpserver.WithCORSAllowedOrigins("http://localhost")),
		)
		mux.Handle("/sse", h.stream(h.sse.SSEHandler()))
		mux.Handle("/message", h.message(h.sse.MessageHandler()))
	}
	h.handler = guardHTTP(mux, o.HTTP, token)
	return h, nil
}

// serve answers until ctx ends. Then it takes no more connections, lets tool calls under way finish, ends the streams
// that would go on for ever, and gives up on the rest after the grace time.
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
		h.log.Warn("connections were cut: they did not end in time", "grace", h.grace)
		err = srv.Close()
	}
	return errors.Join(err, h.streamable.Shutdown(grace))
}

// endStreams closes the sessions, waits until no tool call is under way, or ctx ends, and cuts what is still open.
func (h *httpServer) endStreams(ctx context.Context, cut func()) {
	defer cut()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if h.running.Load() == 0 {
			h.streamable.CloseSessions(ctx)
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

// checkAddr refuses an address that others can reach, unless that was asked for with a token that its owner chose.
func checkAddr(o HTTPOptions) error {
	host, _, err := net.SplitHostPort(o.Addr)
	if err != nil {
		return memory.Errorf(memory.InvalidArgument, "%q is not an address: %w.", o.Addr,
			err).WithHint("Use host:port, such as 127.0.0.1:8765.")
	}
	if isLoopback(host) {
		return nil
	}
	if !o.Public {
		return memory.Errorf(memory.InvalidArgument, "%s can be reached from other machines.", o.Addr).
			WithHint("Use 127.0.0.1, or set http_public and a token, with a proxy in front that encrypts.")
	}
	if o.Token == "" {
		return memory.Errorf(memory.InvalidArgument, "%s can be reached from other machines and no token is set.", o.Addr).
			WithHint("Set MEMORY_GRAPH_TOKEN.")
	}
	return nil
}

// isLoopback says whether a host, without port, is this machine only.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return ip != nil && ip.IsLoopback()
}
