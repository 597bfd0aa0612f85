package stated_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/extraction"
	"memory-graph/extraction/stated"
	"memory-graph/internal/memory"
)

func TestFacts_OnlyWhatASentenceStates(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		text, head, tail string
		ended, said      bool
	}{
		{"I work at Acme.", "User", "Acme", false, true},
		{"Tom works at Acme these days.", "Tom", "Acme", false, true},
		{"I left Acme in May.", "User", "Acme", true, true},
		{"I no longer work at Acme.", "User", "Acme", true, true},
		{"I don't work at Acme any more.", "User", "Acme", true, true},
		{"I don't work at Acme.", "User", "Acme", true, true},
		{"It rained. Did it? I work at Acme.", "User", "Acme", false, true},
		{"Acme hired me.", "User", "Acme", false, true},
		{"Did I say that? Yes: I left Acme.", "User", "Acme", true, true},
		{"Ich arbeite jetzt bei Acme.", "User", "Acme", false, true},
		{"Ich arbeite nicht mehr bei Acme.", "User", "Acme", true, true},

		{"I work at Acme. Acme.com is our page.", "User", "Acme", false, true},
		{"I work at Acme+.", "User", "Acme+", false, true},

		{"I work at Acme.com.", "User", "Acme", false, false},
		{"I work at Acme+.", "User", "Acme", false, false},
		{"Did I leave Acme?", "User", "Acme", true, false},
		{"I never left Acme.", "User", "Acme", true, false},
		{"I haven't left Acme.", "User", "Acme", true, false},
		{"I did not quit Acme!", "User", "Acme", true, false},
		{"Did I mention that Acme called me?", "User", "Acme", false, false},
		{"I don't work at Acme.", "User", "Acme", false, false},
		{"I no longer work at Acme.", "User", "Acme", false, false},
		{"If I leave Acme, I will travel.", "User", "Acme", true, false},
		{"I want to work at Acme.", "User", "Acme", false, false},
		{"I might leave Acme.", "User", "Acme", true, false},
		{"I think I will leave Acme.", "User", "Acme", true, false},
		{"Tom says I work at Acme.", "User", "Acme", false, false},
		{"My sister works at Acme.", "User", "Acme", false, false},
		{"I like tea. Acme is big.", "User", "Acme", false, false},
		{"Tom likes tea. Ann works at Acme.", "Tom", "Acme", false, false},
		{"Translate this: I work at Acme.", "User", "Acme", false, false},
		{"Ich arbeite nicht bei Acme.", "User", "Acme", false, false},
		{"Soll ich bei Acme anfangen, oder ist das nichts für mich?", "User", "Acme", false, false},
	} {
		fact := memory.RelationDraft{Head: tc.head, Relation: "works_at", Tail: tc.tail, Ended: tc.ended}
		said := stated.Facts(extraction.Input{Role: memory.RoleUser, Text: tc.text, Self: "User"},
			[]memory.RelationDraft{fact})
		if diff := cmp.Diff([]bool{tc.said}, said); diff != "" {
			t.Errorf("%s (ended %v): %s", tc.text, tc.ended, diff)
		}
	}
}

func TestFacts_AnswersForEachFactInItsOrder(t *testing.T) {
	t.Parallel()
	facts := []memory.RelationDraft{{Head: "User", Relation: "works_at", Tail: "Initech"},
		{Head: "User", Relation: "works_at", Tail: "Acme"}, {Head: "Tom", Relation: "uses", Tail: "Vim"}}
	got := stated.Facts(extraction.Input{Role: memory.RoleUser, Text: "I work at Acme. Tom uses Vim.", Self: "User"},
		facts)
	if diff := cmp.Diff([]bool{false, true, true}, got); diff != "" {
		t.Error(diff)
	}
}
