package retrieval

import (
	"context"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// TextIndex finds episodes by their words.
type TextIndex interface {
	// SearchText returns the k best episodes that match the filter and at least one term, best first. The score is BM25;
	// higher is better.
	SearchText(ctx context.Context, q text.Query, f memory.Filter, k int) ([]memory.Hit, error)
	// TermFrequencies returns the number of episodes that contain each word (a stem of package text), without unknown
	// words, and the number of all episodes.
	TermFrequencies(ctx context.Context, words []string) (frequencies map[string]int64, episodes int64, err error)
}

// VectorIndex compares vectors of one embedding space. Cosines are on the scale of the built-in embedder
// (embedding.Scale). An Unavailable error means that the active vectors are those of another embedder.
type VectorIndex interface {
	// Ready returns the error that Rank would return, or nil. It is cheap.
	Ready(ctx context.Context) error
	// Rank compares the vector ([dimensions]int8, any length) with every vector that passes the filter.
	Rank(ctx context.Context, vec []int8, f memory.Filter, k int) (Similarities, error)
	// Cosines compares the vector with those of the given episodes. Ids without a vector in the namespace are left out.
	Cosines(ctx context.Context, vec []int8, namespace string, ids []int64) (map[int64]float64, error)
	// Vectors returns copies of the vectors of the given episodes ([dimensions]int8). Ids without a vector in the
	// namespace are left out.
	Vectors(ctx context.Context, namespace string, ids []int64) (map[int64][]int8, error)
}

// GraphVectors compares vectors of entities and relations in the same space and on the same scale as VectorIndex.
type GraphVectors interface {
	// RankEntities returns the k most similar entities of the namespace, the most similar first. The score is the cosine.
	RankEntities(ctx context.Context, vec []int8, namespace string, k int) ([]memory.Hit, error)
	// CosinesEntities compares the vector with those of the given entities. Ids without a vector are left out.
	CosinesEntities(ctx context.Context, vec []int8, namespace string, ids []int64) (map[int64]float64, error)
	// CosinesRelations compares the vector with those of the given relations. Relations without a vector are left out.
	CosinesRelations(ctx context.Context, vec []int8, namespace string, relations []string) (map[string]float64, error)
}

// Similarities is the result of VectorIndex.Rank.
type Similarities struct {
	Top       []memory.Hit // the k most similar, best first; the score is the cosine, at most 1
	Mean, Std float64      // of all compared cosines, or assumed if the index compares only those of Top
	Compared  int          // the number of compared cosines; 0 if Mean and Std are assumed

	Scale embedding.Scale // the cosines are on it; those of VectorIndex.Vectors with each other must be brought to it
}

// Episodes reads episodes.
type Episodes interface {
	// Episodes returns the namespace's episodes with these ids, in any order; unknown ids are left out.
	Episodes(ctx context.Context, namespace string, ids []int64) ([]memory.Episode, error)
	// Turns returns the namespace's turns with these ids, in any order; unknown ids are left out.
	Turns(ctx context.Context, namespace string, ids []int64) ([]memory.Rankable, error)
	// LabelsOf returns the metadata of turns.
	LabelsOf(ctx context.Context, namespace string, turns []int64) (map[int64][]memory.Label, error)
	// StatedFacts returns up to limit facts that callers or a model took from episodes and that hold at an instant; with
	// ended, a read of the present also returns those that have ended.
	StatedFacts(ctx context.Context, namespace string, episodes []int64, at memory.AsOf, ended bool,
		limit int) ([]memory.StatedFact, error)
	// TurnsBeside returns the turns just before and after these in their sessions that pass the filter, in any order.
	TurnsBeside(ctx context.Context, f memory.Filter, ids []int64) ([]memory.Rankable, error)
	// NewestEpisodes returns episodes sorted by time, newest first, without the first offset of them.
	NewestEpisodes(ctx context.Context, f memory.Filter, offset, limit int) ([]memory.Episode, error)
	// State returns the memory_state of the namespace: the counts of unfinished work.
	State(ctx context.Context, namespace string) (memory.State, error)
}
