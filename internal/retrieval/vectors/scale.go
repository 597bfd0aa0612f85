package vectors

import (
	"memory-graph/internal/embedding"
	"memory-graph/internal/retrieval"
)

// All cosines that leave this package are on the scale of the built-in embedder, whose cosines the thresholds of their
// readers were set for: ranking and match, entities and facts by meaning, links, resolution by meaning, and the search
// of memories. Vectors leave it as they are; retrieval.Similarities has the scale for cosines between them.

// scaleAll brings a ranking to the scale. The order stays.
func scaleAll(s retrieval.Similarities, scale embedding.Scale) retrieval.Similarities {
	for i := range s.Top {
		s.Top[i].Score = scale.Of(s.Top[i].Score)
	}
	s.Mean, s.Std, s.Scale = scale.Of(s.Mean), scale.Width(s.Std), scale
	return s
}

// scaleEach brings cosines to the scale.
func scaleEach[K comparable](cosines map[K]float64, scale embedding.Scale) map[K]float64 {
	for k, c := range cosines {
		cosines[k] = scale.Of(c)
	}
	return cosines
}
