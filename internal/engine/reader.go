package engine

import (
	"memory-graph/episodes"
	"memory-graph/extraction"
	"memory-graph/extraction/mentions"
	"memory-graph/extraction/referred"
	"memory-graph/extraction/rules"
	"memory-graph/extraction/stated"
	"memory-graph/internal/config"
	"memory-graph/internal/facts"
	"memory-graph/internal/memory"
	"memory-graph/internal/safety/scanner"
)

// newReader returns the configured reader of turns. It uses the rules and the names in the graph. If worth is not nil,
// it asks the model about turns for which worth returns true.
func newReader(cfg *config.Config, r *rules.Rules, known *names, writer *facts.Writer,
	worth func(extraction.Input, int) bool) *episodes.Reader {
	o := episodes.ReaderOptions{
		Off: !cfg.Enabled, Names: known, Facts: writer, MaxBytes: cfg.ExtractBytes,
		MaxEntities:  cfg.MaxEntitiesPerMessage,
		MaxRelations: cfg.MaxEdgesPerMessage, ToolTurns: cfg.ExtractToolTurns, User: cfg.User, Worth: worth,
		Hear: stated.Facts, Refer: referred.Resolve, Told: referred.Told,
		Qualify: mentions.QualifierOf, Kin: mentions.Kin, Nominal: referred.Nominal,
	}
	if cfg.Rules {
		o.Rules = r
	}
	return episodes.NewReader(o)
}

// suspicious returns why the arguments of a call look like an attack.
func (i ingredients) suspicious(text string, o memory.Origin) []string {
	return i.suspects.Suspects(text, memory.RoleAssistant, o)
}

// quarantine returns the configured scanner and its thresholds.
func quarantine(cfg *config.Config) episodes.Quarantine {
	if !cfg.Scan {
		return episodes.Quarantine{}
	}
	s := scanner.New(scanner.Options{})
	return episodes.Quarantine{User: cfg.QuarantineScoreUser, Other: cfg.QuarantineScore,
		Scan: func(text string) (float64, []string) {
			v := s.Scan(text)
			return v.Score, v.Reasons
		}}
}
