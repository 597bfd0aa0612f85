package engine

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

func watched(t *testing.T, path string, o store.Options) (*watch, *store.Store) {
	t.Helper()
	st, err := store.Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	w := newWatch(slog.New(slog.DiscardHandler))
	w.store = st
	return w, st
}

func TestWatch_AFullQueueDropsAndCounts(t *testing.T) {
	t.Parallel()
	w, st := watched(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{})
	for i := range watchQueue + 44 { // nothing writes meanwhile, and no call waits
		w.traced(retrieval.Trace{Namespace: "n", Request: retrieval.TraceRequest{Query: fmt.Sprint(i)}})
	}
	w.flush(t.Context())
	list, more, err := st.Traces(t.Context(), "n", 0, 2*watchQueue)
	if err != nil || len(list) != watchQueue || more {
		t.Errorf("%d traces are stored, %v", len(list), err)
	}
	counters, err := st.Counters(t.Context(), "n")
	if err != nil || len(counters) != 1 || counters[0].Code != store.TraceDropped || counters[0].N != 44 {
		t.Errorf("counters %+v, %v", counters, err)
	}
	w.traced(retrieval.Trace{Namespace: "n"})
	w.flush(t.Context())
	if list, _, err := st.Traces(t.Context(), "n", 0, 2*watchQueue); err != nil || len(list) != watchQueue+1 {
		t.Errorf("after the queue was written, %d traces are stored, %v", len(list), err)
	}
}

func TestWatch_CountsSurviveAWriteThatFails(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	good, st := watched(t, path, store.Options{})
	bad, _ := watched(t, path, store.Options{ReadOnly: true})
	for range 2 {
		bad.measured("n", memory.Expansions{Tried: 1, Added: 3})
		bad.traced(retrieval.Trace{Namespace: "n"})
		bad.flush(t.Context())
	}
	good.counts, good.dropped = bad.counts, bad.dropped
	good.flush(t.Context())
	if n, _, err := st.ExpansionCounts(t.Context(), "n", time.Time{}, time.Hour); err != nil || n.Tried != 2 ||
		n.Added != 6 {
		t.Errorf("counted %+v, %v", n, err)
	}
	if counters, err := st.Counters(t.Context(), "n"); err != nil || len(counters) != 1 || counters[0].N != 2 {
		t.Errorf("the traces that were lost are counted as %+v, %v", counters, err)
	}
}
