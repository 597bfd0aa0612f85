package engine

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"memory-graph/internal/config"
	"memory-graph/internal/memory"
)

// While a file is being opened, a call waits until its context ends, and at most for the busy time-out plus
// openPatience.
func TestWait_EndsWithTheContextOrWhenPatienceIsOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cfg := config.Default()
		e := &Engine{cfg: cfg, tried: make(chan struct{})}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		_, err := e.Store(ctx)
		if after := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || after != time.Second {
			t.Errorf("a call whose context ended: %v after %v", err, after)
		}
		began = time.Now()
		_, err = e.Store(t.Context())
		if after := time.Since(began); memory.AsError(err).Code != memory.Unavailable ||
			after != cfg.BusyTimeout+openPatience {
			t.Errorf("a file that is never opened: %v after %v", err, after)
		}
		broken := memory.Errorf(memory.Unavailable, "It is locked.")
		go e.ended(opening{err: broken})
		if _, err = e.Store(t.Context()); !errors.Is(err, broken) {
			t.Errorf("a failed attempt gives %v", err)
		}
	})
}
