package engine

import (
	"context"
	"time"

	"memory-graph/internal/hooks/spool"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// drainPatience is how long a call waits for the spool to drain. A call thus sees the turns of hooks that have
// finished, unless the file is locked.
const drainPatience = 250 * time.Millisecond

// drainer stores the turns in the spool.
type drainer struct {
	dir     spool.Dir
	now     func() time.Time
	attends bool // this process drains the spool for all others

	running chan struct{} // holds one element during a run
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
	return s.drainer.drain(ctx, s), nil
}

func (d *drainer) drain(ctx context.Context, s *services) spool.Report {
	select {
	case d.running <- struct{}{}:
		defer func() { <-d.running }()
	case <-ctx.Done():
		return spool.Report{}
	}
	r := d.dir.Drain(ctx, d.now(), func(ctx context.Context, t spool.Entry) error {
		_, err := s.recorder.Record(ctx, store.NewEpisode{
			Episode: memory.Episode{
				Scope:   memory.Scope{Namespace: t.Namespace, Project: t.Project, User: t.User, SessionID: t.Session},
				Content: t.Content, Role: t.Role, Speaker: t.Speaker, Source: t.Source, OccurredAt: t.At,
			},
			IdempotencyKey: t.Key, Caller: memory.Caller{Actor: "hook", Client: t.Client},
		})
		return err
	})
	return r
}

// first drains the spool before a call is answered.
func (d *drainer) first(ctx context.Context, s *services) {
	if !d.attends {
		return
	}
	if names, _ := d.dir.Names(d.now()); len(names) == 0 { // keepDraining reports read errors
		return
	}
	ctx, cancel := context.WithTimeout(ctx, drainPatience)
	defer cancel()
	d.drain(ctx, s)
}

// keepDraining drains the spool periodically until ctx ends.
func (e *Engine) keepDraining(ctx context.Context, s *services) {
	d := s.drainer
	again := time.NewTicker(spool.AttendEvery)
	defer again.Stop()
	defer d.dir.Leave()
	told := ""
	for {
		d.dir.Attend(d.now())
		r := d.drain(ctx, s)
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
			return
		case <-again.C:
		}
	}
}
