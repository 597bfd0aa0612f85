package engine

import (
	"cmp"
	"context"
	"log/slog"

	"memory-graph/extraction/links"
	"memory-graph/internal/config"
	"memory-graph/internal/embedding"
	"memory-graph/internal/facts"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// newResolver returns the resolver that finds entities by vector similarity, nil if names must match exactly. A model
// decides between the two thresholds if there is one.
func newResolver(cfg *config.Config, st *store.Store, sp *space, e embedding.Embedder, m *model,
	log *slog.Logger) facts.Resolver {
	if !cfg.UseEmbeddingResolution || !sp.enabled() {
		return nil
	}
	r := &facts.ByMeaning{Entities: st, Nearest: sp, Embedder: e,
		Thresholds: facts.Thresholds{Same: cfg.EntitySimilarityThreshold, Ambiguous: cfg.EntityAmbiguousThreshold}}
	if m != nil && !cfg.ReadOnly {
		d := decider{store: st, model: m, command: cfg.LLMCommand != "", log: log}
		r.Decide = d.decide
	}
	return r
}

// decider asks the model whether a name means a known entity.
type decider struct {
	store   *store.Store
	model   *model
	command bool // the model is a command: too slow for a caller who waits, and a killed run costs an answer
	log     *slog.Logger
}

// decide implements facts.ByMeaning.Decide. A caller waits for it, at most extraction_timeout_secs. The built-in rules
// run in the call that stores a turn and find many names, so the model is not asked about these. For a model's own
// findings no caller waits.
func (d decider) decide(ctx context.Context, draft memory.EntityDraft, of []memory.Entity) (i int, asked bool,
	err error) {
	background := draft.Method == memory.MethodModelStated || draft.Method == memory.MethodModelImplied
	if !background && (draft.Method.Extracted() || d.command) || d.model.pause() > 0 {
		return -1, false, nil
	}
	known := make([]links.Memory, len(of))
	for i, e := range of {
		known[i] = thing(e.Name, e.Type, e.Description)
		known[i].Since = e.CreatedAt
	}
	i, usage, err := links.Same(ctx, d.model.client, thing(draft.Name, draft.Type, draft.Description), known)
	if counted := d.store.AddModelUsage(context.WithoutCancel(ctx),
		d.model.usage(d.model.client.Model(), store.PurposeResolve, usage, err != nil)); counted != nil {
		d.log.Warn("counting the model's usage failed", "error", counted)
	}
	if err != nil {
		d.log.Warn("the model did not decide whether a name is a known entity; it is proposed", "error", err)
	}
	return i, true, err
}

// thing returns a name in the form that the model reads.
func thing(name, typ, description string) links.Memory {
	return links.Memory{Text: facts.Text(name+" ("+cmp.Or(typ, memory.DefaultType)+")", description)}
}
