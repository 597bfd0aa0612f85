package engine

import (
	"context"

	"memory-graph/config"
	"memory-graph/episodes"
	"memory-graph/extraction"
	"memory-graph/extraction/rules"
	"memory-graph/facts"
	"memory-graph/memory"
	"memory-graph/scanner"
)

// newReader takes from the configuration how turns are read. worth says which turns the model is asked about, nil where
// there is none.
func newReader(cfg *config.Config, known episodes.Mentions, writer *facts.Writer, worth func(extraction.Turn, int) bool) *episodes.Reader {
	o := episodes.ReaderOptions{
		Off: !cfg.Enabled, Mentions: known, Facts: writer, MaxBytes: cfg.ExtractBytes, MaxEntities: cfg.MaxEntitiesPerMessage,
		MaxRelations: cfg.MaxEdgesPerMessage, ToolTurns: cfg.ExtractToolTurns, User: cfg.User, Worth: worth, Own: rules.OwnWords,
	}
	if cfg.Rules {
		o.Rules = rules.New()
	}
	return episodes.NewReader(o)
}

// warm has the lists read that the first turn to be stored needs.
func warm(ctx context.Context, r *episodes.Reader, q episodes.Quarantine) {
	const nothing = "All right."
	if q.Scan != nil {
		q.Scan(nothing)
	}
	r.Read(ctx, memory.Episode{Role: memory.RoleUser, Content: nothing}, extraction.Turn{Role: memory.RoleUser, Text: nothing})
}

// quarantine takes from the configuration which turns look like attacks.
func quarantine(cfg *config.Config) episodes.Quarantine {
	if !cfg.Scan {
		return episodes.Quarantine{}
	}
	s := scanner.New(scanner.Options{})
	return episodes.Quarantine{User: cfg.QuarantineScoreUser, Other: cfg.QuarantineScore, Scan: func(text string) (float64, []string) {
		v := s.Scan(text)
		return v.Score, v.Reasons
	}}
}
