package retrieval

import (
	"cmp"
	"context"
	"slices"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// Facts that join two names of a question. "How is X related to Y?" asks for them, and in a hub they are a few of
// hundreds that a strategy scores alike. So every strategy lists them first: a fact between the two, or, if there is
// none, the two facts that lead from one to the other over one entity between them. The strategy's formula scores them
// and orders everything behind them.

// joinedFact is a fact that joins two names of the question.
type joinedFact struct {
	graph.ScoredFact
	between bool    // over an entity between the two
	worth   float64 // of the path, the product of its edges' weights
}

// asksLink are the words of a question that asks how two things are connected.
var asksLink = wordSet(`related relate relates relation relationship relations connected connect connects connection
	connections linked link links between`)

// asksForLink reports whether the question asks how what it names is connected.
func (q *parsedQuestion) asksForLink() bool {
	for w := range q.words {
		if asksLink[w] {
			return true
		}
	}
	return false
}

// namePlaces returns the position in the question of each entity that it names, or nil if it names less than two
// things. Namesakes have the same position: they are one name.
func namePlaces(seeds []seed) map[int64]int {
	at := map[int64]int{}
	several := false
	for _, s := range seeds {
		if s.named {
			at[s.id] = s.at
			several = several || s.at != seeds[0].at
		}
	}
	if !several {
		return nil
	}
	return at
}

// looseWays is the number of paths over one entity that come first in an answer of the graph to a question that does
// not ask for a connection.
const looseWays = 3

// ways returns the number of paths over one entity that come first.
func (req Request) ways(q *parsedQuestion) int {
	switch {
	case q.asksForLink():
		return maxWays
	case req.Graph != nil || req.Strategy == BFS || req.Strategy == Hybrid || req.Strategy == Synapse:
		return looseWays
	}
	return 0
}

// joinFirst moves the facts that join two names of the question to the front. If a hub among them has more edges than
// were read, it reads the missing ones between the names and their neighbours, in one statement.
func (r *Retriever) joinFirst(ctx context.Context, req Request, q *parsedQuestion, seeds []seed, w scale,
	x *expansion) error {
	at := namePlaces(seeds)
	if at == nil {
		return nil
	}
	edges := x.first
	if x.hub {
		more, err := r.edgesBetween(ctx, req, seeds, at, edges, w)
		if err != nil {
			return err
		}
		edges = slices.Concat(edges, more)
	}
	found := joined(at, edges, w.pathWeight, req.ways(q))
	known := make(map[int64]graph.ScoredFact, len(x.facts))
	for _, f := range x.facts {
		known[f.Edge.ID] = f
	}
	front := make([]graph.ScoredFact, 0, len(found)+len(x.facts))
	x.joined = make(map[int64]bool, len(found))
	for _, j := range found {
		f, ok := known[j.Edge.ID]
		if !ok {
			f = j.ScoredFact
			f.Score = x.score(f.Edge)
		}
		front = append(front, f)
		x.joined[f.Edge.ID] = j.between
	}
	for _, f := range x.facts {
		if _, ok := x.joined[f.Edge.ID]; !ok {
			front = append(front, f)
		}
	}
	x.facts = front
	return nil
}

// edgesBetween returns edges of the named entities that were not read: those with each other, and with the neighbours
// of the named entity that has the fewest.
func (r *Retriever) edgesBetween(ctx context.Context, req Request, seeds []seed, at map[int64]int, read []memory.Edge,
	w scale) ([]memory.Edge, error) {
	degree, known := map[int64]int{}, map[int64]bool{}
	for _, e := range read {
		known[e.ID] = true
		degree[e.Head]++
		degree[e.Tail]++
	}
	var least int64
	for _, s := range seeds {
		if _, named := at[s.id]; named && (least == 0 || degree[s.id] < degree[least]) {
			least = s.id
		}
	}
	nodes, others := []int64{least}, []int64{}
	for id := range at {
		if id != least {
			nodes, others = append(nodes, id), append(others, id)
		}
	}
	for _, e := range read {
		if e.Head == least || e.Tail == least {
			nodes = append(nodes, e.Other(least))
		}
	}
	slices.Sort(nodes)
	slices.Sort(others)
	q := req.edges(slices.Compact(nodes), 0)
	q.Touching = others
	facts, _, err := r.Graph.RelationshipsAmong(ctx, q, req.scope(), maxAmong)
	if err != nil {
		return nil, err
	}
	var out []memory.Edge
	for _, f := range facts {
		e := memory.Edge{ID: f.ID, Head: f.Head.ID, Tail: f.Tail.ID, Relation: f.Relation, Class: f.EdgeClass,
			Confidence: f.Confidence, Strength: f.Strength, RetrievalCount: f.RetrievalCount,
			LastObservedAt: f.LastObservedAt}
		if !known[e.ID] && !graph.Hidden(w.effective(e)) {
			out = append(out, e)
		}
	}
	return out, nil
}

// joined returns the facts that join two named entities: those between two of them, the strongest first, then, for
// two without one, those of the strongest paths over one other entity, at most ways of them. at has the
// position of each named entity.
func joined(at map[int64]int, edges []memory.Edge, worth graph.Worth, ways int) []joinedFact {
	type pair [2]int // positions of two names
	between := func(a, b int64) pair { return pair{min(at[a], at[b]), max(at[a], at[b])} }
	fact := func(e memory.Edge, from int64, over bool, worth float64) joinedFact {
		return joinedFact{graph.ScoredFact{Edge: e, Hop: 1, Path: []int64{e.ID}, Seed: from, Match: 1}, over, worth}
	}
	var out []joinedFact
	direct := map[pair]bool{}
	sides := map[int64][]memory.Edge{} // by the entity that is not named
	for _, e := range edges {
		headAt, head := at[e.Head]
		tailAt, tail := at[e.Tail]
		switch {
		case head && tail && headAt != tailAt:
			direct[between(e.Head, e.Tail)] = true
			out = append(out, fact(e, e.Head, false, worth(e)))
		case head && !tail:
			sides[e.Tail] = append(sides[e.Tail], e)
		case tail && !head:
			sides[e.Head] = append(sides[e.Head], e)
		}
	}
	type path struct {
		a, b  memory.Edge
		node  int64
		worth float64
	}
	var paths []path
	for node, list := range sides {
		for i, a := range list {
			for _, b := range list[i+1:] {
				p := between(a.Other(node), b.Other(node))
				if p[0] == p[1] || direct[p] {
					continue
				}
				way := path{a, b, node, worth(a) * worth(b)}
				if p[0] != at[a.Other(node)] {
					way.a, way.b = b, a
				}
				paths = append(paths, way)
			}
		}
	}
	slices.SortFunc(out, func(a, b joinedFact) int {
		return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(a.Edge.ID, b.Edge.ID))
	})
	slices.SortFunc(paths, func(a, b path) int {
		return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(a.a.ID, b.a.ID), cmp.Compare(a.b.ID, b.b.ID))
	})
	seen := map[int64]bool{}
	for _, p := range paths[:min(len(paths), ways)] {
		for _, e := range [2]memory.Edge{p.a, p.b} {
			if !seen[e.ID] {
				seen[e.ID] = true
				out = append(out, fact(e, e.Other(p.node), true, p.worth))
			}
		}
	}
	return out
}
