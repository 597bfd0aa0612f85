package retrieval

import (
	"context"
	"math"
	"slices"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval/supersession"
)

// Facts by meaning. The similarity of a fact to a question is the mean of three cosines: of its head, its relation and
// its tail. docs/experiments.md, "Facts that answer a question", compares it with others.

// Similarities returns how similar each fact is to a text, -1..1; all 0 without vectors. It runs at most one statement.
func (r *Retriever) Similarities(ctx context.Context, namespace, text string,
	facts []memory.Triple) ([]float64, error) {
	return r.similarities(ctx, namespace, r.questionVector(ctx, text), facts)
}

// questionVector returns the vector of a question, or nil if there are no vectors to compare it with. Errors are
// ignored, because the words of the question are searched too.
func (r *Retriever) questionVector(ctx context.Context, question string) []int8 {
	if r.Nearest == nil || r.Vectors == nil || r.Embedder == nil || r.Vectors.Ready(ctx) != nil {
		return nil
	}
	vecs, err := r.Embedder.Embed(ctx, embedding.Query, []string{question})
	if err != nil {
		return nil
	}
	return embedding.Quantize(vecs[0])
}

// similarities returns the similarity of each fact to the question with this vector, -1..1. A part without a vector
// does not count. A fact whose parts all lack one has 0.
func (r *Retriever) similarities(ctx context.Context, namespace string, vec []int8,
	facts []memory.Triple) ([]float64, error) {
	out := make([]float64, len(facts))
	if vec == nil || len(facts) == 0 {
		return out, nil
	}
	var ends []int64
	var relations []string
	for _, f := range facts {
		ends = append(ends, f.Head, f.Tail)
		relations = append(relations, f.Relation)
	}
	slices.Sort(ends)
	slices.Sort(relations)
	ofEnd, err := r.Nearest.CosinesEntities(ctx, vec, namespace, slices.Compact(ends))
	if err != nil {
		return nil, err
	}
	ofRelation, err := r.Nearest.CosinesRelations(ctx, vec, namespace, slices.Compact(relations))
	if err != nil {
		return nil, err
	}
	for i, f := range facts {
		sum, n := 0., 0.
		for _, end := range [2]int64{f.Head, f.Tail} {
			if c, ok := ofEnd[end]; ok {
				sum, n = sum+c, n+1
			}
		}
		if c, ok := ofRelation[f.Relation]; ok {
			sum, n = sum+c, n+1
		}
		if n > 0 {
			out[i] = sum / n
		}
	}
	return out, nil
}

// statedFacts is the maximum number of facts that are read for the candidates of one question.
const statedFacts = 2000

// compareStated compares the facts that the candidates state with the question. An agent or a model states plainly what
// a turn says in passing, so a fact may be similar to a question that its turn is not similar to. Often only some turns
// have facts. The others are compared by their own vectors: the more turns have facts, the more this counts.
func (r *Retriever) compareStated(ctx context.Context, req Request, q *parsedQuestion, vec []int8, p pool) error {
	if r.Nearest == nil || vec == nil || len(p) == 0 {
		return nil
	}
	ended := q.asked.When != supersession.Now
	stated, err := r.Episodes.StatedFacts(ctx, req.Scope.Namespace, p.ids(), req.At, ended, statedFacts)
	if err != nil || len(stated) == 0 {
		return err
	}
	facts := make([]memory.Triple, len(stated))
	for i, f := range stated {
		facts[i] = f.Triple
	}
	similar, err := r.similarities(ctx, req.Scope.Namespace, vec, facts)
	if err != nil {
		return err
	}
	for i, f := range stated {
		p[f.Episode].fact = max(p[f.Episode].fact, similar[i])
	}
	out := standOut(stated, similar)
	for id, c := range p {
		if x, ok := out[id]; ok {
			c.stated = x
		} else {
			c.stated = sure(len(stated)) * max(0, c.z-1) * float64(len(out)) / float64(len(p))
		}
	}
	return nil
}

// fewFacts is the number of facts with which it counts half that one of them stands out.
const fewFacts = 10

// standOut returns how far the most similar fact of each episode stands out among all: the standard deviations above
// the mean, less one, at least 0, times sure.
func standOut(stated []memory.StatedFact, similar []float64) map[int64]float64 {
	mean, squares := 0., 0.
	for _, s := range similar {
		mean += s / float64(len(similar))
		squares += s * s / float64(len(similar))
	}
	deviation := math.Sqrt(max(0, squares-mean*mean))
	out := map[int64]float64{}
	for i, f := range stated {
		if deviation > 0 {
			out[f.Episode] = max(out[f.Episode], sure(len(similar))*((similar[i]-mean)/deviation-1))
		} else {
			out[f.Episode] = 0
		}
	}
	return out
}

// sure returns how much the most similar of n facts counts, 0..1, since among few facts one is always the most similar.
func sure(n int) float64 { return float64(n) / float64(n+fewFacts) }
