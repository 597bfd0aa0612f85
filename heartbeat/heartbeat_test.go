package heartbeat_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"memory-graph/heartbeat"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// These tests run in a bubble of testing/synctest. The stores and heartbeats read its clock, which advances when all
// goroutines wait. A leftover goroutine fails the test. The database is a real file.

var cacheDir = filepath.Join(os.TempDir(), "memory-graph-test-cache")

func openStore(t testing.TB, path string) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), path, store.Options{CacheDir: cacheDir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// bubble runs a test with its own file and clock. SQLite is started once outside the bubble, for all tests.
func bubble(t *testing.T, test func(t *testing.T, path string)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "memory.db")
	t.Run("file", func(t *testing.T) { openStore(t, path) })
	synctest.Test(t, func(t *testing.T) { test(t, path) })
}

// beat starts a heartbeat on a store. It returns a function that stops it and waits for its end.
func beat(s *store.Store, o heartbeat.Options, tasks ...heartbeat.Task) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); heartbeat.New(s, tasks, o).Run(ctx) }()
	return func() { cancel(); <-done }
}

// runs records the runs of tasks by all heartbeats.
type runs struct {
	mu sync.Mutex
	at map[string][]time.Time
	n  map[string]int // intervals
}

func newRuns() *runs { return &runs{at: map[string][]time.Time{}, n: map[string]int{}} }

func (r *runs) note(run *store.Run) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at[run.Task] = append(r.at[run.Task], run.At)
	r.n[run.Task] += run.Intervals
}

func (r *runs) count(task string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.at[task])
}

func (r *runs) task(name string, every time.Duration) heartbeat.Task {
	return heartbeat.Task{Name: name, Every: every,
		Do: func(_ context.Context, run *store.Run) error { r.note(run); return nil }}
}

func TestRun_SixProcessesRunEachTaskOnceAnInterval(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, path string) {
		seen := newRuns()
		every := map[string]time.Duration{"retry": 15 * time.Minute, "expiry": time.Hour, "fade": 24 * time.Hour}
		begun := time.Now()
		var stops []func()
		for range 6 {
			var tasks []heartbeat.Task
			for name, d := range every {
				tasks = append(tasks, seen.task(name, d))
			}
			stops = append(stops, beat(openStore(t, path), heartbeat.Options{Look: time.Hour}, tasks...))
		}
		const days = 10
		time.Sleep(days*24*time.Hour + 7*time.Minute)
		for _, stop := range stops {
			stop()
		}
		for name, d := range every {
			if want := int(days * 24 * time.Hour / d); len(seen.at[name]) != want || seen.n[name] != want {
				t.Errorf("%s ran %d times for %d intervals, want %d", name, len(seen.at[name]), seen.n[name], want)
			}
			for i, at := range seen.at[name] { // once per interval, up to the jitter
				if late := at.Sub(begun.Add(time.Duration(i+1) * d)); late < 0 || late > 10*time.Minute {
					t.Errorf("run %d of %s came %v after it was due", i, name, late)
				}
			}
		}
	})
}

// Six processes, an entity and a fact: the entity's confidence decays by exactly one factor a day.
func TestRun_FadesOnceADayOverAllProcesses(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, path string) {
		var stops []func()
		var s *store.Store
		for range 6 {
			s = openStore(t, path)
			stops = append(stops, beat(s, heartbeat.Options{Look: time.Hour},
				heartbeat.Task{Name: "fade", Every: 24 * time.Hour, Do: func(ctx context.Context, run *store.Run) error {
					_, err := s.FadeEntities(ctx, run, .05)
					return err
				}}))
		}
		time.Sleep(time.Hour) // the task is due an hour before the entity's day ends
		id := entity(t, s)
		for day := range 14 {
			time.Sleep(24 * time.Hour)
			if want := math.Pow(.9, float64(max(0, day-6))); math.Abs(confidence(t, s, id)-want) > 1e-8 {
				t.Errorf("day %d: confidence %v, want %v", day+1, confidence(t, s, id), want)
			}
		}
		for _, stop := range stops {
			stop()
		}
	})
}

func entity(t *testing.T, s *store.Store) int64 {
	t.Helper()
	one := 1.
	w, err := s.CreateEntity(t.Context(), memory.Scope{Namespace: "n"},
		memory.EntityDraft{Name: "Ann", Type: "person", Confidence: &one,
			Origin: memory.OriginUser, Method: memory.MethodSupplied}, memory.Caller{Actor: "tool"})
	if err != nil {
		t.Fatal(err)
	}
	return w.Entity.ID
}

func confidence(t *testing.T, s *store.Store, id int64) float64 {
	t.Helper()
	found, err := s.EntitiesByID(t.Context(), "n", []int64{id}, memory.AsOf{})
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	return found[0].Confidence
}

func TestRun_MakesUpForTheTimeNobodyWasThere(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, path string) {
		seen := newRuns()
		s := openStore(t, path)
		stop := beat(s, heartbeat.Options{}, seen.task("task", time.Hour))
		time.Sleep(90 * time.Minute)
		stop()
		time.Sleep(5 * time.Hour)
		stop = beat(s, heartbeat.Options{}, seen.task("task", time.Hour))
		time.Sleep(5 * time.Minute)
		stop()
		if len(seen.at["task"]) != 2 || seen.n["task"] != 6 {
			t.Errorf("%d runs for %d intervals, want 2 for 6", len(seen.at["task"]), seen.n["task"])
		}
	})
}

