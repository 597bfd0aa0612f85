package engine

import (
	"context"
	"time"

	"memory-graph/internal/hooks/spool"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// drainPatience is how long a call waits for turns of hooks to be stored before it is answered: a hook that has ended
// is found by the next call, unless the file is locked.
const drainPatience = 250 * time.Millisecond

// drainer takes up what hooks wrote down.
type drainer struct {
	dir     spool.Dir
	now     func() time.Time
	attends bool // this process does so for all

	running chan struct{} // holds one while a run is under way
}

func (e *Engine) newDrainer() *drainer {
	return &drainer{dir: spool.Beside(e.cfg.DB), now: e.o.now, attends: !e.cfg.ReadOnly && e.o.serves,
		running: make(chan struct{}, 1)}
}

// Drain stores the turns that wait in the spool beside the database.
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

// first stores what waits before a call is answered.
func (d *drainer) first(ctx context.Context, s *services) {
	if !d.attends {
		return
	}
	if names, _ := d.dir.Names(d.now()); len(names) == 0 { // what cannot be read is told by keepDraining
		return
	}
	ctx, cancel := context.WithTimeout(ctx, drainPatience)
	defer cancel()
	d.drain(ctx, s)
}

// keepDraining takes up what hooks write down, from the start until ctx ends.
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
			if ctx.Err() == nil && err.Error() != told { // once, and not each second
				e.log.Warn("a turn of a hook is not stored", "error", err)
				told = err.Error()
			}
		}
		if r.Stored > 0 {
			e.log.Debug("turns of hooks were taken up", "n", r.Stored)
		}
		select {
		case <-ctx.Done():
			return
		case <-again.C:
		}
	}
}
