package retrieval

import (
	"cmp"
	"context"
	"slices"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// The limits of an expansion. They do not depend on the page, so that pages continue each other.
const (
	expandedFrom     = 10  // hits of the baseline that it begins at
	expandedNodes    = 50  // nodes of a hop whose edges are read: those of the fewest turns, then the strongest
	expandedEdges    = 500 // edges of a hop that are considered, the strongest first
	expandedFacts    = 50  // facts that are added, with the turns that say them
	expandedTurns    = 30  // turns that are added
	expandedEntities = 30  // entities that are added
	turnsOfNode      = 10  // newest turns of a linked node that are considered
	expandedLinks    = 20  // linked nodes whose turns are considered
)

// whyExpanded is the provenance of everything that an expansion adds.
const whyExpanded = "graph_expansion"

// sharedNode is the type of the connection of two turns that mention one node.
const sharedNode = "shared_node"

// Expansion is how the graph led from the baseline to an item. The names are those of memories.sh.
type Expansion struct {
	WhyIncluded string     `json:"whyIncluded"` // graph_expansion
	LinkedNode  LinkedNode `json:"linkedNode"`  // the node through which the item was reached
	EdgeType    string     `json:"edgeType"`    // the relation of the last edge, or shared_node
	HopCount    int        `json:"hopCount"`    // edges from the seed, from 1
	Confidence  float64    `json:"confidence"`  // effective confidence of the last edge
	Seed        string     `json:"seed"`        // the turn of the baseline that it began at
	Score       float64    `json:"score"`       // edge type weight × strength × confidence / hops

	weight, strength float64
	node, seedTurn   int64
}

// LinkedNode is a node that joins an item to the baseline.
type LinkedNode struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	Name string `json:"name"`
}

// better compares two ways to one item: the fewer hops, then the higher score.
func (e *Expansion) better(o *Expansion) bool {
	return o == nil || e.HopCount < o.HopCount || e.HopCount == o.HopCount && e.Score > o.Score
}

func (e *Expansion) compare(o *Expansion) int {
	return cmp.Or(cmp.Compare(o.Score, e.Score), cmp.Compare(e.HopCount, o.HopCount))
}

// why explains the score of an expanded item.
func (e *Expansion) why() *Why {
	return &Why{Strategy: HybridGraph, MatchedBy: []string{whyExpanded}, Features: []Feature{
		{"edge_weight", e.weight, 1, "weight of the edge's type; the score is the product of these features"},
		{"strength", e.strength, 1, "strength of the edge"},
		{"confidence", e.Confidence, 1, "effective confidence of the edge"},
		{"distance", 1 / float64(max(1, e.HopCount)), 1, "1 / hops from the seed"},
	}}
}

// expanded is what an expansion found beyond the baseline, each list best first.
type expanded struct {
	run       bool
	episodes  []FoundEpisode
	relations []FoundRelation
	memories  []FoundEntity // nodes that are memories
	entities  []FoundEntity // other nodes
	truncated bool
}

func (x expanded) empty() bool { return !x.run }

// hitExpansion is the state of one expansion.
type hitExpansion struct {
	r       *Retriever
	req     Request
	scale   scale
	reasons map[int64]*Expansion // by node; those of the seeds' own nodes have HopCount 0
	facts   map[int64]*Expansion // by edge
	turns   map[int64]*Expansion // by episode
	rare    []int64              // nodes of the seeds that few turns mention
	cut     bool
}

// expandHits expands the seeds through the graph: from the nodes that they mention, over edges of at most depth hops, to
// facts, to the turns that say them, to nodes and the turns that mention these. It runs at most depth + 6 statements.
func (r *Retriever) expandHits(ctx context.Context, req Request, b *baselineAnswer, seeds []FoundEpisode,
	depth int) (expanded, error) {
	if r.Graph == nil || r.Mentions == nil {
		return expanded{}, errNoGraph
	}
	req.Scope.SessionID = "" // of the second tier; no filter
	w, err := r.scale(ctx, req.Scope.Namespace, req.At)
	if err != nil {
		return expanded{}, err
	}
	x := &hitExpansion{r: r, req: req, scale: w, reasons: map[int64]*Expansion{}, facts: map[int64]*Expansion{},
		turns: map[int64]*Expansion{}}
	frontier, err := x.begin(ctx, seeds)
	if err != nil {
		return expanded{}, err
	}
	for hop := 1; hop <= depth && len(frontier) > 0; hop++ {
		if frontier, err = x.step(ctx, frontier, hop); err != nil {
			return expanded{}, err
		}
	}
	return x.collect(ctx, b)
}

