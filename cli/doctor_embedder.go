package cli

import (
	"context"

	"memory-graph/config"
	"memory-graph/embedding"
	"memory-graph/embedding/builtin"
)

// examineEmbedder embeds a word to see that it works.
func (r *report) examineEmbedder(ctx context.Context, cfg *config.Config) {
	r.Embedder.Provider = cfg.Embedder
	if cfg.Embedder != "builtin" {
		return
	}
	e := builtin.New()
	id := e.Identity()
	r.Embedder.Model, r.Embedder.Dimensions = id.Model, id.Dimensions
	if _, err := e.Embed(ctx, embedding.Query, []string{"memory"}); err != nil {
		r.Embedder.State = "does not work"
		r.fault(err)
		return
	}
	r.Embedder.State = "works"
}
