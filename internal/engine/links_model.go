package engine

import (
	"cmp"
	"context"
	"errors"

	"memory-graph/extraction/links"
	"memory-graph/extraction/llm"
	"memory-graph/heartbeat/jobs"
	"memory-graph/internal/facts"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// contradict asks the model to compare a memory with nearby memories that are not duplicates.
func (l *linker) contradict(ctx context.Context, t linkTask) error {
	return l.read(ctx, t, store.KindContradict, links.ContradictRelations, nil,
		func(ctx context.Context, e memory.Entity) ([]links.Memory, links.Judgement, error) {
			vec, err := l.store.NodeVector(ctx, t.namespace, e.ID)
			if err != nil {
				return nil, links.Judgement{}, err
			}
			if vec == nil {
				return nil, links.Judgement{}, &vectorsAway{errNotReady}
			}
			near, err := l.near(ctx, e, vec, l.cfg.AmbiguousMin, l.cfg.AmbiguousMax,
				l.cfg.MemoryCandidates)
			if err != nil {
				return nil, links.Judgement{}, err
			}
			others := make([]links.Memory, 0, len(near))
			for _, n := range near {
				if m := asMemory(n.Entity); l.worth(m) {
					others = append(others, m)
				}
			}
			if !l.worth(asMemory(e)) {
				return others, links.Judgement{}, nil
			}
			found, err := links.Contradict(ctx, l.asker(), asMemory(e), others, l.cfg.RelationshipMinimum)
			return others, found, err
		})
}

// relate asks the model how a memory relates to recent memories and to those it is already linked to.
func (l *linker) relate(ctx context.Context, t linkTask) error {
	return l.read(ctx, t, store.KindRelate, links.RelateRelations, links.ContradictRelations,
		func(ctx context.Context, e memory.Entity) ([]links.Memory, links.Judgement, error) {
			if !l.worth(asMemory(e)) {
				return nil, links.Judgement{}, nil
			}
			recent, err := l.store.RecentMemories(ctx, t.namespace, e.ID, links.ContradictRelations, l.cfg.SemanticContext)
			if err != nil {
				return nil, links.Judgement{}, err
			}
			others := make([]links.Memory, 0, len(recent))
			for _, o := range recent {
				if m := asMemory(o); l.worth(m) {
					others = append(others, m)
				}
			}
			found, err := links.Relate(ctx, l.asker(), asMemory(e), others, l.cfg.SemanticMinimum)
			return others, found, err
		})
}

// read asks the model about a memory, and replaces the links of an earlier answer with those of this one. This covers
// the given relations and, if except is not nil, all other model-made links except those. If asking fails, nothing
// changes.
func (l *linker) read(ctx context.Context, t linkTask, kind string, relations, except []string,
	ask func(context.Context, memory.Entity) ([]links.Memory, links.Judgement, error)) error {
	e, shown, err := l.node(ctx, t)
	if err != nil {
		return err
	}
	q := store.Relinking{Namespace: t.namespace, Subject: t.id.Num, Relations: relations, Except: except,
		Method: memory.MethodModelLinked, Jobs: t.held}
	var found links.Judgement
	if shown {
		var others []links.Memory
		others, found, err = ask(ctx, e)
		l.spent(ctx, found.Usage, err != nil)
		if err != nil {
			return l.failure(err)
		}
		for _, m := range others {
			q.Near = append(q.Near, m.ID)
		}
		q.Digest, q.Read = store.DigestText(facts.Text(e.Name, e.Description)), kind
	}
	for reason, n := range found.Dropped {
		for range n {
			l.count(ctx, t.namespace, store.DroppedPrefix+reason, nil)
		}
	}
	// Save the answer during shutdown, too: it may have cost money.
	return l.relink(context.WithoutCancel(ctx), q, func(there store.Linkable) memory.LinkChange {
		return links.Replace(t.id.Num, found.Want, there.Links, there.Nodes)
	})
}

// asker asks the model that is configured for links.
func (l *linker) asker() links.Asker { return linkModel{l.model.client, l.cfg.LLMModel} }

type linkModel struct {
	client *llm.Client
	name   string // "": the client's
}

// Complete implements links.Asker.
func (m linkModel) Complete(ctx context.Context, r llm.Request, into any) (llm.Usage, error) {
	r.Model = m.name
	return m.client.Complete(ctx, r, into)
}

// asMemory returns a node in the form that the model reads.
func asMemory(e memory.Entity) links.Memory {
	since := e.ValidFrom
	if since.IsZero() {
		since = e.CreatedAt
	}
	return links.Memory{ID: e.ID, Text: facts.Text(e.Name, e.Description), Since: since}
}

// worth reports whether a memory is long enough to show to the model.
func (l *linker) worth(m links.Memory) bool { return len([]rune(m.Text)) >= l.cfg.SemanticMinChars }

// spent counts the usage of a request.
func (l *linker) spent(ctx context.Context, u llm.Usage, failed bool) {
	if err := l.store.AddModelUsage(context.WithoutCancel(ctx),
		l.model.usage(cmp.Or(l.cfg.LLMModel, l.model.client.Model()), store.PurposeLink, u, failed)); err != nil {
		l.log.Warn("counting the model's usage failed", "error", err)
	}
}

// failure converts an error of the model to one for the queue. If the endpoint refused the request, no attempt is
// counted.
func (l *linker) failure(err error) error {
	var e *llm.Error
	if !errors.As(err, &e) || e.Blames() {
		return err
	}
	return &jobs.Later{Until: l.now().Add(max(leastWait, l.model.pause(), e.RetryAfter)), Err: err}
}