// begin reads the nodes that the seeds mention, those of the fewest turns first.
func (x *hitExpansion) begin(ctx context.Context, seeds []FoundEpisode) ([]int64, error) {
	ns := x.req.Scope.Namespace
	rank := make(map[int64]int, len(seeds))
	ids := make([]int64, len(seeds))
	for i, s := range seeds {
		ids[i], rank[s.Episode.ID] = s.Episode.ID, i
	}
	mentions, err := x.r.Mentions.NodesOf(ctx, ns, ids)
	if err != nil {
		return nil, err
	}
	episodes, err := x.r.Mentions.CountEpisodes(ctx, ns)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(mentions, func(a, b memory.MentionEdge) int {
		return cmp.Or(cmp.Compare(a.Count, b.Count), cmp.Compare(rank[a.Episode], rank[b.Episode]),
			cmp.Compare(a.Node, b.Node))
	})
	var nodes []int64
	for _, m := range mentions {
		known := x.reasons[m.Node]
		if known != nil && rank[known.seedTurn] <= rank[m.Episode] {
			continue
		}
		if known == nil {
			nodes = append(nodes, m.Node)
			if m.Count >= 2 && m.Count <= max(sharedBy, episodes/20) {
				x.rare = append(x.rare, m.Node)
			}
		}
		x.reasons[m.Node] = &Expansion{node: m.Node, seedTurn: m.Episode}
	}
	return x.bound(nodes), nil
}

// sharedBy is the number of turns that may mention a node through which two of them are connected, in a small memory. In
// a larger one it is a twentieth of the turns. A name that is mentioned everywhere connects nothing.
const sharedBy = 10

func (x *hitExpansion) bound(nodes []int64) []int64 {
	if len(nodes) > expandedNodes {
		x.cut = true
		return nodes[:expandedNodes]
	}
	return nodes
}

// step follows the edges of a frontier, and returns the nodes that it reached, the best first.
func (x *hitExpansion) step(ctx context.Context, frontier []int64, hop int) ([]int64, error) {
	per := min(perFurther, max(4, expandedEdges/(2*len(frontier))))
	edges, cut, err := x.r.Graph.EdgesWithin(ctx, x.req.edges(frontier, per), x.req.scope())
	if err != nil {
		return nil, err
	}
	x.cut = x.cut || cut
	var reached []int64
	for _, e := range edges {
		c := x.scale.effective(e)
		if graph.Hidden(c) {
			continue
		}
		weight := graph.Weight(e.Relation, e.Class)
		for _, from := range [2]int64{e.Head, e.Tail} {
			base := x.reasons[from]
			if base == nil || base.HopCount != hop-1 {
				continue
			}
			to := e.Other(from)
			way := &Expansion{WhyIncluded: whyExpanded, EdgeType: e.Relation, HopCount: hop, Confidence: c, node: to,
				Score: graph.HybridScore(weight, e.Strength, c, hop), weight: weight, strength: e.Strength,
				seedTurn: base.seedTurn}
			if way.better(x.facts[e.ID]) {
				x.facts[e.ID] = way
			}
			known := x.reasons[to]
			if known == nil {
				reached = append(reached, to)
			}
			if way.better(known) {
				x.reasons[to] = way
			}
		}
	}
	slices.SortFunc(reached, func(a, b int64) int {
		return cmp.Or(x.reasons[a].compare(x.reasons[b]), cmp.Compare(b, a))
	})
	return x.bound(reached), nil
}

// collect reads what was reached and leaves out what the baseline has.
func (x *hitExpansion) collect(ctx context.Context, b *baselineAnswer) (expanded, error) {
	out := expanded{run: true}
	var err error
	if out.relations, err = x.readFacts(ctx); err != nil {
		return expanded{}, err
	}
	for _, f := range out.relations {
		for _, id := range f.Relationship.Evidence {
			x.turn(id, f.Expanded)
		}
	}
	if err := x.mentioned(ctx); err != nil {
		return expanded{}, err
	}
	if out.episodes, err = x.readTurns(ctx, b); err != nil {
		return expanded{}, err
	}
	if err := x.readNodes(ctx, b, &out); err != nil {
		return expanded{}, err
	}
	out.truncated = x.cut
	return out, nil
}

func (x *hitExpansion) turn(id int64, way *Expansion) {
	if way.better(x.turns[id]) {
		x.turns[id] = way
	}
}

// ranked returns the ids of reached items, best first, the newest of equals first, at most limit.
func ranked(ways map[int64]*Expansion, limit int) []int64 {
	ids := make([]int64, 0, len(ways))
	for id, way := range ways {
		if way.HopCount > 0 {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b int64) int { return cmp.Or(ways[a].compare(ways[b]), cmp.Compare(b, a)) })
	return ids[:min(len(ids), limit)]
}

// readFacts reads the best facts completely.
func (x *hitExpansion) readFacts(ctx context.Context) ([]FoundRelation, error) {
	ids := ranked(x.facts, expandedFacts)
	if len(ids) == 0 {
		return nil, nil
	}
	x.cut = x.cut || len(x.facts) > len(ids)
	list, err := x.r.Graph.Relationships(ctx, x.req.Scope.Namespace, ids, x.req.At)
	if err != nil {
		return nil, err
	}
	out := make([]FoundRelation, 0, len(list))
	for _, f := range list {
		way := x.facts[f.ID]
		found := FoundRelation{Relationship: f, Confidence: x.scale.confidence(f), Score: way.Score, Hop: way.HopCount,
			Expanded: way}
		if x.req.Explain {
			found.Why = way.why()
		}
		out = append(out, found)
	}
	return out, nil
}

