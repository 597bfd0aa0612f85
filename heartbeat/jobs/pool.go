// Package jobs runs the store's leased queue: one queue for all processes on a file, and no job run twice at once.
//
// A job is held under a lease that its process renews; when the process dies the lease ends and another takes the job
// over. A job may therefore run again after its work was done and before that was noted, so a handler's result must be
// the same when it comes twice: written in the transaction that completes the job, or replacing itself.
package jobs

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
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
	// begins the holders' names, unique over processes and restarts; default from host, process and chance
	Holder string
	Poll   time.Duration // how often to look for other processes' jobs, ±25 %; default 1.5 s
	Grace  time.Duration // how long a stopping pool lets a running batch finish; default 3 s
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
		for n := range p.kinds[i].Parallel {
			w := worker{Pool: p, kind: p.kinds[i], holder: fmt.Sprintf("%s/%s%d", p.o.Holder, p.kinds[i].Name, n+1),
				wake: p.wake[i]}
			running.Go(func() { w.loop(ctx, work) })
		}
	}
	done := make(chan struct{})
	go func() { running.Wait(); close(done) }()
	<-ctx.Done()
	select {
	case <-done:
	case <-time.After(p.o.Grace):
		cancel()
		<-done
	}
}
