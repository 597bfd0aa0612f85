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
	elsewhere atomic.Bool // at the last check, the active generation was of another identity
}

var errOtherSpace = memory.Errorf(memory.Unavailable,
	"The stored vectors are from another embedder; new ones are being computed.").
	WithHint("Text search works meanwhile; memory_state shows the progress.")

// generation returns the active generation. The error is errOtherSpace if it is of another identity.
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

// Elsewhere reports whether the active vectors were another embedder's at the last check.
func (s *space) Elsewhere() bool { return s.elsewhere.Load() }

// Ready implements retrieval.VectorIndex.
func (s *space) Ready(ctx context.Context) error {
	_, err := s.generation(ctx)
	return err
}
