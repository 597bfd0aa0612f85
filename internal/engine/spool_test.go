package engine

import (
	"context"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"memory-graph/internal/hooks/spool"
	"memory-graph/internal/memory"
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
