package builtin

import (
	"context"
	"math"
	"testing"

	"memory-graph/internal/embedding"
)

// The scale of other embedders leads to the cosines of this one.
func TestEmbed_HasTheBaseCosineThatScalesLeadTo(t *testing.T) {
	t.Parallel()
	vecs, err := New().Embed(context.Background(), embedding.Document, embedding.Unrelated())
	if err != nil {
		t.Fatal(err)
	}
	if got := embedding.BaseCosine(vecs); math.Abs(got-embedding.BuiltinBase) > .0005 {
		t.Errorf("base cosine %.4f, want %.4f", got, embedding.BuiltinBase)
	}
}
