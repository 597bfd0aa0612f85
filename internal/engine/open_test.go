package engine_test

import (
	"os"
	"testing"

	"memory-graph/internal/memory"
	"memory-graph/internal/waitfor"
	"memory-graph/store"
)

func TestStore_AllCallsWaitForTheFirstAttemptToOpen(t *testing.T) {
	t.Parallel()
	e := start(t, settings(t))
	const calls = 20
	got := make(chan *store.Store, calls)
	for range calls {
		go func() {
			st, err := e.Store(t.Context())
			if err != nil {
				t.Error(err)
			}
			got <- st
		}()
	}
	first := <-got
	for range calls - 1 {
		if st := <-got; st == nil || st != first {
			t.Errorf("one call was given %p, another %p", st, first)
		}
	}
	if !e.Opened() {
		t.Error("the store was given, and the engine is not open")
	}
}

// While a file cannot be opened, every call returns an error.
func TestStore_OpensOnceWhatWasInTheWayIsGone(t *testing.T) {
	t.Parallel()
	cfg := settings(t)
	if err := os.Mkdir(cfg.DB, 0o700); err != nil {
		t.Fatal(err)
	}
	e := start(t, cfg)
	for range 2 {
		if _, err := e.Store(t.Context()); memory.AsError(err).Code != memory.Unavailable || e.Opened() {
			t.Fatalf("a directory in place of the file: %v, open %v", err, e.Opened())
		}
	}
	if err := os.Remove(cfg.DB); err != nil {
		t.Fatal(err)
	}
	waitfor.Until(t, "the file is open", func() bool { _, err := e.Store(t.Context()); return err == nil })
	put(t, e, "Violins are old.")
}
