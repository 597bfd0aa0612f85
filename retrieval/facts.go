package retrieval

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"memory-graph/graph"
	"memory-graph/memory"
)

// facts is what the graph has to say to a question: one page of entities and of facts, and what leads on to episodes.
type facts struct {
	strategy  Strategy
	seeds     []FoundEntity
	entities  []FoundEntity
	relations []FoundRelation
	ranked    []FoundRelation // the first of the whole ranking, for their evidence
	nodes     []int64         // the entities of the ranking, seeds first
	more      bool
	truncated bool
	hidden    int
	below     float64
}

// question answers a request that asks something: episodes by the strategy, and beside them what the graph says. With bfs,
// hybrid and synapse the graph leads to the episodes too.
func (r *Retriever) question(ctx context.Context, req Request) (Answer, error) {
	switch req.Strategy {
	case BFS, Hybrid, Synapse:
		return r.byFacts(ctx, req)
	case Text, Vector: // each alone, in a plain question
		if req.Graph == nil {
			return r.ask(ctx, req)
		}
	}
	if r.Graph == nil {
		if req.Graph != nil {
			return Answer{}, errNoGraph
		}
		return r.ask(ctx, req)
	}
	var beside sync.WaitGroup
	var found facts
	var factsErr error
	beside.Go(func() { found, factsErr = r.facts(ctx, req, r.factStrategy(req), 0) })
	answer, err := r.ask(ctx, req)
	beside.Wait()
	switch {
	case err != nil:
		return Answer{}, err
	case factsErr == nil:
		found.join(&answer, readQuestion(req.Query))
	case req.Graph != nil || ctx.Err() != nil:
		return Answer{}, factsErr
	default: // the episodes are an answer of their own (M6)
		answer.State.Degraded = append(answer.State.Degraded, "graph_unavailable")
	}
	return answer, nil
}

// factStrategy is how facts are found: as the request says, else by bfs, unless the configuration lets auto choose synapse.
func (r *Retriever) factStrategy(req Request) Strategy {
	switch req.Strategy {
	case BFS, Hybrid, Synapse:
		return req.Strategy
	}
	if r.settings().SpreadingActivation.Enabled {
		return Synapse
	}
	return BFS
}

// hops is how far a strategy goes where the request does not say. Beside a plain question it is one hop: what the entities
// named in it are known for.
func (r *Retriever) hops(req Request, s Strategy) int {
	switch {
	case req.Graph != nil && req.Graph.MaxHops > 0:
		return req.Graph.MaxHops
	case s == Hybrid:
		return 1
	case s == Synapse:
		return r.settings().SpreadingActivation.MaxHops
	case req.Graph == nil && req.Strategy != BFS:
		return 1
	}
	return r.settings().MaxHops
}

// evidenceOf is how many of the first facts lead to episodes.
const evidenceOf = 50

// facts searches the graph: one or two statements for the seeds, then at most hops + 2. It reads at least the first atLeast
// facts whole, whatever the page.
func (r *Retriever) facts(ctx context.Context, req Request, strategy Strategy, atLeast int) (facts, error) {
	out := facts{strategy: strategy}
	seeds, err := r.seeds(ctx, req)
	if err != nil || len(seeds) == 0 {
		return out, err
	}
	w, err := r.scale(ctx, req.Scope.Namespace, req.At)
	if err != nil {
		return out, err
	}
	need := req.Offset + req.Limit + 1
	var x expansion
	if hops := r.hops(req, strategy); strategy == Synapse {
		x, err = r.spread(ctx, req, seeds, w, hops)
	} else {
		x, err = r.expand(ctx, req, seeds, w, strategy, hops, need)
	}
	if err != nil {
		return out, err
	}
	out.truncated, out.hidden, out.below = x.truncated, x.hidden, x.below
	scored := x.facts[:min(len(x.facts), max(need, atLeast))]
	if err := r.readFacts(ctx, req, scored, w, &out); err != nil {
		return out, err
	}
	return out, r.readEntities(ctx, req, seeds, scored, w, &out)
}

