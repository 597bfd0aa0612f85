package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func TestTermFrequencies_CountsEpisodesNotOccurrences(t *testing.T) {
	t.Parallel()
	st := openNew(t)
	for _, content := range []string{"ferries and ferries", "the ferry leaves", "nothing else"} {
		if _, err := st.RecordEpisode(t.Context(),
			store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "n"}, Role: memory.RoleUser,
				Content: content, Origin: memory.OriginUser, Status: memory.StatusPending},
				Caller: memory.Caller{Actor: "test"}}); err != nil {
			t.Fatal(err)
		}
	}
	got, n, err := st.TermFrequencies(t.Context(), []string{"ferri", "leav", "unheard", `"`})
	if err != nil || n != 3 {
		t.Fatalf("of %d episodes, %v", n, err)
	}
	if diff := cmp.Diff(map[string]int64{"ferri": 2, "leav": 1}, got); diff != "" {
		t.Errorf("frequencies (-want +got):\n%s", diff)
	}
}
