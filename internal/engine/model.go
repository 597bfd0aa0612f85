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

// model is the language model of the settings: one client for all who ask, so that its limits and what it knows of the
// endpoint are shared.
type model struct {
	client   *llm.Client
	reader   *llm.Extractor
	endpoint string // as its use is counted: without user, password and query
	parallel int    // questions at a time
}

// newModel gives nil where no endpoint is set. It talks to nobody; the error is one of the settings.
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

// usage gives what questions cost as the store counts it.
func (m *model) usage(name, purpose string, u llm.Usage, failed bool) store.ModelUsage {
	out := store.ModelUsage{Endpoint: m.endpoint, Model: name, Purpose: purpose, Calls: int64(u.Calls),
		PromptTokens: u.PromptTokens, CompletionTokens: u.CompletionTokens}
	if failed {
		out.Failures = min(1, out.Calls)
	}
	return out
}

// pause says how long the endpoint is left alone, 0 where it may be asked.
func (m *model) pause() time.Duration {
	var e *llm.Error
	if err := m.client.Available(); errors.As(err, &e) {
		return e.RetryAfter
	}
	return 0
}

// ReachModel asks the endpoint of the settings whether it is there, without a question to a model. missing are those of
// cfg.Models that are not in the list of its models, where it has one. The error is Unavailable, or one of the
// settings.
func ReachModel(ctx context.Context, cfg *config.Config, patience time.Duration) (missing []string, err error) {
	m, err := newModel(cfg, options{}, slog.New(slog.DiscardHandler))
	if err != nil || m == nil {
		return nil, err
	}
	defer m.client.Close()
	return m.client.Reach(ctx, patience, cfg.Models()...)
}
