package cli

import (
	"context"
	"time"

	"memory-graph/internal/config"
	"memory-graph/internal/embedding"
	"memory-graph/internal/engine"
)

// embedderPatience is how long doctor waits for an embedding endpoint.
const embedderPatience = 15 * time.Second

// examineEmbedder embeds a word, to test that the embedder works.
func (r *report) examineEmbedder(ctx context.Context, cfg *config.Config) {
	r.Embedder.Provider = cfg.Embedder
	if cfg.Embedder == embedding.ProviderNone {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, embedderPatience)
	defer cancel()
	e, err := engine.NewEmbedder(cfg, nil)
	if err == nil {
		err = r.tryEmbedder(ctx, e)
	}
	if err != nil {
		r.Embedder.State = "does not work"
		r.fault(err)
		return
	}
	r.Embedder.State = "works"
}

func (r *report) tryEmbedder(ctx context.Context, e embedding.Embedder) error {
	r.Embedder.Model = e.Identity().Model
	if p, ok := e.(engine.Prober); ok {
		if err := p.Probe(ctx); err != nil {
			return err
		}
	}
	r.Embedder.Dimensions = e.Identity().Dimensions
	_, err := e.Embed(ctx, embedding.Query, []string{"memory"})
	return err
}
