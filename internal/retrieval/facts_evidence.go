package retrieval

import (
	"cmp"
	"context"
	"slices"

	"memory-graph/internal/memory"
)

// byFacts answers by a strategy of the graph: facts, the episodes that are their evidence, and the episodes that
// mention the entities.
func (r *Retriever) byFacts(ctx context.Context, req Request, q *parsedQuestion) (Answer, error) {
	if r.Graph == nil {
		return Answer{}, errNoGraph
	}
	found, err := r.facts(ctx, req, q, req.Strategy, evidenceOf)
	if err != nil {
		return Answer{}, err
	}
	answer := Answer{Strategy: req.Strategy, Match: None, BelowThreshold: found.hidden, BestBelow: found.below}
	found.join(&answer, req, q)
	episodes, more, err := r.evidence(ctx, req, found)
	if err != nil {
		return Answer{}, err
	}
	answer.Episodes, answer.More = episodes, answer.More || more
	return answer, r.nameReplaced(ctx, req, answer.Episodes)
}

// mentioning is the number of found entities whose mentions lead to episodes.
const mentioning = 20

// evidence returns a page of episodes: first the evidence of the facts, in the order of the facts, then the episodes
// that mention the entities, those with the most mentions first. It runs two or three statements.
func (r *Retriever) evidence(ctx context.Context, req Request, f facts) ([]FoundEpisode, bool, error) {
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
	for _, fact := range f.ranked[:min(evidenceOf, len(f.ranked))] {
		for _, id := range slices.Backward(fact.Relationship.Evidence) { // the latest evidence first
			add(id, lead{fact.Score, "evidence"})
		}
	}
	need := req.Offset + req.Limit + 1
	filter := req.filter()
	hits, err := r.Graph.EpisodesMentioning(ctx, filter, f.leads, need)
	if err != nil {
		return nil, false, err
	}
	for _, h := range hits {
		add(h.ID, lead{0, "mention"})
	}
	var page []FoundEpisode
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
			if !filter.Matches(e) || !req.knows(e) {
				continue
			}
			if passed++; passed <= req.Offset {
				continue
			}
			if len(page) == req.Limit {
				return page, true, nil
			}
			found := FoundEpisode{Episode: e, Score: leads[e.ID].score}
			if req.Explain {
				found.Why = &Why{Strategy: req.Strategy, MatchedBy: []string{leads[e.ID].by}, Features: []Feature{}}
			}
			page = append(page, found)
		}
	}
	return page, false, nil
}
