package engine

import (
	"memory-graph/config"
	"memory-graph/episodes"
	"memory-graph/extraction"
	"memory-graph/extraction/rules"
	"memory-graph/facts"
)

// newReader takes from the configuration how turns are read. worth says which turns the model is asked about, nil where
// there is none.
func newReader(cfg *config.Config, known episodes.Mentions, writer *facts.Writer, worth func(extraction.Turn, int) bool) *episodes.Reader {
	o := episodes.ReaderOptions{
		Off: !cfg.Enabled, Mentions: known, Facts: writer, MaxBytes: cfg.ExtractBytes, MaxEntities: cfg.MaxEntitiesPerMessage,
		MaxRelations: cfg.MaxEdgesPerMessage, ToolTurns: cfg.ExtractToolTurns, User: cfg.User, Worth: worth,
	}
	if cfg.Rules {
		o.Rules = rules.New()
	}
	return episodes.NewReader(o)
}
