package store_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func TestOnQueued_TellsOfJobsThatWereCommitted(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var told []string
	s.OnQueued(func(kind string) { told = append(told, kind) })
	expect := func(when string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, told); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
		told = nil
	}
	if err := s.SetRelationRate(t.Context(), "n", "uses", .5, memory.Caller{}); err != nil {
		t.Fatal(err)
	}
	expect("a write that queues nothing")
	if err := s.EnqueueJob(t.Context(), store.KindExtract, "n", "t1"); err != nil {
		t.Fatal(err)
	}
	expect("a job", store.KindExtract)
	if err := s.EnqueueAndFail(t.Context(), store.KindExtract, "n", "t2"); err == nil {
		t.Fatal("it did not fail")
	}
	expect("a transaction that is rolled back")
}
