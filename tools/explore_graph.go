package tools

import (
	"context"
	"maps"
	"slices"

	"memory-graph/internal/memory"
)

const neighbourhoodText = "The facts around some entities as a graph: nodes with the number of their facts, and " +
	"edges. Of a hub, only the surest facts; cut counts the others."

// Limits of a neighbourhood.
const (
	mostCentres    = 50
	mostPerNode    = 200
	usualPerNode   = 25
	mostGraphNodes = 2000
)

type neighbourhoodArgs struct {
	Entities []string `json:"entities" alias:"entity" jsonschema_description:"Whose neighbourhood: ids, names or aliases, at most 50"`
	Hops     *int     `json:"hops,omitempty" jsonschema_description:"How far"`
	PerNode  *int     `json:"per_node,omitempty" jsonschema_description:"Most facts of one node in each direction"`
	Classes  []string `json:"edge_classes,omitempty" enum:"causal,temporal,semantic,co_occurrence,hierarchical" jsonschema_description:"Only facts of these classes"`
	ValidAt  string   `json:"valid_at,omitempty" jsonschema_description:"Facts that were true then"`
	KnownAt  string   `json:"known_at,omitempty" jsonschema_description:"Facts that were believed then"`
	scopeArgs
}

type neighbourhoodResult struct {
	Nodes       []graphNode  `json:"nodes"`
	Edges       []graphEdge  `json:"edges"`
	Communities []memberItem `json:"communities"` // of the nodes
	Cut         bool         `json:"cut"`         // some nodes have more facts
	MemoryState memory.State `json:"memory_state"`
}

// graphNode is a node of a neighbourhood.
type graphNode struct {
	ID         string  `json:"id"`
	Name       string  `json:"name"`
	Type       string  `json:"type"`
	Confidence float64 `json:"confidence"`
	Origin     string  `json:"origin"`
	Community  string  `json:"community,omitempty"` // c3
	Hop        int     `json:"hop"`                 // 0 for the entities that were asked for
	Facts      int64   `json:"facts"`               // active ones
	Cut        int64   `json:"cut"`                 // of these, those that are not among the edges; 0 for another time
}

// graphEdge is a fact of a neighbourhood, from head to tail.
type graphEdge struct {
	ID         string  `json:"id"`
	Head       string  `json:"head"`
	Tail       string  `json:"tail"`
	Relation   string  `json:"relation"`
	Class      string  `json:"edge_class"`
	Confidence float64 `json:"confidence"` // as it is left now
	Strength   float64 `json:"strength"`
	Origin     string  `json:"origin"`
	ValidFrom  string  `json:"valid_from,omitempty"`

	Projects []string `json:"projects,omitempty"` // of the turns that say it
}

// newNeighbourhood returns the tool behind the picture of the graph.
func newNeighbourhood(mem Memory, o Options) (Tool, error) {
	s := spec{name: "neighbourhood", title: "The graph around entities", description: neighbourhoodText, readOnly: true,
		idempotent: true, bounds: bounds{ranges: map[string]span{"hops": {1, 3, 1},
			"per_node": {1, mostPerNode, usualPerNode}}}}
	return define(o, s, func(ctx context.Context, in neighbourhoodArgs) (neighbourhoodResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return neighbourhoodResult{}, err
		}
		f := fields{o: o}
		at := memory.AsOf{ValidAt: f.time("valid_at", in.ValidAt), KnownAt: f.time("known_at", in.KnownAt)}
		list := words(in.Entities)
		if len(list) == 0 || len(list) > mostCentres {
			f.note(memory.Errorf(memory.InvalidArgument, "entities has %d names; 1 to %d are allowed.", len(list), mostCentres).
				WithHint("Give ids, names or aliases."))
		}
		if f.err != nil {
			return neighbourhoodResult{}, f.err
		}
		records, err := mem.Records(ctx)
		if err != nil {
			return neighbourhoodResult{}, err
		}
		g := grower{records: records, o: o, namespace: o.withDefaults(sc).Namespace, at: at, classes: words(in.Classes),
			perNode: usualPerNode, hop: map[int64]int{}, seen: map[int64]bool{}}
		if in.PerNode != nil {
			g.perNode = *in.PerNode
		}
		for _, ref := range list {
			if ref, err = o.reference("entities", ref); err != nil {
				return neighbourhoodResult{}, err
			}
			e, err := records.ResolveEntity(ctx, g.namespace, ref, "", at)
			if err != nil {
				return neighbourhoodResult{}, unknownThen(ctx, records, g.namespace, ref, "", at, err)
			}
			g.reach(e.ID, 0)
		}
		hops := 1
		if in.Hops != nil {
			hops = *in.Hops
		}
		res, err := g.grow(ctx, hops)
		if err != nil {
			return neighbourhoodResult{}, err
		}
		st, err := mem.State(ctx, g.namespace)
		res.MemoryState = state(st)
		return res, err
	})
}

