package cli

import (
	"cmp"
	"net/url"

	"memory-graph/config"
)

// modelReport is the language model of the settings. It is not asked: a question may cost money, and how the last ones went
// is among the findings.
type modelReport struct {
	Endpoint string `json:"endpoint,omitempty"` // without user, password and query
	Model    string `json:"model,omitempty"`
	State    string `json:"state"`
}

func (r *report) examineModel(cfg *config.Config) {
	switch {
	case !cfg.Enabled:
		r.Model.State = "not used: extraction is off"
	case cfg.LLMBaseURL == "" && !cfg.Rules:
		r.Model.State = "none: facts come from callers alone"
	case cfg.LLMBaseURL == "":
		r.Model.State = "none: facts come from callers and the built-in rules"
	default:
		r.Model.State = "configured, not tried"
	}
	if u, err := url.Parse(cfg.LLMBaseURL); err == nil && u.Host != "" {
		r.Model.Endpoint, r.Model.Model = u.Scheme+"://"+u.Host+u.Path, cmp.Or(cfg.ExtractModel, cfg.LLMModel)
	}
}

func (m modelReport) write(row func(name, format string, args ...any)) {
	if m.Endpoint == "" {
		row("provider", "%s", m.State)
		return
	}
	row("provider", "%s, %s: %s", visible(m.Endpoint), visible(m.Model), m.State)
}
