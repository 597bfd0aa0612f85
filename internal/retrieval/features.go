package retrieval

import "math"

// feature is one named part of the fused score. Weights are round and set by hand: learnt ones do better on the set
// they were learnt from and worse on other people's conversations.
type feature struct {
	name   string
	weight float64
	reason string // why it is there, for people
	value  func(*candidate) float64
}

// features is the table of the fused score; `explain` shows it, and docs/benchmarks.md what each is worth. Those below
// "conversation" are 0 for an episode without a session.
func features(vectorWeight float64) []feature {
	table := []feature{
		{"text", 1, "its words are those of the question (BM25 / the best)", func(c *candidate) float64 { return c.text }},
		{"vector", vectorWeight, "its meaning is near the question's (standardised cosine)",
			func(c *candidate) float64 { return c.z }},
	}
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

// conversation lists the features of turns: a turn is not a document, it stands in a session, between two others, and
// somebody says it.
var conversation = []feature{
	{"previous_turn", .2, "the turn before speaks of it", func(c *candidate) float64 { return textOf(c.prev) }},
	{"next_turn", .1, "the turn after speaks of it", func(c *candidate) float64 { return textOf(c.next) }},
	{"repeated", .3, "the assistant repeated it in these words", func(c *candidate) float64 {
		if c.next == nil || !acknowledges(c.next, c.turn.ID) {
			return 0
		}
		return c.next.text
	}},
	{"session_text", .5, "the whole session is about it", func(c *candidate) float64 { return c.session.text }},
	{"session_vector", .15, "a turn of the session is near in meaning", func(c *candidate) float64 { return c.session.z }},
	{"speaker", .4, "the question names who says it (−: only somebody else)", func(c *candidate) float64 {
		switch {
		case c.namedByAsk:
			return 1
		case c.othersNamed:
			return -1
		}
		return 0
	}},
	{"length", .25, "a turn of two words rarely is evidence",
		func(c *candidate) float64 { return math.Log1p(float64(c.words)) - 2.5 }},
	{"question", -.15, "a question tells little", func(c *candidate) float64 { return truth(c.asks) }},
	{"dated", .2, "what is told with its time tends to be an event, not small talk",
		func(c *candidate) float64 { return truth(c.tellsWhen) }},
	{"answer", .5, "the turn before asks just this, and this turn answers it", func(c *candidate) float64 {
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
