package heartbeat_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"

	"memory-graph/internal/waitfor"
	"memory-graph/store"
)

// process is a running child process and its output.
type process struct {
	name  string
	cmd   *exec.Cmd
	close func() error // its stdin
	ended chan struct{}
}

// stage is the file, its clock and the processes on it.
type stage struct {
	t    *testing.T
	dir  string
	c    clock
	s    *store.Store
	said chan [2]string // the process's name, its output
	cast []*process
	n    int
}

func newStage(t *testing.T, entities int) *stage {
	st := &stage{t: t, dir: t.TempDir(), said: make(chan [2]string, 1000)}
	st.c = clock{filepath.Join(st.dir, "clock")}
	begun := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	if err := st.c.set(begun); err != nil {
		t.Fatal(err)
	}
	var err error
	path := filepath.Join(st.dir, "memory.db")
	if st.s, err = store.Open(context.Background(), path, store.Options{CacheDir: cacheDir, Now: st.c.now}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.s.Close() })
	c, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.Exec(fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		INSERT INTO mg_entities (id, namespace, kind, canonical_name, name, type, confidence, origin, created_at, updated_at, last_seen_at)
		SELECT i, 'n', 'entity', 'e' || i, 'E' || i, 'tool', 1, 'user', '2026-01-01 00:00:00.000', '2026-01-01 00:00:00.000', '2026-01-01 00:00:00.000' FROM n`, entities)), c.Close()); err != nil {
		t.Fatal(err)
	}
	return st
}

// enter starts a process and waits until it is ready.
func (st *stage) enter() {
	st.t.Helper()
	st.n++
	p := &process{name: fmt.Sprint("process ", st.n), ended: make(chan struct{})}
	p.cmd = exec.Command(os.Args[0], st.dir)
	p.cmd.Env = append(os.Environ(), childVariable+"="+p.name)
	p.cmd.Stderr = os.Stderr
	in, err := p.cmd.StdinPipe()
	if err != nil {
		st.t.Fatal(err)
	}
	p.close = in.Close
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		st.t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		st.t.Fatal(err)
	}
	ready := make(chan struct{})
	go func() {
		defer close(p.ended)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if lines.Text() == "ready" {
				close(ready)
				continue
			}
			st.said <- [2]string{p.name, lines.Text()}
		}
	}()
	st.t.Cleanup(func() { _ = p.cmd.Process.Kill(); <-p.ended; _ = p.cmd.Wait() })
	select {
	case <-ready:
	case <-p.ended:
		st.t.Fatalf("%s did not start: %v", p.name, p.cmd.Wait())
	}
	st.cast = append(st.cast, p)
}

// kill kills a process without warning.
func (st *stage) kill(name string) {
	st.t.Helper()
	for i, p := range st.cast {
		if p.name == name {
			if err := p.cmd.Process.Kill(); err != nil {
				st.t.Fatal(err)
			}
			<-p.ended
			st.cast = append(st.cast[:i], st.cast[i+1:]...)
			return
		}
	}
	st.t.Fatalf("there is no process %s", name)
}

// heard searches the output so far for a line that begins with a word. It returns the process's name and the rest of
// the line.
func (st *stage) heard(word string) (who, rest string) {
	for {
		select {
		case said := <-st.said:
			if rest, ok := strings.CutPrefix(said[1], word); ok {
				return said[0], strings.TrimSpace(rest)
			}
		default:
			return "", ""
		}
	}
}

// turn advances the clock by d at once. Every process that waits for less checks again.
func (st *stage) turn(d time.Duration) {
	st.t.Helper()
	if err := st.c.set(st.c.now().Add(d + 10*time.Second)); err != nil {
		st.t.Fatal(err)
	}
}

// await waits, with a stopped clock, until a condition is met. A process that checked just before the clock advanced
// checks again after a lease: then await advances the clock once more.
func (st *stage) await(so func() bool) {
	st.t.Helper()
	for range 8 {
		if waitfor.Within(15*time.Second, so) {
			return
		}
		st.turn(lease)
	}
	st.t.Fatal("the condition was not met in time")
}

func (st *stage) lease(task string) store.Lease {
	st.t.Helper()
	leases, err := st.s.Leases(st.t.Context())
	if err != nil {
		st.t.Fatal(err)
	}
	for _, l := range leases {
		if l.Name == task {
			return l
		}
	}
	return store.Lease{}
}

// confidences returns the number of entities by confidence.
func (st *stage) confidences() map[string]int {
	st.t.Helper()
	found, _, err := st.s.ListEntities(st.t.Context(), store.EntityFilter{Namespace: "n"}, 0, 20_000)
	if err != nil {
		st.t.Fatal(err)
	}
	n := map[string]int{}
	for _, e := range found {
		n[fmt.Sprintf("%.6f", e.Confidence)]++
	}
	return n
}

// Six processes and a controlled clock: each task runs once per interval. Then the test repeatedly kills the holder of
// the lease at each place of its work. Each entity still decays once a day.
func TestProcesses_OnceAnIntervalWhoeverIsKilled(t *testing.T) {
	t.Parallel()
	const entities = 12_000 // three steps of decay
	st := newStage(t, entities)
	for range 6 {
		st.enter()
	}
	st.turn(0)
	st.await(func() bool { return !st.lease("tick").NextRunAt.IsZero() && !st.lease("fade").NextRunAt.IsZero() })

	for hour := range 8 {
		last := st.lease("tick").NextRunAt
		st.turn(last.Sub(st.c.now()))
		st.await(func() bool { return st.lease("tick").NextRunAt.After(last) })
		if said := <-st.said; said[1] != "tick 1" {
			t.Fatalf("hour %d: %v", hour, said)
		}
		select {
		case said := <-st.said:
			t.Fatalf("hour %d: %v too", hour, said)
		default:
		}
	}

	asked, halfway := 0, 0
	for day, part := range []float64{nowhere, 0, .1, .3, .4, .5, .6, .7, .8, afterwards, nowhere} {
		before, place := st.lease("fade"), int(part)
		if part > 0 {
			place = int(part * float64(asked))
		}
		if place != nowhere {
			if err := os.WriteFile(filepath.Join(st.dir, "stop"), []byte(strconv.Itoa(place)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		st.turn(before.NextRunAt.Sub(st.c.now()))
		if place != nowhere {
			var killed string
			st.await(func() bool { killed, _ = st.heard("standing"); return killed != "" })
			if holder := st.lease("fade").Holder; holder != killed {
				t.Fatalf("%s is blocked in the run, but %s holds it", killed, holder)
			}
			if len(st.confidences()) > 1 {
				halfway++
			}
			st.kill(killed)
			st.enter()
			st.turn(lease)
		}
		st.await(func() bool { l := st.lease("fade"); return l.LastRunAt.After(before.LastRunAt) && l.HeldUntil.IsZero() })
		want := fmt.Sprintf("%.6f", math.Pow(.9, float64(day+1)))
		if got := st.confidences(); got[want] != entities {
			t.Fatalf("day %d, killed at %v: confidences %v, want %s for all", day+1, part, got, want)
		}
		if asked == 0 {
			st.await(func() bool {
				_, n := st.heard("asked")
				asked, _ = strconv.Atoi(n)
				return asked > 0
			})
		}
	}
	if halfway < 2 {
		t.Errorf("only %d processes were killed between two steps of a run: choose other places", halfway)
	}
	for _, p := range st.cast { // stopped cleanly
		if err := p.close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range st.cast {
		<-p.ended
		if err := p.cmd.Wait(); err != nil {
			t.Errorf("%s: %v", p.name, err)
		}
	}
}
