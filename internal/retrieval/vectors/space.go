package vectors

import (
	"context"
	"sync/atomic"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// space is the vectors of one identity and one kind in a store.
type space struct {
	store     *store.Store
	identity  store.Identity
	kind      store.VectorKind
	elsewhere atomic.Bool // the active generation was another space's when it was last looked at
}

var errOtherSpace = memory.Errorf(memory.Unavailable,
	"The stored vectors are another embedder's; they are being made anew.").
	WithHint("Text search works meanwhile; memory_state tells the progress.")

// generation gives the active generation of our identity.
func (s *space) generation(ctx context.Context) (store.Generation, error) {
	g, ok, err := s.store.ActiveGeneration(ctx)
	if err != nil {
		return g, err
	}
	other := !ok || g.Identity != s.identity
	s.elsewhere.Store(other)
	if other {
		return g, errOtherSpace
	}
	return g, nil
}

// Elsewhere says whether the active vectors were another embedder's when they were last looked at.
func (s *space) Elsewhere() bool { return s.elsewhere.Load() }

// Ready implements retrieval.VectorIndex.
func (s *space) Ready(ctx context.Context) error {
	_, err := s.generation(ctx)
	return err
}
