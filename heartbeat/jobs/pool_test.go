package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/heartbeat/jobs"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// These tests run in a bubble of testing/synctest. The store and the pools read its clock, which advances when all
// goroutines wait. A leftover goroutine fails the test. The database is a real file.

var cacheDir = filepath.Join(os.TempDir(), "memory-graph-test-cache")

// bubble runs a test with its own file and clock. SQLite is started once outside the bubble, for all tests.
func bubble(t *testing.T, test func(t *testing.T, path string)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "memory.db")
	t.Run("file", func(t *testing.T) { openStore(t, path) })
	synctest.Test(t, func(t *testing.T) { test(t, path) })
}

func openStore(t *testing.T, path string) *store.Store {
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

func enqueue(t *testing.T, s *store.Store, n int) {
	t.Helper()
	for i := range n {
		if err := enqueueNext(context.Background(), s, fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
}

func enqueueNext(ctx context.Context, s *store.Store, content string) error {
	_, err := s.RecordEpisode(ctx, store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "default"},
		Role: memory.RoleUser, Content: content, Status: memory.StatusPending, Origin: memory.OriginUser},
		Caller: memory.Caller{Actor: "tool"}, Reading: store.Reading{Jobs: []string{"work"}}})
	return err
}

// start makes a pool of one kind of job and runs it.
func start(t *testing.T, s *store.Store, kind jobs.Kind, o jobs.Options) (p *jobs.Pool, stop func()) {
	t.Helper()
	p = jobs.New(s, []jobs.Kind{kind}, o)
	return p, run(t, p)
}

// run runs a pool until the test's end or until stop is called.
func run(t *testing.T, p *jobs.Pool) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); p.Run(ctx) }()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

// pass advances the clock by d and waits until all goroutines are idle.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func state(t *testing.T, s *store.Store) (pending, failed int) {
	t.Helper()
	st, err := s.State(context.Background(), "default")
	if err != nil {
		t.Fatal(err)
	}
	return st.Pending, st.Failed
}

func wantState(t *testing.T, s *store.Store, pending, failed int) {
	t.Helper()
	if p, f := state(t, s); p != pending || f != failed {
		t.Errorf("%d jobs are pending and %d failed, want %d and %d", p, f, pending, failed)
	}
}

func failedJobs(t *testing.T, s *store.Store) []store.FailedJob {
	t.Helper()
	list, err := s.FailedJobs(context.Background(), store.JobFilter{}, 10)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestPool_TwoPoolsOnOneFileNeverRunAJobTwice(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, path string) {
		var mu sync.Mutex
		ran := map[string]int{}
		kind := jobs.Kind{Name: "work", Batch: 7, Handle: func(_ context.Context, b jobs.Batch) error {
			mu.Lock()
			defer mu.Unlock()
			for _, j := range b.Jobs {
				ran[j.Subject]++
			}
			return nil
		}}
		first, second := openStore(t, path), openStore(t, path)
		const n = 200
		enqueue(t, first, n)
		start(t, first, kind, jobs.Options{})
		start(t, second, kind, jobs.Options{})
		pass(time.Minute)
		wantState(t, first, 0, 0)
		mu.Lock()
		defer mu.Unlock()
		if len(ran) != n {
			t.Errorf("%d of %d jobs ran", len(ran), n)
		}
		for subject, times := range ran {
			if times != 1 {
				t.Errorf("%s ran %d times", subject, times)
			}
		}
	})
}

func TestPool_TakesOverADeadHoldersJobsWhenTheLeaseEnds(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, path string) {
		s := openStore(t, path)
		enqueue(t, s, 3)
		dead, err := s.ClaimJobs(context.Background(),
			store.Claim{Kind: "work", Holder: "dead", Lease: time.Minute, Limit: 2})
		if err != nil || len(dead) != 2 {
			t.Fatalf("claim: %v, %v", dead, err)
		}
		var ran atomic.Int64
		start(t, s, jobs.Kind{Name: "work", Handle: func(_ context.Context, b jobs.Batch) error {
			ran.Add(int64(len(b.Jobs)))
			return nil
		}}, jobs.Options{})
		pass(59 * time.Second)
		if ran.Load() != 1 {
			t.Errorf("%d jobs ran during the dead holder's lease, want only the free one", ran.Load())
		}
		wantState(t, s, 2, 0)
		pass(5 * time.Second)
		if ran.Load() != 3 {
			t.Errorf("%d jobs ran in all, want 3", ran.Load())
		}
		wantState(t, s, 0, 0)
		// If the dead holder was only asleep, its late calls change nothing.
		if err := s.CompleteJobs(context.Background(), "dead", []int64{dead[0].ID}); err != nil {
			t.Error(err)
		}
	})
}

func TestPool_ALongBatchKeepsItsLease(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, path string) {
		var begun atomic.Int64
		kind := jobs.Kind{Name: "work", Handle: func(context.Context, jobs.Batch) error {
			begun.Add(1)
			time.Sleep(time.Hour)
			return nil
		}}
		first, second := openStore(t, path), openStore(t, path)
		enqueue(t, first, 1)
		start(t, first, kind, jobs.Options{})
		start(t, second, kind, jobs.Options{})
		pass(2 * time.Hour)
		if begun.Load() != 1 {
			t.Errorf("the job was begun %d times", begun.Load())
		}
		wantState(t, first, 0, 0)
	})
}

