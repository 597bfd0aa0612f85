package retrieval

import (
	"cmp"
	"context"
	"math"
	"slices"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// Mentions reads which episodes mention which nodes: entities, and names that are not entities yet. Every method runs
// one statement.
type Mentions interface {
	// NodesOf returns the mentions in the given episodes.
	NodesOf(ctx context.Context, namespace string, episodes []int64) ([]memory.MentionEdge, error)
	// EpisodesOf returns the mentions of the nodes in the filter's episodes, at most perNode of each node.
	EpisodesOf(ctx context.Context, f memory.Filter, nodes []int64, perNode int) ([]memory.MentionEdge, error)
	// CountEpisodes returns the number of episodes of the namespace. It may stop counting at a bound.
	CountEpisodes(ctx context.Context, namespace string) (int64, error)
}

// The walk goes from the best episodes of the fused ranking to the names they mention, and on to other episodes that
// mention these names. An episode that answers a question of several steps often shares no word with the question, but
// shares a name with an episode that does. The walk is one more feature of the fused score. docs/experiments.md,
// "Walking from episode to episode", has the figures; a factor of two in any of these numbers changes little.
const (
	walkSeeds     = 3   // number of episodes where it starts; with more, chance hits mislead it
	walkSharpness = 4.  // a seed of score s starts e^(4·(s − best)) times as often as the best seed
	walkDamping   = .7  // low, so that the walk stays near the seeds: only their surroundings are read
	walkSteps     = 20  // .7^20 is a thousandth
	titleFactor   = 3.  // the weight of a name in an episode's title, relative to other mentions
	walkBudget    = 500 // number of mentions that are followed, those of the rarest nodes first
	walkKept      = 50  // number of episodes that join the candidates
	faintMass     = .01 // an episode with less is hardly reached; the scale of the feature's logarithm

	// Turns of a conversation mention the same names all the time, and their session is a better lead. There the walk gets
	// little weight.
	turnWalk = .1
)

// rareNode reports whether a node that count of the namespace's episodes mention is rare enough to follow. A name that
// is mentioned everywhere leads everywhere.
func rareNode(count, episodes int64) bool {
	return count >= 2 && count <= min(200, max(10, episodes/20))
}

// walkFeature is the walk's part of the score.
var walkFeature = feature{"walk", 1, "the names it mentions lead to the best matches", func(c *candidate) float64 {
	v := math.Log1p(c.mass / faintMass)
	if c.conversational() {
		v *= turnWalk
	}
	return v
}}

// walk starts at the best of a ranking. It sets the mass of the candidates that it reaches and adds candidates that
// only it found. It runs at most five statements. If no mention leads further, it returns the candidates unchanged and
// false.
func (r *Retriever) walk(ctx context.Context, f memory.Filter, q *parsedQuestion, found hits, ranked []scored,
	cs []*candidate) ([]*candidate, bool, error) {
	seeds := ranked[:min(walkSeeds, len(ranked))]
	if r.Mentions == nil || len(seeds) == 0 {
		return cs, false, nil
	}
	links, err := r.walkLinks(ctx, f, seeds)
	if err != nil || len(links) == 0 {
		return cs, false, err
	}
	known := make(map[int64]*candidate, len(cs))
	for _, c := range cs {
		known[c.turn.ID] = c
	}
	var reached []*candidate
	for id, mass := range walkMass(links, seeds) {
		c := known[id]
		if c == nil {
			c = &candidate{turn: memory.Rankable{ID: id}, reached: true}
			reached = append(reached, c)
		}
		c.mass = mass
	}
	if reached, err = r.readReached(ctx, f.Namespace, found, reached); err != nil {
		return nil, false, err
	}
	cs = append(cs, reached...)
	q.reader.readAll(cs)
	link(cs)
	markEchoes(q, cs, r.now())
	connect(cs, q, found.frequencies)
	return cs, true, nil
}

// mentionLink is a mention that the walk may follow.
type mentionLink struct {
	episode, node int64
	weight        float64 // ln(all episodes / episodes that mention the node), times titleFactor in a title
}

// walkLinks reads the mentions around the seeds.
func (r *Retriever) walkLinks(ctx context.Context, f memory.Filter, seeds []scored) ([]mentionLink, error) {
	ids := make([]int64, len(seeds))
	for i, s := range seeds {
		ids[i] = s.turn.ID
	}
	edges, err := r.Mentions.NodesOf(ctx, f.Namespace, ids)
	if err != nil || len(edges) == 0 {
		return nil, err
	}
	episodes, err := r.Mentions.CountEpisodes(ctx, f.Namespace)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(edges, func(a, b memory.MentionEdge) int {
		return cmp.Or(cmp.Compare(a.Count, b.Count), cmp.Compare(a.Node, b.Node))
	})
	var nodes []int64
	budget := int64(walkBudget)
	for _, e := range edges {
		if !rareNode(e.Count, episodes) || slices.Contains(nodes, e.Node) {
			continue
		}
		if budget -= e.Count; budget < 0 {
			break
		}
		nodes = append(nodes, e.Node)
	}
	if len(nodes) == 0 {
		return nil, nil
	}
	edges, err = r.Mentions.EpisodesOf(ctx, f, nodes, perNode)
	if err != nil {
		return nil, err
	}
	links := make([]mentionLink, 0, len(edges))
	for _, e := range edges {
		weight := math.Log(float64(episodes) / float64(e.Count))
		if e.Title {
			weight *= titleFactor
		}
		if weight > 0 {
			links = append(links, mentionLink{e.Episode, e.Node, weight})
		}
	}
	return links, nil
}

// walkMass runs the walk and returns the mass of each reached episode.
func walkMass(mentions []mentionLink, seeds []scored) map[int64]float64 {
	type key struct {
		id      int64
		episode bool
	}
	number := map[key]int{}
	of := func(k key) int {
		n, ok := number[k]
		if !ok {
			n = len(number)
			number[k] = n
		}
		return n
	}
	for _, s := range seeds {
		of(key{s.turn.ID, true})
	}
	links := make([]graph.Link, len(mentions))
	for i, m := range mentions {
		links[i] = graph.Link{A: of(key{m.episode, true}), B: of(key{m.node, false}), Weight: m.weight}
	}
	restart := make([]float64, len(number))
	for i, s := range seeds {
		restart[i] = math.Exp(walkSharpness * (s.score - seeds[0].score))
	}
	shares := graph.Walk(len(number), links, restart, walkDamping, walkSteps)
	mass := make(map[int64]float64, len(number))
	for k, n := range number {
		if k.episode {
			mass[k.id] = shares[n]
		}
	}
	return mass
}

// readReached reads the best of the episodes that only the walk reached, by mass and vector.
func (r *Retriever) readReached(ctx context.Context, namespace string, found hits, reached []*candidate) ([]*candidate,
	error) {
	if len(reached) == 0 {
		return nil, nil
	}
	if err := r.compare(ctx, namespace, reached, found); err != nil {
		return nil, err
	}
	reach := func(c *candidate) float64 { return math.Log1p(c.mass/faintMass) + r.vectorWeight()*c.z }
	slices.SortFunc(reached, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(reach(b), reach(a)), cmp.Compare(b.turn.ID, a.turn.ID))
	})
	reached = reached[:min(walkKept, len(reached))]
	ids := make([]int64, len(reached))
	byID := make(map[int64]*candidate, len(reached))
	for i, c := range reached {
		ids[i], byID[c.turn.ID] = c.turn.ID, c
	}
	turns, err := r.Episodes.Turns(ctx, namespace, ids)
	if err != nil {
		return nil, err
	}
	read := make([]*candidate, len(turns))
	for i, t := range turns {
		read[i] = byID[t.ID]
		read[i].turn = t
	}
	return read, nil
}

// passages reports whether the best of a ranking belong to no session. Then only names connect them.
func passages(ranked []scored) bool {
	best := ranked[:min(walkSeeds, len(ranked))]
	return len(best) > 0 && !slices.ContainsFunc(best, func(s scored) bool { return s.conversational() })
}