// readFacts reads the first of a ranking whole and cuts the page.
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
		}
		out.ranked = append(out.ranked, found)
	}
	out.relations = out.ranked[min(req.Offset, len(list)):]
	if len(out.relations) > req.Limit {
		out.relations, out.more = out.relations[:req.Limit], true
	}
	return nil
}

// readEntities lists the seeds, then the other ends of the facts in their order, and reads the page of them.
func (r *Retriever) readEntities(ctx context.Context, req Request, seeds []seed, scored []graph.ScoredFact, w scale, out *facts) error {
	type place struct {
		score float64
		depth int
		seed  bool
	}
	places := map[int64]place{}
	types := map[int64]string{}
	for _, f := range out.ranked {
		head, tail := f.Relationship.Head, f.Relationship.Tail
		types[head.ID], types[tail.ID] = head.Type, tail.Type
	}
	known := map[int64]memory.Entity{}
	for _, s := range seeds {
		places[s.id] = place{score: s.match, seed: true}
		out.nodes = append(out.nodes, s.id)
		if s.entity != nil {
			known[s.id] = *s.entity
		}
	}
	for _, f := range scored {
		for _, n := range [2]int64{f.Edge.Head, f.Edge.Tail} {
			if _, seen := places[n]; !seen {
				places[n] = place{score: f.Score, depth: f.Hop}
				out.nodes = append(out.nodes, n)
			}
		}
	}
	wanted := slices.DeleteFunc(slices.Clone(out.nodes), func(n int64) bool {
		typ, known := types[n]
		return len(req.Types) > 0 && known && !slices.Contains(req.Types, typ)
	})
	page := wanted[min(req.Offset, len(wanted)):]
	if len(page) > req.Limit {
		page, out.more = page[:req.Limit], true
	}
	var unread []int64
	for _, n := range slices.Concat(page, out.nodes[:len(seeds)]) { // the seeds are named in every answer
		if _, ok := known[n]; !ok && !slices.Contains(unread, n) {
			unread = append(unread, n)
		}
	}
	if len(unread) > 0 {
		list, err := r.Graph.EntitiesByID(ctx, req.Scope.Namespace, unread, req.At)
		if err != nil {
			return err
		}
		for _, e := range list {
			known[e.ID] = e
		}
	}
	floor := r.settings().EntityConfidenceFloor
	found := func(n int64) (FoundEntity, bool) {
		e, ok := known[n]
		at := places[n]
		f := FoundEntity{Entity: e, Score: at.score, Confidence: w.entity(e, floor), Depth: at.depth}
		if req.Explain {
			f.Why = whyEntity(out.strategy, at.seed, at.score)
		}
		return f, ok
	}
	for _, n := range out.nodes[:len(seeds)] {
		if f, ok := found(n); ok {
			out.seeds = append(out.seeds, f)
		}
	}
	for _, n := range page {
		if f, ok := found(n); ok && (len(req.Types) == 0 || slices.Contains(req.Types, f.Entity.Type)) {
			out.entities = append(out.entities, f)
		}
	}
	return nil
}

// join puts what the graph says beside the episodes of an answer.
func (f facts) join(a *Answer, q question) {
	a.Entities, a.Relations, a.Seeds = f.entities, f.relations, f.seeds
	a.Truncated = a.Truncated || f.truncated
	a.More = a.More || f.more
	if m := f.match(q); surer(m, a.Match) {
		a.Match = m
	}
}

// surer says whether a match is surer than another.
func surer(a, b Match) bool {
	rank := func(m Match) int { return slices.Index([]Match{None, Weak, Strong}, m) }
	return rank(a) > rank(b)
}

