package embedding_test

import (
	"math"
	"testing"

	"memory-graph/internal/embedding"
)

func TestScale_MapsTheBaseCosineToTheBuiltinOnesAndOneToOne(t *testing.T) {
	t.Parallel()
	for _, base := range []float64{-.1, 0, embedding.BuiltinBase, .44, .75, .95} {
		s := embedding.NewScale(&base)
		middle := s.Of((base + 1) / 2)
		for _, c := range []struct{ got, want float64 }{
			{s.Of(base), embedding.BuiltinBase}, {s.Of(1), 1}, {middle, (embedding.BuiltinBase + 1) / 2},
			{s.Width((1 - base) / 2), 1 - middle},
		} {
			if math.Abs(c.got-c.want) > 1e-12 {
				t.Errorf("base %v: %v, want %v", base, c.got, c.want)
			}
		}
	}
}

func TestScale_ChangesNothingWithoutAUsableBase(t *testing.T) {
	t.Parallel()
	high, none := .96, math.NaN()
	for _, base := range []*float64{nil, &high, &none} {
		s := embedding.NewScale(base)
		for _, c := range []float64{-1, -.3, 0, .1234567, 1} {
			if s.Of(c) != c || s.Width(c) != c {
				t.Errorf("%+v: %v became %v", s, c, s.Of(c))
			}
		}
	}
}

func TestBaseCosine_IsTheMeanOfAllPairs(t *testing.T) {
	t.Parallel()
	vecs := [][]float32{{1, 0}, {0, 1}, {.6, .8}} // cosines 0, .6, .8
	if got := embedding.BaseCosine(vecs); math.Abs(got-1.4/3) > 1e-6 {
		t.Errorf("mean %v", got)
	}
	seen := map[string]bool{}
	for _, text := range embedding.Unrelated() {
		if text == "" || seen[text] {
			t.Errorf("%q is empty or twice in the list", text)
		}
		seen[text] = true
	}
}
