package e2e_test

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// The host need not know that another program has the database: it is answered, told why calls fail, and served as soon
// as the lock is gone.
func TestLock_TheServerStartsAndWaits(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	h := start(t, db, "MEMORY_GRAPH_EMBEDDER=none")
	kept := h.store(arguments{"content": "kept before the lock"})
	h.stop()

	release := lockWhole(t, db)
	began := time.Now()
	h = start(t, db, "MEMORY_GRAPH_EMBEDDER=none", "MEMORY_GRAPH_BUSY_TIMEOUT=200ms")
	h.initialize()
	t.Logf("initialize was answered %s after the start", time.Since(began))
	for range 2 {
		h.refuses("store_episode", arguments{"content": "not now"}, "unavailable")
		h.refuses("retrieve", arguments{"query": "lock"}, "unavailable")
	}
	if _, err := h.ask("tools/list", nil); err != nil {
		t.Errorf("tools/list while the database is locked: %v", err)
	}
	release()
	began = time.Now()
	stored := h.eventually("store_episode", arguments{"content": "stored after the lock"})
	t.Logf("a call worked %s after the lock was let go", time.Since(began))
	if a := h.retrieve(arguments{"query": "lock", "strategy": "text"}); len(a.Episodes) != 2 {
		t.Errorf("found %+v; want %s and %s", a.Episodes, kept, stored.EpisodeID)
	}
	h.stop()
}

// A program that writes for long keeps writers waiting, and nobody else: not even a server that starts meanwhile.
func TestLock_OfAnotherWriterLetsReadersRead(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	h := start(t, db, "MEMORY_GRAPH_BUSY_TIMEOUT=200ms")
	h.initialize()
	h.store(arguments{"content": "kept before the lock"})
	h.settled()
	c := openRaw(t, db)
	if err := c.Exec("BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	h.refuses("store_episode", arguments{"content": "not now", "idempotency_key": "k"}, "unavailable")
	late := start(t, db, "MEMORY_GRAPH_BUSY_TIMEOUT=200ms")
	late.initialize()
	for _, reader := range []*host{h, late} {
		for _, strategy := range []string{"text", "vector", "auto"} {
			if a := reader.retrieve(arguments{"query": "lock", "strategy": strategy}); len(a.Episodes) != 1 ||
				len(a.MemoryState.Degraded) != 0 {
				t.Errorf("strategy %s while another writes: %+v; want one", strategy, a)
			}
		}
	}
	if err := errors.Join(c.Exec("ROLLBACK"), c.Close()); err != nil {
		t.Fatal(err)
	}
	// Nothing of the refused call stayed. The two servers may keep each other waiting for longer than the time-out.
	for _, a := range []answer{h.eventually("store_episode", arguments{"content": "not now", "idempotency_key": "k"}),
		late.eventually("store_episode", arguments{"content": "from the one that came late"})} {
		if a.Status != "stored" {
			t.Errorf("%+v", a)
		}
	}
	h.stop()
	late.stop()
}

// BenchmarkInitialize is the time from the start of the process to the answer of initialize: run it with
// -benchtime=20x.
func BenchmarkInitialize(b *testing.B) {
	b.Run("fresh home", func(b *testing.B) { // SQLite is compiled meanwhile
		benchmarkInitialize(b, func() (string, string) {
			home := b.TempDir()
			return filepath.Join(home, "memory.db"), "XDG_CACHE_HOME=" + home
		})
	})
	db := newDB(b)
	h := start(b, db)
	h.store(arguments{"content": "a file that is there"})
	h.stop()
	warm := func() (string, string) { return db, "MEMORY_GRAPH_LOG_LEVEL=info" }
	b.Run("warm", func(b *testing.B) { benchmarkInitialize(b, warm) })
	b.Run("locked", func(b *testing.B) {
		release := lockWhole(b, db)
		defer release()
		benchmarkInitialize(b, warm)
	})
}

func benchmarkInitialize(b *testing.B, next func() (db, setting string)) {
	var took []time.Duration
	for b.Loop() {
		db, setting := next()
		began := time.Now()
		h := start(b, db, setting)
		h.initialize()
		took = append(took, time.Since(began))
		h.kill()
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "max-ms")
}
