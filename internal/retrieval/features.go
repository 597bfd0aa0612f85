package retrieval

import (
	"math"

	"memory-graph/internal/memory"
)

// feature is one named part of the fused score. The weights are round numbers set by hand: learnt weights did better on
// their own set and worse on other people's conversations.
type feature struct {
	name   string
	weight float64
	reason string // why the feature exists, shown by `explain`
	value  func(*candidate) float64
}

// features returns the features of the fused score. docs/experiments.md, "What each feature is worth", has the
// measurements. The features in conversation are 0 for an episode without a session.
func features(vectorWeight float64) []feature {
	table := []feature{
		{"text", 1, "its best passage shares words with the question (BM25 / the best BM25, times the share of the " +
			"question that is found)",
			func(c *candidate) float64 { return c.text }},
		{"vector", vectorWeight, "its vector is similar to the question's (standardised cosine)",
			func(c *candidate) float64 { return c.z }},
	}
	table = append(table, stated)
	for _, f := range conversation {
		value := f.value
		f.value = func(c *candidate) float64 {
			if !c.conversational() {
				return 0
			}
			return value(c)
		}
		table = append(table, f)
	}
	return table
}

var stated = feature{"stated", 1, "a fact that it states is more similar to the question than those of others " +
	"(standard deviations above the first)", func(c *candidate) float64 { return c.stated }}

// conversation lists the features that exist only in a session: the neighbouring turns, the session and the speaker.
var conversation = []feature{
	{"previous_turn", .2, "the turn before it shares words with the question",
		func(c *candidate) float64 { return textOf(c.prev) }},
	{"repeated", .3, "the assistant's reply to it shares words with the question", func(c *candidate) float64 {
		if c.next == nil || !acknowledges(c.next, c.turn.ID) {
			return 0
		}
		return c.next.text
	}},
	{"session_text", .5, "the turns of its session share words with the question",
		func(c *candidate) float64 { return c.session.text }},
	{"session_vector", .15, "a turn of its session is similar to the question",
		func(c *candidate) float64 { return c.session.z }},
	{"speaker", .4, "the question names its speaker (negative: only another speaker)", func(c *candidate) float64 {
		switch {
		case c.namedByAsk:
			return 1
		case c.othersNamed:
			return -1
		}
		return 0
	}},
	{"short", .25, "very short turns rarely contain an answer",
		func(c *candidate) float64 { return min(0, math.Log1p(float64(c.words))-2.5) }},
	{"reply", -.5, "long replies repeat the user's words and explain", func(c *candidate) float64 {
		if c.turn.Role != memory.RoleAssistant {
			return 0
		}
		return min(1, float64(c.reading.tokens)/passageTokens)
	}},
	{"question", -.15, "questions rarely contain an answer", func(c *candidate) float64 { return truth(c.asks) }},
	{"dated", .2, "a turn that gives a time tends to be about an event, not small talk",
		func(c *candidate) float64 { return truth(c.tellsWhen) }},
	{"answer", .5, "it follows a similar question by another speaker", func(c *candidate) float64 {
		if c.prev == nil || !c.prev.asks || sameSpeaker(c.prev.turn, c.turn) {
			return 0
		}
		return c.prev.text
	}},
}

func textOf(c *candidate) float64 {
	if c == nil {
		return 0
	}
	return c.text
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