// mentioned reads the turns that mention the best linked nodes, and those that share a rare node with a seed.
func (x *hitExpansion) mentioned(ctx context.Context) error {
	nodes := ranked(x.reasons, expandedLinks)
	shared := x.rare[:min(len(x.rare), expandedLinks)]
	if len(nodes)+len(shared) == 0 {
		return nil
	}
	edges, err := x.r.Mentions.EpisodesOf(ctx, x.req.filter(), slices.Concat(nodes, shared), turnsOfNode)
	if err != nil {
		return err
	}
	for _, m := range edges {
		way := x.reasons[m.Node]
		if way.HopCount == 0 {
			weight := graph.Weight(sharedNode, memory.Semantic)
			way = &Expansion{WhyIncluded: whyExpanded, EdgeType: sharedNode, HopCount: 1, Confidence: 1, node: m.Node,
				Score: graph.HybridScore(weight, 1, 1, 1), weight: weight, strength: 1, seedTurn: way.seedTurn}
		}
		x.turn(m.Episode, way)
	}
	return nil
}

// readTurns reads the best turns that are not among the first of the baseline. A turn from further down the ranking
// moves up.
func (x *hitExpansion) readTurns(ctx context.Context, b *baselineAnswer) ([]FoundEpisode, error) {
	first := b.longTerm[:min(len(b.longTerm), expandedFrom)]
	for _, f := range slices.Concat(b.rules, b.working, first) {
		delete(x.turns, f.Episode.ID)
	}
	f := x.req.filter()
	turns, err := x.r.readTurns(ctx, x.req, ranked(x.turns, 2*expandedTurns), func(e memory.Episode) bool {
		return f.Matches(e) && e.Status != memory.StatusQuarantined
	})
	if err != nil {
		return nil, err
	}
	turns = turns[:min(len(turns), expandedTurns)]
	for i := range turns {
		way := x.turns[turns[i].Episode.ID]
		turns[i].Score, turns[i].Expanded = way.Score, way
		if x.req.Explain {
			turns[i].Why = way.why()
		}
	}
	return turns, x.r.nameReplaced(ctx, x.req, turns)
}

// readNodes reads the linked nodes, lists the best of them, and names them in the ways to all items.
func (x *hitExpansion) readNodes(ctx context.Context, b *baselineAnswer, out *expanded) error {
	nodes := map[int64]*Expansion{}
	for id, way := range x.reasons {
		if way.HopCount > 0 {
			nodes[id] = way
		}
	}
	for _, f := range out.relations { // an end that a seed mentions is no further away than the fact
		for _, end := range [2]int64{f.Relationship.Head.ID, f.Relationship.Tail.ID} {
			if f.Expanded.better(nodes[end]) {
				own := *f.Expanded
				own.node, nodes[end] = end, &own
			}
		}
	}
	best := ranked(nodes, expandedEntities)
	var ways []*Expansion
	for _, f := range out.relations {
		ways = append(ways, f.Expanded)
	}
	for _, f := range out.episodes {
		ways = append(ways, f.Expanded)
	}
	ids := slices.Clone(best)
	for _, way := range ways {
		ids = append(ids, way.node)
	}
	slices.Sort(ids)
	list, err := x.r.Graph.EntitiesByID(ctx, x.req.Scope.Namespace, slices.Compact(ids), x.req.At)
	if err != nil {
		return err
	}
	byID := make(map[int64]memory.Entity, len(list))
	for _, e := range list {
		byID[e.ID] = e
	}
	name := func(way *Expansion) {
		if e, ok := byID[way.node]; ok {
			way.LinkedNode = LinkedNode{ID: e.Ref().String(), Type: e.Type, Name: e.Name}
		}
		way.Seed = memory.EpisodeID(way.seedTurn).String()
	}
	for _, way := range ways {
		name(way)
	}
	known := map[int64]bool{}
	for _, m := range b.memories {
		known[m.Entity.ID] = true
	}
	for _, id := range best {
		e, ok := byID[id]
		if !ok || known[e.ID] || !e.Kind.Shown() || len(x.req.Types) > 0 && !slices.Contains(x.req.Types, e.Type) {
			continue
		}
		known[e.ID] = true
		way := nodes[id]
		name(way)
		found := FoundEntity{Entity: e, Score: way.Score, Confidence: x.scale.entity(e), Depth: way.HopCount, Expanded: way}
		if x.req.Explain {
			found.Why = way.why()
		}
		if e.Kind == memory.NodeMemory {
			out.memories = append(out.memories, found)
		} else {
			out.entities = append(out.entities, found)
		}
	}
	return nil
}
