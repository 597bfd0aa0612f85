// Package jobs runs the store's leased queue: one queue for all processes on a file, and no job run twice at once.
//
// A job is held under a lease that its process renews; when the process dies the lease ends and another takes the job
// over. A job may therefore run again after its work was done and before that was noted, so a handler's result must be
// the same when it comes twice: written in the transaction that completes the job, or replacing itself.
package jobs

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"os"
	"sync"
	"time"

	"memory-graph/store"
)

// Kind is one sort of job and how it is done.
type Kind struct {
	Name   string        // as in the queue
	Prefix string        // of the subjects that this process may take; "" takes any
	Batch  int           // jobs given to one call of Handle; default 32
	Lease  time.Duration // how long a dead holder keeps a job from others; default 15 s
	// Parallel is how many batches are under way at once in this process; default 1. Handle must bear it.
	Parallel int
	// Wait says how long no jobs are to be taken, 0 for not at all; nil never waits. It is asked before each look.
	Wait func() time.Duration
	// Handle does a batch. It may complete jobs itself, in the transaction that writes their result (Batch.Held); those
	// that it has not are completed when it returns nil, and fail with its error otherwise, each with its own for an Each;
	// a Later is no failure. After a failure each job of the batch comes again alone, so that one bad input does not take
	// the others along. ctx ends when the pool stops and its grace is over.
	Handle func(ctx context.Context, b Batch) error
}

// Batch is what one call of a handler has to do.
type Batch struct {
	Holder string
	Jobs   []store.Job // at least one
}

// Held names the batch's jobs to the store.
func (b Batch) Held() store.Held { return store.Held{Holder: b.Holder, IDs: b.ids()} }

func (b Batch) ids() []int64 {
	ids := make([]int64, len(b.Jobs))
	for i, j := range b.Jobs {
		ids[i] = j.ID
	}
	return ids
}

// Options are what a Pool can be told. The zero value is good.
type Options struct {
	Holder string                               // unique over processes and restarts; default from host, process and chance
	Poll   time.Duration                        // how often to look for other processes' jobs, ±25 %; default 1.5 s
	Grace  time.Duration                        // how long a stopping pool lets a running batch finish; default 3 s
	After  func(time.Duration) <-chan time.Time // the clock that is waited on; default time.After
	Log    *slog.Logger
}

// Pool runs jobs of some kinds, as many batches of each at a time as the kind says. Make it with New.
type Pool struct {
	store *store.Store
	kinds []Kind
	wake  []chan struct{} // one a kind, holding at most one poke for each batch at a time
	o     Options
}

// New makes a pool that does nothing until Run.
func New(s *store.Store, kinds []Kind, o Options) *Pool {
	if o.Holder == "" {
		o.Holder = NewHolder()
	}
	if o.Poll <= 0 {
		o.Poll = 1500 * time.Millisecond
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
	p := &Pool{store: s, o: o}
	for _, k := range kinds {
		if k.Batch <= 0 {
			k.Batch = 32
		}
		if k.Lease <= 0 {
			k.Lease = 15 * time.Second
		}
		k.Parallel = max(k.Parallel, 1)
		p.kinds = append(p.kinds, k)
		p.wake = append(p.wake, make(chan struct{}, k.Parallel))
	}
	return p
}

// NewHolder names a holder of leases after this host, this process and chance, so that no other ever has its name.
func NewHolder() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s/%d/%s", host, os.Getpid(), rand.Text()[:8])
}

// Poke says that there may be new jobs, so that they start now and not at the next poll. It never waits.
func (p *Pool) Poke() {
	for _, wake := range p.wake {
		for range cap(wake) {
			select {
			case wake <- struct{}{}:
			default: // poked already
			}
		}
	}
}

// Run does jobs until ctx ends. Then it takes no new ones, lets the running batches finish within the grace, and gives
// back what it still holds. It returns when nothing of it runs any more.
func (p *Pool) Run(ctx context.Context) {
	// What is under way outlives ctx by the grace, and what follows from it (completing, failing, giving back) by a
	// little more.
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	var running sync.WaitGroup
	for i := range p.kinds {
		for range p.kinds[i].Parallel {
			running.Go(func() { p.loop(ctx, work, p.kinds[i], p.wake[i]) })
		}
	}
	done := make(chan struct{})
	go func() { running.Wait(); close(done) }()
	<-ctx.Done()
	select {
	case <-done:
	case <-p.o.After(p.o.Grace):
		cancel()
		<-done
	}
}