func TestRun_ALongRunKeepsItsLease(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, path string) {
		seen := newRuns()
		slow := heartbeat.Task{Name: "slow", Every: time.Hour, Do: func(_ context.Context, run *store.Run) error {
			seen.note(run)
			time.Sleep(30 * time.Minute)
			return nil
		}}
		var stops []func()
		for range 3 {
			stops = append(stops, beat(openStore(t, path), heartbeat.Options{}, slow, seen.task("beside", 10*time.Minute)))
		}
		time.Sleep(5*time.Hour + 45*time.Minute)
		if n := seen.count("slow"); n != 5 {
			t.Errorf("ran %d times, want 5", n)
		}
		if n := seen.count("beside"); n != 34 {
			t.Errorf("the other task ran %d times, want 34", n)
		}
		for _, stop := range stops {
			stop()
		}
	})
}

// A process that is blocked for longer than its lease has lost the run: its work is cancelled, and another process does
// it.
func TestRun_AProcessThatStoodStillHasLostItsRun(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, path string) {
		seen := newRuns()
		frozen := make(chan struct{})
		after := func(d time.Duration) <-chan time.Time { // renewing happens much too late
			if d == 20*time.Second {
				d = 30 * time.Minute
			}
			return time.After(d)
		}
		var cancelled error
		stopFrozen := beat(openStore(t, path), heartbeat.Options{After: after, Holder: "frozen"},
			heartbeat.Task{Name: "task", Every: time.Hour,
				Do: func(ctx context.Context, run *store.Run) error {
					<-ctx.Done()
					cancelled = context.Cause(ctx)
					close(frozen)
					return ctx.Err()
				}})
		time.Sleep(59 * time.Minute)
		time.Sleep(10 * time.Minute)
		stop := beat(openStore(t, path), heartbeat.Options{}, seen.task("task", time.Hour))
		<-frozen
		if n := seen.count("task"); n != 1 || !errors.Is(cancelled, store.ErrRunLost) {
			t.Errorf("the task ran %d times, and the first run's cause of cancellation is %v", n, cancelled)
		}
		stopFrozen()
		stop()
	})
}

func TestRun_WhatFailsIsTriedAgainWhenTheLeaseEnds(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, path string) {
		seen := newRuns()
		failing := heartbeat.Task{Name: "failing", Every: time.Hour, Do: func(_ context.Context, run *store.Run) error {
			seen.note(run)
			switch seen.count("failing") {
			case 1:
				return errors.New("no luck")
			case 2:
				panic("no luck at all")
			}
			return nil
		}}
		s := openStore(t, path)
		stop := beat(s, heartbeat.Options{}, failing)
		time.Sleep(115 * time.Minute)
		stop()
		at := seen.at["failing"]
		if len(at) != 3 {
			t.Fatalf("run at %v, want three runs", at)
		}
		for i := range 2 {
			if gap := at[i+1].Sub(at[i]); gap < time.Minute || gap > 3*time.Minute {
				t.Errorf("retried after %v", gap)
			}
		}
		leases, err := s.Leases(t.Context())
		if err != nil || len(leases) != 1 || !leases[0].LastRunAt.Equal(at[2].UTC()) || !leases[0].HeldUntil.IsZero() {
			t.Errorf("%+v, %v", leases, err)
		}
	})
}

func TestRun_AStopGivesTheRunBackAfterItsGrace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		takes time.Duration
		want  bool // the task is done
	}{"short": {time.Second, true}, "long": {time.Hour, false}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, path string) {
				began := make(chan struct{}, 1)
				s := openStore(t, path)
				stop := beat(s, heartbeat.Options{}, heartbeat.Task{Name: "task", Every: time.Hour, AtOnce: true,
					Do: func(ctx context.Context, _ *store.Run) error {
						began <- struct{}{}
						select {
						case <-time.After(c.takes):
							return nil
						case <-ctx.Done():
							return ctx.Err()
						}
					}})
				<-began
				before := time.Now()
				stop()
				if took := time.Since(before); took > 3*time.Second {
					t.Errorf("stopping took %v", took)
				}
				leases, err := s.Leases(t.Context())
				if err != nil || len(leases) != 1 || !leases[0].HeldUntil.IsZero() || leases[0].LastRunAt.IsZero() == c.want {
					t.Errorf("%+v, %v", leases, err)
				}
			})
		})
	}
}

func TestRun_WhoIsNotAbleLeavesTheTaskToOthers(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, path string) {
		seen, able := newRuns(), newRuns()
		unable := seen.task("task", time.Hour)
		unable.Able = func() bool { return false }
		stops := []func(){
			beat(openStore(t, path), heartbeat.Options{}, unable),
			beat(openStore(t, path), heartbeat.Options{}, able.task("task", time.Hour)),
		}
		time.Sleep(3*time.Hour + 30*time.Minute)
		for _, stop := range stops {
			stop()
		}
		if seen.count("task") != 0 || able.count("task") != 3 {
			t.Errorf("%d runs by the process that is not able, %d by the other; want 0 and 3", seen.count("task"),
				able.count("task"))
		}
	})
}

// Six idle processes check a few times a minute and write nothing.
func TestRun_LooksWithoutWriting(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, path string) {
		var stops []func()
		var s *store.Store
		for range 6 {
			s = openStore(t, path)
			stops = append(stops, beat(s, heartbeat.Options{}, newRuns().task("task", 24*time.Hour)))
		}
		time.Sleep(time.Hour)
		wal := func() string {
			info, err := os.Stat(path + "-wal")
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprint(info.Size(), info.ModTime())
		}
		before := wal()
		time.Sleep(20 * time.Hour)
		if after := wal(); after != before {
			t.Errorf("the file changed from %s to %s", before, after)
		}
		for _, stop := range stops {
			stop()
		}
	})
}
