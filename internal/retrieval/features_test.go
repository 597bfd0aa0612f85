package retrieval

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"memory-graph/internal/memory"
)

// turns returns the candidates of one session from "speaker: text" lines, oldest first, with bm25 if a line ends in *.
func turns(session string, lines ...string) []*candidate {
	var cs []*candidate
	for i, line := range lines {
		speaker, content, _ := strings.Cut(line, ": ")
		c := &candidate{turn: memory.Rankable{ID: int64(len(session)*100 + i), SessionID: session, Seq: int64(i + 1),
			Role:    memory.RoleUser,
			Speaker: speaker, Content: strings.TrimSuffix(content, "*")}}
		if strings.HasSuffix(content, "*") {
			c.bm25, c.text, c.textRank = 10, 1, 1
		}
		cs = append(cs, c)
	}
	return cs
}

func value(t *testing.T, name string, c *candidate) float64 {
	t.Helper()
	for _, f := range features(.25) {
		if f.name == name {
			return f.value(c)
		}
	}
	t.Fatalf("there is no feature %q", name)
	return 0
}

func TestFeatures_ReadTheConversation(t *testing.T) {
	t.Parallel()
	cs := turns("s", "Ann: Where do the boats go?*", "Bob: To the island.", "Ann: ok", "Bob: we sailed there last week")
	link(cs)
	connect(cs, parsed("When did Bob sail to the island?"), frequencies{})
	for _, c := range []struct {
		feature string
		turn    int
		want    float64
	}{
		{"text", 0, 1}, {"text", 1, 0},
		{"previous_turn", 1, 1}, {"previous_turn", 0, 0}, {"previous_turn", 2, 0},
		{"session_text", 3, 1},
		{"speaker", 0, -1}, {"speaker", 1, 1},
		{"question", 0, 1}, {"question", 1, 0},
		{"answer", 1, 1}, {"answer", 2, 0}, {"answer", 3, 0},
		{"dated", 3, 1}, {"dated", 1, 0},
		{"short", 2, math.Log(2) - 2.5},
	} {
		if got := value(t, c.feature, cs[c.turn]); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s of turn %d is %v, want %v", c.feature, c.turn, got, c.want)
		}
	}
}

func TestFeatures_AnAnswerComesFromAnotherMouth(t *testing.T) {
	t.Parallel()
	cs := turns("s", "Ann: Where do the boats go?*", "Ann: Never mind.")
	link(cs)
	connect(cs, parsed("boats"), frequencies{})
	if got := value(t, "answer", cs[1]); got != 0 {
		t.Errorf("a speaker's own next turn counts as an answer: %v", got)
	}
}

func TestFeatures_OfConversationsAreSilentWithoutASession(t *testing.T) {
	t.Parallel()
	cs := turns("", "Ann: Did the boats go to the island yesterday?*", "Bob: Yes.")
	link(cs)
	connect(cs, parsed("When did Ann ask?"), frequencies{})
	for _, c := range cs {
		for _, f := range conversation {
			if got := value(t, f.name, c); got != 0 {
				t.Errorf("%s is %v for a passage", f.name, got)
			}
		}
	}
}

func TestFeatures_SessionsAreComparedWithTheBest(t *testing.T) {
	t.Parallel()
	cs := slices.Concat(turns("a", "Ann: a boat*", "Ann: the island*"), turns("bb", "Ann: the boat*"),
		turns("ccc", "Ann: nothing"))
	link(cs)
	connect(cs, parsed("boat island"), frequencies{map[string]int64{"boat": 2, "island": 1}, 1000})
	both, one, none := cs[0].session.text, cs[2].session.text, cs[3].session.text
	if both != 1 || one <= 0 || one >= .5 || none != 0 {
		t.Errorf("session scores %v, %v and %v; want 1, less than half, and 0", both, one, none)
	}
}