func (p *Pool) loop(ctx, work context.Context, k Kind, wake <-chan struct{}) {
	for ctx.Err() == nil {
		if k.Wait != nil {
			if wait := k.Wait(); wait > 0 {
				select {
				case <-p.o.After(min(wait, p.o.Poll)):
				case <-ctx.Done():
				}
				continue
			}
		}
		jobs, err := p.store.ClaimJobs(ctx, store.Claim{Kind: k.Name, Prefix: k.Prefix, Holder: p.o.Holder, Lease: k.Lease, Limit: k.Batch})
		if err != nil && ctx.Err() == nil {
			p.o.Log.Warn("cannot take jobs", "kind", k.Name, "err", cause(err))
		}
		if len(jobs) > 0 {
			p.runAll(ctx, work, k, jobs)
			continue
		}
		jitter := 0.75 + mathrand.Float64()/2 // processes on one file must not ask in step
		select {
		case <-wake:
		case <-p.o.After(time.Duration(float64(p.o.Poll) * jitter)):
		case <-ctx.Done():
		}
	}
}

// runAll does what was claimed: new jobs together, those that failed before one by one.
func (p *Pool) runAll(ctx, work context.Context, k Kind, jobs []store.Job) {
	stopRenewing := p.renew(work, k, jobs)
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
				p.release(Batch{p.o.Holder, rest})
			}
			return
		}
		p.run(work, k, Batch{p.o.Holder, b})
	}
}

// run does one batch and notes what became of it.
func (p *Pool) run(work context.Context, k Kind, b Batch) {
	err := handle(work, k, b)
	if err != nil && work.Err() != nil { // stopped, not failed
		p.release(b)
		return
	}
	ctx, cancel := afterwards()
	defer cancel()
	done, failed := outcomes(b.Jobs, err)
	noted := []error{p.store.CompleteJobs(ctx, b.Holder, Batch{Jobs: done}.ids())}
	for _, f := range failed {
		noted = append(noted, p.fail(ctx, k, Batch{b.Holder, f.jobs}, f.cause))
	}
	if err := errors.Join(noted...); err != nil { // the lease will end, and the batch comes again
		p.o.Log.Warn("cannot note what became of jobs", "kind", k.Name, "jobs", len(b.Jobs), "err", cause(err))
	}
}

// fail notes why jobs failed, or that they are to come again later.
func (p *Pool) fail(ctx context.Context, k Kind, b Batch, err error) error {
	var later *Later
	if errors.As(err, &later) {
		p.o.Log.Info("jobs wait", "kind", k.Name, "jobs", len(b.Jobs), "first", b.Jobs[0].Subject, "until", later.Until, "err", cause(later.Err))
		return p.store.DeferJobs(ctx, b.Holder, b.ids(), later.Until, cause(later.Err))
	}
	p.o.Log.Warn("jobs failed", "kind", k.Name, "jobs", len(b.Jobs), "first", b.Jobs[0].Subject, "attempts", b.Jobs[0].Attempts+1, "err", cause(err))
	return p.store.FailJobs(ctx, b.Holder, b.Jobs, cause(err))
}

// handle keeps a panic of a handler from ending the process.
func handle(ctx context.Context, k Kind, b Batch) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("handler of %s panicked: %v", k.Name, r)
		}
	}()
	return k.Handle(ctx, b)
}

func (p *Pool) release(b Batch) {
	ctx, cancel := afterwards()
	defer cancel()
	if err := p.store.ReleaseJobs(ctx, b.Holder, b.ids()); err != nil {
		p.o.Log.Warn("cannot give jobs back, their lease will end by itself", "jobs", len(b.Jobs), "err", cause(err))
	}
}

// afterwards is the time that noting an outcome may take while everything else has stopped.
func afterwards() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), 5*time.Second)
}

// renew keeps the lease on jobs until the function it gives is called.
func (p *Pool) renew(work context.Context, k Kind, jobs []store.Job) (stop func()) {
	ctx, cancel := context.WithCancel(work)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-p.o.After(k.Lease / 3):
			case <-ctx.Done():
				return
			}
			if _, err := p.store.RenewJobs(ctx, p.o.Holder, Batch{Jobs: jobs}.ids(), k.Lease); err != nil && ctx.Err() == nil {
				p.o.Log.Warn("cannot renew the lease on jobs", "kind", k.Name, "err", cause(err))
			}
		}
	}()
	return func() { cancel(); <-done }
}

// cause gives what the log should hold of an error whose own words are for a caller.
func cause(err error) error {
	if inner := errors.Unwrap(err); inner != nil {
		return inner
	}
	return err
}
