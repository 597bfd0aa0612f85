package retrieval

import (
	"maps"
	"slices"
	"strings"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// join puts what the graph says beside the episodes of an answer.
func (f facts) join(a *Answer, req Request, q *parsedQuestion) {
	a.Entities, a.Relations, a.Seeds = f.entities, f.relations, f.seeds
	for i := range a.Relations {
		a.Relations[i].Coverage = q.coverage(a.Relations[i].Relationship)
	}
	for i, f := range a.Entities {
		if len(q.stems) > 0 && (f.Entity.Description != "" || f.Entity.Kind == memory.NodeMemory) {
			a.Entities[i].Coverage = share(q.stems,
				stemsOf(f.Entity.Name+" "+strings.Join(f.Entity.Aliases, " ")+" "+f.Entity.Description), nil)
		}
	}
	a.Truncated = a.Truncated || f.truncated
	a.More = a.More || f.more
	m := f.match(q)
	if m == Strong && len(req.Roles) > 0 { // who said it is asked too, and a fact does not tell
		m = Weak
	}
	if surer(m, a.Match) {
		a.Match = m
	}
}

// surer says whether a match is surer than another.
func surer(a, b Match) bool {
	rank := func(m Match) int { return slices.Index([]Match{None, Weak, Strong}, m) }
	return rank(a) > rank(b)
}

// match judges the facts by how much of what the question says stands in one of them, or in the description of an
// entity that it names: the coverage of evidence.go, with every word of the same weight. That they are about who is
// named is no evidence yet: it is why they were found. So the words beside the name must be covered as well, unless
// there are none, or the fact joins two that are named. What the words of the question found somewhere is weak; it is
// none where they found nothing at all.
func (f facts) match(q *parsedQuestion) Match {
	if len(f.seeds) == 0 {
		return None
	}
	names := map[int64]map[string]bool{} // the words of those that the question names
	for _, s := range f.seeds {
		if s.Score == 1 {
			names[s.Entity.ID] = stemsOf(s.Entity.Name + " " + strings.Join(s.Entity.Aliases, " "))
		}
	}
	covers := func(said map[string]bool, name map[string]bool) bool {
		return share(q.stems, said, nil) >= strongTextEvidence && share(q.stems, said, name) >= strongTextEvidence
	}
	for _, r := range f.ranked {
		fact := r.Relationship
		said := stemsOf(fact.Head.Name + " " + strings.ReplaceAll(fact.Relation, "_", " ") + " " + fact.Tail.Name + " " +
			fact.Fact)
		name := names[fact.Head.ID]
		switch tail := names[fact.Tail.ID]; {
		case name == nil:
			name = tail
		case tail != nil && fact.Tail.ID != fact.Head.ID:
			name = nil
		}
		if covers(said, name) {
			return Strong
		}
	}
	for _, s := range f.seeds {
		if name := names[s.Entity.ID]; name != nil && s.Entity.Description != "" {
			said := stemsOf(s.Entity.Description)
			maps.Copy(said, name)
			if covers(said, name) {
				return Strong
			}
		}
	}
	return Weak
}

// coverage is how much of the question stands in a fact, by its names, its relation and the words by which that is
// asked for. A question of nothing but small words ("who am I?") is covered by a relation that one of them asks for.
func (q *parsedQuestion) coverage(fact memory.Relationship) float64 {
	said := stemsOf(fact.Head.Name + " " + strings.ReplaceAll(fact.Relation, "_", " ") + " " + askedAs[fact.Relation] +
		" " + fact.Tail.Name + " " + fact.Fact)
	if len(q.stems) > 0 {
		return share(q.stems, said, nil)
	}
	for _, w := range strings.Fields(askedAs[fact.Relation]) {
		if q.words[w] {
			return 1
		}
	}
	return 0
}

// stemsOf gives the stems of a text's words.
func stemsOf(s string) map[string]bool {
	stems := map[string]bool{}
	for _, t := range text.Tokens(s) {
		stems[t.Stem] = true
	}
	return stems
}

// share is the part of the stems but those left out that was said; 1 where none is left.
func share(stems []string, said, without map[string]bool) float64 {
	found, all := 0, 0
	for _, stem := range stems {
		if without[stem] {
			continue
		}
		all++
		if said[stem] {
			found++
		}
	}
	if all == 0 {
		return 1
	}
	return float64(found) / float64(all)
}
