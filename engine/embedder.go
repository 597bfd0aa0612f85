package engine

import (
	"memory-graph/config"
	"memory-graph/embedding"
	"memory-graph/embedding/builtin"
	"memory-graph/memory"
)

// newEmbedder makes the embedder of the settings; it does no I/O.
func newEmbedder(cfg *config.Config) (embedding.Embedder, error) {
	switch cfg.Embedder {
	case "builtin":
		return builtin.New(), nil
	case embedding.ProviderNone:
		return embedding.None{}, nil
	default:
		return nil, memory.Errorf(memory.InvalidArgument, "embedder %q is unknown.", cfg.Embedder).WithHint("Use builtin, openai or none.")
	}
}
