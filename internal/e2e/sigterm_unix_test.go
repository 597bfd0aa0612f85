//go:build unix

package e2e_test

import (
	"syscall"
	"testing"
)

// Told to end while calls are under way: what was read is answered, and what was not is neither half done nor lost,
// since the host knows what to send again.
func TestServe_EndsCleanlyOnSIGTERM(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	h := start(t, db, "MEMORY_GRAPH_LOG_LEVEL=debug")
	h.initialize()
	const calls = 50
	answers := make(chan reply, calls)
	l := newLedger(t, "term")
	turns := map[int]*turn{}
	for range calls {
		turn := l.next()
		turns[h.begin(answers, "store_episode", turn.arguments(l))] = turn
	}
	first := <-answers // all were sent; some are still to be answered
	if err := h.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	h.ended()
	answered := 0
	for r := first; ; r = <-answers {
		if _, err := l.note(turns[r.id], r); err == nil {
			answered++
		}
		if delete(turns, r.id); len(turns) == 0 {
			break
		}
	}
	t.Logf("%d of %d calls were answered", answered, calls)
	h = start(t, db)
	l.sendOpen(h)
	verify(t, h, l)
	h.stop()
}
