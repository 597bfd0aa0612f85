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
	"sync"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"

	"memory-graph/heartbeat"
	"memory-graph/store"
)

// In these tests the test binary plays six processes on one file. Their clock is a file that the test writes. A process
// that finds the file "stop" takes it away and stands still at the place that it names, for the test to kill it there.

const childVariable = "MEMORY_GRAPH_TEST_CHILD"

func TestMain(m *testing.M) {
	if name := os.Getenv(childVariable); name != "" {
		if err := playChild(name, os.Args[1]); err != nil {
			fmt.Println("failed", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// clock is a file that says what time it is.
type clock struct{ path string }

func (c clock) now() time.Time {
	for {
		b, err := os.ReadFile(c.path)
		if n, e := strconv.ParseInt(string(b), 10, 64); err == nil && e == nil {
			return time.UnixMilli(n).UTC()
		}
		time.Sleep(time.Millisecond) // it is being replaced
	}
}

func (c clock) set(now time.Time) error {
	next := c.path + ".next"
	return errors.Join(os.WriteFile(next, []byte(strconv.FormatInt(now.UnixMilli(), 10)), 0o600), os.Rename(next, c.path))
}

// after tells when the clock has been turned on by d.
func (c clock) after(d time.Duration) <-chan time.Time {
	due, fires := c.now().Add(d), make(chan time.Time, 1)
	go func() {
		for c.now().Before(due) {
			time.Sleep(3 * time.Millisecond)
		}
		fires <- due
	}()
	return fires
}

const lease = time.Minute

// playChild is one process: it keeps the heartbeat on the file in dir until it is killed or its stdin ends.
func playChild(name, dir string) error {
	c := clock{filepath.Join(dir, "clock")}
	s, err := store.Open(context.Background(), filepath.Join(dir, "memory.db"), store.Options{CacheDir: cacheDir, Now: c.now})
	if err != nil {
		return err
	}
	var out sync.Mutex
	say := func(line string) {
		out.Lock()
		defer out.Unlock()
		fmt.Println(line)
	}
	ctx, stop := context.WithCancel(context.Background())
	tasks := []heartbeat.Task{
		{Name: "tick", Every: time.Hour, Do: func(_ context.Context, run *store.Run) error {
			say(fmt.Sprint("tick ", run.Intervals))
			return nil
		}},
		{Name: "fade", Every: 24 * time.Hour, Do: func(ctx context.Context, run *store.Run) error {
			at := place(dir, name)
			_, err := s.FadeEntities(&standing{Context: ctx, left: at, say: say}, run, .05)
			if at == afterwards {
				stand(say)
			}
			return err
		}},
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		heartbeat.New(s, tasks, heartbeat.Options{Holder: name, Lease: lease, After: c.after}).Run(ctx)
	}()
	say("ready")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // until the test closes it
	stop()
	<-done
	return s.Close()
}

// Places to stand still at, beside the number of a statement.
const (
	nowhere    = -1
	afterwards = -2 // when the run is finished, and before anybody is told
)

// place gives where this process is to stand still, if it is the one.
func place(dir, name string) int {
	mine := filepath.Join(dir, "stop."+name)
	if os.Rename(filepath.Join(dir, "stop"), mine) != nil {
		return nowhere
	}
	b, err := os.ReadFile(mine)
	n, e := strconv.Atoi(string(b))
	if err != nil || e != nil {
		return nowhere
	}
	return n
}

func stand(say func(string)) {
	say("standing")
	select {}
}

// standing is a context under which what runs stands still before a statement.
type standing struct {
	context.Context
	left int // statements until then; below 0: never
	say  func(string)
}

func (s *standing) Err() error {
	if s.left == 0 {
		stand(s.say)
	}
	if s.left > 0 {
		s.left--
	}
	return s.Context.Err()
}

// process is a running child and what it said.
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
	said chan [2]string // who, what
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

// enter starts a process and waits until it is there.
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

// kill kills a process where it stands.
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
	st.t.Fatalf("there is no %s", name)
}

// turn turns the clock on, a few seconds at a time, until what is waited for is so.
func (st *stage) turn(until func() bool) {
	st.t.Helper()
	for range 5000 {
		if until() {
			return
		}
		if err := st.c.set(st.c.now().Add(5 * time.Second)); err != nil {
			st.t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond) // the processes look at the clock every 3
	}
	st.t.Fatal("what was waited for did not come")
}

// leap turns the clock on at once.
func (st *stage) leap(d time.Duration) {
	st.t.Helper()
	if err := st.c.set(st.c.now().Add(d)); err != nil {
		st.t.Fatal(err)
	}
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

// confidences gives how many entities have which confidence.
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

// Six processes and a clock that is turned: each task runs once an interval. Then the holder of the lease is killed at
// each place of its work, again and again: what fades has faded once a day all the same.
func TestProcesses_OnceAnIntervalWhoeverIsKilled(t *testing.T) {
	t.Parallel()
	const entities = 12_000 // three steps of fading
	st := newStage(t, entities)
	for range 6 {
		st.enter()
	}
	st.turn(func() bool { return !st.lease("tick").NextRunAt.IsZero() && !st.lease("fade").NextRunAt.IsZero() })

	for hour := range 8 {
		last := st.lease("tick").NextRunAt
		st.leap(last.Sub(st.c.now()))
		st.turn(func() bool { return st.lease("tick").NextRunAt.After(last) })
		if said := <-st.said; said[1] != "tick 1" {
			t.Fatalf("hour %d: %v", hour, said)
		}
		select {
		case said := <-st.said:
			t.Fatalf("hour %d: %v too", hour, said)
		default:
		}
	}

	for i, place := range []int{nowhere, 0, 3, 5, 8, 11, 13, afterwards, 14, nowhere} {
		before := st.lease("fade")
		if place != nowhere {
			if err := os.WriteFile(filepath.Join(st.dir, "stop"), []byte(strconv.Itoa(place)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		st.leap(before.NextRunAt.Sub(st.c.now()))
		if place != nowhere {
			var killed string
			st.turn(func() bool {
				for {
					select {
					case said := <-st.said:
						if said[1] == "standing" {
							killed = said[0]
						} else if !strings.HasPrefix(said[1], "tick") {
							t.Fatalf("%v", said)
						}
					default:
						return killed != ""
					}
				}
			})
			if holder := st.lease("fade").Holder; holder != killed {
				t.Fatalf("%s stands in its run, which %s holds", killed, holder)
			}
			st.kill(killed)
			st.enter()
		}
		st.turn(func() bool { return st.lease("fade").LastRunAt.After(before.LastRunAt) })
		st.turn(func() bool { return st.lease("fade").HeldUntil.IsZero() })
		want := fmt.Sprintf("%.6f", math.Pow(.9, float64(i+1)))
		if got := st.confidences(); got[want] != entities {
			t.Fatalf("day %d, killed at %d: confidences %v, want %s for all", i+1, place, got, want)
		}
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
