package engine

import (
	"context"
	"strings"

	"memory-graph/classifier"
	"memory-graph/episodes"
	"memory-graph/extraction"
	"memory-graph/extraction/rules"
	"memory-graph/internal/config"
	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
)

// ingredients are the parts that need no database. They can be prepared while the database is being opened.
type ingredients struct {
	embedder   embedding.Embedder
	asked      embedding.Embedder // the same embedder with a cache, for questions
	classifier *lateClassifier
	rules      *rules.Rules
	suspects   episodes.Quarantine
}

func newIngredients(cfg *config.Config, e embedding.Embedder, o options) ingredients {
	asked := remembering(e)
	return ingredients{embedder: e, asked: asked, rules: rules.New(), suspects: quarantine(cfg),
		classifier: &lateClassifier{emb: asked, cache: cfg.Paths.Cache, hurry: !o.works}}
}

// readyToAsk loads what a hook's question needs. Errors are ignored here: they occur again when the question is asked.
func (p ingredients) readyToAsk(ctx context.Context) {
	if loader, ok := p.embedder.(interface{ Load() error }); ok {
		_ = loader.Load()
	}
	_, _ = p.classifier.get(ctx)
}

// readMessage makes the vector of the message that will be asked about. The cache keeps it for the question; without
// one, an endpoint would be asked twice.
func (p ingredients) readMessage(ctx context.Context, message string) {
	if _, caches := p.asked.(*memo); caches && message != "" {
		_, _ = p.classifier.Classify(ctx, classifier.Message{Text: strings.TrimSpace(message)})
	}
}

// readyToStore loads what storing the first turn needs.
func (p ingredients) readyToStore() {
	const nothing = "All right."
	if p.suspects.Scan != nil {
		p.suspects.Scan(nothing)
	}
	p.rules.Extract(extraction.Input{Role: memory.RoleUser, Text: nothing})
}
