package retrieval

import (
	"testing"
	"time"

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
		markEchoes(q, []*candidate{c}, time.Now())
		if c.echo != want {
			t.Errorf("%q: %v, want %v", said, c.echo, want)
		}
	}
}

func TestMarkEchoes_KnowsTheQuestionInOtherWords(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)
	q := parsed("next physiotherapy appointment")
	long := "before I plan the rest of the week, could you tell me on which day I have to go and see the physio?"
	for name, tc := range map[string]struct {
		content string
		cosine  float64
		role    memory.Role
		ago     time.Duration
		last    bool // of its session
		want    bool
	}{
		"asked before":             {"when do I see the physio?", .7, memory.RoleUser, 90 * time.Hour, false, true},
		"without a mark":           {"when is the physio", .7, memory.RoleUser, 90 * time.Hour, false, true},
		"another question":         {"when do I see the physio?", .3, memory.RoleUser, 90 * time.Hour, false, false},
		"a statement":              {"I see the physio on Friday.", .7, memory.RoleUser, time.Minute, true, false},
		"a statement and question": {"I see the physio. When?", .7, memory.RoleUser, time.Minute, true, false},
		"long, of before":          {long, .7, memory.RoleUser, 90 * time.Hour, true, false},
		"long, being answered":     {long, .7, memory.RoleUser, time.Minute, true, true},
		"long, answered":           {long, .7, memory.RoleUser, time.Minute, false, false},
		"long, of the assistant":   {long, .7, memory.RoleAssistant, time.Minute, true, false},
	} {
		c := &candidate{cosine: tc.cosine, hasVector: true, turn: memory.Rankable{Content: tc.content, Role: tc.role,
			SessionID: "s", Seq: 1, OccurredAt: now.Add(-tc.ago)}}
		cs := []*candidate{c}
		if !tc.last {
			cs = append(cs, &candidate{turn: memory.Rankable{Content: "On Friday.", SessionID: "s", Seq: 2}})
		}
		q.reader.readAll(cs)
		link(cs)
		if markEchoes(q, cs, now); c.echo != tc.want {
			t.Errorf("%s: %v, want %v", name, c.echo, tc.want)
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
	markEchoes(q, all, time.Now())
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
