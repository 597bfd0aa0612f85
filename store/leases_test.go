package store_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

const hourly = time.Hour

// asking returns holder's request for the hourly task.
func asking(holder string) store.RunRequest {
	return store.RunRequest{Task: "task", Holder: holder, Every: hourly, Lease: time.Minute}
}

// begin begins a run and checks how many times it fell due.
func begin(t *testing.T, s *store.Store, q store.RunRequest, intervals int) *store.Run {
	t.Helper()
	r, wait, err := s.BeginRun(t.Context(), q)
	if err != nil || r == nil || r.Intervals != intervals {
		t.Fatalf("%s got %+v, wait %v, %v; want a run of %d intervals", q.Holder, r, wait, err, intervals)
	}
	return r
}

// wantWait checks that there is no run, and how long to wait for one.
func wantWait(t *testing.T, s *store.Store, q store.RunRequest, want time.Duration) {
	t.Helper()
	if r, wait, err := s.BeginRun(t.Context(), q); r != nil || wait != want || err != nil {
		t.Fatalf("%s got %+v, wait %v, %v; want no run and to wait %v", q.Holder, r, wait, err, want)
	}
}

func finish(t *testing.T, s *store.Store, r *store.Run) {
	t.Helper()
	if err := s.FinishRun(t.Context(), r); err != nil {
		t.Fatal(err)
	}
}

func TestBeginRun_OnceAnIntervalForAllHolders(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	wantWait(t, s, asking("a"), hourly) // a new task is due one interval from now
	*now = now.Add(40 * time.Minute)
	wantWait(t, s, asking("b"), 20*time.Minute)
	*now = now.Add(25 * time.Minute) // five minutes late
	r := begin(t, s, asking("b"), 1)
	wantWait(t, s, asking("a"), time.Minute)
	wantWait(t, s, asking("b"), time.Minute)
	finish(t, s, r)
	finish(t, s, r)
	wantWait(t, s, asking("a"), 55*time.Minute) // being late does not move the due instants
	*now = now.Add(3*hourly + 54*time.Minute)
	begin(t, s, asking("c"), 3)
}

func TestBeginRun_CountsWhatNobodyRan(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	wantWait(t, s, asking("a"), hourly)
	*now = now.Add(5*hourly + 10*time.Minute)
	finish(t, s, begin(t, s, asking("a"), 5))
	wantWait(t, s, asking("b"), 50*time.Minute)
}

func TestBeginRun_AtOnceOnAFileThatNeverSawTheTask(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	q := asking("a")
	q.AtOnce = true
	finish(t, s, begin(t, s, q, 1))
	wantWait(t, s, q, hourly)
	leases, err := s.Leases(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]store.Lease{{Name: "task", Holder: "a", LastRunAt: *now, NextRunAt: now.Add(hourly)}},
		leases); diff != "" {
		t.Error(diff)
	}
}

func TestBeginRun_TakesOverFromTheDeadAndFromNobodyElse(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	wantWait(t, s, asking("a"), hourly)
	*now = now.Add(hourly)
	dead := begin(t, s, asking("a"), 1)
	*now = now.Add(50 * time.Second)
	if err := s.RenewRun(t.Context(), dead); err != nil {
		t.Fatal(err)
	}
	*now = now.Add(50 * time.Second)
	wantWait(t, s, asking("b"), 10*time.Second)
	*now = now.Add(10 * time.Second)
	heir := begin(t, s, asking("b"), 1)
	for name, err := range map[string]error{"renewed": s.RenewRun(t.Context(), dead),
		"finished": s.FinishRun(t.Context(), dead)} {
		if !errors.Is(err, store.ErrRunLost) {
			t.Errorf("a dead holder %s its run: %v", name, err)
		}
	}
	if err := s.ReleaseRun(t.Context(), dead); err != nil {
		t.Error(err)
	}
	wantWait(t, s, asking("c"), time.Minute) // the heir's lease is unchanged
	finish(t, s, heir)
	if err := s.FinishRun(t.Context(), dead); !errors.Is(err, store.ErrRunLost) {
		t.Errorf("finished twice: %v", err)
	}
}

// A process that slept while others ran the task must not take its own later run for the one it held before.
func TestFinishRun_OfARunThatIsOver(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	wantWait(t, s, asking("a"), hourly)
	*now = now.Add(hourly)
	slept := begin(t, s, asking("a"), 1)
	*now = now.Add(time.Minute)
	finish(t, s, begin(t, s, asking("b"), 1))
	*now = now.Add(hourly)
	begin(t, s, asking("a"), 1)
	if err := s.FinishRun(t.Context(), slept); !errors.Is(err, store.ErrRunLost) {
		t.Errorf("the lost run was finished: %v", err)
	}
}

func TestReleaseRun_MakesItDueForAnybody(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	wantWait(t, s, asking("a"), hourly)
	*now = now.Add(hourly)
	if err := s.ReleaseRun(t.Context(), begin(t, s, asking("a"), 1)); err != nil {
		t.Fatal(err)
	}
	finish(t, s, begin(t, s, asking("b"), 1))
}

