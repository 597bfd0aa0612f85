package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// Processes that each store one turn and end without closing the file leave a short log. A copy of the files stands for
// the end of a process.
func TestOpen_KeepsTheLogShort(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	most, total := int64(0), int64(0)
	for i := range 12 {
		s, err := store.Open(t.Context(), path, store.Options{CacheDir: cacheDir, LateWriter: i%2 == 1})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.RecordEpisode(t.Context(), store.NewEpisode{Episode: memory.Episode{Role: memory.RoleUser,
			Content: strings.Repeat(fmt.Sprintf("Part %d of a long talk. ", i), 20_000), Origin: memory.OriginUser,
			Status: memory.StatusDone, Scope: memory.Scope{Namespace: "default"}},
			Caller: memory.Caller{Actor: "test"}}); err != nil {
			t.Fatal(err)
		}
		next := filepath.Join(t.TempDir(), "memory.db")
		for _, end := range []string{"", "-wal"} {
			data, err := os.ReadFile(path + end)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(next+end, data, 0o600); err != nil {
				t.Fatal(err)
			}
			if end != "" {
				most, total = max(most, int64(len(data))), total+int64(len(data))
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		path = next
	}
	if most > 4<<20 || total < 8<<20 {
		t.Errorf("the log had at most %d bytes, and %d in all", most, total)
	}
	s, err := store.Open(t.Context(), path, store.Options{CacheDir: cacheDir})
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.NewestEpisodes(t.Context(), memory.Filter{Namespace: "default"}, 0, 20)
	if err != nil || len(list) != 12 {
		t.Errorf("%d turns: %v", len(list), err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
