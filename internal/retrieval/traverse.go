package retrieval

import (
	"cmp"
	"context"
	"slices"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// The limits of a traversal.
const (
	// perNode is the number of edges read from a start node in each direction. It bounds the cost of a hub. perFurther is
	// the number for nodes beyond the start.
	perNode    = 200
	perFurther = 50
	// maxFrontier is the number of nodes of one depth that are expanded, the strongest first. It is enough for the longest
	// page.
	maxFrontier = 50
	// maxAmong is the number of facts shown among the entities of a page, the highest stored confidence first. An answer
	// has no room for more.
	maxAmong = 120
	// maxWays is the number of shortest paths that are compared.
	maxWays = 200
)

// Traverse finds the entities around an entity or, with an End, the shortest paths between the two. Every node is
// reached once, so cycles end. It goes no deeper than the page needs.
//
// Between the start and the complete result it runs at most MaxHops + 2 statements. Resolving a name and reading
// memory_state add one each, and KnownAt adds one for the names of the facts' ends.
func (r *Retriever) Traverse(ctx context.Context, req TraverseRequest) (Traversal, error) {
	if r.Graph == nil {
		return Traversal{}, errNoGraph
	}
	ns := req.Scope.Namespace
	start, err := r.Graph.ResolveEntity(ctx, ns, req.Start, "", req.At)
	if err != nil {
		return Traversal{}, err
	}
	w, err := r.scale(ctx, ns, req.At)
	if err != nil {
		return Traversal{}, err
	}
	var page reach
	if req.End == "" {
		page, err = r.around(ctx, req, start.ID, w)
	} else {
		var end memory.Entity
		if end, err = r.Graph.ResolveEntity(ctx, ns, req.End, "", req.At); err == nil {
			page, err = r.between(ctx, req, start.ID, end.ID, w)
		}
	}
	if err != nil {
		return Traversal{}, err
	}
	out, err := r.hydrate(ctx, req, page, w)
	if err != nil {
		return Traversal{}, err
	}
	out.Start = FoundEntity{Entity: start, Score: 1, Confidence: w.entity(start)}
	r.used(ns, req.At, out.Relations)
	out.State, err = r.state(ctx, ns, nil)
	return out, err
}

// reach is the page of a traversal before its entities and facts are read.
type reach struct {
	start   int64
	search  *graph.Search
	earlier []int64         // the nodes of earlier pages, without the start
	nodes   []graph.Reached // without the start
	more    bool
	cut     bool
}

// visibleEdges returns the edges of nodes, without hidden ones.
func (r *Retriever) visibleEdges(ctx context.Context, q memory.EdgeQuery, f memory.Filter,
	w scale) (edges []memory.Edge, cut bool, err error) {
	if edges, cut, err = r.Graph.EdgesWithin(ctx, q, f); err != nil {
		return nil, false, err
	}
	return slices.DeleteFunc(edges, func(e memory.Edge) bool { return graph.Hidden(w.effective(e)) }), cut, nil
}

func (req TraverseRequest) edges(nodes []int64, perNode int) memory.EdgeQuery {
	return memory.EdgeQuery{Namespace: req.Scope.Namespace, Nodes: nodes, Direction: req.Direction,
		Relations: req.Relations,
		Classes:   req.EdgeClasses, At: req.At, PerNode: perNode}
}

// edgesPerNode returns the number of edges to read of each node at a hop.
func edgesPerNode(hop int) int {
	if hop == 1 {
		return perNode
	}
	return perFurther
}

// around searches breadth first until the page is full.
func (r *Retriever) around(ctx context.Context, req TraverseRequest, start int64, w scale) (reach, error) {
	out := reach{start: start, search: graph.NewSearch(start)}
	s := out.search
	for need := req.Offset + req.Limit + 1; s.Depth() < req.MaxHops && s.Len()-1 < need && len(s.Frontier()) > 0; {
		frontier := s.Frontier()
		if len(frontier) > maxFrontier {
			frontier, out.cut = frontier[:maxFrontier], true
		}
		edges, cut, err := r.visibleEdges(ctx, req.edges(frontier, edgesPerNode(s.Depth()+1)), scopeFilter(req.Scope), w)
		if err != nil {
			return reach{}, err
		}
		out.cut = out.cut || cut
		s.Step(edges, w.pathWeight)
	}
	out.page(s.Reached()[1:], req)
	return out, nil
}

// page cuts the requested page.
func (p *reach) page(all []graph.Reached, req TraverseRequest) {
	first := min(req.Offset, len(all))
	for _, n := range all[:first] {
		p.earlier = append(p.earlier, n.Node)
	}
	p.nodes = all[first:]
	if len(p.nodes) > req.Limit {
		p.nodes, p.more = p.nodes[:req.Limit], true
	}
}

// between searches the shortest paths from both ends. It shows the strongest paths first, each completely if it fits.
func (r *Retriever) between(ctx context.Context, req TraverseRequest, start, end int64, w scale) (reach, error) {
	p := graph.NewPathSearch(start, end)
	out := reach{start: start, search: graph.NewSearch(start)}
	for p.Hops() < req.MaxHops {
		frontier, backward, ok := p.Next()
		if !ok {
			break
		}
		if len(frontier) > maxFrontier {
			frontier, out.cut = frontier[:maxFrontier], true
		}
		q := req.edges(frontier, perNode)
		if backward {
			q.Direction = reverse(q.Direction)
		}
		edges, cut, err := r.visibleEdges(ctx, q, scopeFilter(req.Scope), w)
		if err != nil {
			return reach{}, err
		}
		out.cut = out.cut || cut
		p.Step(edges)
	}
	ways, more := p.Ways(w.pathWeight, maxWays)
	out.cut = out.cut || more
	var edges []memory.Edge
	var order []int64
	known := map[int64]bool{start: true}
	for _, way := range ways {
		for i, n := range way.Nodes {
			if !known[n] {
				known[n] = true
				order = append(order, n)
			}
			if i > 0 {
				edges = append(edges, way.Edges[i-1])
			}
		}
	}
	for len(out.search.Frontier()) > 0 { // in memory, only to get depths and paths
		out.search.Step(edges, w.pathWeight)
	}
	var all []graph.Reached
	for _, n := range order {
		at, _ := out.search.At(n)
		all = append(all, at)
	}
	out.page(all, req)
	slices.SortStableFunc(out.nodes, func(a, b graph.Reached) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(b.Strength, a.Strength))
	})
	return out, nil
}

