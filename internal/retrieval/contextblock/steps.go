package contextblock

import (
	"strings"

	"memory-graph/classifier"
	"memory-graph/internal/retrieval"
)

// Steps tell how a block came to be, for a person who asks why.
type Steps struct {
	Found  retrieval.Answer // all candidates with the features of their scores, before the gate
	Tells  map[int64]bool   // the turns of Found that tell the reader of the block something
	Passed map[int64]bool   // those of them that the gate let through

	TurnStrength   map[int64]float64 // of the turns of Found, by id
	FactStrength   []float64         // of the facts of Found, in their order
	EntityStrength []float64         // of the entities of Found, in their order

	Best   float64 // the strength of the strongest candidate
	Least  float64 // the strength that the strongest candidate needed
	Each   float64 // the strength that every turn needed
	Share  float64 // the share of the best that a turn of a user needed
	Budget int     // in tokens

	Cut []string // lines that the budget cut from the block, or shortened
}

// steps repeats the first half of arrange and keeps what it computes.
func steps(a retrieval.Answer, req Request, previous []string, class classifier.Result, standing bool) *Steps {
	s := &Steps{Found: a, Tells: map[int64]bool{}, Passed: map[int64]bool{}}
	told := a
	told.Episodes = informative(a.Episodes, req, previous)
	for _, f := range told.Episodes {
		s.Tells[f.Episode.ID] = true
	}
	_, s.FactStrength, s.EntityStrength, s.Best = strengths(told)
	s.TurnStrength, _, _, _ = strengths(a)
	g := gateFor(logOdds(class), namesPerson(req.Message, a.Seeds), standing)
	s.Least, s.Each, s.Share = g.least, g.each, g.user
	for _, f := range pass(told, g, func(retrieval.FoundRelation) bool { return false }).Episodes {
		s.Passed[f.Episode.ID] = true
	}
	return s
}

// unlimited is a budget that nothing exceeds, in tokens.
const unlimited = 1 << 30

// cutLines returns the lines of a whole block that a block does not have.
func cutLines(block, whole string) []string {
	has := map[string]bool{}
	for line := range strings.Lines(block) {
		has[line] = true
	}
	cut := []string{}
	for line := range strings.Lines(whole) {
		if strings.HasPrefix(line, "- ") && !has[line] {
			cut = append(cut, strings.TrimSuffix(line, "\n"))
		}
	}
	return cut
}
