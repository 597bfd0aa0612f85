package graph_test

import (
	"math"
	"testing"

	"memory-graph/internal/graph"
)

func near(a, b float64) bool { return math.Abs(a-b) < 5e-4 }

// By hand: e^-0.1 = .9048, e^-0.3 = .7408, e^-0.7 = .4966, e^-2.3 = .1003.
func TestEffectiveConfidence_HalvesInSeventyDays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ stored, rate, days, want float64 }{
		{1, .01, 0, 1}, {1, .01, 10, .9048}, {1, .01, 30, .7408}, {1, .01, 70, .4966}, {1, .01, 230, .1003},
		{.9, .01, 69.3147, .45}, {.9, .002, 365, .4337}, {.9, 0, 10000, .9}, {0, .01, 5, 0},
		{.8, .01, -3, .8}, // observed by a clock that runs ahead
	} {
		if got := graph.EffectiveConfidence(c.stored, c.rate, c.days); !near(got, c.want) {
			t.Errorf("%v at %v a day after %v days is %v, want %v", c.stored, c.rate, c.days, got, c.want)
		}
	}
}

func TestHidden_BeginsBelowATenth(t *testing.T) {
	t.Parallel()
	for confidence, want := range map[float64]bool{0: true, .0999: true, .1: false, .5: false} {
		if graph.Hidden(confidence) != want {
			t.Errorf("confidence %v is hidden: %v", confidence, !want)
		}
	}
	// At the default rate a certain fact is hidden after 231 days, and not a day earlier.
	if graph.Hidden(graph.EffectiveConfidence(1, graph.DefaultRate, 230)) ||
		!graph.Hidden(graph.EffectiveConfidence(1, graph.DefaultRate, 231)) {
		t.Error("a certain fact is not hidden on its 231st day")
	}
}

// ln 2 = .6931, ln 11 = 2.3979: +13.9 % at 1, +48.0 % at 10.
func TestEvolvedWeight_GrowsAsTheSourceSays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ count, confidence, want float64 }{
		{0, .5, .5}, {1, .5, .5693}, {10, .5, .7398}, {1, .6, .6832}, {10, .6, .8878},
		{10, .8, 1}, {1, .95, 1}, {0, 1, 1}, {1e9, .3, 1}, {5, 0, 0}, {-1, .5, .5},
	} {
		if got := graph.EvolvedWeight(c.count, c.confidence); !near(got, c.want) {
			t.Errorf("confidence %v used %v times weighs %v, want %v", c.confidence, c.count, got, c.want)
		}
	}
	for count, gain := range map[float64]float64{1: .14, 10: .48} {
		if got := graph.EvolvedWeight(count, .5)/.5 - 1; math.Abs(got-gain) > .005 {
			t.Errorf("%v uses gain %.3f, want about %.2f", count, got, gain)
		}
	}
}

func TestRecencyBoost_AtMostDoubles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ base, age, rate, want float64 }{
		{.5, 100, 0, .5},                             // rate 0: unchanged
		{.5, 0, 1, 1}, {.5, 1, 1, 1}, {2, 1, 1, 2.5}, // 1/(1+1) = .5
		{.5, 3, 1, .75}, {.1, 0, .1, .2}, {.5, 90, .1, .6}, {0, 0, 1, 0}, {.5, -4, 1, 1},
	} {
		if got := graph.RecencyBoost(c.base, c.age, c.rate); !near(got, c.want) {
			t.Errorf("%v of age %v at rate %v is %v, want %v", c.base, c.age, c.rate, got, c.want)
		}
	}
}

func TestScores_AreTheStrategiesFormulas(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		match   float64
		hop     int
		evolved float64
		want    float64
	}{{1, 1, .9, .45}, {1, 2, .9, .3}, {.5, 1, .8, .2}, {1, 0, .7, .7}} {
		if got := graph.BFSScore(c.match, c.hop, c.evolved); !near(got, c.want) {
			t.Errorf("bfs %v at hop %d of %v is %v, want %v", c.match, c.hop, c.evolved, got, c.want)
		}
	}
	// At equal confidence and hop a cause outranks a preference.
	if cause, liking := graph.HybridScore(1.5, 1, .8, 1), graph.HybridScore(.8, 1, .8, 1); !near(cause, 1.2) ||
		!near(liking, .64) {
		t.Errorf("hybrid gives a cause %v and a preference %v", cause, liking)
	}
	if got := graph.HybridScore(1, .5, .8, 2); !near(got, .2) {
		t.Errorf("hybrid at hop 2 is %v", got)
	}
	if got := graph.HybridScore(1, .5, .8, 0); !near(got, .4) {
		t.Errorf("hybrid at hop 0 is %v", got)
	}
}
