package retrieval

import (
	"cmp"
	"context"
	"slices"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// linkBlock is the number of facts that are sorted together. An entity with more facts returns them in blocks of this
// size, the highest stored confidence first.
const linkBlock = 200

// Links returns the facts of one entity, the highest effective confidence first. It leaves out facts whose effective
// confidence is below graph.HiddenBelow. It runs two statements per block, one for the name and one for memory_state.
func (r *Retriever) Links(ctx context.Context, req LinksRequest) (Links, error) {
	if r.Graph == nil {
		return Links{}, errNoGraph
	}
	ns := req.Scope.Namespace
	e, err := r.Graph.ResolveEntity(ctx, ns, req.Entity, req.EntityType, req.At)
	if err != nil {
		return Links{}, err
	}
	w, err := r.scale(ctx, ns, req.At)
	if err != nil {
		return Links{}, err
	}
	out := Links{Entity: FoundEntity{Entity: e, Score: 1, Confidence: w.entity(e)}, Links: []FoundRelation{}}
	q := memory.EdgeQuery{Namespace: ns, Nodes: []int64{e.ID}, Direction: req.Direction, Relations: req.Relations,
		Classes: req.EdgeClasses, At: req.At}
	within := scopeFilter(req.Scope)
	within.Unassigned = req.Unassigned
	skip := req.Offset
	for block, rest := 0, true; rest; block++ {
		var facts []memory.Relationship
		if facts, rest, err = r.Graph.LinksOf(ctx, q, within, block*linkBlock, linkBlock); err != nil {
			return Links{}, err
		}
		found := w.links(facts, req.Explain)
		passed := min(skip, len(found))
		skip -= passed
		found = found[passed:]
		room := req.Limit - len(out.Links)
		if len(found) > room {
			out.Links, out.More = append(out.Links, found[:room]...), true
			break
		}
		out.Links = append(out.Links, found...)
	}
	r.used(ns, req.At, out.Links)
	out.State, err = r.state(ctx, ns, nil)
	return out, err
}

// links computes the effective confidence of an entity's facts, leaves out the hidden ones and sorts the rest.
func (w scale) links(facts []memory.Relationship, explain bool) []FoundRelation {
	out := make([]FoundRelation, 0, len(facts))
	for _, f := range facts {
		c := w.confidence(f)
		if graph.Hidden(c) {
			continue
		}
		found := FoundRelation{Relationship: f, Confidence: c, Score: c, Hop: 1, Path: []int64{f.ID}}
		if explain {
			found.Why = &Why{MatchedBy: []string{"entity"}, Features: []Feature{whyConfidence(c)}}
		}
		out = append(out, found)
	}
	slices.SortStableFunc(out, func(a, b FoundRelation) int {
		return cmp.Or(cmp.Compare(graph.Rank(b.Confidence), graph.Rank(a.Confidence)),
			b.Relationship.LastObservedAt.Compare(a.Relationship.LastObservedAt),
			cmp.Compare(a.Relationship.ID, b.Relationship.ID))
	})
	return out
}

// whyConfidence explains an effective confidence.
func whyConfidence(effective float64) Feature {
	return Feature{Name: "effective_confidence", Value: effective, Weight: 1,
		Reason: "the stored confidence after decay since the last observation"}
}
