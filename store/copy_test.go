package store_test

import (
	"os"
	"path/filepath"
	"testing"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// A copy holds what was written, and is a database of its own; a copy that fails says where.
func TestCopyTo_IsAnotherDatabase(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "of a # b")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s := open(t, filepath.Join(dir, "memory.db"), store.Options{})
	add := func(to *store.Store, text string) {
		t.Helper()
		if _, err := to.RecordEpisode(t.Context(), store.NewEpisode{Episode: memory.Episode{
			Scope: memory.Scope{Namespace: "n"}, Role: memory.RoleUser, Content: text}}); err != nil {
			t.Fatal(err)
		}
	}
	add(s, "first")
	turns := func(of *store.Store) int64 {
		t.Helper()
		n, err := of.CountEpisodes(t.Context(), "n")
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	path := filepath.Join(dir, "copy.db")
	if err := s.CopyTo(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	add(s, "second")
	there := open(t, path, store.Options{})
	if n := turns(there); n != 1 {
		t.Errorf("the copy has %d turns", n)
	}
	add(there, "third")
	add(there, "fourth")
	if here, copied := turns(s), turns(there); here != 2 || copied != 3 {
		t.Errorf("%d turns, and %d in the copy", here, copied)
	}
	err := s.CopyTo(t.Context(), filepath.Join(dir, "missing", "copy.db"))
	if e := memory.AsError(err); e == nil || e.Code != memory.Unavailable || e.Hint == "" {
		t.Errorf("%v", err)
	}
}
