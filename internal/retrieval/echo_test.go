package retrieval

import (
	"testing"

	"memory-graph/internal/memory"
)

func TestMarkEchoes_KnowsTheQuestionWhenItWasAskedBefore(t *testing.T) {
	t.Parallel()
	q := parsed("Who leads the Zephyr project?")
	for said, want := range map[string]bool{
		"Who leads the Zephyr project?":                 true,
		"so who is leading project Zephyr?":             true,
		"Zephyr?":                                       true,
		"Ann leads the Zephyr project.":                 false,
		"Who leads the Zephyr project":                  false, // without a question mark it may be the title of a note
		"Ann leads Zephyr. Shall she hire more people?": false,
		"Who pays for lunch on Fridays?":                false,
	} {
		c := &candidate{turn: memory.Rankable{Content: said}}
		c.readContent()
		markEchoes(q, []*candidate{c})
		if c.echo != want {
			t.Errorf("%q: %v, want %v", said, c.echo, want)
		}
	}
}

// A question that was just stored is not evidence for itself, but the answer after it is.
func TestMatch_AQuestionIsNoEvidence(t *testing.T) {
	t.Parallel()
	q := parsed("Who leads the Zephyr project?")
	words := weigh(q.stems, frequencies{})
	of := func(said string, cosine float64) *candidate {
		c := &candidate{turn: memory.Rankable{Content: said}, cosine: cosine, hasVector: true}
		c.readContent()
		return c
	}
	question, other, answer := of("Who leads the Zephyr project?", 1), of("The logo is green.",
		.05), of("Ann does, since March.", .3)
	other.neighbour = true
	other.next, question.prev = question, other
	question.next, answer.prev = answer, question
	all := []*candidate{question, other, answer}
	markEchoes(q, all)
	for name, tc := range map[string]struct {
		ranked []*candidate
		want   Match
	}{
		"the question":                 {[]*candidate{question}, None},
		"and what stood before it":     {[]*candidate{question, other}, None},
		"and what answers it":          {[]*candidate{question, answer}, Strong},
		"what was found beside it":     {[]*candidate{question, of("Zephyr is late.", .2)}, Weak},
		"an answer that says so":       {[]*candidate{question, of("Ann leads the Zephyr project.", .9)}, Strong},
		"nothing":                      {nil, None},
		"the question asked by nobody": {[]*candidate{of("Ann leads the Zephyr project.", .9)}, Strong},
	} {
		var ranked []scored
		for _, c := range tc.ranked {
			ranked = append(ranked, scored{candidate: c})
		}
		if got := match(words, q, ranked); got != tc.want {
			t.Errorf("%s: %s, want %s", name, got, tc.want)
		}
	}
}
