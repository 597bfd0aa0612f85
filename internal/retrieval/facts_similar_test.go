package retrieval

import (
	"context"
	"math"
	"testing"

	"memory-graph/internal/memory"
)

// cosines are fixed cosines of entities and relations.
type cosines struct {
	GraphVectors
	ends      map[int64]float64
	relations map[string]float64
}

func (c cosines) CosinesEntities(context.Context, []int8, string, []int64) (map[int64]float64, error) {
	return c.ends, nil
}

func (c cosines) CosinesRelations(context.Context, []int8, string, []string) (map[string]float64, error) {
	return c.relations, nil
}

func TestSimilarities_AreMeansOfTheKnownParts(t *testing.T) {
	t.Parallel()
	r := &Retriever{Nearest: cosines{ends: map[int64]float64{1: .3, 2: .6}, relations: map[string]float64{"uses": .9}}}
	facts := []memory.Triple{{Head: 1, Relation: "uses", Tail: 2}, {Head: 1, Relation: "new_to_us", Tail: 2},
		{Head: 1, Relation: "uses", Tail: 3}, {Head: 4, Relation: "new_to_us", Tail: 3}}
	got, err := r.similarities(t.Context(), "n", []int8{1}, facts)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{.6, .45, .6, 0} {
		if math.Abs(got[i]-want) > 1e-9 {
			t.Errorf("%+v: %v, want %v", facts[i], got[i], want)
		}
	}
	if got, err := r.similarities(t.Context(), "n", nil, facts); err != nil || got[0] != 0 {
		t.Errorf("without a vector of the question: %v, %v", got, err)
	}
}

func TestStandOut(t *testing.T) {
	t.Parallel()
	fact := func(episode int64) memory.StatedFact { return memory.StatedFact{Episode: episode} }
	stated := []memory.StatedFact{fact(1), fact(1), fact(2), fact(3), fact(4)}
	got := standOut(stated, []float64{.1, .9, .1, .1, .1})
	// The mean is .26 and the standard deviation .32, so .9 is two deviations above the mean. Five facts count a third.
	if math.Abs(got[1]-1./3) > 1e-9 {
		t.Errorf("the fact that stands out: %v, want 1/3", got[1])
	}
	for _, id := range []int64{2, 3, 4} {
		if got[id] != 0 {
			t.Errorf("episode %d has %v without a fact that stands out", id, got[id])
		}
	}
	for name, equal := range map[string][]float64{"one": {.7}, "equal ones": {.7, .7, .7, .7, .7}, "none": nil} {
		for id, z := range standOut(stated[:len(equal)], equal) {
			if z != 0 {
				t.Errorf("%s: episode %d has %v", name, id, z)
			}
		}
	}
}

type episodes interface{ Episodes }

// fixedFacts has fixed facts of episodes.
type fixedFacts struct {
	episodes
	list []memory.StatedFact
}

func (f fixedFacts) StatedFacts(context.Context, string, []int64, memory.AsOf, bool, int) ([]memory.StatedFact, error) {
	return f.list, nil
}

func TestCompareStated_ATurnWithoutFactsIsComparedByItsVector(t *testing.T) {
	t.Parallel()
	fact := func(episode, tail int64) memory.StatedFact {
		return memory.StatedFact{Episode: episode, Triple: memory.Triple{Head: 1, Relation: "uses", Tail: tail}}
	}
	facts := []memory.StatedFact{fact(1, 2), fact(1, 3), fact(2, 3), fact(2, 3), fact(2, 3)}
	compare := func(list []memory.StatedFact) map[int64]float64 {
		r := &Retriever{Nearest: cosines{ends: map[int64]float64{1: .1, 2: .9, 3: .1}}, Episodes: fixedFacts{list: list}}
		p := pool{1: {z: 3}, 2: {z: 3}, 3: {z: 3}, 4: {z: .5}}
		if err := r.compareStated(t.Context(), Request{}, &parsedQuestion{}, []int8{1}, p); err != nil {
			t.Fatal(err)
		}
		return map[int64]float64{1: p[1].stated, 2: p[2].stated, 3: p[3].stated, 4: p[4].stated}
	}
	got := compare(facts)
	// Five facts count a third, and half of the turns have facts.
	for id, want := range map[int64]float64{1: 1. / 3, 2: 0, 3: 1. / 3, 4: 0} {
		if math.Abs(got[id]-want) > 1e-9 {
			t.Errorf("turn %d: %v, want %v", id, got[id], want)
		}
	}
	for id, v := range compare(nil) {
		if v != 0 {
			t.Errorf("turn %d has %v in a memory without facts", id, v)
		}
	}
}
