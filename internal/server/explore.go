package server

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"memory-graph/internal/explorer"
	"memory-graph/internal/memory"
	"memory-graph/tools"
)

// Exploring are the settings of ServeExplorer.
type Exploring struct {
	Idle   time.Duration    // ends the server if no browser asks for so long; 0: never
	Open   func(url string) // gets the one-time link, once the server listens
	Closed func()           // called when another browser opens the link again, which closes the page; may be nil
}

// ServeExplorer serves the page of explore and the HTTP interface for one browser, on a free port of this machine. The
// browser that opens the link first may correct the memory as its user. It returns nil when ctx ends or when the page
// was idle. The error is Unavailable if it cannot listen.
func ServeExplorer(ctx context.Context, mem tools.Memory, o Options, e Exploring) error {
	o = o.withDefaults()
	o.HTTP.Public = false
	lis, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return memory.Errorf(memory.Unavailable, "cannot listen on 127.0.0.1: %w.", err).
			WithHint("Allow programs of this machine to listen on its own address.")
	}
	tcp, ok := lis.(*net.TCPListener)
	if !ok {
		return fmt.Errorf("listen on %s: the listener is a %T, not TCP", lis.Addr(), lis)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	busy := func() {}
	if e.Idle > 0 {
		timer := time.AfterFunc(e.Idle, cancel)
		defer timer.Stop()
		busy = func() { timer.Reset(e.Idle) }
	}
	door := newPageDoor(nil, false)
	door.closed = e.Closed
	h, err := newExplorer(mem, o, door, busy)
	if err != nil {
		_ = lis.Close() // nothing was accepted
		return err
	}
	if e.Open != nil {
		e.Open(fmt.Sprintf("http://%s%s?%s=%s", lis.Addr(), explorer.Base, pageKey, door.newKey()))
	}
	return h.serve(ctx, newDoor(tcp, h.places))
}

// newExplorer returns the server of the page. It calls busy for each request of a browser that was let in.
func newExplorer(mem tools.Memory, o Options, door *pageDoor, busy func()) (*httpServer, error) {
	h := &httpServer{places: places(openFiles()), maxBody: o.HTTP.MaxBodyBytes, bodyTime: bodyTimeout,
		running: new(atomic.Int64), log: o.Log, grace: o.Grace}
	around := func() func() {
		busy()
		h.running.Add(1)
		return func() { h.running.Add(-1) }
	}
	mux := http.NewServeMux()
	if err := handleREST(mux, mem, o, around, !o.Tools.ReadOnly); err != nil {
		return nil, err
	}
	if err := door.handle(mux, true); err != nil {
		return nil, err
	}
	mux.Handle("/{$}", http.RedirectHandler(explorer.Base, http.StatusSeeOther))
	h.handler = guardHTTP(h.bodies(mux), o.HTTP, nil, door)
	return h, nil
}