func TestFeatures_ALongReplyRanksLower(t *testing.T) {
	t.Parallel()
	cs := turns("s", "Ann: What about the boat?", "Bot: "+strings.Repeat("The boat is a boat. ", 40),
		"Bot: The boat is red.")
	cs[1].turn.Role, cs[2].turn.Role = memory.RoleAssistant, memory.RoleAssistant
	link(cs)
	connect(cs, parsed("boat"), frequencies{map[string]int64{"boat": 3}, 1000})
	if got := value(t, "reply", cs[1]); got != 1 {
		t.Errorf("a long reply counts %v, want 1", got)
	}
	if got := value(t, "reply", cs[2]); got <= 0 || got >= .1 {
		t.Errorf("a short reply counts %v, want a little", got)
	}
	if got := value(t, "reply", cs[0]); got != 0 {
		t.Errorf("a turn of the user counts %v as a reply", got)
	}
}

func TestFeatures_EachHasAReasonAndARoundWeight(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, f := range features(.25) {
		if f.reason == "" || seen[f.name] {
			t.Errorf("feature %q has no reason, or stands there twice", f.name)
		}
		seen[f.name] = true
		if w := f.weight * 20; math.Abs(w-math.Round(w)) > 1e-9 {
			t.Errorf("the weight of %s is %v, not a multiple of .05", f.name, f.weight)
		}
	}
}

func TestTellsWhen(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"I went there yesterday.": true, "on 3 May": true, "in May": true, "May I?": false, "you may go": false,
		"back in 2019": true, "it costs 2019.50 or 3": true, "the 21st": true, "March on!": false, "12 march": true,
		"two weeks ago": true, "next week": true, "a week of work": false, "Tuesday": true, "the last straw": false,
		"":             false,
		"192.168.1.20": false,
	} {
		if got := tellsWhen(text); got != want {
			t.Errorf("tellsWhen(%q) = %v", text, got)
		}
	}
}

func TestCoverage_WeighsWordsByRarity(t *testing.T) {
	t.Parallel()
	q := parsed("Where does the ferry to Irun leave?")
	words := weigh(q.stems, frequencies{map[string]int64{"ferri": 400, "irun": 1}, 1000})
	cs := turns("s", "Ann: the ferry is late", "Bob: from Irun")
	cs[0].next, cs[1].prev = nil, nil
	common, rare := shareOf(words, around(cs[0])), shareOf(words, around(cs[1]))
	if common >= rare {
		t.Errorf("the common word covers %v, the rare one %v", common, rare)
	}
	cs[1].prev = cs[0]
	if both := shareOf(words, around(cs[1])); math.Abs(both-common-rare) > 1e-9 {
		t.Errorf("with its neighbour a turn covers %v, want %v", both, common+rare)
	}
	if got := shareOf(nil, around(cs[0])); got != 0 {
		t.Errorf("a question without words is covered by %v", got)
	}
}

func TestStrong_TheNameAloneIsNoEvidence(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		question string
		want     bool
	}{
		{"Does Gerda squeak?", false},         // only the name of the subject
		{"Does Gerda have a bell?", true},     // the name and what is asked
		{"Where do we sleep in Gerda?", true}, // a place is not the subject
	} {
		q := parsed(c.question)
		cs := turns("s", "Ann: Gerda has a brass bell")
		cs[0].cosine, cs[0].hasVector = .7, true
		if got := strong(weigh(q.stems, frequencies{map[string]int64{"gerda": 5}, 1000}), q,
			[]scored{{candidate: cs[0]}}); got != c.want {
			t.Errorf("%q: strong is %v", c.question, got)
		}
	}
}

func TestFeatures_WhatTheAssistantRepeatedLeadsToWhatWasSaid(t *testing.T) {
	t.Parallel()
	cs := turns("s", "Ann: the thing as always", "Bob: five drops of syrup")
	link(cs)
	connect(cs, parsed("How many drops?"), frequencies{})
	said, repeated := cs[0], cs[1]
	repeated.text = .8
	if got := value(t, "repeated", said); got != 0 {
		t.Errorf("another person's words count as repeated: %v", got)
	}
	repeated.turn.Role = memory.RoleAssistant
	if got := value(t, "repeated", said); got != .8 {
		t.Errorf("what the assistant repeated counts %v, want .8", got)
	}
	repeated.asks = true
	if got := value(t, "repeated", said); got != 0 {
		t.Errorf("what the assistant asks counts as repeated: %v", got)
	}
}

// parsed parses a question of no user.
func parsed(question string) *parsedQuestion {
	return parseQuestion(Request{Query: question}, time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
}
