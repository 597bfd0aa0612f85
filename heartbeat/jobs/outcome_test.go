package jobs_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"memory-graph/heartbeat/jobs"
	"memory-graph/store"
)

var errAway = errors.New("the endpoint is away")

func TestPool_WhatComesLaterCountsNoAttempt(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, path string) {
		s := openStore(t, path)
		enqueue(t, s, 3)
		var tries atomic.Int64
		away := new(atomic.Bool)
		away.Store(true)
		start(t, s, jobs.Kind{Name: "work", Handle: func(context.Context, jobs.Batch) error {
			tries.Add(1)
			if away.Load() {
				return &jobs.Later{Until: time.Now().Add(time.Hour), Err: errAway}
			}
			return nil
		}}, jobs.Options{})
		for round := range 7 {
			before := tries.Load()
			pass(61 * time.Minute)
			if tries.Load() == before {
				t.Fatalf("round %d: the job is not run", round)
			}
			failed := failedJobs(t, s)
			if len(failed) != 3 {
				t.Fatalf("round %d: %d jobs say why they wait, want 3", round, len(failed))
			}
			for _, f := range failed {
				if f.Attempts != 0 || f.LastError != errAway.Error() || f.Running || !f.NextAt.After(time.Now()) {
					t.Fatalf("round %d: %+v", round, f)
				}
			}
		}
		away.Store(false)
		pass(2 * time.Hour)
		wantState(t, s, 0, 0)
	})
}

func TestPool_EachJobHasItsOwnOutcome(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, path string) {
		s := openStore(t, path)
		enqueue(t, s, 4)
		start(t, s, jobs.Kind{Name: "work", Handle: func(_ context.Context, b jobs.Batch) error {
			each := jobs.Each{}
			for _, j := range b.Jobs {
				switch j.Subject {
				case "t2":
					each[j.ID] = errors.New("t2 is bad")
				case "t3":
					each[j.ID] = &jobs.Later{Until: time.Now().Add(time.Hour), Err: errAway}
				}
			}
			return each
		}}, jobs.Options{Poll: time.Hour})
		pass(time.Second)
		if p, f := state(t, s); p+f != 2 {
			t.Errorf("%d jobs are pending and %d failed, want two in all", p, f)
		}
		got := map[string]store.FailedJob{}
		for _, f := range failedJobs(t, s) {
			got[f.Subject] = f
		}
		if got["t2"].Attempts != 1 || got["t2"].LastError != "t2 is bad" ||
			got["t3"].Attempts != 0 || got["t3"].LastError != errAway.Error() {
			t.Errorf("%+v", got)
		}
	})
}

func TestPool_WaitsBeforeTakingMore(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, path string) {
		s := openStore(t, path)
		enqueue(t, s, 2)
		var ran, asked atomic.Int64
		paused := new(atomic.Bool)
		paused.Store(true)
		p, _ := start(t, s, jobs.Kind{Name: "work", Wait: func() time.Duration {
			asked.Add(1)
			if paused.Load() {
				return time.Hour
			}
			return 0
		}, Handle: func(_ context.Context, b jobs.Batch) error { ran.Add(int64(len(b.Jobs))); return nil }}, jobs.Options{})
		p.Poke()
		pass(time.Minute)
		if ran.Load() > 0 || asked.Load() < 5 {
			t.Errorf("%d jobs ran during the wait, and Wait was called %d times", ran.Load(), asked.Load())
		}
		paused.Store(false)
		pass(5 * time.Second)
		if ran.Load() != 2 {
			t.Errorf("%d jobs ran after the wait, want 2", ran.Load())
		}
	})
}

func TestPool_RunsBatchesSideBySide(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, path string) {
		s := openStore(t, path)
		enqueue(t, s, 6)
		var under atomic.Int64
		all := make(chan struct{})
		start(t, s, jobs.Kind{Name: "work", Batch: 2, Parallel: 3, Handle: func(ctx context.Context, _ jobs.Batch) error {
			if under.Add(1) == 3 {
				close(all)
			}
			select {
			case <-all:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}}, jobs.Options{})
		pass(10 * time.Second) // shorter than a lease
		if n := under.Load(); n != 3 {
			t.Errorf("%d batches ran at once, want 3", n)
		}
		wantState(t, s, 0, 0)
	})
}

// A handler completes its job in its own transaction, and the next queued job gets the job's id. What the pool still
// records for the first job must not affect the second, which another worker may have begun.
func TestPool_NotesNothingOfAJobThatHasTheIDOfACompletedOne(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, path string) {
		s := openStore(t, path)
		enqueue(t, s, 1)
		var p *jobs.Pool
		var first, second atomic.Int64 // ids
		begun, looked, held := make(chan struct{}), make(chan struct{}), make(chan []int64, 1)
		var sees sync.Once
		returned := new(atomic.Bool)
		p = jobs.New(s, []jobs.Kind{{Name: "work", Parallel: 2, Wait: func() time.Duration {
			if returned.Load() { // the first worker has recorded everything
				sees.Do(func() { close(looked) })
			}
			return 0
		}, Handle: func(ctx context.Context, b jobs.Batch) error {
			if b.Jobs[0].Subject == "t1" {
				first.Store(b.Jobs[0].ID)
				if err := s.CompleteJobs(ctx, b.Holder, b.Held().IDs); err != nil {
					return err
				}
				if err := enqueueNext(ctx, s, "the second"); err != nil {
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
		}}}, jobs.Options{})
		run(t, p)
		if ids := <-held; len(ids) != 1 { // the bubble fails if nothing arrives
			t.Error("the second job is no longer held while it runs")
		}
		if first.Load() != second.Load() {
			t.Errorf("the jobs have different ids, %d and %d: the test proves nothing", first.Load(), second.Load())
		}
	})
}
