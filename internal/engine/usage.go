package engine

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"memory-graph/store"
)

// usage counts which facts answers use, and writes the counts in batches, so an answer never waits for a write. A
// killed process loses its unwritten counts, which only help ranking.
type usage struct {
	store *store.Store
	log   *slog.Logger

	mu     sync.Mutex
	counts map[string]map[int64]int // by namespace
}

// usageInterval is how often the counts are written. It is long because each write is a transaction.
const usageInterval = 30 * time.Second

func newUsage(st *store.Store, log *slog.Logger) *usage {
	return &usage{store: st, log: log, counts: map[string]map[int64]int{}}
}

// used counts the facts of one answer.
func (u *usage) used(namespace string, ids []int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	of := u.counts[namespace]
	if of == nil {
		of = map[int64]int{}
		u.counts[namespace] = of
	}
	for _, id := range ids {
		of[id]++
	}
}

// run writes the counts periodically, and once more when ctx ends.
func (u *usage) run(ctx context.Context) {
	tick := time.NewTicker(usageInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			u.flush(ctx)
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			defer cancel()
			u.flush(last)
			return
		}
	}
}

// flush writes the counts. If that fails, it keeps them for the next time.
func (u *usage) flush(ctx context.Context) {
	u.mu.Lock()
	counts := u.counts
	u.counts = map[string]map[int64]int{}
	u.mu.Unlock()
	for namespace, of := range counts {
		if err := u.store.AddRetrievals(ctx, namespace, of); err != nil {
			u.log.Debug("writing usage counts failed; retrying later", "error", err)
			for id, n := range of {
				for range n {
					u.used(namespace, []int64{id})
				}
			}
		}
	}
}
