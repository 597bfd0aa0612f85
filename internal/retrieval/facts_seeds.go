package retrieval

import (
	"cmp"
	"context"
	"slices"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// maxSeeds is the maximum number of entities that a search begins at.
const maxSeeds = 10

// seed is an entity that the question is about.
type seed struct {
	id     int64
	match  float64        // 1 for a name or an alias, else its BM25 / the best BM25
	named  bool           // the question contains its name
	at     int            // the position of the word at which the name begins
	entity *memory.Entity // nil until it is read
}

// seeds returns the entities that a question is about, best first: those that it names; if there are none, those that
// its words find and those with similar vectors, near. It runs one or two statements.
func (r *Retriever) seeds(ctx context.Context, req Request, q *parsedQuestion, near func() []memory.Hit) ([]seed,
	error) {
	ns := req.Scope.Namespace
	if len(q.names) > 0 {
		names := make([]string, 0, len(q.names))
		for _, n := range q.names {
			if !slices.Contains(names, n.canonical) {
				names = append(names, n.canonical)
			}
		}
		entities, err := r.Graph.EntitiesNamed(ctx, ns, names, req.At)
		if err != nil {
			return nil, err
		}
		if found := namedSeeds(q.names, entities); len(found) > 0 {
			return found[:min(len(found), maxSeeds)], nil
		}
	}
	if len(q.searchWords) == 0 {
		return nil, nil
	}
	hits, err := r.Graph.SearchWithLabels(ctx, ns, q.searchWords, maxSeeds)
	if err != nil {
		return nil, err
	}
	var out []seed
	for _, h := range hits {
		if best := hits[0].Score; h.Score > 0 && best > 0 {
			out = append(out, seed{id: h.ID, match: h.Score / best})
		}
	}
	return withNear(out, near()), nil
}

// selfName is the name of the speaker if the request has no user.
const selfName = "user"

// namedSeeds returns the entities that the question names, in the order of the question. A name inside a longer known
// name does not count: "New York Times" does not name New York.
func namedSeeds(asked []askedName, entities []memory.Entity) []seed {
	spans := map[string][]askedName{}
	for _, n := range asked {
		spans[n.canonical] = append(spans[n.canonical], n)
	}
	type hit struct {
		entity *memory.Entity
		spans  []askedName
	}
	var hits []hit
	for i := range entities {
		h := hit{entity: &entities[i], spans: slices.Clone(spans[entities[i].Canonical])}
		for _, alias := range entities[i].Aliases {
			h.spans = append(h.spans, spans[alias]...)
		}
		hits = append(hits, h)
	}
	inside := func(s askedName) bool {
		for _, h := range hits {
			for _, other := range h.spans {
				if other.from <= s.from && s.to <= other.to && len(other.canonical) > len(s.canonical) {
					return true
				}
			}
		}
		return false
	}
	var out []seed
	for _, h := range hits {
		first := -1
		for _, s := range h.spans {
			if !inside(s) && (first < 0 || s.from < first) {
				first = s.from
			}
		}
		if first >= 0 {
			out = append(out, seed{id: h.entity.ID, match: 1, named: true, at: first, entity: h.entity})
		}
	}
	slices.SortStableFunc(out, func(a, b seed) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id)) })
	return out
}

// graphSeeds converts seeds for package graph.
func graphSeeds(seeds []seed) []graph.Seed {
	out := make([]graph.Seed, len(seeds))
	for i, s := range seeds {
		out[i] = graph.Seed{Node: s.id, Match: s.match}
	}
	return out
}