// match judges the facts by how much of what the question names stands in one of the first, or in the description of an
// entity that it names: the coverage of evidence.go, with every word of the same weight. What the words of the question
// found somewhere is weak; it is none where they found nothing at all.
func (f facts) match(q question) Match {
	if len(f.seeds) == 0 {
		return None
	}
	words := weigh(q.stems, frequencies{})
	covers := func(said string) bool {
		return coverage(words, &candidate{turn: memory.Turn{Content: said}}) >= strongTextEvidence
	}
	for _, r := range f.relations[:min(weighed, len(f.relations))] {
		fact := r.Relationship
		if covers(fact.Head.Name + " " + strings.ReplaceAll(fact.Relation, "_", " ") + " " + fact.Tail.Name + " " + fact.Fact) {
			return Strong
		}
	}
	for _, s := range f.seeds {
		if s.Score == 1 && covers(s.Entity.Name+" "+strings.Join(s.Entity.Aliases, " ")+" "+s.Entity.Description) {
			return Strong
		}
	}
	return Weak
}

// byFacts answers by a strategy of the graph: facts, and the episodes that are their evidence or mention the entities.
func (r *Retriever) byFacts(ctx context.Context, req Request) (Answer, error) {
	if r.Graph == nil {
		return Answer{}, errNoGraph
	}
	found, err := r.facts(ctx, req, req.Strategy, evidenceOf)
	if err != nil {
		return Answer{}, err
	}
	answer := Answer{Strategy: req.Strategy, Match: None, BelowThreshold: found.hidden, BestBelow: found.below}
	found.join(&answer, readQuestion(req.Query))
	episodes, more, err := r.evidence(ctx, req, found)
	if err != nil {
		return Answer{}, err
	}
	answer.Episodes, answer.More = episodes, answer.More || more
	return answer, nil
}

// mentioning is how many of the entities found lead to episodes that mention them.
const mentioning = 20

// evidence gives the page of the episodes that the facts stand on, in the order of the facts, then of those that mention the
// entities, most of them first: two or three statements.
func (r *Retriever) evidence(ctx context.Context, req Request, f facts) ([]Found, bool, error) {
	type lead struct {
		score float64
		by    string
	}
	var ids []int64
	leads := map[int64]lead{}
	add := func(id int64, l lead) {
		if _, seen := leads[id]; !seen {
			leads[id] = l
			ids = append(ids, id)
		}
	}
	for _, fact := range f.ranked {
		for _, id := range slices.Backward(fact.Relationship.Evidence) { // what was said last first
			add(id, lead{fact.Score, "evidence"})
		}
	}
	need := req.Offset + req.Limit + 1
	filter := req.filter()
	hits, err := r.Graph.EpisodesMentioning(ctx, filter, f.nodes[:min(mentioning, len(f.nodes))], need)
	if err != nil {
		return nil, false, err
	}
	for _, h := range hits {
		add(h.ID, lead{0, "mention"})
	}
	var page []Found
	for passed := 0; len(ids) > 0; {
		chunk := ids[:min(len(ids), 2*need)]
		ids = ids[len(chunk):]
		episodes, err := r.Episodes.Episodes(ctx, filter.Namespace, chunk)
		if err != nil {
			return nil, false, err
		}
		order := make(map[int64]int, len(chunk))
		for i, id := range chunk {
			order[id] = i
		}
		slices.SortFunc(episodes, func(a, b memory.Episode) int { return cmp.Compare(order[a.ID], order[b.ID]) })
		for _, e := range episodes {
			if !filter.Matches(e) {
				continue
			}
			if passed++; passed <= req.Offset {
				continue
			}
			if len(page) == req.Limit {
				return page, true, nil
			}
			found := Found{Episode: e, Score: leads[e.ID].score}
			if req.Explain {
				found.Why = &Why{Strategy: req.Strategy, MatchedBy: []string{leads[e.ID].by}, Features: []Feature{}}
			}
			page = append(page, found)
		}
	}
	return page, false, nil
}
