package jobs_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"memory-graph/jobs"
	"memory-graph/store"
)

var errAway = errors.New("the endpoint is away")

func TestPool_WhatComesLaterCountsNoAttempt(t *testing.T) {
	t.Parallel()
	c := new(clock)
	s := openStore(t, filepath.Join(t.TempDir(), "memory.db"), c)
	enqueue(t, s, 3)
	var tries atomic.Int64
	away := new(atomic.Bool)
	away.Store(true)
	start(t, jobs.New(s, []jobs.Kind{{Name: "work", Handle: func(context.Context, jobs.Batch) error {
		tries.Add(1)
		if away.Load() {
			return &jobs.Later{Until: c.now().Add(time.Hour), Err: errAway}
		}
		return nil
	}}}, jobs.Options{Poll: 5 * time.Millisecond}))
	for range 7 {
		before := tries.Load()
		eventually(t, "it is tried", func() bool { return tries.Load() > before })
		eventually(t, "all wait", func() bool {
			failed, err := s.FailedJobs(context.Background(), store.JobFilter{}, 10)
			if err != nil {
				t.Fatal(err)
			}
			waiting := 0
			for _, f := range failed {
				if f.Attempts != 0 || f.LastError != errAway.Error() {
					t.Fatalf("%+v", f)
				}
				if !f.Running && f.NextAt.After(c.now()) {
					waiting++
				}
			}
			return waiting == 3
		})
		c.advance(61 * time.Minute)
	}
	away.Store(false)
	eventually(t, "all done", func() bool { c.advance(time.Minute); p, f := state(t, s); return p+f == 0 })
}

func TestPool_EachJobHasItsOwnOutcome(t *testing.T) {
	t.Parallel()
	c := new(clock)
	s := openStore(t, filepath.Join(t.TempDir(), "memory.db"), c)
	enqueue(t, s, 4)
	var once sync.Once
	start(t, jobs.New(s, []jobs.Kind{{Name: "work", Handle: func(_ context.Context, b jobs.Batch) error {
		err := error(nil)
		once.Do(func() {
			each := jobs.Each{}
			for _, j := range b.Jobs {
				switch j.Subject {
				case "t2":
					each[j.ID] = errors.New("t2 is bad")
				case "t3":
					each[j.ID] = &jobs.Later{Until: c.now().Add(time.Hour), Err: errAway}
				}
			}
			err = each
		})
		if err == nil { // whoever comes again never ends
			return errors.New("again")
		}
		return err
	}}}, jobs.Options{Poll: time.Hour}))
	eventually(t, "two are left", func() bool { p, f := state(t, s); return p+f == 2 })
	got := map[string]store.FailedJob{}
	eventually(t, "both say why", func() bool {
		list, err := s.FailedJobs(context.Background(), store.JobFilter{}, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			got[f.Subject] = f
		}
		return len(got) == 2
	})
	if got["t2"].Attempts != 1 || got["t2"].LastError != "t2 is bad" || got["t3"].Attempts != 0 || got["t3"].LastError != errAway.Error() {
		t.Errorf("%+v", got)
	}
}

func TestPool_WaitsBeforeTakingMore(t *testing.T) {
	t.Parallel()
	c := new(clock)
	s := openStore(t, filepath.Join(t.TempDir(), "memory.db"), c)
	enqueue(t, s, 2)
	var ran, asked atomic.Int64
	paused := new(atomic.Bool)
	paused.Store(true)
	p := jobs.New(s, []jobs.Kind{{Name: "work", Wait: func() time.Duration {
		asked.Add(1)
		if paused.Load() {
			return time.Hour
		}
		return 0
	}, Handle: func(_ context.Context, b jobs.Batch) error { ran.Add(int64(len(b.Jobs))); return nil }}}, jobs.Options{Poll: 5 * time.Millisecond})
	start(t, p)
	p.Poke()
	eventually(t, "it has looked a few times", func() bool { return asked.Load() > 5 })
	if n := ran.Load(); n > 0 {
		t.Errorf("%d jobs ran in the pause", n)
	}
	paused.Store(false)
	eventually(t, "they run when it is over", func() bool { return ran.Load() == 2 })
}

func TestPool_RunsBatchesSideBySide(t *testing.T) {
	t.Parallel()
	c := new(clock)
	s := openStore(t, filepath.Join(t.TempDir(), "memory.db"), c)
	enqueue(t, s, 6)
	var under atomic.Int64
	all := make(chan struct{})
	start(t, jobs.New(s, []jobs.Kind{{Name: "work", Batch: 2, Parallel: 3, Handle: func(ctx context.Context, _ jobs.Batch) error {
		if under.Add(1) == 3 {
			close(all)
		}
		select {
		case <-all:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}}}, jobs.Options{Poll: 5 * time.Millisecond}))
	eventually(t, "three batches were under way at once", func() bool { p, _ := state(t, s); return p == 0 })
}

// A handler completes its job in its own transaction, and the job's id goes to the next one that is queued. What the pool
// still notes of the first must leave the second alone, which another worker may have begun.
func TestPool_NotesNothingOfAJobThatHasTheIDOfACompletedOne(t *testing.T) {
	t.Parallel()
	c := new(clock)
	s := openStore(t, filepath.Join(t.TempDir(), "memory.db"), c)
	enqueue(t, s, 1)
	var p *jobs.Pool
	var first, second atomic.Int64 // ids
	begun, looked, held := make(chan struct{}), make(chan struct{}), make(chan []int64, 1)
	var sees sync.Once
	returned := new(atomic.Bool)
	p = jobs.New(s, []jobs.Kind{{Name: "work", Parallel: 2, Wait: func() time.Duration {
		if returned.Load() { // all that the first worker had to note is noted
			sees.Do(func() { close(looked) })
		}
		return 0
	}, Handle: func(ctx context.Context, b jobs.Batch) error {
		if b.Jobs[0].Subject == "t1" {
			first.Store(b.Jobs[0].ID)
			if err := s.CompleteJobs(ctx, b.Holder, b.Held().IDs); err != nil {
				return err
			}
			if err := s.EnqueueJob(ctx, "work", "default", "t2"); err != nil {
				return err
			}
			p.Poke()
			<-begun
			returned.Store(true)
			return nil
		}
		second.Store(b.Jobs[0].ID)
		close(begun)
		<-looked
		ids, err := s.RenewJobs(ctx, b.Holder, b.Held().IDs, time.Minute)
		held <- ids
		return err
	}}}, jobs.Options{Poll: 5 * time.Millisecond})
	start(t, p)
	select {
	case ids := <-held:
		if len(ids) != 1 {
			t.Error("the second job is gone while it runs")
		}
	case <-time.After(3 * time.Minute):
		t.Fatal("the second job never ran to its end")
	}
	if first.Load() != second.Load() {
		t.Errorf("the jobs have the ids %d and %d: this shows nothing", first.Load(), second.Load())
	}
}
