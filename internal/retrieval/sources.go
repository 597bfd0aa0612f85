package retrieval

import (
	"context"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// TextIndex finds episodes by their words: FTS5 today, an in-memory index where that is faster.
type TextIndex interface {
	// SearchText gives the k best episodes that match the filter and at least one term, best first. The score is BM25,
	// higher is better.
	SearchText(ctx context.Context, q text.Query, f memory.Filter, k int) ([]memory.Hit, error)
	// TermFrequencies gives in how many episodes each word (a stem of package text) stands, unknown ones left out, and
	// of how many: what a word's rarity is.
	TermFrequencies(ctx context.Context, words []string) (frequencies map[string]int64, episodes int64, err error)
}

// VectorIndex compares vectors of one embedding space. An Unavailable error means that there is nothing to compare with
// right now (another embedder's vectors are active).
type VectorIndex interface {
	// Ready says at little cost whether Rank can be asked: nil, or the error that it would give.
	Ready(ctx context.Context) error
	// Rank compares the vector ([dimensions]int8, any length) with every vector of the filter.
	Rank(ctx context.Context, vec []int8, f memory.Filter, k int) (Similarities, error)
	// Cosines compares it with those of the given episodes; ids without a vector in the namespace are left out.
	Cosines(ctx context.Context, vec []int8, namespace string, ids []int64) (map[int64]float64, error)
	// Vectors gives the vectors of the given episodes ([dimensions]int8, the caller's own); ids without one in the
	// namespace are left out.
	Vectors(ctx context.Context, namespace string, ids []int64) (map[int64][]int8, error)
}

// EntityVectors compares vectors of entities with one of the same space as VectorIndex.
type EntityVectors interface {
	// RankEntities gives the k entities of the namespace whose meaning is nearest, nearest first; the score is the cosine.
	RankEntities(ctx context.Context, vec []int8, namespace string, k int) ([]memory.Hit, error)
}

// Similarities is what a VectorIndex found.
type Similarities struct {
	Top       []memory.Hit // the k nearest, best first; the score is the cosine, -1..1
	Mean, Std float64      // of all the cosines compared, or of Top where the index knows no others
}

// Episodes reads episodes.
type Episodes interface {
	// Episodes gives the namespace's episodes with these ids, in no order; unknown ids are left out.
	Episodes(ctx context.Context, namespace string, ids []int64) ([]memory.Episode, error)
	// Turns gives the namespace's turns with these ids, in no order; unknown ids are left out.
	Turns(ctx context.Context, namespace string, ids []int64) ([]memory.Rankable, error)
	// TurnsBeside gives the turns just before and after these in their sessions that pass the filter, in no order.
	TurnsBeside(ctx context.Context, f memory.Filter, ids []int64) ([]memory.Rankable, error)
	// NewestEpisodes gives what happened last first, after passing over offset of them.
	NewestEpisodes(ctx context.Context, f memory.Filter, offset, limit int) ([]memory.Episode, error)
	// State counts what is not finished in the namespace.
	State(ctx context.Context, namespace string) (memory.State, error)
}
