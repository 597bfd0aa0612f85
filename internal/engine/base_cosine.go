package engine

import (
	"context"

	"memory-graph/internal/embedding"
	"memory-graph/internal/embedding/builtin"
)

// measure stores the base cosine of this embedder's generation, unless it is stored. From then on the processes of the
// file compare its cosines on the scale of the built-in embedder, which needs none of this. It runs in the background,
// with each batch of vectors and each catch-up, so an attempt that fails is followed by another. Until one succeeds,
// cosines stay as they are. Processes that make no vectors (hooks, read-only ones) only read what is stored.
func (s *space) measure(ctx context.Context, gen int64) {
	if s.embedder.Identity().Provider == builtin.Provider {
		return
	}
	s.measuring.Lock()
	defer s.measuring.Unlock()
	if s.measured {
		return
	}
	if _, ok, err := s.store.BaseCosine(ctx, gen); ok || err != nil {
		s.measured = ok
		s.unmeasured(ctx, err)
		return
	}
	vecs, err := s.embedder.Embed(ctx, embedding.Document, embedding.Unrelated())
	if err != nil {
		s.unmeasured(ctx, err)
		return
	}
	base := embedding.BaseCosine(vecs)
	if err := s.store.SaveBaseCosine(ctx, gen, base); err != nil {
		s.unmeasured(ctx, err)
		return
	}
	s.measured = true
	s.log.Info("measured the cosine of unrelated texts", "mean", base)
}

func (s *space) unmeasured(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		s.log.Warn("measuring the cosine of unrelated texts failed; cosines stay as they are until it works", "error", err)
	}
}
