package engine

import (
	"context"
	"slices"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/safety/secrets"
)

// Links returns the facts of an entity.
func (e *Engine) Links(ctx context.Context, req retrieval.LinksRequest) (retrieval.Links, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return retrieval.Links{}, err
	}
	found, err := s.retriever.Links(ctx, req)
	found.State.Degraded = s.degraded(ctx, req.Scope.Namespace, found.State.Degraded)
	return found, err
}

// Traverse returns the graph around an entity, or the paths between two.
func (e *Engine) Traverse(ctx context.Context, req retrieval.TraverseRequest) (retrieval.Traversal, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return retrieval.Traversal{}, err
	}
	found, err := s.retriever.Traverse(ctx, req)
	found.State.Degraded = s.degraded(ctx, req.Scope.Namespace, found.State.Degraded)
	return found, err
}

// SetRelationRate sets how fast a relation decays, per day.
func (e *Engine) SetRelationRate(ctx context.Context, namespace, relation string, rate float64,
	by memory.Caller) error {
	s, err := e.wait(ctx)
	if err != nil {
		return err
	}
	defer s.ratesChanged(namespace)
	relation, _ = secrets.Mask(relation)
	return s.store.SetRelationRate(ctx, namespace, relation, rate, by)
}

// State returns what is pending, failed or degraded in a namespace.
func (e *Engine) State(ctx context.Context, namespace string) (memory.State, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return memory.State{}, err
	}
	st, err := s.store.State(ctx, namespace)
	st.Degraded = s.degraded(ctx, namespace, st.Degraded)
	return st, err
}

// degraded adds the codes for vectors and extraction that work less well than configured.
func (s *services) degraded(ctx context.Context, namespace string, codes []string) []string {
	for _, code := range append(s.space.degraded(), s.reading.degraded(ctx, namespace)...) {
		if !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	return codes
}
