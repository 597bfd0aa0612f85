package store_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
	"memory-graph/store"
)

// cacheDir is shared by all tests and their processes, so SQLite is compiled only once.
var cacheDir = filepath.Join(os.TempDir(), "memory-graph-test-cache")

func open(t testing.TB, path string, o store.Options) *store.Store {
	t.Helper()
	o.CacheDir = cacheDir
	s, err := store.Open(context.Background(), path, o)
	if err != nil {
		t.Fatalf("open %s: %v", path, err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func openNew(t testing.TB) *store.Store {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{})
}

// turn makes a user's turn in a session.
func turn(session, content string) store.NewEpisode {
	return store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "default", SessionID: session},
		Role: memory.RoleUser, Content: content, Origin: memory.OriginUser, Status: memory.StatusPending},
		Caller: memory.Caller{Actor: "tool"}}
}

func record(t testing.TB, s *store.Store, e store.NewEpisode) store.Recorded {
	t.Helper()
	r, err := s.RecordEpisode(context.Background(), e)
	if err != nil {
		t.Fatalf("record %q: %v", e.Content, err)
	}
	return r
}

func searchIDs(t testing.TB, s *store.Store, query string, f memory.Filter) []int64 {
	t.Helper()
	hits, err := s.SearchText(context.Background(), text.Parse(query), f, 50)
	if err != nil {
		t.Fatalf("search %q: %v", query, err)
	}
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	return ids
}
