package engine_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/config"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

func TestLinks_JoinTurnsThatAreAlikeWhereThatIsOn(t *testing.T) {
	t.Parallel()
	for _, on := range []bool{true, false} {
		e, _ := onAngles(t, func(s *config.Config) { s.NoteLinking.Enabled, s.Enabled = on, false })
		say := func(content string, role memory.Role) {
			t.Helper()
			if _, err := e.StoreEpisode(t.Context(), store.NewEpisode{Episode: memory.Episode{
				Scope: memory.Scope{Namespace: "n"}, Role: role, Content: content}}); err != nil {
				t.Fatal(err)
			}
		}
		say("0 degrees is where this turn stands", memory.RoleUser)
		say("20 degrees is where this turn stands", memory.RoleAssistant)
		say("80 degrees is where this turn stands", memory.RoleUser)
		say("1 degree is what a tool printed here", memory.RoleTool)
		say("2 short", memory.RoleUser)
		waitSettled(t, e)
		records, err := e.Store(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		list, _, err := records.ListRelationships(t.Context(), store.RelationshipFilter{Namespace: "n"}, 0, 20)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, r := range list {
			got = append(got, fmt.Sprintf("%s %s %s %.2f", r.Head.Name, r.Relation, r.Tail.Name, r.Strength))
		}
		slices.Sort(got)
		want := []string{}
		if on {
			want = []string{"t1 similar_to t2 0.94", "t2 similar_to t1 0.94"} // cos 20° = .94
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("note_linking.enabled = %v: %s", on, diff)
		}
	}
}
