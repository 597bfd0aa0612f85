package retrieval

import (
	"math"
	"testing"
)

func TestSimilarities_OfFewTurnsNoneIsUnlikeTheQuestionByComparison(t *testing.T) {
	t.Parallel()
	s := &Similarities{Mean: .735, Std: .015, Compared: 2} // cosines of .75 and .72
	s.steady()
	for _, cosine := range []float64{.75, .72} {
		c := &candidate{}
		if c.setCosine(cosine, s); c.z < 1 {
			t.Errorf("a cosine of %.2f has a z of %.2f", cosine, c.z)
		}
	}
	many := &Similarities{Mean: .2, Std: .1, Compared: 10_000}
	many.steady()
	if math.Abs(many.Mean-.2) > 1e-3 || math.Abs(many.Std-.1) > 1e-3 {
		t.Errorf("of many turns, the mean is %.4f and the deviation %.4f", many.Mean, many.Std)
	}
	none := &Similarities{}
	none.steady()
	if none.Std != 0 || none.Mean != 0 {
		t.Errorf("of no turn: %+v", none)
	}
}

func TestSimilarities_LeaveOutEchoes(t *testing.T) {
	t.Parallel()
	of := func(cosines ...float64) *Similarities {
		s := &Similarities{}
		sum, squares := 0., 0.
		for _, c := range cosines {
			sum += c
			squares += c * c
		}
		s.distribute(float64(len(cosines)), sum, squares)
		return s
	}
	got, want := of(.1, .3, .2, 1, .98), of(.1, .3, .2)
	cs := []*candidate{{cosine: .3, hasVector: true}, {cosine: 1, hasVector: true, echo: true},
		{cosine: .98, hasVector: true, echo: true}, {echo: true}}
	got.leaveOutEchoes(cs)
	if got.Compared != 3 || math.Abs(got.Mean-want.Mean) > 1e-9 || math.Abs(got.Std-want.Std) > 1e-9 {
		t.Errorf("left %+v, want %+v", got, want)
	}
	if z := (.3 - want.Mean) / want.Std; math.Abs(cs[0].z-z) > 1e-9 {
		t.Errorf("z %.3f, want %.3f", cs[0].z, z)
	}
	only := of(1)
	only.leaveOutEchoes(cs[1:2])
	if only.Compared != 1 {
		t.Error("of nothing but an echo, nothing is left")
	}
}
