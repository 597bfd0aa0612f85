package engine

import (
	"context"
	"errors"

	"memory-graph/extraction/links"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// linksTurn reports whether a turn is linked to similar turns.
func (l *linker) linksTurn(e memory.Episode) bool {
	return l != nil && l.cfg.Enabled && store.LinkableTurn(e)
}

// lookTurn links a turn with similar turns, like look does with nodes.
func (l *linker) lookTurn(ctx context.Context, t linkTask) error {
	q := store.Relinking{Namespace: t.namespace, Relations: []string{links.SimilarTo}, Method: memory.MethodSimilarity,
		Jobs: t.held}
	limits := links.Limits{Threshold: l.cfg.SimilarityThreshold, Scan: l.cfg.MemoryCandidates,
		PerNode: l.cfg.MemoryLinks}
	hits, err := l.nearTurns(ctx, t, limits)
	if err != nil {
		return err
	}
	nodes, err := l.store.TurnNodes(ctx, t.namespace, append(hitIDs(hits), t.id.Num), len(hits) > 0)
	if err != nil {
		return err
	}
	q.Subject = nodes[t.id.Num]
	var near []links.Neighbour
	for _, h := range hits {
		if node := nodes[h.ID]; node != 0 {
			near = append(near, links.Neighbour{ID: node, Cosine: h.Score})
			q.Near = append(q.Near, node)
		}
	}
	return l.relink(ctx, q, func(there store.Linkable) memory.LinkChange {
		return links.Similar(q.Subject, shownNear(near, there), there.Links, limits)
	})
}

// nearTurns returns the most similar turns from the threshold on, at most limits.Scan, the most similar first. There
// are none if the turn itself is not linked.
func (l *linker) nearTurns(ctx context.Context, t linkTask, limits links.Limits) ([]memory.Hit, error) {
	turns, err := l.store.Episodes(ctx, t.namespace, []int64{t.id.Num})
	if err != nil || len(turns) == 0 || !l.linksTurn(turns[0]) {
		return nil, err
	}
	vec, err := l.store.TurnVector(ctx, t.namespace, t.id.Num)
	if err != nil || vec == nil {
		return nil, err
	}
	f := memory.Filter{Namespace: t.namespace, Roles: []memory.Role{memory.RoleUser, memory.RoleAssistant}}
	found, err := l.space.Rank(ctx, vec, f, firstRanked)
	var why *memory.Error
	if errors.As(err, &why) && why.Code == memory.Unavailable && ctx.Err() == nil {
		return nil, &vectorsAway{err}
	}
	if err != nil {
		return nil, err
	}
	var hits []memory.Hit
	for _, h := range found.Top {
		if h.ID != t.id.Num && h.Score >= limits.Threshold {
			hits = append(hits, h)
		}
	}
	list, err := l.store.Episodes(ctx, t.namespace, hitIDs(hits))
	if err != nil {
		return nil, err
	}
	linked := map[int64]bool{}
	for _, e := range list {
		linked[e.ID] = l.linksTurn(e)
	}
	out := hits[:0]
	for _, h := range hits {
		if linked[h.ID] && len(out) < limits.Scan {
			out = append(out, h)
		}
	}
	return out, nil
}
