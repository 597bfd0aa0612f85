package engine

import (
	"context"

	"memory-graph/internal/facts"
	"memory-graph/internal/facts/hierarchy"
	"memory-graph/store"
)

// Store returns the store once it is open. Its methods check that the file at the path is still the open one.
func (e *Engine) Store(ctx context.Context) (*store.Store, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return nil, err
	}
	return s.store, nil
}

// Writer returns the writer of facts once the database is open.
func (e *Engine) Writer(ctx context.Context) (*facts.Writer, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return nil, err
	}
	return s.facts, nil
}

// Hierarchy returns the hierarchy of memories once the database is open.
func (e *Engine) Hierarchy(ctx context.Context) (*hierarchy.Hierarchy, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return nil, err
	}
	return &hierarchy.Hierarchy{Store: s.store, Links: s.retriever, Drafts: s.facts, Embedder: s.retriever.Embedder,
		Nearest: s.space, Read: s.reading.memory}, nil
}
