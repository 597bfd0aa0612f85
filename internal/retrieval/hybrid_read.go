package retrieval

import (
	"cmp"
	"context"
	"slices"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// collect reads what was reached and leaves out what the baseline has.
func (x *hitExpansion) collect(ctx context.Context, b *baselineAnswer, between []int64) (expanded, error) {
	out := expanded{run: true, joins: len(between) > 0}
	var err error
	if out.relations, err = x.readFacts(ctx, between); err != nil {
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

// readFacts reads the best facts completely, first those of first.
func (x *hitExpansion) readFacts(ctx context.Context, first []int64) ([]FoundRelation, error) {
	ids := slices.Clone(first)
	for _, id := range ranked(x.facts, expandedFacts) {
		if !slices.Contains(first, id) && len(ids) < expandedFacts {
			ids = append(ids, id)
		}
	}
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
	hidden, err := x.hidden(ctx, ids, byID)
	if err != nil {
		return err
	}
	name := func(way *Expansion) {
		if e, ok := byID[way.node]; ok {
			way.LinkedNode = LinkedNode{ID: e.Ref().String(), Type: e.Type, Name: e.Name}
		} else if n, ok := hidden[way.node]; ok {
			way.LinkedNode = LinkedNode{ID: n.Ref().String(), Type: n.Type, Name: n.Name}
		}
		if way.seedTurn != 0 {
			way.Seed = memory.EpisodeID(way.seedTurn).String()
		}
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

// hidden reads the nodes that entities do not have among ids: topics, and names that nobody made an entity. They join
// turns, too.
func (x *hitExpansion) hidden(ctx context.Context, ids []int64, entities map[int64]memory.Entity) (
	map[int64]memory.Node, error) {
	var missing []int64
	for _, id := range ids {
		if _, ok := entities[id]; !ok && !slices.Contains(missing, id) {
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return nil, nil
	}
	list, err := x.r.Graph.NodesByID(ctx, x.req.Scope.Namespace, missing)
	nodes := make(map[int64]memory.Node, len(list))
	for _, n := range list {
		nodes[n.ID] = n
	}
	return nodes, err
}
