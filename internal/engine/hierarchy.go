package engine

import (
	"context"

	"memory-graph/internal/facts/hierarchy"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// hierarchy gives the three verbs over the parts of the open engine.
func (s *services) hierarchy() *hierarchy.Hierarchy {
	return &hierarchy.Hierarchy{Store: s.store, Links: s.retriever, Drafts: s.facts, Embedder: s.retriever.Embedder,
		Nearest: s.space}
}

// Retain stores a memory, or the next version of one.
func (e *Engine) Retain(ctx context.Context, scope memory.Scope, in hierarchy.Memory, by memory.Caller) (store.Retained,
	error) {
	s, err := e.wait(ctx)
	if err != nil {
		return store.Retained{}, err
	}
	defer s.space.poke()
	return s.hierarchy().Retain(ctx, scope, in, by)
}

// Recall finds memories and what stands around them.
func (e *Engine) Recall(ctx context.Context, q hierarchy.RecallQuery) (hierarchy.Recollection, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return hierarchy.Recollection{}, err
	}
	return s.hierarchy().Recall(ctx, q)
}

// Reflect organises memories and gives those without a parent.
func (e *Engine) Reflect(ctx context.Context, r hierarchy.Reflection, by memory.Caller) (hierarchy.Reflected, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return hierarchy.Reflected{}, err
	}
	return s.hierarchy().Reflect(ctx, r, by)
}
