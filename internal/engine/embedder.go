package engine

import (
	"context"
	"sync/atomic"

	"memory-graph/internal/config"
	"memory-graph/internal/embedding"
	"memory-graph/internal/embedding/builtin"
	"memory-graph/internal/embedding/openai"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// NewEmbedder returns the embedder that the settings name. It does no I/O. If the dimensions of an endpoint are not
// set, the result is a Prober, and has no dimensions until Probe succeeds. used is told of each request of an endpoint;
// it may be nil.
func NewEmbedder(cfg *config.Config, used func(store.ModelUsage)) (embedding.Embedder, error) {
	switch cfg.Embedder {
	case builtin.Provider:
		return builtin.New(), nil
	case embedding.ProviderNone:
		return embedding.None{}, nil
	case openai.Provider:
		o := openai.Options{BaseURL: cfg.EmbeddingBaseURL, Model: cfg.EmbeddingModel, APIKey: cfg.EmbeddingAPIKey,
			Dimensions: cfg.EmbeddingDimensions, Timeout: cfg.EmbeddingTimeout}
		if used != nil {
			o.Used = func(u openai.Usage) { used(embeddingUsage(cfg, u)) }
		}
		if o.Dimensions > 0 {
			return openai.New(o)
		}
		return &endpoint{options: o}, nil
	default:
		return nil, memory.Errorf(memory.InvalidArgument, "embedder %q is unknown.",
			cfg.Embedder).WithHint("Use builtin, openai or none.")
	}
}

// embeddingPurposes are the purposes under which requests of an endpoint are counted.
var embeddingPurposes = map[embedding.Mode]string{embedding.Document: store.PurposeEmbed,
	embedding.Query: store.PurposeEmbedQuery, embedding.Classification: store.PurposeEmbedMessage}

// embeddingUsage converts a request to the store's form.
func embeddingUsage(cfg *config.Config, u openai.Usage) store.ModelUsage {
	out := store.ModelUsage{Endpoint: endpointName(cfg.EmbeddingBaseURL), Model: cfg.EmbeddingModel,
		Purpose: embeddingPurposes[u.Mode], Calls: 1, PromptTokens: u.Tokens}
	if u.Failed {
		out.Failures = 1
	}
	return out
}

// Prober is an embedder that learns its dimensions from its endpoint.
type Prober interface {
	Probe(ctx context.Context) error
}

// endpoint is an openai embedder that is usable after Probe.
type endpoint struct {
	options openai.Options
	probed  atomic.Pointer[openai.Embedder]
}

// Probe asks the endpoint for one vector.
func (e *endpoint) Probe(ctx context.Context) error {
	o := e.options
	var err error
	if o.Known, err = openai.Probe(ctx, o); err != nil {
		return err
	}
	embedder, err := openai.New(o)
	if err != nil {
		return err
	}
	e.probed.Store(embedder)
	return nil
}

// Identity has no dimensions before Probe.
func (e *endpoint) Identity() embedding.Identity {
	if p := e.probed.Load(); p != nil {
		return p.Identity()
	}
	return embedding.Identity{Provider: openai.Provider, Model: e.options.Model}
}

// Embed fails with Unavailable before Probe.
func (e *endpoint) Embed(ctx context.Context, mode embedding.Mode, texts []string) ([][]float32, error) {
	if p := e.probed.Load(); p != nil {
		return p.Embed(ctx, mode, texts)
	}
	return nil, errNotReady
}
