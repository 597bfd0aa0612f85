package retrieval

import (
	"context"
	"slices"

	"memory-graph/graph"
	"memory-graph/memory"
)

// readFacts reads the first of a ranking whole and cuts the page.
func (r *Retriever) readFacts(ctx context.Context, req Request, scored []graph.ScoredFact, w scale, out *facts) error {
	if len(scored) == 0 {
		return nil
	}
	ids := make([]int64, len(scored))
	at := make(map[int64]graph.ScoredFact, len(scored))
	for i, f := range scored {
		ids[i], at[f.Edge.ID] = f.Edge.ID, f
	}
	list, err := r.Graph.Relationships(ctx, req.Scope.Namespace, ids, req.At)
	if err != nil {
		return err
	}
	for _, f := range list {
		s := at[f.ID]
		found := FoundRelation{Relationship: f, Confidence: w.confidence(f), Score: s.Score, Hop: s.Hop, Path: s.Path}
		if req.Explain {
			found.Why = w.whyFact(out.strategy, s, found.Confidence)
		}
		out.ranked = append(out.ranked, found)
	}
	out.relations = out.ranked[min(req.Offset, len(list)):]
	if len(out.relations) > req.Limit {
		out.relations, out.more = out.relations[:req.Limit], true
	}
	return nil
}

// readEntities lists the seeds, then the other ends of the facts in their order, and reads the page of them.
func (r *Retriever) readEntities(ctx context.Context, req Request, seeds []seed, scored []graph.ScoredFact, w scale, out *facts) error {
	type place struct {
		score float64
		depth int
		seed  bool
	}
	places := map[int64]place{}
	types := map[int64]string{}
	for _, f := range out.ranked {
		head, tail := f.Relationship.Head, f.Relationship.Tail
		types[head.ID], types[tail.ID] = head.Type, tail.Type
	}
	known := map[int64]memory.Entity{}
	for _, s := range seeds {
		places[s.id] = place{score: s.match, seed: true}
		out.nodes = append(out.nodes, s.id)
		if s.entity != nil {
			known[s.id] = *s.entity
		}
	}
	for _, f := range scored {
		for _, n := range [2]int64{f.Edge.Head, f.Edge.Tail} {
			if _, seen := places[n]; !seen {
				places[n] = place{score: f.Score, depth: f.Hop}
				out.nodes = append(out.nodes, n)
			}
		}
	}
	wanted := slices.DeleteFunc(slices.Clone(out.nodes), func(n int64) bool {
		typ, known := types[n]
		return len(req.Types) > 0 && known && !slices.Contains(req.Types, typ)
	})
	page := wanted[min(req.Offset, len(wanted)):]
	if len(page) > req.Limit {
		page, out.more = page[:req.Limit], true
	}
	var unread []int64
	for _, n := range slices.Concat(page, out.nodes[:len(seeds)]) { // the seeds are named in every answer
		if _, ok := known[n]; !ok && !slices.Contains(unread, n) {
			unread = append(unread, n)
		}
	}
	if len(unread) > 0 {
		list, err := r.Graph.EntitiesByID(ctx, req.Scope.Namespace, unread, req.At)
		if err != nil {
			return err
		}
		for _, e := range list {
			known[e.ID] = e
		}
	}
	floor := r.settings().EntityConfidenceFloor
	found := func(n int64) (FoundEntity, bool) {
		e, ok := known[n]
		at := places[n]
		f := FoundEntity{Entity: e, Score: at.score, Confidence: w.entity(e, floor), Depth: at.depth}
		if req.Explain {
			f.Why = whyEntity(out.strategy, at.seed, at.score)
		}
		return f, ok
	}
	for _, n := range out.nodes[:len(seeds)] {
		if f, ok := found(n); ok {
			out.seeds = append(out.seeds, f)
		}
	}
	for _, n := range page {
		if f, ok := found(n); ok && (len(req.Types) == 0 || slices.Contains(req.Types, f.Entity.Type)) {
			out.entities = append(out.entities, f)
		}
	}
	return nil
}
