package retrieval

import (
	"context"
	"slices"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// readFacts reads the scored facts completely and cuts the page.
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
			if _, ok := out.joined[f.ID]; ok {
				found.Why.MatchedBy = append(found.Why.MatchedBy, "joins")
			}
		}
		out.ranked = append(out.ranked, found)
	}
	out.cut(req)
	return nil
}

// cut cuts the page of facts from the ranking.
func (f *facts) cut(req Request) {
	f.relations = f.ranked[min(req.Offset, len(f.ranked)):]
	if len(f.relations) > req.Limit {
		f.relations, f.more = f.relations[:req.Limit], true
	}
}

// readEntities lists the seeds, then the entities near the question, then the other entities of all facts in their
// order, and reads the page of them. With req.Types it reads all of them. The entities that are only near do not lead
// to episodes.
func (r *Retriever) readEntities(ctx context.Context, req Request, seeds []seed, scored []graph.ScoredFact, w scale,
	out *facts) error {
	type place struct {
		score float64
		depth int
		seed  bool
		near  bool // found only by its vector
	}
	places := map[int64]place{}
	known := map[int64]memory.Entity{}
	out.names = map[int64]bool{}
	for _, s := range seeds {
		out.names[s.id] = s.named
		places[s.id] = place{score: s.match, seed: true}
		out.nodes = append(out.nodes, s.id)
		if s.entity != nil {
			known[s.id] = *s.entity
		}
	}
	for _, h := range out.beside(seeds) {
		places[h.ID] = place{score: h.Score, near: true}
		out.nodes = append(out.nodes, h.ID)
	}
	out.leads = slices.Clone(out.nodes[:len(seeds)])
	led := map[int64]bool{}
	for i, f := range scored {
		for _, n := range [2]int64{f.Edge.Head, f.Edge.Tail} {
			at, seen := places[n]
			if !seen {
				places[n] = place{score: f.Score, depth: f.Hop}
				out.nodes = append(out.nodes, n)
			}
			if i < evidenceOf && !at.seed && !led[n] {
				led[n] = true
				out.leads = append(out.leads, n)
			}
		}
	}
	out.leads = out.leads[:min(mentioning, len(out.leads))]
	read := func(nodes []int64) error {
		unread := slices.DeleteFunc(slices.Clone(nodes), func(n int64) bool {
			_, ok := known[n]
			return ok
		})
		if len(unread) == 0 {
			return nil
		}
		list, err := r.Graph.EntitiesByID(ctx, req.Scope.Namespace, unread, req.At)
		for _, e := range list {
			known[e.ID] = e
		}
		return err
	}
	wanted := out.nodes
	if len(req.Types) > 0 {
		if err := read(wanted); err != nil {
			return err
		}
		wanted = slices.DeleteFunc(slices.Clone(wanted), func(n int64) bool {
			return !slices.Contains(req.Types, known[n].Type)
		})
	}
	page := wanted[min(req.Offset, len(wanted)):]
	if len(page) > req.Limit {
		page, out.more = page[:req.Limit], true
	}
	if err := read(slices.Concat(page, out.nodes[:len(seeds)])); err != nil { // every answer contains the seeds
		return err
	}
	found := func(n int64) (FoundEntity, bool) {
		e, ok := known[n]
		at := places[n]
		f := FoundEntity{Entity: e, Score: at.score, Confidence: w.entity(e), Depth: at.depth}
		if req.Explain {
			f.Why = whyEntity(out.strategy, at.seed, at.score)
			if at.near {
				f.Why = whyNear(out.strategy, at.score)
			}
		}
		return f, ok
	}
	for _, n := range out.nodes[:len(seeds)] {
		if f, ok := found(n); ok {
			out.seeds = append(out.seeds, f)
		}
	}
	for _, n := range page {
		if f, ok := found(n); ok {
			out.entities = append(out.entities, f)
		}
	}
	return nil
}