// grower collects a neighbourhood.
type grower struct {
	records   Records
	o         Options
	namespace string
	at        memory.AsOf
	classes   []string
	perNode   int

	nodes []int64       // in the order in which they were reached
	hop   map[int64]int // of the nodes
	edges []int64
	seen  map[int64]bool // of the edges
	cut   bool
}

func (g *grower) reach(node int64, hop int) {
	if _, ok := g.hop[node]; !ok && len(g.nodes) < mostGraphNodes {
		g.hop[node] = hop
		g.nodes = append(g.nodes, node)
	}
}

// grow follows the facts of the nodes, the surest first.
func (g *grower) grow(ctx context.Context, hops int) (neighbourhoodResult, error) {
	from := 0
	for hop := 1; hop <= hops && from < len(g.nodes); hop++ {
		front := slices.Clone(g.nodes[from:])
		from = len(g.nodes)
		edges, cut, err := g.records.EdgesWithin(ctx, memory.EdgeQuery{Namespace: g.namespace, Nodes: front, At: g.at,
			Classes: g.classes, PerNode: g.perNode}, memory.Filter{Namespace: g.namespace})
		if err != nil {
			return neighbourhoodResult{}, err
		}
		g.cut = g.cut || cut
		for _, e := range edges {
			g.reach(e.Head, hop)
			g.reach(e.Tail, hop)
			if !g.seen[e.ID] {
				g.seen[e.ID] = true
				g.edges = append(g.edges, e.ID)
			}
		}
	}
	return g.result(ctx)
}

func (g *grower) result(ctx context.Context) (neighbourhoodResult, error) {
	res := neighbourhoodResult{Nodes: []graphNode{}, Edges: []graphEdge{}, Communities: []memberItem{}, Cut: g.cut}
	entities, err := g.records.EntitiesByID(ctx, g.namespace, g.nodes, g.at)
	if err != nil {
		return res, err
	}
	community, err := g.records.CommunityOf(ctx, g.namespace, g.nodes)
	if err != nil {
		return res, err
	}
	counts, err := g.records.FactCounts(ctx, g.namespace, g.nodes)
	if err != nil {
		return res, err
	}
	facts, err := g.records.Relationships(ctx, g.namespace, g.edges, g.at)
	if err != nil {
		return res, err
	}
	projects, err := g.records.ProjectsOf(ctx, g.namespace, g.edges)
	if err != nil {
		return res, err
	}
	show, err := g.o.factShower(ctx, g.records, g.namespace)
	if err != nil {
		return res, err
	}
	show.then = !g.at.Now()
	visible, shown := map[int64]bool{}, map[int64]int64{}
	for _, e := range entities { // without hidden nodes, such as conditions and topics
		visible[e.ID] = true
	}
	for _, r := range facts {
		if !visible[r.Head.ID] || !visible[r.Tail.ID] {
			continue
		}
		shown[r.Head.ID]++
		if shown[r.Tail.ID]++; r.Head.ID == r.Tail.ID {
			shown[r.Tail.ID]--
		}
		it := show.show(r)
		res.Edges = append(res.Edges, graphEdge{it.ID, it.HeadID, it.TailID, r.Relation, r.EdgeClass, *it.Confidence,
			round(r.Strength), string(r.Origin), it.ValidFrom, projects[r.ID]})
	}
	for _, e := range entities {
		n := graphNode{ID: e.Ref().String(), Type: e.Type, Confidence: round(e.Confidence), Origin: string(e.Origin),
			Hop: g.hop[e.ID], Facts: counts[e.ID]}
		if g.at.Now() {
			n.Cut = max(0, counts[e.ID]-shown[e.ID])
		}
		n.Name, _ = shape{runes: g.o.SummaryRunes}.cut(e.Name)
		if c := community[e.ID]; c != 0 {
			n.Community = memory.CommunityID(c).String()
		}
		res.Nodes = append(res.Nodes, n)
	}
	groups, err := g.records.CommunitiesOf(ctx, g.namespace, slices.Compact(slices.Sorted(maps.Values(community))), nil)
	for _, c := range groups {
		res.Communities = append(res.Communities, memberItem{c.Ref().String(), c.Name})
	}
	return res, err
}
