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
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/jobs"
	"memory-graph/memory"
	"memory-graph/store"
)

var cacheDir = filepath.Join(os.TempDir(), "memory-graph-test-cache")

// clock is a time that tests move.
type clock struct{ offset atomic.Int64 }

func (c *clock) now() time.Time          { return time.Now().Add(time.Duration(c.offset.Load())) }
func (c *clock) advance(d time.Duration) { c.offset.Add(int64(d)) }

func openStore(t *testing.T, path string, c *clock) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), path, store.Options{CacheDir: cacheDir, Now: c.now})
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
		if err := s.EnqueueJob(context.Background(), "work", "default", fmt.Sprintf("t%d", i+1)); err != nil {
			t.Fatal(err)
		}
	}
}

// start runs a pool until the test's end or until stop is called.
func start(t *testing.T, p *jobs.Pool) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); p.Run(ctx) }()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

// eventually waits for what other goroutines do; it fails after a time that no healthy run comes near.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(3 * time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never happened: %s", what)
		}
	}
}

func state(t *testing.T, s *store.Store) (pending, failed int) {
	t.Helper()
	st, err := s.State(context.Background(), "default")
	if err != nil {
		t.Fatal(err)
	}
	return st.Pending, st.Failed
}

func TestPool_TwoPoolsOnOneFileNeverRunAJobTwice(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	c := new(clock)
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
	first, second := openStore(t, path, c), openStore(t, path, c)
	const n = 200
	enqueue(t, first, n)
	start(t, jobs.New(first, []jobs.Kind{kind}, jobs.Options{Poll: 20 * time.Millisecond}))
	start(t, jobs.New(second, []jobs.Kind{kind}, jobs.Options{Poll: 20 * time.Millisecond}))
	eventually(t, "the queue is empty", func() bool { p, _ := state(t, first); return p == 0 })
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
}

func TestPool_TakesOverADeadHoldersJobsWhenTheLeaseEnds(t *testing.T) {
	t.Parallel()
	c := new(clock)
	s := openStore(t, filepath.Join(t.TempDir(), "memory.db"), c)
	enqueue(t, s, 3)
	dead, err := s.ClaimJobs(context.Background(), store.Claim{Kind: "work", Holder: "dead", Lease: time.Minute, Limit: 2})
	if err != nil || len(dead) != 2 {
		t.Fatalf("claim: %v, %v", dead, err)
	}
	var ran atomic.Int64
	start(t, jobs.New(s, []jobs.Kind{{Name: "work", Handle: func(_ context.Context, b jobs.Batch) error {
		ran.Add(int64(len(b.Jobs)))
		return nil
	}}}, jobs.Options{Poll: 10 * time.Millisecond}))
	eventually(t, "the free job ran", func() bool { return ran.Load() == 1 })
	eventually(t, "two jobs are open while the lease lasts", func() bool { p, _ := state(t, s); return p == 2 })
	c.advance(61 * time.Second)
	eventually(t, "the dead holder's jobs ran", func() bool { return ran.Load() == 3 })
	eventually(t, "the queue is empty", func() bool { p, _ := state(t, s); return p == 0 })
	// What the dead holder still says, if it was only asleep, changes nothing.
	if err := s.CompleteJobs(context.Background(), "dead", []int64{dead[0].ID}); err != nil {
		t.Error(err)
	}
}

func TestPool_AfterAFailureEachJobComesAloneAndGivesUpInTheEnd(t *testing.T) {
	t.Parallel()
	c := new(clock)
	s := openStore(t, filepath.Join(t.TempDir(), "memory.db"), c)
	enqueue(t, s, 4)
	var done atomic.Int64
	start(t, jobs.New(s, []jobs.Kind{{Name: "work", Handle: func(_ context.Context, b jobs.Batch) error {
		for _, j := range b.Jobs {
			if j.Subject == "t2" {
				return errors.New("t2 cannot be done")
			}
		}
		done.Add(int64(len(b.Jobs)))
		return nil
	}}}, jobs.Options{Poll: 5 * time.Millisecond}))
	eventually(t, "t2 alone is left, given up", func() bool {
		c.advance(time.Second)
		p, f := state(t, s)
		return p == 0 && f == 1
	})
	if done.Load() != 3 {
		t.Errorf("%d jobs done, want 3", done.Load())
	}
	failed, err := s.FailedJobs(context.Background(), store.JobFilter{}, 10)
	if err != nil {
		t.Fatal(err)
	}
	for i := range failed {
		if wait := failed[i].NextAt.Sub(c.now()); wait < 10*time.Minute {
			t.Errorf("a job that has given up is tried again in %v", wait)
		}
		failed[i].NextAt = time.Time{}
	}
	want := []store.FailedJob{{Kind: "work", Namespace: "default", Subject: "t2", LastError: "t2 cannot be done", Attempts: 5}}
	if diff := cmp.Diff(want, failed); diff != "" {
		t.Error(diff)
	}
}

