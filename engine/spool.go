package engine

import (
	"context"
	"time"

	"memory-graph/episodes"
	"memory-graph/memory"
	"memory-graph/spool"
)

// drainEvery is how often a server takes up turns that hooks could not store in their time.
const drainEvery = 10 * time.Second

// Drain stores the turns that wait in the spool beside the database.
func (e *Engine) Drain(ctx context.Context) (spool.Report, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return spool.Report{}, err
	}
	return e.drain(ctx, s), nil
}

func (e *Engine) drain(ctx context.Context, s *services) spool.Report {
	r := spool.Beside(e.cfg.DB).Drain(ctx, e.o.now(), func(ctx context.Context, t spool.Turn) error {
		_, err := s.recorder.Record(ctx, episodes.Input{
			Scope:   memory.Scope{Namespace: t.Namespace, Project: t.Project, User: t.User, SessionID: t.Session},
			Content: t.Content, Role: t.Role, Speaker: t.Speaker, Source: t.Source, OccurredAt: t.At, IdempotencyKey: t.Key,
			Caller: memory.Caller{Actor: "hook", Client: t.Client},
		})
		return err
	})
	if r.Stored > 0 {
		s.space.poke()
		s.reading.poke()
	}
	return r
}

// keepDraining takes up what hooks left, at once and now and then, until ctx ends.
func (e *Engine) keepDraining(ctx context.Context, s *services) {
	again := time.NewTicker(drainEvery)
	defer again.Stop()
	for {
		r := e.drain(ctx, s)
		for _, err := range r.Errs {
			if ctx.Err() == nil {
				e.log.Warn("a turn of a hook is not stored", "error", err)
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
