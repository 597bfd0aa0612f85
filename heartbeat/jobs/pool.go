// Package jobs runs the store's leased queue: one queue for all processes on a file, and no job is run by two of them
// at once.
//
// A process holds a job under a lease and renews it. If the process dies, the lease ends and another process takes the
// job over. A job may therefore run again after its work was done but before that was recorded. A handler's result must
// be idempotent: written in the transaction that completes the job, or replacing the earlier result.
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

// Kind is a kind of job and its handler.
type Kind struct {
	Name   string        // the kind's name in the queue
	Prefix string        // prefix of the subjects that this process takes; "" takes all
	Batch  int           // maximum number of jobs in one call of Handle; default 32
	Newest bool          // the newest jobs first
	Lease  time.Duration // lease time: how long a dead process blocks a job; default 15 s
	// Parallel is the number of batches that this process runs at once; default 1. Handle must be safe for concurrent
	// calls.
	Parallel int
	// Wait returns how long to take no jobs, 0 for no wait. nil never waits. It is called before each claim.
	Wait func() time.Duration
	// Handle runs a batch. It may complete jobs itself, in the transaction that writes their results (Batch.Held). If it
	// returns nil, the other jobs are completed. If it returns an error, they fail with it. An Each gives each job its own
	// error, and a Later postpones jobs without a failure. After a failure each job of the batch is retried alone, so that
	// one bad input does not fail the others. ctx ends when the pool has stopped and its grace time is over.
	Handle func(ctx context.Context, b Batch) error
}

// Batch is the input of one call of a handler.
type Batch struct {
	Holder string
	Jobs   []store.Job // at least one
}

// Held identifies the batch's jobs to the store.
func (b Batch) Held() store.Held { return store.Held{Holder: b.Holder, IDs: b.ids()} }

func (b Batch) ids() []int64 {
	ids := make([]int64, len(b.Jobs))
	for i, j := range b.Jobs {
		ids[i] = j.ID
	}
	return ids
}

// Options are the settings of a Pool. The zero value selects the defaults.
type Options struct {
	// prefix of the holders' names, unique across processes and restarts; default from host, process and a random part
	Holder string
	Poll   time.Duration // how often to check for other processes' jobs, ±25 %; default 1.5 s
	Grace  time.Duration // how long a stopping pool waits for running batches; default 3 s
	Log    *slog.Logger
}

// Pool runs jobs of several kinds. Create it with New.
type Pool struct {
	store *store.Store
	kinds []Kind
	wake  []chan struct{} // one per kind, with room for one poke per parallel batch
	o     Options
}

// New returns a pool. It does nothing until Run.
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

// NewHolder returns a unique name for a holder of leases: host, process and a random part.
func NewHolder() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s/%d/%s", host, os.Getpid(), rand.Text()[:8])
}

// Poke announces that there may be new jobs, so that they start before the next poll. It never blocks.
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

// Run runs jobs until ctx ends. It then takes no new jobs, lets running batches finish within the grace time, and
// releases its leases. It returns when all its work has ended.
func (p *Pool) Run(ctx context.Context) {
	// Running batches outlive ctx by the grace time. Recording their outcome may take a little longer.
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
