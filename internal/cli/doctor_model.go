package cli

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"time"

	"memory-graph/extraction/llm"
	"memory-graph/internal/config"
	"memory-graph/internal/engine"
)

// modelPatience is how long doctor waits for the language model's endpoint.
const modelPatience = 5 * time.Second

// modelReport is the configured language model. The model itself is not called, since that may cost money: doctor only
// requests the endpoint's list of models. Failures of the last calls are among the findings.
type modelReport struct {
	Endpoint string `json:"endpoint,omitempty"` // without user, password and query
	Model    string `json:"model,omitempty"`    // the model that reads turns
	State    string `json:"state"`
}

func (r *report) examineModel(ctx context.Context, cfg *config.Config, quick bool) {
	switch {
	case !cfg.Enabled:
		r.Model.State = "not used: extraction is off"
	case !cfg.UsesModel() && !cfg.Rules:
		r.Model.State = "none: facts come only from callers"
	case !cfg.UsesModel():
		r.Model.State = "none: facts come from callers and the built-in rules"
	case quick:
		r.Model.State = "not tested (run without --quick to test it)"
	default:
		r.reachModel(ctx, cfg)
	}
	if cfg.LLMCommand != "" {
		r.Model.Endpoint, r.Model.Model = llm.CommandEndpoint(cfg.CommandName()), cfg.ReadingModel()
	} else if u, err := url.Parse(cfg.LLMBaseURL); err == nil && u.Host != "" {
		r.Model.Endpoint, r.Model.Model = u.Scheme+"://"+u.Host+u.Path, cfg.ReadingModel()
	}
}

// reachModel requests the endpoint's list of models.
func (r *report) reachModel(ctx context.Context, cfg *config.Config) {
	missing, err := engine.ReachModel(ctx, cfg, modelPatience)
	switch {
	case err != nil:
		r.Model.State = "does not answer"
		r.fault(err)
	case cfg.LLMCommand != "":
		r.Model.State = "the program is found; it is not run, since that may cost money"
	case slices.Contains(missing, cfg.ReadingModel()):
		r.Model.State = "answers, but does not list this model"
	default:
		r.Model.State = "answers"
	}
	for _, model := range missing {
		key := "llm_model"
		switch model {
		case cfg.ExtractModel:
			key = "extract_model"
		case cfg.NoteLinking.LLMModel:
			key = "note_linking.llm_model"
		}
		r.warning(fmt.Sprintf("The endpoint of the language model does not list the model %q.", model), "Check "+key+".")
	}
}

func (m modelReport) write(row func(name, format string, args ...any)) {
	if m.Endpoint == "" {
		row("provider", "%s", m.State)
		return
	}
	row("provider", "%s, %s: %s", visible(m.Endpoint), visible(m.Model), m.State)
}
