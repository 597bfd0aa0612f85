// Package heartbeat runs periodic tasks once for all processes that have a file open (F14, decision 20).
//
// Each process has a Heartbeat that looks now and then whether a task is due. Whoever is first runs it under a lease,
// which it renews; when it dies the lease ends and another process takes the run over. What must not happen twice is
// the store's to see to: its functions for a run commit what they did together with how far the run has come
// (store.Run).
package heartbeat

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"sync"
	"time"

	"memory-graph/heartbeat/jobs"
	"memory-graph/store"
)

// Task is something that is to be done once an interval, whichever process does it.
type Task struct {
	Name   string        // in the file: the same in every process
	Every  time.Duration // the interval, from a second
	AtOnce bool          // a file that never saw the task gets its first run at once, and not after an interval
	// Able says whether this process can do it now; nil: always. While it cannot the task is left to others.
	Able func() bool
	// Do does the run. Doing it twice must be as good as doing it once, or it is one of the store's functions that take
	// the run and finish it. ctx ends when the run was lost to another process, and when the heartbeat stops and its grace
	// is over. After an error the run is tried again when its lease has ended, by whoever is first.
	Do func(ctx context.Context, run *store.Run) error
}

// Options are what a Heartbeat can be told. The zero value is good.
type Options struct {
	Holder string        // unique over processes and restarts; default from host, process and chance
	Lease  time.Duration // how long a dead holder keeps a task from others; default a minute
	// the longest time between two looks at a task, up to a quarter shorter by chance; default a minute
	Look  time.Duration
	Grace time.Duration // how long a stopping heartbeat lets a running task finish; default 3 s
	// After is the clock that is waited on; default time.After. What is due is judged by the store's own clock.
	After func(time.Duration) <-chan time.Time
	Log   *slog.Logger
}

// Heartbeat is one process's part. Make it with New.
type Heartbeat struct {
	store *store.Store
	tasks []Task
	o     Options
}

// New makes a heartbeat that does nothing until Run.
func New(s *store.Store, tasks []Task, o Options) *Heartbeat {
	if o.Holder == "" {
		o.Holder = jobs.NewHolder()
	}
	if o.Lease <= 0 {
		o.Lease = time.Minute
	}
	if o.Look <= 0 {
		o.Look = time.Minute
	}
	if o.Grace <= 0 {
		o.Grace = 3 * time.Second
	}
	if o.After == nil {
		o.After = time.After
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Heartbeat{store: s, tasks: tasks, o: o}
}

// Run runs tasks until ctx ends. Then it begins none, lets those that run finish within the grace, gives back what it
// still holds, and returns when nothing of it runs any more.
func (h *Heartbeat) Run(ctx context.Context) {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	var running sync.WaitGroup
	for _, t := range h.tasks {
		running.Go(func() { h.loop(ctx, work, t) })
	}
	done := make(chan struct{})
	go func() { running.Wait(); close(done) }()
	<-ctx.Done()
	select {
	case <-done:
	case <-h.o.After(h.o.Grace):
		cancel()
		<-done
	}
}

// loop looks at one task until ctx ends. Tasks do not wait for each other.
func (h *Heartbeat) loop(ctx, work context.Context, t Task) {
	// A task that is due when many processes start is not asked for by all of them at one instant.
	wait := jittered(h.o.Look / 20)
	for {
		select {
		case <-h.o.After(wait):
		case <-ctx.Done():
			return
		}
		if t.Able != nil && !t.Able() {
			wait = jittered(h.o.Look)
			continue
		}
		run, due, err := h.store.BeginRun(ctx, store.RunRequest{Task: t.Name, Holder: h.o.Holder, Every: t.Every,
			Lease: h.o.Lease, AtOnce: t.AtOnce})
		switch {
		case err != nil:
			if ctx.Err() == nil {
				h.o.Log.Warn("cannot look for a task", "task", t.Name, "err", cause(err))
			}
			wait = jittered(h.o.Look)
		case run == nil:
			wait = h.until(due)
		default:
			h.run(work, t, run)
			wait = jittered(min(h.o.Look, t.Every) / 20) // the file says when it is due again
		}
	}
}

// until gives how long to wait for a task that is due after d: never longer than a look, since other processes and a
// clock that is set change what is due, and a sleeping machine's timers stand still.
func (h *Heartbeat) until(d time.Duration) time.Duration {
	if d > h.o.Look {
		return time.Duration(float64(h.o.Look) * (1 - mathrand.Float64()/4))
	}
	return d + jittered(d/20)
}

// jittered spreads a waiting time by a quarter, so that processes on one file do not ask in step.
func jittered(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (0.75 + mathrand.Float64()/2))
}

// run does one run and notes what became of it.
func (h *Heartbeat) run(work context.Context, t Task, run *store.Run) {
	ctx, cancel := context.WithCancelCause(work)
	defer cancel(nil)
	stopRenewing := h.renew(ctx, cancel, run)
	err := do(ctx, t, run)
	stopRenewing()
	after, done := afterwards()
	defer done()
	switch {
	case err == nil:
		err = h.store.FinishRun(after, run)
	case errors.Is(context.Cause(ctx), store.ErrRunLost):
		err = store.ErrRunLost
	case work.Err() != nil: // stopped, not failed
		if err := h.store.ReleaseRun(after, run); err != nil {
			h.o.Log.Warn("cannot give a task back, its lease will end by itself", "task", t.Name, "err", cause(err))
		}
		return
	}
	switch {
	case err == nil:
		h.o.Log.Debug("task done", "task", t.Name, "intervals", run.Intervals)
	case errors.Is(err, store.ErrRunLost):
		h.o.Log.Warn("a task took longer than its lease, and another process has taken it over", "task", t.Name)
	default: // the lease is kept: nobody tries again before it ends
		h.o.Log.Warn("a task failed; it is tried again", "task", t.Name, "after", h.o.Lease, "err", cause(err))
	}
}

// do keeps a panic of a task from ending the process.
func do(ctx context.Context, t Task, run *store.Run) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("task %s panicked: %v", t.Name, r)
		}
	}()
	return t.Do(ctx, run)
}

// renew keeps the lease on a run until the function it gives is called, and cancels the run when it is lost.
func (h *Heartbeat) renew(ctx context.Context, cancel context.CancelCauseFunc, run *store.Run) (stop func()) {
	ctx, stopped := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-h.o.After(h.o.Lease / 3):
			case <-ctx.Done():
				return
			}
			err := h.store.RenewRun(ctx, run)
			switch {
			case errors.Is(err, store.ErrRunLost):
				cancel(err)
				return
			case err != nil && ctx.Err() == nil:
				h.o.Log.Warn("cannot renew the lease on a task", "task", run.Task, "err", cause(err))
			}
		}
	}()
	return func() { stopped(); <-done }
}

// afterwards is the time that noting an outcome may take while everything else has stopped.
func afterwards() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), 5*time.Second)
}

// cause gives what the log should hold of an error whose own words are for a caller.
func cause(err error) error {
	if inner := errors.Unwrap(err); inner != nil {
		return inner
	}
	return err
}
