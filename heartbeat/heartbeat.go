// Package heartbeat runs periodic tasks, each once per interval for all processes on a file. See docs/decisions.md,
// "Upkeep once per file".
//
// Each process has a Heartbeat that periodically checks whether a task is due. The first process runs it under a lease
// and renews the lease. If that process dies, the lease ends and another process takes the run over. The store's
// functions for a run commit their work together with its progress (store.Run), so that nothing is done twice.
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
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// Task is work to be done once per interval, by any process.
type Task struct {
	Name   string        // key in the file, the same in every process
	Every  time.Duration // the interval, at least a second
	AtOnce bool          // the first run on a file is due at once, not after an interval
	// Able reports whether this process can run the task now; nil means always. While it cannot, other processes may run
	// it.
	Able func() bool
	// Do runs the task. It must be idempotent, or call a function of the store that takes the run and finishes it. ctx
	// ends if another process took the run over, and when the heartbeat has stopped and its grace time is over. After an
	// error, any process may run the task again when the lease has ended.
	Do func(ctx context.Context, run *store.Run) error
}

// Options are the settings of a Heartbeat. The zero value selects the defaults.
type Options struct {
	Holder string        // unique across processes and restarts; default from host, process and a random part
	Lease  time.Duration // lease time: how long a dead process blocks a task; default a minute
	// maximum time between two checks of a task, shortened at random by up to a quarter; default a minute
	Look  time.Duration
	Grace time.Duration // how long a stopping heartbeat waits for running tasks; default 3 s
	Wait  time.Duration // how long Now waits for another process; default a minute
	// After is the clock for waiting; default time.After. The store's own clock decides what is due.
	After func(time.Duration) <-chan time.Time
	Log   *slog.Logger
}

// Heartbeat runs the tasks of one process. Create it with New.
type Heartbeat struct {
	store *store.Store
	tasks []Task
	o     Options
}

// New returns a heartbeat. It does nothing until Run.
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
	if o.Wait <= 0 {
		o.Wait = time.Minute
	}
	if o.After == nil {
		o.After = time.After
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Heartbeat{store: s, tasks: tasks, o: o}
}

// Run runs tasks until ctx ends. It then starts no more tasks, lets running ones finish within the grace time, and
// releases its leases. It returns when all its work has ended.
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

// loop checks one task until ctx ends. Each task has its own loop, so tasks do not wait for each other.
func (h *Heartbeat) loop(ctx, work context.Context, t Task) {
	// If many processes start at once, the random wait keeps them from asking for a due task at the same instant.
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
				h.o.Log.Warn("cannot check whether a task is due", "task", t.Name, "err", cause(err))
			}
			wait = jittered(h.o.Look)
		case run == nil:
			wait = h.until(due)
		default:
			h.run(work, t, run)
			wait = jittered(min(h.o.Look, t.Every) / 20) // the next check reads from the file when it is due
		}
	}
}

// until returns how long to wait for a task that is due after d. It is never longer than Look: other processes and
// clock changes can change what is due, and timers stop while the machine sleeps.
func (h *Heartbeat) until(d time.Duration) time.Duration {
	if d > h.o.Look {
		return time.Duration(float64(h.o.Look) * (1 - mathrand.Float64()/4))
	}
	return d + jittered(d/20)
}

// jittered varies a duration by up to a quarter, so that processes on one file do not ask in step.
func jittered(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (0.75 + mathrand.Float64()/2))
}

// run does one run and records its outcome.
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
			h.o.Log.Warn("cannot release the lease on a task; it will expire", "task", t.Name, "err", cause(err))
		}
		return
	}
	switch {
	case err == nil:
		h.o.Log.Debug("task done", "task", t.Name, "intervals", run.Intervals)
	case errors.Is(err, store.ErrRunLost):
		h.o.Log.Warn("a task lost its lease, and another process has taken it over", "task", t.Name)
	default: // the lease is kept: no process retries before it ends
		h.o.Log.Warn("a task failed and will be retried", "task", t.Name, "after", h.o.Lease, "err", cause(err))
	}
}

// do runs the task and turns a panic into an error.
func do(ctx context.Context, t Task, run *store.Run) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("task %s panicked: %v", t.Name, r)
		}
	}()
	return t.Do(ctx, run)
}

// renew renews the lease on a run until stop is called. It cancels the run if the lease is lost.
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

// Now runs a task at once, whether or not it is due, and returns its error. It waits while another process runs it; the
// error is Unavailable if that takes longer than o.Wait.
func Now(ctx context.Context, s *store.Store, t Task, o Options) error {
	h := New(s, nil, o)
	late := h.o.After(h.o.Wait)
	var run *store.Run
	for run == nil {
		var wait time.Duration
		var err error
		// With so short an interval, the task is due unless somebody holds it.
		if run, wait, err = s.BeginRun(ctx, store.RunRequest{Task: t.Name, Holder: h.o.Holder, Every: time.Millisecond,
			Lease: h.o.Lease, AtOnce: true}); err != nil {
			return err
		}
		if run != nil {
			break
		}
		select {
		case <-h.o.After(min(wait, lookAgain)):
		case <-ctx.Done():
			return ctx.Err()
		case <-late:
			return memory.Errorf(memory.Unavailable, "Another process is doing this already.").
				WithHint("Its result will be there soon. Try again later.")
		}
	}
	held, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stopRenewing := h.renew(held, cancel, run)
	err := do(held, t, run)
	stopRenewing()
	after, done := afterwards()
	defer done()
	if err == nil {
		return s.FinishRun(after, run)
	}
	if errors.Is(context.Cause(held), store.ErrRunLost) {
		return store.ErrRunLost
	}
	return errors.Join(err, s.ReleaseRun(after, run))
}

// lookAgain is how often Now checks whether a task is free.
const lookAgain = 200 * time.Millisecond

// afterwards returns a context for recording an outcome after everything else has stopped.
func afterwards() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), 5*time.Second)
}

// cause returns the wrapped error for the log, because the outer error is worded for a caller.
func cause(err error) error {
	if inner := errors.Unwrap(err); inner != nil {
		return inner
	}
	return err
}
