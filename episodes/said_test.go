package episodes_test

import (
	"testing"

	"memory-graph/episodes"
	"memory-graph/extraction/rules"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

func TestRecord_OnlyWhatASentenceStatesIsSaidByTheUser(t *testing.T) {
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
		fake := &fakeStore{}
		r := episodes.New(fake, episodes.Options{MaxContentBytes: 1000, TrustRoles: true,
			Reader: episodes.NewReader(episodes.ReaderOptions{Hear: rules.Hear})})
		if _, err := r.Record(t.Context(), store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "n"},
			Role: memory.RoleUser, Content: tc.text}, Caller: memory.Caller{Actor: "tool"},
			Relations: []memory.RelationDraft{{Head: tc.head, Relation: "works_at", Tail: tc.tail,
				Ended: tc.ended}}}); err != nil {
			t.Fatal(err)
		}
		if got := fake.got[0].Relations[0].SaidBy == memory.OriginUser; got != tc.said {
			t.Errorf("%s (ended %v): said %v, want %v", tc.text, tc.ended, got, tc.said)
		}
	}
}