// A clock that is set back must not delay a task by more than an interval, or run it twice.
func TestBeginRun_AClockThatIsSetBack(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	wantWait(t, s, asking("a"), hourly)
	*now = now.Add(hourly)
	finish(t, s, begin(t, s, asking("a"), 1))
	*now = now.Add(-30 * 24 * hourly)
	wantWait(t, s, asking("b"), hourly)
	*now = now.Add(10 * time.Minute)
	wantWait(t, s, asking("b"), 50*time.Minute)
	*now = now.Add(50 * time.Minute)
	r := begin(t, s, asking("b"), 1) // b dies; then the clock is set back again
	_ = r
	*now = now.Add(-10 * hourly)
	wantWait(t, s, asking("c"), hourly)
	*now = now.Add(hourly)
	begin(t, s, asking("c"), 1)
}

func TestBeginRun_AShorterIntervalHoldsFromTheLastRun(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	day := asking("a")
	day.Every, day.AtOnce = 24*hourly, true
	finish(t, s, begin(t, s, day, 1))
	*now = now.Add(150 * time.Minute)
	begin(t, s, asking("a"), 2)
}

// A row of an earlier program version has no next_run_at.
func TestBeginRun_GoesOnFromTheLastRunAlone(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	if err := s.ExecOnWriter(`INSERT INTO mg_leases (name, holder, last_run_at) VALUES ('task', 'old', '` +
		memory.Millis(now.Add(-90*time.Minute)) + `')`); err != nil {
		t.Fatal(err)
	}
	finish(t, s, begin(t, s, asking("a"), 1))
	wantWait(t, s, asking("a"), 30*time.Minute)
}

func TestBeginRun_RefusesWhatCannotBeAskedFor(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	for name, spoil := range map[string]func(*store.RunRequest){
		"no task":     func(q *store.RunRequest) { q.Task = "" },
		"no holder":   func(q *store.RunRequest) { q.Holder = "" },
		"no interval": func(q *store.RunRequest) { q.Every = 0 },
		"no lease":    func(q *store.RunRequest) { q.Lease = -1 },
	} {
		q := asking("a")
		spoil(&q)
		if _, _, err := s.BeginRun(t.Context(), q); code(err) != memory.InvalidArgument {
			t.Errorf("%s: %v", name, err)
		}
	}
	ro := open(t, s.Path(), store.Options{ReadOnly: true})
	if _, _, err := ro.BeginRun(t.Context(), asking("a")); code(err) != memory.ReadOnly {
		t.Errorf("read-only: %v", err)
	}
}

func TestBeginRun_WritesNothingWhileNothingIsDue(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	wantWait(t, s, asking("a"), hourly)
	*now = now.Add(time.Minute)
	other := open(t, s.Path(), store.Options{Now: func() time.Time { return *now }, BusyTimeout: 100 * time.Millisecond})
	if err := s.ExecOnWriter(`BEGIN IMMEDIATE`); err != nil {
		t.Fatal(err)
	}
	wantWait(t, other, asking("b"), 59*time.Minute) // it would fail if it tried to take the lock
	if err := s.ExecOnWriter(`ROLLBACK`); err != nil {
		t.Fatal(err)
	}
}

// Holders begin, finish, release and die at random, and the clock advances by a second to several days. A task never
// has two holders that can finish it, and its runs cover every instant that passed exactly once.
func TestBeginRun_RandomLivesRunOnceAnInterval(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		draw := rand.New(rand.NewPCG(seed, 1))
		now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
		s := open(t, filepath.Join(t.TempDir(), "memory.db"),
			store.Options{Synchronous: "off", Now: func() time.Time { return now }})
		wantWait(t, s, asking("0"), hourly)
		begun, ran := now, 0
		held := map[string]*store.Run{} // of living holders, and of dead ones that come back
		for range 120 {
			holder := string(rune('a' + draw.IntN(4)))
			r := held[holder]
			switch n := draw.IntN(10); {
			case n < 4 && r == nil:
				got, _, err := s.BeginRun(context.Background(), asking(holder))
				if err != nil {
					t.Fatal(err)
				}
				if got != nil {
					held[holder] = got
				}
			case n < 7 && r != nil:
				err := s.FinishRun(context.Background(), r)
				if err == nil {
					ran += r.Intervals
					if want := int(r.At.Sub(begun) / hourly); ran != want {
						t.Fatalf("seed %d: run for %d intervals by %v, want %d", seed, ran, r.At.Sub(begun), want)
					}
				} else if !errors.Is(err, store.ErrRunLost) {
					t.Fatal(err)
				}
				delete(held, holder)
			case n == 7 && r != nil:
				if err := s.ReleaseRun(context.Background(), r); err != nil {
					t.Fatal(err)
				}
				delete(held, holder)
			default:
				now = now.Add(time.Duration(draw.ExpFloat64()*40) * time.Minute).Add(time.Second)
			}
		}
		if ran == 0 {
			t.Errorf("seed %d: nothing ran", seed)
		}
	}
}
