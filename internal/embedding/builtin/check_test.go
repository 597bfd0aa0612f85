package builtin

import (
	"context"
	"math"
	"testing"

	"memory-graph/internal/embedding"
	"memory-graph/internal/embedding/kernel"
)

func cosine(a, b []float32) float64 {
	var dot, aa, bb float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return dot / math.Sqrt(aa*bb)
}

func length(v []float32) float64 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}

func TestEmbed_GivesThePublishedSimilarities(t *testing.T) {
	t.Parallel()
	for _, set := range kernel.Available() {
		t.Run(set.Name(), func(t *testing.T) {
			t.Parallel()
			e := &Embedder{kernels: set}
			v, err := e.Embed(context.Background(), embedding.Document, []string{
				"That is a happy person", "That is a happy dog", "That is a very happy person", "Today is a sunny day",
			})
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range []float64{.6946, .9429, .2569} {
				if got := cosine(v[0], v[i+1]); math.Abs(got-want) > .005 {
					t.Errorf("pair %d: cosine %.4f, want %.4f ± .005", i, got, want)
				}
			}
		})
	}
}
