package vectors

import (
	"context"
	"sync/atomic"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// space is the vectors of one identity and one kind in a store.
type space struct {
	store     *store.Store
	identity  store.Identity
	kind      store.VectorKind
	elsewhere atomic.Bool                     // at the last check, the active generation was of another identity
	scale     atomic.Pointer[embedding.Scale] // of the active generation at the last check
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
	scale := embedding.NewScale(g.Base)
	s.scale.Store(&scale)
	return g, nil
}

// scaled returns the scale of the active generation at the last check. Callers have checked before.
func (s *space) scaled() embedding.Scale {
	if scale := s.scale.Load(); scale != nil {
		return *scale
	}
	return embedding.Scale{}
}

// Elsewhere reports whether the active vectors were another embedder's at the last check.
func (s *space) Elsewhere() bool { return s.elsewhere.Load() }

// Ready implements retrieval.VectorIndex.
func (s *space) Ready(ctx context.Context) error {
	_, err := s.generation(ctx)
	return err
}
