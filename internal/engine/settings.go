package engine

import (
	"memory-graph/internal/config"
	"memory-graph/internal/retrieval"
)

// graphSettings returns the configured settings of graph search.
func graphSettings(cfg *config.Config) *retrieval.Settings {
	s := retrieval.DefaultSettings()
	s.MaxHops, s.RecallLimit = cfg.MaxHops, cfg.RecallLimit
	s.TemporalDecayRate, s.RelationDecayRate = cfg.TemporalDecayRate, cfg.RelationDecayRate
	s.ContextStyle, s.FullConfidence = cfg.ContextStyle, cfg.ConfidenceThreshold
	a, b := &s.SpreadingActivation, cfg.SpreadingActivation
	a.Enabled, a.DecayLambda, a.MaxHops = b.Enabled, b.DecayLambda, b.MaxHops
	a.ActivationThreshold, a.InhibitionThreshold, a.MaxActivatedNodes = b.ActivationThreshold, b.InhibitionThreshold,
		b.MaxActivatedNodes
	a.SeedStructuralWeight, a.SeedCommunityCap = b.SeedStructuralWeight, b.SeedCommunityCap
	return &s
}
