//go:build unix

package e2e_test

import (
	"fmt"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"memory-graph/internal/hooks/spool"
	"memory-graph/internal/memory"
	"memory-graph/internal/waitfor"
)

// A server that ends or is killed before its database is open, while SQLite is compiled, loses no turn of a hook: what
// it has not stored waits for the next process, which stores it once.
func TestServe_ThatEndsBeforeItsDatabaseIsOpenLosesNoTurn(t *testing.T) {
	t.Parallel()
	const turns = 6
	for name, end := range map[string]func(h *host) error{
		"stdin closed": func(h *host) error { return h.stdin.Close() },
		"SIGTERM": func(h *host) error {
			h.initialize() // it listens to signals now, and answers this before its database is open
			return h.cmd.Process.Signal(syscall.SIGTERM)
		},
		"SIGKILL": func(h *host) error { return h.cmd.Process.Kill() },
	} {
		for _, warm := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, compiled %v", name, warm), func(t *testing.T) {
				t.Parallel()
				p := newPerson(t, "MEMORY_GRAPH_EMBEDDER=none")
				s := speakers[0]
				dir := p.project(t, "shop", "shop-web")
				p.hook(t, s.host, s.prompt, s.payload("s1", dir, "0", map[string]any{"prompt": "The file is made."}))
				for i := range turns - 1 {
					if _, err := spool.Beside(p.db).Put(spool.Entry{Namespace: "default", Session: "s1",
						Role: memory.RoleAssistant, Content: fmt.Sprintf("Answer number %d waits.", i)}, time.Now()); err != nil {
						t.Fatal(err)
					}
				}
				serve := exec.Command(program)
				serve.Env = p.env
				if !warm {
					serve.Env = append(serve.Env[:len(serve.Env):len(serve.Env)], "XDG_CACHE_HOME="+t.TempDir())
				}
				h := run(t, serve)
				if err := end(h); err != nil {
					t.Fatal(err)
				}
				_ = h.cmd.Wait() // its exit code says how it ended
				stored, waiting := p.count(t, `1`), p.waiting(t)
				t.Logf("%d stored, %d wait", stored, waiting)
				if stored+waiting < turns { // a turn may be stored while its file is not deleted yet
					t.Errorf("%d stored and %d that wait, want %d", stored, waiting, turns)
				}
				next := exec.Command(program)
				next.Env = p.env
				h = run(t, next)
				h.initialize()
				waitfor.Until(t, "the next process stores what waits", func() bool { return p.waiting(t) == 0 })
				h.stop()
				p.sound(t, turns)
			})
		}
	}
}
