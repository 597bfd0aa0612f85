package engine

import (
	"memory-graph/internal/config"
	"memory-graph/internal/embedding"
	"memory-graph/internal/facts"
	"memory-graph/store"
)

// newResolver returns the resolver that finds entities by vector similarity, nil if names must match exactly.
func newResolver(cfg *config.Config, st *store.Store, sp *space, e embedding.Embedder) facts.Resolver {
	if !cfg.UseEmbeddingResolution || !sp.enabled() {
		return nil
	}
	return &facts.ByMeaning{Entities: st, Nearest: sp, Embedder: e,
		Thresholds: facts.Thresholds{Same: cfg.EntitySimilarityThreshold, Ambiguous: cfg.EntityAmbiguousThreshold}}
}
