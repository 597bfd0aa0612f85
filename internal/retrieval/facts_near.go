package retrieval

import (
	"context"
	"slices"

	"memory-graph/internal/memory"
)

// Entities by meaning. Beside the search of the turns, whatever else is found, the vectors of the entities are compared
// with the question's. If the question names something, the similar entities are listed behind it. If it names nothing,
// they are seeds too, beside those that its words find.
const (
	// nearEntity is the minimum cosine of a question and an entity (name and description). In a test with the built-in
	// model, one of some 140 unrelated pairs was above .25 (.29).
	nearEntity = .3
	// besideNamed is the maximum number of similar entities that are listed behind what the question names.
	besideNamed = 5
	// nearSeeds is the number of seeds that are kept for similar entities if the words find many.
	nearSeeds = 3
)

// nearest returns the k entities whose vectors are most similar to the question's, with their cosines. Without vectors
// there are none: errors are ignored, because the words of the question are searched too.
func (r *Retriever) nearest(ctx context.Context, namespace string, q *parsedQuestion, k int) []memory.Hit {
	vec := r.questionVector(ctx, q.raw)
	if vec == nil {
		return nil
	}
	hits, err := r.Nearest.RankEntities(ctx, vec, namespace, k)
	if err != nil {
		return nil
	}
	return hits
}

// comparing compares the vectors of the entities in the background. The result waits for it.
func (r *Retriever) comparing(ctx context.Context, namespace string, q *parsedQuestion) func() []memory.Hit {
	done := make(chan []memory.Hit, 1)
	go func() { done <- r.nearest(ctx, namespace, q, comparedEntities) }()
	var hits []memory.Hit
	waited := false
	return func() []memory.Hit {
		if !waited {
			hits, waited = <-done, true
		}
		return hits
	}
}

// near returns those of the entities that are similar enough to the question to be shown.
func near(hits []memory.Hit) []memory.Hit {
	last := slices.IndexFunc(hits, func(h memory.Hit) bool { return h.Score < nearEntity })
	if last < 0 {
		return hits
	}
	return hits[:last]
}

// withNear adds the similar entities to the seeds that the words of a question found.
func withNear(words []seed, hits []memory.Hit) []seed {
	var more []seed
	for _, h := range near(hits) {
		if !slices.ContainsFunc(words, func(s seed) bool { return s.id == h.ID }) {
			more = append(more, seed{id: h.ID, match: min(h.Score, 1)})
		}
	}
	room := max(maxSeeds-len(words), min(nearSeeds, len(more)))
	more = more[:min(room, len(more))]
	return append(words[:min(len(words), maxSeeds-len(more))], more...)
}

// beside returns the similar entities that are listed behind the seeds, which the question names.
func (f facts) beside(seeds []seed) []memory.Hit {
	var out []memory.Hit
	for _, h := range near(f.near) {
		known := slices.ContainsFunc(seeds, func(s seed) bool { return s.id == h.ID })
		if !known && len(out) < besideNamed && len(seeds) > 0 && seeds[0].named {
			out = append(out, h)
		}
	}
	return out
}

// byVector answers with the turns and the entities whose vectors are similar to the question's, both searched at once.
func (r *Retriever) byVector(ctx context.Context, req Request, q *parsedQuestion) (Answer, error) {
	compared := r.comparing(ctx, req.Scope.Namespace, q)
	answer, err := r.ask(ctx, req, q)
	if err != nil {
		return Answer{}, err
	}
	hits := near(compared())
	if r.Graph == nil || len(hits) == 0 {
		return answer, nil
	}
	ids, cosines := make([]int64, len(hits)), make(map[int64]float64, len(hits))
	for i, h := range hits {
		ids[i], cosines[h.ID] = h.ID, h.Score
	}
	entities, err := r.Graph.EntitiesByID(ctx, req.Scope.Namespace, ids, req.At)
	if err != nil {
		return Answer{}, err
	}
	w, err := r.scale(ctx, req.Scope.Namespace, req.At)
	if err != nil {
		return Answer{}, err
	}
	passed := 0
	for _, e := range entities {
		if len(req.Types) > 0 && !slices.Contains(req.Types, e.Type) {
			continue
		}
		if passed++; passed <= req.Offset {
			continue
		}
		if len(answer.Entities) == req.Limit {
			answer.More = true
			break
		}
		found := FoundEntity{Entity: e, Score: cosines[e.ID], Confidence: w.entity(e)}
		if req.Explain {
			found.Why = whyNear(Vector, found.Score)
		}
		answer.Entities = append(answer.Entities, found)
	}
	if len(answer.Entities) > 0 && answer.Match == None {
		answer.Match = Weak
	}
	return answer, nil
}
