package engine

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"memory-graph/internal/config"
	"memory-graph/internal/hooks/spool"
	"memory-graph/internal/memory"
	"memory-graph/internal/waitfor"
)

// While turns cannot be stored, one call waits for them, and not every call.
func TestDrainer_OneCallWaitsForWhatCannotBeStored(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &drainer{dir: spool.Beside(filepath.Join(t.TempDir(), "memory.db")), now: time.Now, attends: true,
			running: make(chan struct{}, 1)}
		put := func(text string) {
			t.Helper()
			if _, err := d.dir.Put(spool.Entry{Namespace: "n", Role: memory.RoleUser, Content: text}, d.now()); err != nil {
				t.Fatal(err)
			}
		}
		locked, tries := true, 0
		store := func(ctx context.Context, _ spool.Entry) error {
			if tries++; locked {
				<-ctx.Done()
				return memory.Errorf(memory.Unavailable, "locked.")
			}
			return nil
		}
		call := func() time.Duration {
			began := time.Now()
			d.first(t.Context(), store)
			return time.Since(began)
		}
		put("a")
		put("b")
		if took := call(); took != drainPatience || tries != 1 {
			t.Errorf("the first call waits for %s, %d tries", took, tries)
		}
		for range 3 {
			if took := call(); took != 0 || tries != 1 {
				t.Errorf("a further call waits for %s, %d tries", took, tries)
			}
		}
		locked = false
		if r := d.drain(t.Context(), store); r.Stored != 2 {
			t.Errorf("%+v", r)
		}
		put("c")
		if took := call(); took != 0 || tries != 4 {
			t.Errorf("after that a call does not store: %s, %d tries", took, tries)
		}
		if names, err := d.dir.Names(d.now()); err != nil || len(names) > 0 {
			t.Errorf("%q, %v", names, err)
		}
	})
}

// A server that ends before its database is open stores what waits, if it can open it soon.
func TestEngine_DrainsTheSpoolWhenItClosesBeforeItIsOpen(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.DB, cfg.Embedder, cfg.Paths.Cache = filepath.Join(t.TempDir(), "memory.db"), "none", t.TempDir()
	dir := spool.Beside(cfg.DB)
	for range 5 {
		if _, err := dir.Put(spool.Entry{Namespace: "n", Role: memory.RoleUser, Content: "Atlas runs on port 8000."},
			time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	e, err := Start(cfg, slog.New(slog.DiscardHandler), func(o *options) { o.lastDrain = waitfor.Patience })
	if err != nil {
		t.Fatal(err)
	}
	e.Close()
	if names, err := dir.Names(time.Now()); err != nil || len(names) > 0 || dir.Attended(time.Now()) {
		t.Errorf("%d turns are left, %v; attended: %v", len(names), err, dir.Attended(time.Now()))
	}
}

// A server that ends stores what hooks have left to it.
func TestEngine_DrainsTheSpoolWhenItCloses(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.DB, cfg.Embedder, cfg.Paths.Cache = filepath.Join(t.TempDir(), "memory.db"), "none", t.TempDir()
	dir := spool.Beside(cfg.DB)
	put := func(n int) {
		t.Helper()
		for range n {
			if _, err := dir.Put(spool.Entry{Namespace: "n", Role: memory.RoleUser, Content: "Atlas runs on port 8000."},
				time.Now()); err != nil {
				t.Fatal(err)
			}
		}
	}
	put(1)
	e, err := Start(cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Store(t.Context()); err != nil { // open, and drained once
		t.Fatal(err)
	}
	put(5)
	e.Close()
	if names, err := dir.Names(time.Now()); err != nil || len(names) > 0 || dir.Attended(time.Now()) {
		t.Errorf("%d turns are left, %v; attended: %v", len(names), err, dir.Attended(time.Now()))
	}
}
