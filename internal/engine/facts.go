package engine

import (
	"context"

	"memory-graph/internal/memory"
)

// CreateEntity makes an entity or a memory, or observes the one that there is.
func (e *Engine) CreateEntity(ctx context.Context, scope memory.Scope, d memory.EntityDraft,
	by memory.Caller) (memory.EntityWrite, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return memory.EntityWrite{}, err
	}
	defer s.space.poke()
	return s.facts.CreateEntity(ctx, scope, d, by)
}

// UpdateEntity changes an entity and gives the number of its new version.
func (e *Engine) UpdateEntity(ctx context.Context, scope memory.Scope, ch memory.EntityChange,
	by memory.Caller) (memory.Entity, int, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return memory.Entity{}, 0, err
	}
	defer s.space.poke()
	return s.facts.UpdateEntity(ctx, scope, ch, by)
}

// CreateRelation stores a fact, or observes it again.
func (e *Engine) CreateRelation(ctx context.Context, scope memory.Scope, d memory.RelationDraft, evidence int64,
	by memory.Caller) (memory.RelationWrite, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return memory.RelationWrite{}, err
	}
	defer s.space.poke()
	return s.facts.CreateRelation(ctx, scope, d, evidence, by)
}

// Supersede ends a fact, for the sake of another if there is one.
func (e *Engine) Supersede(ctx context.Context, scope memory.Scope, su memory.Supersession,
	by memory.Caller) (memory.Superseded, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return memory.Superseded{}, err
	}
	defer s.space.poke()
	return s.facts.Supersede(ctx, scope, su, by)
}
