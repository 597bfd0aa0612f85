package jobs

import (
	"context"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"time"

	"memory-graph/store"
)

// worker runs batches of one kind, one after another. It holds jobs under a name of its own. Ids of completed jobs are
// reused: without the name, the late outcome of an old job could be recorded for a new job with the same id that
// another worker holds.
type worker struct {
	*Pool
	kind   Kind
	holder string
	wake   <-chan struct{}
}

func (w worker) loop(ctx, work context.Context) {
	k := w.kind
	for ctx.Err() == nil {
		if k.Wait != nil {
			if wait := k.Wait(); wait > 0 {
				select {
				case <-time.After(min(wait, w.o.Poll)):
				case <-ctx.Done():
				}
				continue
			}
		}
		jobs, err := w.store.ClaimJobs(ctx, store.Claim{Kind: k.Name, Prefix: k.Prefix, Holder: w.holder, Lease: k.Lease,
			Limit: k.Batch, Newest: k.Newest})
		if err != nil && ctx.Err() == nil {
			w.o.Log.Warn("cannot take jobs", "kind", k.Name, "err", cause(err))
		}
		if len(jobs) > 0 {
			w.runAll(ctx, work, jobs)
			continue
		}
		jitter := 0.75 + mathrand.Float64()/2 // random, so that processes on one file do not ask in step
		select {
		case <-w.wake:
		case <-time.After(time.Duration(float64(w.o.Poll) * jitter)):
		case <-ctx.Done():
		}
	}
}

// runAll runs the claimed jobs: new jobs together, previously failed jobs one by one.
func (w worker) runAll(ctx, work context.Context, jobs []store.Job) {
	stopRenewing := w.renew(work, jobs)
	defer stopRenewing()
	var fresh []store.Job
	var batches [][]store.Job
	for _, j := range jobs {
		if j.Attempts == 0 {
			fresh = append(fresh, j)
		} else {
			batches = append(batches, []store.Job{j})
		}
	}
	if len(fresh) > 0 {
		batches = append([][]store.Job{fresh}, batches...)
	}
	for i, b := range batches {
		if ctx.Err() != nil {
			for _, rest := range batches[i:] {
				w.release(Batch{w.holder, rest})
			}
			return
		}
		w.run(work, Batch{w.holder, b})
	}
}

// run runs one batch and records its outcome.
func (w worker) run(work context.Context, b Batch) {
	err := handle(work, w.kind, b)
	if err != nil && work.Err() != nil { // stopped, not failed
		w.release(b)
		return
	}
	ctx, cancel := afterwards()
	defer cancel()
	done, failed := outcomes(b.Jobs, err)
	noted := []error{w.store.CompleteJobs(ctx, b.Holder, Batch{Jobs: done}.ids())}
	for _, f := range failed {
		noted = append(noted, w.fail(ctx, Batch{b.Holder, f.jobs}, f.cause))
	}
	if err := errors.Join(noted...); err != nil { // the lease will expire, and the batch is run again
		w.o.Log.Warn("cannot record the outcome of jobs; they will run again", "kind", w.kind.Name, "jobs", len(b.Jobs),
			"err", cause(err))
	}
}

// fail records that jobs failed, or that they must run later.
func (w worker) fail(ctx context.Context, b Batch, err error) error {
	var later *Later
	if errors.As(err, &later) {
		w.o.Log.Info("jobs postponed", "kind", w.kind.Name, "jobs", len(b.Jobs), "first", b.Jobs[0].Subject, "until",
			later.Until,
			"err", cause(later.Err))
		return w.store.DeferJobs(ctx, b.Holder, b.ids(), later.Until, cause(later.Err))
	}
	w.o.Log.Warn("jobs failed", "kind", w.kind.Name, "jobs", len(b.Jobs), "first", b.Jobs[0].Subject, "attempts",
		b.Jobs[0].Attempts+1, "err", cause(err))
	return w.store.FailJobs(ctx, b.Holder, b.Jobs, cause(err))
}

// handle calls the handler and turns a panic into an error.
func handle(ctx context.Context, k Kind, b Batch) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("handler of %s panicked: %v", k.Name, r)
		}
	}()
	return k.Handle(ctx, b)
}

func (w worker) release(b Batch) {
	ctx, cancel := afterwards()
	defer cancel()
	if err := w.store.ReleaseJobs(ctx, b.Holder, b.ids()); err != nil {
		w.o.Log.Warn("cannot release the lease on jobs; it will expire", "jobs", len(b.Jobs), "err", cause(err))
	}
}

// afterwards returns a context for recording an outcome after everything else has stopped.
func afterwards() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), 5*time.Second)
}

// renew renews the lease on jobs until stop is called.
func (w worker) renew(work context.Context, jobs []store.Job) (stop func()) {
	ctx, cancel := context.WithCancel(work)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-time.After(w.kind.Lease / 3):
			case <-ctx.Done():
				return
			}
			if _, err := w.store.RenewJobs(ctx, w.holder, Batch{Jobs: jobs}.ids(), w.kind.Lease); err != nil &&
				ctx.Err() == nil {
				w.o.Log.Warn("cannot renew the lease on jobs", "kind", w.kind.Name, "err", cause(err))
			}
		}
	}()
	return func() { cancel(); <-done }
}

// cause returns the wrapped error for the log, because the outer error is worded for a caller.
func cause(err error) error {
	if inner := errors.Unwrap(err); inner != nil {
		return inner
	}
	return err
}
