package retrieval

import (
	"context"
	"errors"
	"slices"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// hits are the results of both indexes.
type hits struct {
	text        []memory.Hit
	frequencies frequencies
	vectors     *Similarities // nil: no vector ranking
	vec         []int8        // the vector of the question; set together with vectors
}

// frequencies tells how common the words of the question are.
type frequencies struct {
	of       map[string]int64 // number of episodes with each word; unknown words are missing
	episodes int64
}

// share returns the share of all episodes that contain the word, 0..1.
func (f frequencies) share(word string) float64 {
	if f.episodes == 0 {
		return 0
	}
	return min(1, float64(f.of[word])/float64(f.episodes))
}

// search asks both indexes in parallel. A missing vector index is an error unless auto is set.
func (r *Retriever) search(ctx context.Context, q *parsedQuestion, f memory.Filter, s Strategy,
	auto bool) (hits, []string, error) {
	type result struct {
		sims Similarities
		vec  []int8
		err  error
	}
	var vectors chan result
	if s != Text {
		vectors = make(chan result, 1)
		go func() {
			sims, vec, err := r.rankVectors(ctx, q, f)
			vectors <- result{sims, vec, err}
		}()
	}
	found, err := r.searchText(ctx, q, f, s)
	if err != nil || vectors == nil {
		return found, nil, err
	}
	res := <-vectors
	switch {
	case res.err == nil:
		found.vectors, found.vec = &res.sims, res.vec
		return found, nil, nil
	case errors.Is(res.err, errUnreadable): // no vector is similar to it
		if s == Vector {
			found.vectors = &Similarities{}
		}
		return found, nil, nil
	case s == Vector || ctx.Err() != nil:
		return hits{}, nil, res.err
	case errors.Is(res.err, errNoVectors):
		if !auto {
			return hits{}, nil, res.err
		}
		return found, nil, nil
	default:
		return found, []string{"vectors_unavailable"}, nil
	}
}

func (r *Retriever) searchText(ctx context.Context, q *parsedQuestion, f memory.Filter,
	s Strategy) (found hits, err error) {
	if found.frequencies.of, found.frequencies.episodes, err = r.Text.TermFrequencies(ctx, q.stems); err != nil ||
		s == Vector {
		return found, err
	}
	query := q.query
	if s == Fused {
		query = found.frequencies.prune(query)
	}
	found.text, err = r.Text.SearchText(ctx, query, f, candidatesPerIndex)
	return found, err
}

// commonShare is the share of episodes above which a word is dropped from a search that has rarer words. Common words
// take most of the search time. They find nothing that the rarer words, the vectors or the speaker's name do not find.
const commonShare = .08

// prune returns the query without its common words, or the whole query if no other word occurs in the memory.
func (f frequencies) prune(q text.Query) text.Query {
	var lean text.Query
	known := false
	for _, t := range q.Terms {
		if len(t.Words) == 1 {
			share := f.share(t.Words[0])
			if share >= commonShare {
				continue
			}
			known = known || share > 0
		}
		lean.Terms = append(lean.Terms, t)
	}
	if !known {
		return q
	}
	return lean
}

var errNoVectors = memory.Errorf(memory.Unavailable,
	"Vector search is not available: no embedder is configured.").WithHint("Use strategy text or auto.")

// errUnreadable is returned if the embedder makes a zero vector of the question. Its words may still find something.
var errUnreadable = memory.Errorf(memory.Unavailable,
	"The embedder cannot make a vector of this question.").WithHint("Use strategy text or auto.")

func (r *Retriever) rankVectors(ctx context.Context, q *parsedQuestion, f memory.Filter) (Similarities, []int8, error) {
	if r.Vectors == nil || r.Embedder == nil || r.Embedder.Identity().Provider == embedding.ProviderNone {
		return Similarities{}, nil, errNoVectors
	}
	if err := r.Vectors.Ready(ctx); err != nil { // checked first, so that a slow endpoint is not asked in vain
		return Similarities{}, nil, err
	}
	vecs, err := r.Embedder.Embed(ctx, embedding.Query, []string{q.raw})
	if err != nil {
		return Similarities{}, nil, err
	}
	vec := embedding.Quantize(vecs[0])
	if !slices.ContainsFunc(vec, func(x int8) bool { return x != 0 }) {
		return Similarities{}, nil, errUnreadable
	}
	sims, err := r.Vectors.Rank(ctx, vec, f, candidatesPerIndex)
	return sims, vec, err
}