func TestPool_AfterAFailureEachJobComesAloneAndGivesUpInTheEnd(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, path string) {
		s := openStore(t, path)
		enqueue(t, s, 4)
		var done atomic.Int64
		start(t, s, jobs.Kind{Name: "work", Handle: func(_ context.Context, b jobs.Batch) error {
			for _, j := range b.Jobs {
				if j.Subject == "t2" {
					return errors.New("t2 cannot be done")
				}
			}
			done.Add(int64(len(b.Jobs)))
			return nil
		}}, jobs.Options{})
		pass(2 * time.Minute)
		wantState(t, s, 0, 1)
		if done.Load() != 3 {
			t.Errorf("%d jobs done, want 3", done.Load())
		}
		failed := failedJobs(t, s)
		for i := range failed {
			if wait := time.Until(failed[i].NextAt); wait < 10*time.Minute {
				t.Errorf("a job that gave up is retried in %v", wait)
			}
			failed[i].NextAt = time.Time{}
		}
		want := []store.FailedJob{
			{Kind: "work", Namespace: "default", Subject: "t2", LastError: "t2 cannot be done", Attempts: 5},
		}
		if diff := cmp.Diff(want, failed); diff != "" {
			t.Error(diff)
		}
	})
}

func TestPool_PokeStartsAJobBeforeThePoll(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, path string) {
		s := openStore(t, path)
		var ran atomic.Int64
		handle := func(context.Context, jobs.Batch) error { ran.Add(1); return nil }
		p, _ := start(t, s, jobs.Kind{Name: "work", Handle: handle}, jobs.Options{Poll: time.Hour})
		pass(time.Minute)
		enqueue(t, s, 1)
		pass(time.Minute)
		if ran.Load() != 0 {
			t.Error("the job ran before the poll without a poke")
		}
		p.Poke()
		synctest.Wait()
		if ran.Load() != 1 {
			t.Error("the job did not run when the pool was poked")
		}
	})
}

func TestPool_StopWaitsForTheBatchAndReleasesWhatItDidNotFinish(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		takes time.Duration
		left  int
	}{"finishes within the grace": {time.Second, 0}, "does not": {time.Hour, 2}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T, path string) {
				s := openStore(t, path)
				enqueue(t, s, 2)
				_, stop := start(t, s, jobs.Kind{Name: "work", Handle: func(ctx context.Context, _ jobs.Batch) error {
					select {
					case <-time.After(c.takes):
						return nil
					case <-ctx.Done():
						return ctx.Err()
					}
				}}, jobs.Options{Grace: 2 * time.Second})
				synctest.Wait() // the handler is running
				stop()
				// Released jobs are due at once: another holder gets them without waiting for the lease.
				left, err := s.ClaimJobs(context.Background(),
					store.Claim{Kind: "work", Holder: "next", Lease: time.Minute, Limit: 10})
				if err != nil {
					t.Fatal(err)
				}
				if len(left) != c.left {
					t.Errorf("%d jobs left, want %d", len(left), c.left)
				}
				for _, j := range left {
					if j.Attempts != 0 {
						t.Errorf("stopping the pool counted as a failure of %s", j.Subject)
					}
				}
			})
		})
	}
}

func TestPool_APanicOfAHandlerIsAFailure(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, path string) {
		s := openStore(t, path)
		enqueue(t, s, 1)
		start(t, s, jobs.Kind{Name: "work", Handle: func(context.Context, jobs.Batch) error { panic("oh") }}, jobs.Options{})
		pass(time.Second)
		if f := failedJobs(t, s); len(f) != 1 || f[0].LastError != "handler of work panicked: oh" {
			t.Errorf("failed: %+v", f)
		}
	})
}

// The handler writes vectors in the transaction that completes the jobs, so a process cannot die in between. One that
// dies earlier writes them again, with the same result.
func TestPool_WorkDoneTwiceGivesTheSameVectors(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, path string) {
		ctx := context.Background()
		s := openStore(t, path)
		gen, err := s.EnsureGeneration(ctx, store.Identity{Provider: "builtin", Model: "m", Dimensions: 4})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			if _, err := s.RecordEpisode(ctx, store.NewEpisode{
				Episode: memory.Episode{Scope: memory.Scope{Namespace: "default"}, Role: memory.RoleUser, Content: fmt.Sprint(i),
					Status: memory.StatusPending, Origin: memory.OriginUser}, Caller: memory.Caller{Actor: "tool"}}); err != nil {
				t.Fatal(err)
			}
		}
		save := func(held store.Held, list []store.Job) error {
			var vectors []store.Vector
			for _, j := range list {
				_, id, err := store.ParseEmbedSubject(j.Subject)
				if err != nil {
					return err
				}
				vectors = append(vectors, store.Vector{ID: id.Num, Vec: []int8{int8(id.Num), 1, 2, 3}})
			}
			_, err := s.SaveVectors(ctx, gen.ID, vectors, held)
			return err
		}
		prefix := store.EmbedPrefix(gen.ID)
		list, err := s.ClaimJobs(ctx,
			store.Claim{Kind: store.KindEmbed, Prefix: prefix, Holder: "dead", Lease: time.Minute, Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		if err := save(store.Held{}, list); err != nil { // the vectors of three jobs are stored, the jobs are not completed
			t.Fatal(err)
		}
		pass(2 * time.Minute)
		start(t, s, jobs.Kind{Name: store.KindEmbed, Prefix: prefix, Handle: func(_ context.Context, b jobs.Batch) error {
			return save(b.Held(), b.Jobs)
		}}, jobs.Options{})
		pass(time.Second)
		wantState(t, s, 0, 0)
		got := map[int64]int8{}
		take := func(v store.VectorRow) error { got[v.ID] = v.Vec[0]; return nil }
		if _, err := s.LoadVectors(ctx, gen.ID, store.OfEpisodes, take); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[int64]int8{1: 1, 2: 2, 3: 3, 4: 4, 5: 5}, got); diff != "" {
			t.Error(diff)
		}
	})
}
