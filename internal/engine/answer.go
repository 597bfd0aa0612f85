package engine

import (
	"context"
	"errors"

	"memory-graph/internal/hooks/socket"
	"memory-graph/internal/hooks/spool"
	"memory-graph/internal/retrieval/contextblock"
)

// Answer returns the text that a hook adds before a turn or at the start of a session.
func (e *Engine) Answer(ctx context.Context, q socket.ContextRequest) (string, error) {
	if q.Begins {
		return e.Begin(ctx, BeginRequest{Scope: q.Scope, Source: q.Source, Budget: q.Budget})
	}
	found, err := e.ContextBlock(ctx, contextblock.Request{Message: q.Message, Scope: q.Scope, Unassigned: true,
		Budget: q.Budget})
	return found.Text(), err
}

// Opened reports whether the database is open.
func (e *Engine) Opened() bool {
	o := e.opening.Load()
	return o != nil && o.services != nil
}

// answerHooks answers the hooks on this machine that use the same file, until ctx ends.
func (e *Engine) answerHooks(ctx context.Context) {
	path := socket.Beside(string(spool.Beside(e.cfg.DB)))
	if err := socket.Serve(ctx, path, e.Answer); errors.Is(err, socket.ErrTooLong) {
		e.log.Debug("the hook socket's path is too long; hooks open the database themselves", "path", path, "error", err)
	}
}
