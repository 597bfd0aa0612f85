package store_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

var operator = memory.Caller{Actor: "cli", CallID: "purge"}

// tellsAbout stores a turn that says that somebody uses a thing.
func tellsAbout(t *testing.T, s *store.Store, e memory.Episode, head, tail string) {
	t.Helper()
	e.Role, e.Origin, e.Status, e.Content = memory.RoleUser, memory.OriginUser, memory.StatusDone, head+" uses "+tail
	out, err := s.RecordEpisode(t.Context(), store.NewEpisode{Episode: e,
		Relations: []memory.RelationDraft{draft(head, "uses", tail)},
		Caller:    memory.Caller{Actor: "test", CallID: head + tail + e.Scope.SessionID}})
	if err != nil || len(out.Errors) > 0 {
		t.Fatal(err, out.Errors)
	}
}

func purge(t *testing.T, s *store.Store, p store.Purge, confirm bool) memory.Forgotten {
	t.Helper()
	out, err := s.Purge(t.Context(), p, confirm, operator)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestPurge_DeletesWhatMatchesAndWhatRestsOnItOnly(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		purge        store.Purge
		turns, facts int
	}{
		"age":     {store.Purge{Before: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}, 5, 5},
		"project": {store.Purge{Project: "rollout"}, 1, 1},
		"session": {store.Purge{SessionID: "s2"}, 1, 0}, // the other session says the same fact
		"source":  {store.Purge{Source: "import:mem0"}, 1, 1},
		"both":    {store.Purge{Source: "import:mem0", SessionID: "s2"}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, now := retired(t)
			*now = time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
			for i := range 5 {
				tellsAbout(t, s, memory.Episode{Scope: inN, OccurredAt: now.AddDate(-1, 0, i)}, "Old", fmt.Sprint("Thing ", i))
			}
			tellsAbout(t, s, memory.Episode{Scope: memory.Scope{Namespace: ns, Project: "rollout"}}, "Ann", "Helm")
			tellsAbout(t, s, memory.Episode{Scope: memory.Scope{Namespace: ns, SessionID: "s1"}}, "Ann", "Go")
			tellsAbout(t, s, memory.Episode{Scope: memory.Scope{Namespace: ns, SessionID: "s2"}}, "Ann", "Go")
			tellsAbout(t, s, memory.Episode{Scope: inN, Source: "import:mem0"}, "Ann", "Vim")
			tellsAbout(t, s, memory.Episode{Scope: memory.Scope{Namespace: "other", Project: "rollout", SessionID: "s2"},
				Source: "import:mem0", OccurredAt: now.AddDate(-1, 0, 0)}, "Bob", "Ada")
			tc.purge.Namespace = ns
			before := exported(t, s)
			dry := purge(t, s, tc.purge, false)
			if !dry.DryRun || dry.Episodes != tc.turns || dry.Relationships != tc.facts {
				t.Errorf("would delete %+v", dry)
			}
			if diff := cmp.Diff(before, exported(t, s)); diff != "" {
				t.Errorf("a dry run changes the file: %s", diff)
			}
			got := purge(t, s, tc.purge, true)
			if dry.DryRun = false; !cmp.Equal(dry, got) {
				t.Errorf("deletes %+v; announced %+v", got, dry)
			}
			n, err := s.QueryInts(`SELECT count(*) FROM mg_episodes UNION ALL SELECT count(*) FROM mg_facts`)
			if diff := cmp.Diff([]int64{int64(10 - tc.turns), int64(9 - tc.facts)}, n); err != nil || diff != "" {
				t.Errorf("%v\n%s", err, diff)
			}
			if again := purge(t, s, tc.purge, true); again.Episodes != 0 {
				t.Errorf("again: %+v", again)
			}
			isSound(t, s)
		})
	}
}

func TestPurge_OfANamespaceLeavesNothingOfIt(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	now := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	s := open(t, path, store.Options{Now: func() time.Time { return now }})
	other := memory.Scope{Namespace: "other"}
	tellsAbout(t, s, memory.Episode{Scope: other}, "Bob", "Ada")
	for i := range 5 {
		tellsAbout(t, s, memory.Episode{Scope: inN}, "Quixote", fmt.Sprint("Lance ", i))
	}
	d := draft("Quixote", "rides", "Rocinante")
	d.ValidFrom, d.ValidUntil = now.AddDate(-2, 0, 0), now.AddDate(-1, 0, 0)
	relate(t, s, d)
	observe(t, s, entityDraft("Sancho", 1))
	now = now.AddDate(1, 0, 0)
	if got := evict(t, s, store.Eviction{}); got.Facts != 1 {
		t.Fatal(got)
	}
	got := purge(t, s, store.Purge{Namespace: ns}, true)
	if got.Episodes != 6 || got.Relationships != 6 || got.Entities != 8 {
		t.Errorf("deleted %+v", got)
	}
	spaces, err := s.Namespaces(t.Context())
	if diff := cmp.Diff([]string{"other"}, spaces); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	isSound(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{path, path + "-wal"} {
		b, err := os.ReadFile(file)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for _, word := range []string{"Quixote", "quixote", "Rocinante", "Sancho"} {
			if bytes.Contains(b, []byte(word)) {
				t.Errorf("%s still contains %q", file, word)
			}
		}
	}
}

func TestForget_OfAnArchivedFactLeavesNothingOfIt(t *testing.T) {
	t.Parallel()
	s, now := retired(t)
	d := draft("Quixote", "rides", "Rocinante")
	d.ValidFrom, d.ValidUntil = now.AddDate(-2, 0, 0), now.AddDate(-1, 0, 0)
	fact := relate(t, s, d).Relationship
	relate(t, s, draft("Quixote", "owns", "Library"))
	evict(t, s, store.Eviction{})
	if got := forget(t, s, false, memory.RelationshipID(fact.ID)); got.Relationships != 1 || got.Episodes != 1 ||
		got.Entities != 1 {
		t.Errorf("would forget %+v", got)
	}
	forget(t, s, true, memory.RelationshipID(fact.ID))
	n, err := s.QueryInts(`SELECT count(*) FROM mg_archive UNION ALL SELECT count(*) FROM mg_facts`)
	if diff := cmp.Diff([]int64{0, 1}, n); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	isSound(t, s)
}
