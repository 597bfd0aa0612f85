package engine

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/url"
	"time"

	"memory-graph/extraction/llm"
	"memory-graph/internal/config"
	"memory-graph/store"
)

// model is the configured language model. All users share one client, with its limits and its knowledge of the
// endpoint.
type model struct {
	client   *llm.Client
	reader   *llm.Extractor
	endpoint string // as recorded with its usage: without user, password and query
	parallel int    // maximum number of parallel requests
}

// newModel returns nil if no endpoint is configured. It makes no request; an error means that the settings are invalid.
func newModel(cfg *config.Config, o options, log *slog.Logger) (*model, error) {
	if cfg.LLMBaseURL == "" {
		return nil, nil
	}
	client, err := llm.New(llm.Options{
		BaseURL: cfg.LLMBaseURL, Model: cmp.Or(cfg.LLMModel, cfg.ExtractModel), APIKey: cfg.LLMAPIKey,
		Timeout: time.Duration(
			cfg.ExtractionTimeoutSecs) * time.Second, Concurrency: cfg.LLMConcurrency, Now: o.now, After: o.answers, Log: log,
	})
	if err != nil {
		return nil, err
	}
	m := &model{client: client, endpoint: "unknown", parallel: cfg.LLMConcurrency}
	m.reader = llm.NewExtractor(client, llm.Limits{Model: cfg.ExtractModel, Entities: cfg.MaxEntitiesPerMessage,
		Relations: cfg.MaxEdgesPerMessage})
	if u, err := url.Parse(cfg.LLMBaseURL); err == nil {
		m.endpoint = u.Scheme + "://" + u.Host + u.Path
	}
	return m, nil
}

// usage converts the usage of requests to the store's form.
func (m *model) usage(name, purpose string, u llm.Usage, failed bool) store.ModelUsage {
	out := store.ModelUsage{Endpoint: m.endpoint, Model: name, Purpose: purpose, Calls: int64(u.Calls),
		PromptTokens: u.PromptTokens, CompletionTokens: u.CompletionTokens}
	if failed {
		out.Failures = min(1, out.Calls)
	}
	return out
}

// pause returns how long to wait before the endpoint may be asked again, 0 if it may be asked now.
func (m *model) pause() time.Duration {
	var e *llm.Error
	if err := m.client.Available(); errors.As(err, &e) {
		return e.RetryAfter
	}
	return 0
}

// ReachModel checks that the configured endpoint answers, without asking a model. missing lists the models of
// cfg.Models that are not in the endpoint's model list, if it has one. The error is Unavailable, or means that the
// settings are invalid.
func ReachModel(ctx context.Context, cfg *config.Config, patience time.Duration) (missing []string, err error) {
	m, err := newModel(cfg, options{}, slog.New(slog.DiscardHandler))
	if err != nil || m == nil {
		return nil, err
	}
	defer m.client.Close()
	return m.client.Reach(ctx, patience, cfg.Models()...)
}
