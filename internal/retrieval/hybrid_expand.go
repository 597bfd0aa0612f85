package retrieval

import (
	"cmp"
	"context"
	"maps"
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
	Seed        string     `json:"seed"`        // the turn of the baseline that it began at; "": a name of the question
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
	joins     bool // the first facts join two names of the question
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

// expandHits expands the seeds through the graph: from the nodes that they mention, over edges of at most depth hops,
// to facts, to the turns that say them, to nodes and the turns that mention these. Facts between two names of the
// question are found also without a hit. It runs at most depth + 8 statements.
func (r *Retriever) expandHits(ctx context.Context, req Request, q *parsedQuestion, b *baselineAnswer,
	seeds []FoundEpisode, depth int) (expanded, error) {
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
	between, err := x.between(ctx, q)
	if err != nil || len(seeds)+len(between) == 0 {
		return expanded{}, err
	}
	frontier, err := x.begin(ctx, seeds)
	if err != nil {
		return expanded{}, err
	}
	for hop := 1; hop <= depth && len(frontier) > 0; hop++ {
		if frontier, err = x.step(ctx, frontier, hop); err != nil {
			return expanded{}, err
		}
	}
	return x.collect(ctx, b, between)
}

// between returns the ids of the facts between two names of the question, the best first. They rank before all others.
func (x *hitExpansion) between(ctx context.Context, q *parsedQuestion) ([]int64, error) {
	if len(q.names) < 2 {
		return nil, nil
	}
	seeds, err := x.r.seeds(ctx, x.req, &parsedQuestion{names: q.names}, nil) // by name only
	if err != nil {
		return nil, err
	}
	at := namePlaces(seeds)
	if at == nil {
		return nil, nil
	}
	among := x.req.edges(slices.Sorted(maps.Keys(at)), 0)
	list, _, err := x.r.Graph.RelationshipsAmong(ctx, among, x.req.scope(), maxAmong)
	if err != nil {
		return nil, err
	}
	ways := map[int64]*Expansion{}
	for _, f := range list {
		c := x.scale.confidence(f)
		if at[f.Head.ID] == at[f.Tail.ID] || graph.Hidden(c) {
			continue
		}
		weight := graph.Weight(f.Relation, f.EdgeClass)
		ways[f.ID] = &Expansion{WhyIncluded: whyExpanded, EdgeType: f.Relation, HopCount: 1, Confidence: c,
			Score: graph.HybridScore(weight, f.Strength, c, 1), weight: weight, strength: f.Strength, node: f.Tail.ID}
	}
	maps.Copy(x.facts, ways)
	return ranked(ways, expandedFacts), nil
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

// sharedBy is the number of turns that may mention a node through which two of them are connected, in a small memory.
// In a larger one it is a twentieth of the turns. A name that is mentioned everywhere connects nothing.
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
