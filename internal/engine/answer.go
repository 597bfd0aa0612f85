package engine

import (
	"context"
	"errors"

	"memory-graph/internal/hooks/socket"
	"memory-graph/internal/hooks/spool"
	"memory-graph/internal/retrieval/contextblock"
)

// Answer gives what a hook puts before a turn or at the beginning of a session.
func (e *Engine) Answer(ctx context.Context, q socket.ContextRequest) (string, error) {
	if q.Begins {
		return e.Begin(ctx, BeginRequest{Scope: q.Scope, Source: q.Source, Budget: q.Budget})
	}
	found, err := e.ContextBlock(ctx, contextblock.Request{Message: q.Message, Scope: q.Scope, Unassigned: true,
		Budget: q.Budget})
	return found.Text(), err
}

// Opened says whether the database is open by now.
func (e *Engine) Opened() bool {
	o := e.opening.Load()
	return o != nil && o.services != nil
}

// answerHooks answers the hooks of this machine that use the same file, until ctx ends.
func (e *Engine) answerHooks(ctx context.Context) {
	path := socket.Beside(string(spool.Beside(e.cfg.DB)))
	if err := socket.Serve(ctx, path, e.Answer); errors.Is(err, socket.ErrTooLong) {
		e.log.Debug("hooks open the memory themselves", "path", path, "error", err)
	}
}
