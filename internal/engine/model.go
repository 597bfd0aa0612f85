package engine

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/url"
	"time"

	"memory-graph/extraction/llm"
	"memory-graph/internal/command"
	"memory-graph/internal/config"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// model is the configured language model. All users share one client, with its limits and its knowledge of the
// endpoint.
type model struct {
	client   *llm.Client
	reader   *llm.Extractor
	endpoint string        // as recorded with its usage: without user, password and query
	budget   *budget       // nil for none
	parallel int           // maximum number of parallel requests
	gather   time.Duration // how long a turn waits for others
}

// newModel returns nil if no model is configured. It makes no request; an error means that the settings are invalid.
func newModel(cfg *config.Config, o options, log *slog.Logger) (*model, error) {
	if !cfg.UsesModel() {
		return nil, nil
	}
	m := &model{parallel: cfg.LLMConcurrency}
	ask := llm.Options{
		BaseURL: cfg.LLMBaseURL, Model: cmp.Or(cfg.LLMModel, cfg.ExtractModel), APIKey: cfg.LLMAPIKey,
		Timeout: time.Duration(
			cfg.ExtractionTimeoutSecs) * time.Second, Concurrency: cfg.LLMConcurrency, Now: o.now, After: o.answers, Log: log,
	}
	if cfg.LLMCommand != "" {
		args, err := command.Split(cfg.LLMCommand)
		if err != nil { // Load has checked it
			return nil, memory.Errorf(memory.InvalidArgument, "llm_command is not a command line: %w.", err)
		}
		ask.Command, ask.Env, ask.Timeout = args, cfg.Env, cfg.LLMCommandTimeout
		m.endpoint, m.gather = llm.CommandEndpoint(args[0]), cfg.LLMCommandGather
	} else {
		m.endpoint = endpointName(cfg.LLMBaseURL)
	}
	if calls, tokens := cfg.Budget(); calls > 0 || tokens > 0 {
		m.budget = &budget{endpoint: m.endpoint, most: store.ModelBudget{Calls: calls, Tokens: tokens}}
		ask.Budget = m.budget
	}
	var err error
	if m.client, err = llm.New(ask); err != nil {
		return nil, err
	}
	m.reader = llm.NewExtractor(m.client, llm.Limits{Model: cfg.ExtractModel, Entities: cfg.MaxEntitiesPerMessage,
		Relations: cfg.MaxEdgesPerMessage, MinConfidence: cfg.ConfidenceMinimum})
	return m, nil
}

// endpointName is the name of an endpoint in its counts: its URL without user, password and query.
func endpointName(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "unknown"
	}
	return u.Scheme + "://" + u.Host + u.Path
}

// usage converts the usage of requests to the store's form, without what the budget has counted already.
func (m *model) usage(name, purpose string, u llm.Usage, failed bool) store.ModelUsage {
	out := store.ModelUsage{Endpoint: m.endpoint, Model: name, Purpose: purpose, Calls: int64(u.Calls - u.Booked.Calls),
		PromptTokens: u.PromptTokens - u.Booked.PromptTokens, CompletionTokens: u.CompletionTokens}
	if failed {
		out.Failures = int64(min(1, u.Calls))
	}
	return out
}

// opened tells the model the store that counts its requests.
func (m *model) opened(st *store.Store) {
	if m != nil && m.budget != nil {
		m.budget.store.Store(st)
	}
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
