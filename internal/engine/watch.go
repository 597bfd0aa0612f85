package engine

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/safety/secrets"
	"memory-graph/store"
)

// watch collects counts of expansions, traces of answers, and requests of an embedding endpoint, and writes them in
// batches. An answer never waits for a write: what does not fit into the queue is dropped and counted. A killed process
// loses what it has not written.
type watch struct {
	store *store.Store // set by run
	log   *slog.Logger
	some  chan struct{} // there is something to write

	mu      sync.Mutex
	counts  map[string]memory.Expansions // by namespace
	traces  []retrieval.Trace
	dropped map[string]int                        // traces, by namespace
	used    map[store.ModelUsage]store.ModelUsage // by itself without its counts
}

// The limits of the queue.
const (
	watchQueue = 256             // most traces that wait to be written
	watchDelay = 2 * time.Second // how long a write waits for more to write
)

func newWatch(log *slog.Logger) *watch {
	return &watch{log: log, some: make(chan struct{}, 1), counts: map[string]memory.Expansions{},
		dropped: map[string]int{}, used: map[store.ModelUsage]store.ModelUsage{}}
}

// asked counts a request of an endpoint.
func (w *watch) asked(u store.ModelUsage) {
	w.mu.Lock()
	key := store.ModelUsage{Endpoint: u.Endpoint, Model: u.Model, Purpose: u.Purpose}
	w.used[key] = w.used[key].Plus(u)
	w.mu.Unlock()
	w.wake()
}

// measured counts an expansion.
func (w *watch) measured(namespace string, e memory.Expansions) {
	w.mu.Lock()
	w.counts[namespace] = w.counts[namespace].Plus(e)
	w.mu.Unlock()
	w.wake()
}

// traced queues a trace, or drops it if the queue is full.
func (w *watch) traced(t retrieval.Trace) {
	w.mu.Lock()
	if len(w.traces) < watchQueue {
		w.traces = append(w.traces, t)
	} else {
		w.dropped[t.Namespace]++
	}
	w.mu.Unlock()
	w.wake()
}

func (w *watch) wake() {
	select {
	case w.some <- struct{}{}:
	default:
	}
}

// run writes what was collected, until ctx ends, and then the rest.
func (w *watch) run(ctx context.Context, st *store.Store) {
	w.store = st
	for {
		select {
		case <-w.some:
			select {
			case <-time.After(watchDelay):
				w.flush(ctx)
				continue
			case <-ctx.Done():
			}
		case <-ctx.Done():
		}
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		w.flush(last)
		return
	}
}

// flush writes what was collected. Counts that cannot be written are kept, traces are dropped.
func (w *watch) flush(ctx context.Context) {
	w.mu.Lock()
	counts, traces, dropped := w.counts, w.traces, w.dropped
	w.counts, w.traces, w.dropped = map[string]memory.Expansions{}, nil, map[string]int{}
	used := slices.Collect(maps.Values(w.used))
	clear(w.used)
	w.mu.Unlock()
	if err := w.store.AddModelUsage(ctx, used...); err != nil {
		w.log.Debug("counting requests of the embedding endpoint failed; retrying later", "error", err)
		for _, u := range used {
			w.asked(u)
		}
	}
	if err := w.store.AddExpansions(ctx, counts, 2*retrieval.QualityWindow); err != nil {
		w.log.Debug("counting expansions failed; retrying later", "error", err)
		w.mu.Lock()
		for namespace, n := range counts {
			w.counts[namespace] = w.counts[namespace].Plus(n)
		}
		w.mu.Unlock()
	}
	rows := make([]store.Trace, 0, len(traces))
	for _, t := range traces {
		row, err := traceRow(t)
		if err != nil {
			w.log.Debug("a trace cannot be encoded", "error", err)
			continue
		}
		rows = append(rows, row)
	}
	if err := w.store.AddTraces(ctx, rows, dropped); err != nil {
		w.log.Debug("writing traces failed", "traces", len(rows), "error", err)
		w.mu.Lock()
		for _, row := range rows {
			w.dropped[row.Namespace]++
		}
		for namespace, n := range dropped {
			w.dropped[namespace] += n
		}
		w.mu.Unlock()
	}
}

// traceRow masks and encodes a trace.
func traceRow(t retrieval.Trace) (store.Trace, error) {
	t.Mask(func(s string) string {
		masked, _ := secrets.Mask(s)
		return masked
	})
	row := store.Trace{At: t.At, Namespace: t.Namespace, Took: t.Took}
	var err error
	if row.Request, err = json.Marshal(t.Request); err != nil {
		return row, err
	}
	row.Answer, err = json.Marshal(t.Answer)
	return row, err
}
