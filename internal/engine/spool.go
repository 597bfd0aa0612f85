package engine

import (
	"context"
	"sync/atomic"
	"time"

	"memory-graph/internal/hooks/spool"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// drainPatience is how long a call waits for the spool to drain. A call thus sees the turns of hooks that have
// finished, unless the file is locked.
const drainPatience = 250 * time.Millisecond

// lastDrain is how long a process that shuts down stores turns of hooks. The host may kill it before; turns that are
// not stored stay in the spool.
const lastDrain = 2 * time.Second

// drainer stores the turns in the spool.
type drainer struct {
	dir     spool.Dir
	now     func() time.Time
	attends bool // this process drains the spool for all others

	running chan struct{} // holds one element during a run
	stuck   atomic.Bool   // a call waited without success, and no run has stored anything since
}

func (e *Engine) newDrainer() *drainer {
	return &drainer{dir: spool.Beside(e.cfg.DB), now: e.o.now, attends: !e.cfg.ReadOnly && e.o.serves,
		running: make(chan struct{}, 1)}
}

// Drain stores the turns in the spool beside the database.
func (e *Engine) Drain(ctx context.Context) (spool.Report, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return spool.Report{}, err
	}
	return s.drainer.drain(ctx, s.storeSpooled), nil
}

// storeSpooled stores a turn of a hook.
func (s *services) storeSpooled(ctx context.Context, t spool.Entry) error {
	_, err := s.recorder.Record(ctx, store.NewEpisode{
		Episode: memory.Episode{
			Scope:   memory.Scope{Namespace: t.Namespace, Project: t.Project, User: t.User, SessionID: t.Session},
			Content: t.Content, Role: t.Role, Speaker: t.Speaker, Source: t.Source, OccurredAt: t.At,
		},
		IdempotencyKey: t.Key, Caller: memory.Caller{Actor: "hook", Client: t.Client},
	})
	return err
}

func (d *drainer) drain(ctx context.Context, store func(context.Context, spool.Entry) error) spool.Report {
	select {
	case d.running <- struct{}{}:
		defer func() { <-d.running }()
	case <-ctx.Done():
		return spool.Report{}
	}
	r := d.dir.Drain(ctx, d.now(), store)
	if ctx.Err() == nil && (r.Stored > 0 || r.Left == 0) {
		d.stuck.Store(false)
	}
	return r
}

// first drains the spool before a call is answered. If a call waited without success, for a locked database or a long
// turn, later calls do not wait until a drain succeeds again.
func (d *drainer) first(ctx context.Context, store func(context.Context, spool.Entry) error) {
	if !d.attends || d.stuck.Load() {
		return
	}
	if names, _ := d.dir.Names(d.now()); len(names) == 0 { // keepDraining reports read errors
		return
	}
	ctx, cancel := context.WithTimeout(ctx, drainPatience)
	defer cancel()
	d.drain(ctx, store)
	if ctx.Err() != nil {
		d.stuck.Store(true)
	}
}

// untilDrained returns the context for opening the database. If this process has to store waiting turns, it lasts a
// little longer than ctx, so that a server that ends while it opens can still store them. If the process is killed
// instead, the turns stay in the spool. release must be called.
func (e *Engine) untilDrained(ctx context.Context) (until context.Context, release func()) {
	if e.cfg.ReadOnly || !e.o.serves {
		return ctx, func() {}
	}
	until, end := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if w, err := spool.Beside(e.cfg.DB).Waiting(); err == nil && w.Turns > 0 {
			last := time.NewTimer(e.o.lastDrain)
			defer last.Stop()
			select {
			case <-last.C:
			case <-until.Done():
			}
		}
		end()
	})
	return until, func() { stop(); end() }
}

// keepDraining drains the spool periodically until ctx ends, and once more then. Before this last drain it removes the
// mark of attendance. A hook that still saw the mark had already spooled its turn, and later hooks store their turns
// themselves.
func (e *Engine) keepDraining(ctx context.Context, s *services) {
	d := s.drainer
	again := time.NewTicker(spool.AttendEvery)
	defer again.Stop()
	told := ""
	for {
		d.dir.Attend(d.now())
		r := d.drain(ctx, s.storeSpooled)
		for _, err := range r.Errs {
			if ctx.Err() == nil && err.Error() != told { // log a repeated error only once
				e.log.Warn("storing a hook's turn failed", "error", err)
				told = err.Error()
			}
		}
		if r.Stored > 0 {
			e.log.Debug("stored turns of hooks", "n", r.Stored)
		}
		select {
		case <-ctx.Done():
			d.dir.Leave()
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), e.o.lastDrain)
			d.drain(last, s.storeSpooled)
			cancel()
			return
		case <-again.C:
		}
	}
}