func reverse(d memory.Direction) memory.Direction {
	switch d {
	case memory.Out:
		return memory.In
	case memory.In:
		return memory.Out
	}
	return d
}

// hydrate reads the entities of the page, and the facts that join them with each other, with the start and with the
// entities of earlier pages. So each fact among the entities is on exactly one page. It runs two statements.
func (r *Retriever) hydrate(ctx context.Context, req TraverseRequest, page reach, w scale) (Traversal, error) {
	out := Traversal{Entities: []FoundEntity{}, Relations: []FoundRelation{}, More: page.more,
		Truncated: page.more || page.cut}
	if len(page.nodes) == 0 {
		return out, nil
	}
	ids := make([]int64, 0, len(page.nodes)+1)
	for _, n := range page.nodes {
		ids = append(ids, n.Node)
	}
	entities, err := r.Graph.EntitiesByID(ctx, req.Scope.Namespace, ids, req.At)
	if err != nil {
		return Traversal{}, err
	}
	for _, e := range entities {
		if at, ok := page.search.At(e.ID); ok {
			found := FoundEntity{Entity: e, Score: at.Strength, Confidence: w.entity(e), Depth: at.Depth}
			if req.Explain {
				found.Why = &Why{MatchedBy: []string{"graph_expansion"}, Features: []Feature{
					{Name: "path_strength", Value: at.Strength, Weight: 1,
						Reason: "the product of the evolved weights and strengths of the facts on the path to it"}}}
			}
			out.Entities = append(out.Entities, found)
		}
	}
	among := req.edges(slices.Concat(ids, page.earlier, []int64{page.start}), 0)
	if req.Offset > 0 {
		among.Touching = ids
	}
	facts, more, err := r.Graph.RelationshipsAmong(ctx, among, scopeFilter(req.Scope), maxAmong)
	if err != nil {
		return Traversal{}, err
	}
	out.Truncated = out.Truncated || more
	for _, f := range facts {
		c := w.confidence(f)
		path, hop := page.search.PathOver(memory.Edge{ID: f.ID, Head: f.Head.ID, Tail: f.Tail.ID})
		if graph.Hidden(c) || hop == 0 {
			continue
		}
		found := FoundRelation{Relationship: f, Confidence: c, Score: c, Hop: hop, Path: path}
		if req.Explain {
			found.Why = &Why{MatchedBy: []string{"graph_expansion"}, Features: []Feature{whyConfidence(c)}}
		}
		out.Relations = append(out.Relations, found)
	}
	slices.SortStableFunc(out.Relations, func(a, b FoundRelation) int {
		return cmp.Or(cmp.Compare(a.Hop, b.Hop), cmp.Compare(graph.Rank(b.Confidence), graph.Rank(a.Confidence)),
			cmp.Compare(a.Relationship.ID, b.Relationship.ID))
	})
	return out, nil
}