func TestPool_PokeStartsAJobBeforeThePoll(t *testing.T) {
	t.Parallel()
	c := new(clock)
	s := openStore(t, filepath.Join(t.TempDir(), "memory.db"), c)
	ran := make(chan struct{})
	p := jobs.New(s, []jobs.Kind{{Name: "work", Handle: func(context.Context, jobs.Batch) error { close(ran); return nil }}}, jobs.Options{
		After: func(time.Duration) <-chan time.Time { return nil }, // no poll, ever
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); p.Run(ctx) }()
	enqueue(t, s, 1)
	p.Poke()
	select {
	case <-ran:
	case <-time.After(3 * time.Minute):
		t.Fatal("the job never ran")
	}
	cancel()
	<-done
}

func TestPool_StopWaitsForTheBatchAndReleasesWhatItDidNotFinish(t *testing.T) {
	t.Parallel()
	for name, finishes := range map[string]bool{"finishes within the grace": true, "does not": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := new(clock)
			s := openStore(t, filepath.Join(t.TempDir(), "memory.db"), c)
			enqueue(t, s, 2)
			begun, finish := make(chan struct{}), make(chan struct{})
			p := jobs.New(s, []jobs.Kind{{Name: "work", Handle: func(ctx context.Context, _ jobs.Batch) error {
				close(begun)
				select {
				case <-finish:
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			}}}, jobs.Options{After: func(d time.Duration) <-chan time.Time {
				if d == time.Millisecond && !finishes {
					return time.After(d) // the grace
				}
				return nil
			}, Grace: time.Millisecond})
			stop := start(t, p)
			<-begun
			want := 2
			if finishes {
				time.AfterFunc(20*time.Millisecond, func() { close(finish) })
				want = 0
			}
			stop()
			// Released means due at once: another holder gets them without waiting for the lease.
			left, err := s.ClaimJobs(context.Background(), store.Claim{Kind: "work", Holder: "next", Lease: time.Minute, Limit: 10})
			if err != nil {
				t.Fatal(err)
			}
			if len(left) != want {
				t.Errorf("%d jobs left, want %d", len(left), want)
			}
			for _, j := range left {
				if j.Attempts != 0 {
					t.Errorf("being stopped counted as a failure of %s", j.Subject)
				}
			}
		})
	}
}

func TestPool_APanicOfAHandlerIsAFailure(t *testing.T) {
	t.Parallel()
	c := new(clock)
	s := openStore(t, filepath.Join(t.TempDir(), "memory.db"), c)
	enqueue(t, s, 1)
	start(t, jobs.New(s, []jobs.Kind{{Name: "work", Handle: func(context.Context, jobs.Batch) error { panic("oh") }}}, jobs.Options{Poll: 5 * time.Millisecond}))
	eventually(t, "the failure is noted", func() bool {
		f, err := s.FailedJobs(context.Background(), store.JobFilter{}, 1)
		return err == nil && len(f) == 1 && f[0].LastError == "handler of work panicked: oh"
	})
}

// A process dies after the vectors are written and before anything else: they were written with the jobs' end, so there
// is no such moment. One that dies before writes them again: the result is the same.
func TestPool_WorkDoneTwiceGivesTheSameVectors(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	c := new(clock)
	s := openStore(t, filepath.Join(t.TempDir(), "memory.db"), c)
	gen, err := s.EnsureGeneration(ctx, store.Identity{Provider: "builtin", Model: "m", Dimensions: 4})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if _, err := s.RecordEpisode(ctx, store.NewEpisode{Scope: memory.Scope{Namespace: "default"}, Role: memory.RoleUser, Content: fmt.Sprint(i),
			Status: memory.StatusPending, Origin: memory.OriginUser, Actor: "tool"}); err != nil {
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
	list, err := s.ClaimJobs(ctx, store.Claim{Kind: store.KindEmbed, Prefix: prefix, Holder: "dead", Lease: time.Minute, Limit: 3})
	if err != nil {
		t.Fatal(err)
	}
	if err := save(store.Held{}, list); err != nil { // the work of three is there, its jobs are not done
		t.Fatal(err)
	}
	c.advance(2 * time.Minute)
	start(t, jobs.New(s, []jobs.Kind{{Name: store.KindEmbed, Prefix: prefix, Handle: func(_ context.Context, b jobs.Batch) error {
		return save(b.Held(), b.Jobs)
	}}}, jobs.Options{Poll: 5 * time.Millisecond}))
	eventually(t, "the queue is empty", func() bool { p, _ := state(t, s); return p == 0 })
	got := map[int64]int8{}
	if _, err := s.LoadVectors(ctx, gen.ID, store.OfEpisodes, func(v store.VectorRow) error { got[v.ID] = v.Vec[0]; return nil }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[int64]int8{1: 1, 2: 2, 3: 3, 4: 4, 5: 5}, got); diff != "" {
		t.Error(diff)
	}
}
