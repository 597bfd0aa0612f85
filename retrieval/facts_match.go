package retrieval

import (
	"slices"
	"strings"

	"memory-graph/memory"
)

// join puts what the graph says beside the episodes of an answer.
func (f facts) join(a *Answer, q question) {
	a.Entities, a.Relations, a.Seeds = f.entities, f.relations, f.seeds
	a.Truncated = a.Truncated || f.truncated
	a.More = a.More || f.more
	if m := f.match(q); surer(m, a.Match) {
		a.Match = m
	}
}

// surer says whether a match is surer than another.
func surer(a, b Match) bool {
	rank := func(m Match) int { return slices.Index([]Match{None, Weak, Strong}, m) }
	return rank(a) > rank(b)
}

// match judges the facts by how much of what the question names stands in one of the first, or in the description of an
// entity that it names: the coverage of evidence.go, with every word of the same weight. What the words of the question
// found somewhere is weak; it is none where they found nothing at all.
func (f facts) match(q question) Match {
	if len(f.seeds) == 0 {
		return None
	}
	words := weigh(q.stems, frequencies{})
	covers := func(said string) bool {
		return coverage(words, &candidate{turn: memory.Turn{Content: said}}) >= strongTextEvidence
	}
	for _, r := range f.ranked[:min(weighed, len(f.ranked))] {
		fact := r.Relationship
		if covers(fact.Head.Name + " " + strings.ReplaceAll(fact.Relation, "_", " ") + " " + fact.Tail.Name + " " + fact.Fact) {
			return Strong
		}
	}
	for _, s := range f.seeds {
		if s.Score == 1 && covers(s.Entity.Name+" "+strings.Join(s.Entity.Aliases, " ")+" "+s.Entity.Description) {
			return Strong
		}
	}
	return Weak
}
