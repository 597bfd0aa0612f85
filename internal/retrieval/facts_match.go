package retrieval

import (
	"maps"
	"slices"
	"strings"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// join adds the results of the graph search to an answer.
func (f facts) join(a *Answer, req Request, q *parsedQuestion) {
	a.Entities, a.Relations, a.Seeds = f.entities, f.relations, f.seeds
	a.names, a.near = f.names, f.near
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
	if m == Strong && len(req.Roles) > 0 { // a fact does not tell the role of its speaker
		m = Weak
	}
	if surer(m, a.Match) {
		a.Match = m
	}
}

// surer reports whether match a is surer than match b.
func surer(a, b Match) bool {
	rank := func(m Match) int { return slices.Index([]Match{None, Weak, Strong}, m) }
	return rank(a) > rank(b)
}

// match judges the facts by the share of the question's words that one fact, the facts of a path, or the description of
// a named entity contains. All words have the same weight here, unlike in evidence.go. The words of the entity's own
// name do not count alone, since they are why the fact was found: the other words must be covered too, unless there are
// none or the question names both ends of the fact. The facts of a path must cover all other words. What the question
// demands must be there in any case, and one that asks how two things are connected is answered by facts that
// join them.
// The match is weak if the question found entities but covers no fact, and none if it found no entities.
func (f facts) match(q *parsedQuestion) Match {
	if len(f.seeds) == 0 {
		return None
	}
	names := map[int64]map[string]bool{} // the words of the names of entities that the question names
	for _, s := range f.seeds {
		if s.Score == 1 {
			names[s.Entity.ID] = stemsOf(s.Entity.Name + " " + strings.Join(s.Entity.Aliases, " "))
		}
	}
	if q.asksForLink() && f.several {
		if len(f.joined) > 0 {
			return Strong
		}
		return Weak
	}
	by := make(map[int64]memory.Relationship, len(f.ranked))
	for _, r := range f.ranked {
		by[r.Relationship.ID] = r.Relationship
	}
	for _, r := range f.ranked {
		var path []memory.Relationship
		for _, id := range r.Path {
			if fact, ok := by[id]; ok {
				path = append(path, fact)
			}
		}
		if q.answeredBy(r.Relationship, nil, names) || len(path) > 1 && len(path) == len(r.Path) &&
			q.answeredBy(r.Relationship, path, names) {
			return Strong
		}
	}
	for _, s := range f.seeds {
		if name := names[s.Entity.ID]; name != nil && s.Entity.Description != "" {
			said := stemsOf(s.Entity.Description)
			maps.Copy(said, name)
			if q.covered(said, name, strongTextEvidence) && q.demands.met(said, []string{s.Entity.Description}) {
				return Strong
			}
		}
	}
	return Weak
}

// answeredBy reports whether a fact, or the facts of the path to it, contain enough of the question. names has the
// words of the names of the entities that the question names.
func (q *parsedQuestion) answeredBy(fact memory.Relationship, path []memory.Relationship,
	names map[int64]map[string]bool) bool {
	enough := strongTextEvidence
	name := names[fact.Head.ID]
	if tail := names[fact.Tail.ID]; name == nil {
		name = tail
	} else if tail != nil && fact.Tail.ID != fact.Head.ID {
		name = nil
	}
	if path == nil {
		path = []memory.Relationship{fact}
	} else {
		enough, name = 1, map[string]bool{}
	}
	said := map[string]bool{}
	for _, f := range path {
		stems := stemsOfFact(f)
		if len(path) > 1 && share(q.stems, stems, namesOf(f)) == 0 { // the question does not ask for this step
			return false
		}
		maps.Copy(said, stems)
		for _, end := range [2]int64{f.Head.ID, f.Tail.ID} {
			maps.Copy(said, names[end])
			if len(path) > 1 {
				maps.Copy(name, names[end])
			}
		}
	}
	return q.covered(said, name, enough) && q.demands.metByFacts(said, path)
}

// namesOf returns the stems of the names of a fact's ends.
func namesOf(f memory.Relationship) map[string]bool { return stemsOf(f.Head.Name + " " + f.Tail.Name) }

// covered reports whether the stems contain at least this share of the question's, and of those without the names.
func (q *parsedQuestion) covered(said, name map[string]bool, enough float64) bool {
	return share(q.stems, said, nil) >= enough && share(q.stems, said, name) >= enough
}

// coverage returns the share of the question's words that a fact contains: in its names, in the kinds of its ends, in
// its relation or in the words that usually ask for this relation. A question that has only stop words ("who am I?") is
// covered if one of them asks for the relation.
func (q *parsedQuestion) coverage(fact memory.Relationship) float64 {
	if len(q.stems) > 0 {
		return share(q.stems, stemsOfFact(fact), nil)
	}
	for _, w := range strings.Fields(askedAs[fact.Relation]) {
		if q.words[w] {
			return 1
		}
	}
	return 0
}

// stemsOfFact returns the stems of a fact's names, of the kinds of its ends ("database" of Postgres), of its relation
// and of the words that usually ask for the relation.
func stemsOfFact(f memory.Relationship) map[string]bool {
	said := []string{f.Head.Name, strings.ReplaceAll(f.Relation, "_", " "), askedAs[f.Relation], f.Tail.Name, f.Fact}
	said = append(append(said, graph.Kinds(f.Head.Name)...), graph.Kinds(f.Tail.Name)...)
	return stemsOf(strings.Join(said, " "))
}

// stemsOf returns the stems of the words of a text.
func stemsOf(s string) map[string]bool {
	stems := map[string]bool{}
	for _, t := range text.Tokens(s) {
		stems[t.Stem] = true
	}
	return stems
}

// share returns the share of the stems that are in said. It ignores stems in without, and returns 1 if none is left.
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
