package store_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"memory-graph/store"
)

func TestInUse_SaysWhetherAnyoneHasTheFileOpen(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	ask := func() bool {
		t.Helper()
		used, err := store.InUse(context.Background(), path, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return used
	}
	s, err := store.Open(context.Background(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !ask() {
		t.Error("a file that is open is not in use")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if ask() {
		t.Error("a file that was closed is in use")
	}
	if err := os.WriteFile(path, []byte("no database, but long enough to look at"), 0o600); err != nil {
		t.Fatal(err)
	}
	if ask() {
		t.Error("a file that is no database is in use")
	}
}
