package hierarchy

import (
	"context"
	"slices"
	"time"

	"memory-graph/internal/embedding"
	"memory-graph/internal/facts"
	"memory-graph/internal/memory"
	"memory-graph/internal/text"
	"memory-graph/store"
)

// A memory may be a new version of another one although its title differs. It is proposed as one if both have the same
// subject, are on the same layer and have similar vectors. Measured with the built-in model: "Alice lives in Berlin"
// and "Alice lives in Lisbon" have a cosine of .68, "Alice likes sourdough" and "Alice lives in Lisbon" .42.
// An endpoint's cosines are compared here as they are, not on the scale of the built-in model (embedding.Scale).
const (
	nearUpdate   = .6 // minimum cosine
	commonUpdate = .5 // without vectors: minimum share of the stems of both texts that both have
	comparedOld  = 8  // memories with the subject's word that are compared, those with the most words in common
	proposedOld  = 3  // memories that are proposed at most
)

// mayUpdate returns the memories that a new one may replace as the next version, nearest first, with the similarity.
func (h *Hierarchy) mayUpdate(ctx context.Context, namespace string, in store.NewMemory) ([]memory.Hit, error) {
	about := subject(in.Content)
	if about == "" {
		return nil, nil
	}
	hits, err := h.Store.SearchEntities(ctx, namespace, words(in.Content), nil, searched)
	if err != nil || len(hits) == 0 {
		return nil, err
	}
	ids := make([]int64, len(hits))
	for i, hit := range hits {
		ids[i] = hit.ID
	}
	list, err := h.memories(ctx, namespace, ids, memory.AsOf{})
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(e memory.Entity) bool {
		given := e.Ref().String() == in.Parent || e.Canonical == memory.Canonical(in.Parent) ||
			slices.ContainsFunc(in.Relations, func(d memory.RelationDraft) bool {
				return d.Tail == e.Ref().String() || memory.Canonical(d.Tail) == e.Canonical
			})
		return given || subject(e.Description) != about
	})
	list = list[:min(len(list), comparedOld)]
	var out []memory.Hit
	for i, v := range h.alike(ctx, facts.Text(in.Title, in.Content), list) {
		if v > 0 {
			out = append(out, memory.Hit{ID: list[i].ID, Score: v})
		}
	}
	slices.SortStableFunc(out, func(a, b memory.Hit) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	return out[:min(len(out), proposedOld)], nil
}

// patience is how long a write waits for the comparison. A slower model counts as away.
const patience = 3 * time.Second

// alike returns how similar a text is to each memory, 0 below the threshold: by their vectors, or by their words if no
// vectors can be made.
func (h *Hierarchy) alike(ctx context.Context, in string, list []memory.Entity) []float64 {
	out := make([]float64, len(list))
	texts := []string{in}
	for _, e := range list {
		texts = append(texts, facts.Text(e.Name, e.Description))
	}
	if len(list) == 0 {
		return out
	}
	ctx, done := context.WithTimeout(ctx, patience)
	defer done()
	vecs, err := h.embed(ctx, embedding.Document, texts)
	for i := range list {
		if err == nil && vecs != nil {
			if c := cosine(vecs[0], vecs[i+1]); c >= nearUpdate {
				out[i] = min(1, c)
			}
		} else if c := common(texts[0], texts[i+1]); c >= commonUpdate {
			out[i] = c
		}
	}
	return out
}

// cosine is the product of two vectors of length 1.
func cosine(a, b []float32) float64 {
	sum := 0.
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// common returns the share of the stems of two texts that both have.
func common(a, b string) float64 {
	stems := map[string]int{}
	for i, s := range []string{a, b} {
		for _, t := range text.Tokens(s) {
			if !t.Stop() {
				stems[t.Stem] |= 1 << i
			}
		}
	}
	both := 0
	for _, in := range stems {
		if in == 3 {
			both++
		}
	}
	if len(stems) == 0 {
		return 0
	}
	return float64(both) / float64(len(stems))
}

// subject returns the stem of the first word of a text that is no stop word: statements begin with what they are about.
func subject(s string) string {
	for _, t := range text.Tokens(s) {
		if !t.Stop() {
			return t.Stem
		}
	}
	return ""
}
