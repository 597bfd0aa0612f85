package hierarchy

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// The score of a memory is its cosine plus wordShare × the BM25 of its words / the best BM25. A memory that shares no
// word with the question needs a cosine of at least minCosine. The built-in model puts "experienced with Haskell" at
// .20 of "technical skills"; unrelated texts mostly have less.
const (
	wordShare = .4
	minCosine = .12
	anyCosine = -1 // accepts any cosine
	// searched is the number of hits read of each search, words and vectors. Entities are among them.
	searched = 200
	// maxWords bounds the cost of a long question. Its first words usually tell its subject.
	maxWords = 32
)

// score is how one memory matches a question.
type score struct {
	id      int64
	value   float64
	matched []string // "text", "vector"
}

// find ranks nodes by each question, best first. A node needs a word of the question, or a cosine of at least floor.
// meaning reports whether vectors were compared.
func (h *Hierarchy) find(ctx context.Context, namespace string, mode embedding.Mode, floor float64,
	questions []string) (found [][]score, meaning bool, err error) {
	vecs, err := h.embed(ctx, mode, questions)
	if err != nil {
		return nil, false, err
	}
	meaning = vecs != nil
	for i, q := range questions {
		byID := map[int64]*score{}
		add := func(id int64, value float64, by string) {
			s := byID[id]
			if s == nil {
				s = &score{id: id}
				byID[id] = s
			}
			s.value += value
			s.matched = append(s.matched, by)
		}
		hits, err := h.Store.SearchEntities(ctx, namespace, words(q), nil, searched)
		if err != nil {
			return nil, false, err
		}
		for _, hit := range hits {
			if best := hits[0].Score; best > 0 {
				add(hit.ID, wordShare*hit.Score/best, "text")
			}
		}
		if vecs != nil {
			near, err := h.Nearest.RankEntities(ctx, embedding.Quantize(vecs[i]), namespace, searched)
			if unavailable(err) {
				meaning = false
			} else if err != nil {
				return nil, false, err
			}
			for _, hit := range near {
				if hit.Score >= floor || byID[hit.ID] != nil {
					add(hit.ID, max(0, hit.Score), "vector")
				}
			}
		}
		list := make([]score, 0, len(byID))
		for _, s := range byID {
			list = append(list, *s)
		}
		slices.SortFunc(list, func(a, b score) int { return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.id, b.id)) })
		found = append(found, list)
	}
	return found, meaning, nil
}

// embed returns nil if no vectors can be made. Then only words are compared.
func (h *Hierarchy) embed(ctx context.Context, mode embedding.Mode, texts []string) ([][]float32, error) {
	if h.Nearest == nil || h.Embedder == nil || !h.Embedder.Identity().Enabled() || len(texts) == 0 {
		return nil, nil
	}
	vecs, err := h.Embedder.Embed(ctx, mode, texts)
	if unavailable(err) {
		return nil, nil
	}
	return vecs, err
}

func unavailable(err error) bool {
	var e *memory.Error
	return errors.As(err, &e) && e.Code == memory.Unavailable
}

// words returns the content words of a text, without duplicates.
func words(s string) []string {
	var out []string
	for _, t := range text.Tokens(s) {
		if !t.Stop() && len(out) < maxWords && !slices.Contains(out, t.Word) {
			out = append(out, t.Word)
		}
	}
	return out
}

// ids returns the ids of scores in their order.
func ids(list []score) []int64 {
	out := make([]int64, len(list))
	for i, s := range list {
		out[i] = s.id
	}
	return out
}
