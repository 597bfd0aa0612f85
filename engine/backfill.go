package engine

import (
	"context"
	"errors"
	"time"

	"memory-graph/jobs"
	"memory-graph/memory"
	"memory-graph/store"
)

// BackfillRequest says what is to be made up for.
type BackfillRequest struct {
	Namespace string
	Limit     int                   // turns; 0: all
	Progress  func(done, total int) // is called behind each group of turns; may be nil
}

// Backfilled is what became of the turns that waited (Z57).
type Backfilled struct {
	Turns     int // that were read, by the rules and by the model where there is one
	Facts     int // new ones
	Again     int // facts that were known, and found again
	Waiting   int // read by the rules, and waiting for a model that is away
	Failed    int // over which the model failed
	Elsewhere int // that another process is reading now
}

// Backfill reads the turns of a namespace that wait or failed, oldest first, and returns when that is done: with the
// rules, then with the model where there is one. Each turn is held under a lease, so that it may run beside servers. What
// ends it in the middle costs nothing: the next one goes on. The error is InvalidArgument where extraction is off.
func (e *Engine) Backfill(ctx context.Context, req BackfillRequest) (Backfilled, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return Backfilled{}, err
	}
	if !s.reading.reader.On() {
		return Backfilled{}, memory.Errorf(memory.InvalidArgument, "Extraction is off, so there is nothing to make up for.").WithHint("Set enabled to true.")
	}
	waiting, err := s.store.CountWaiting(ctx, req.Namespace)
	if err != nil {
		return Backfilled{}, err
	}
	b := &backfill{x: *s.reading.extractor, holder: jobs.NewHolder(), total: int(waiting)}
	b.x.saved = b.count
	if req.Limit > 0 {
		b.total = min(b.total, req.Limit)
	}
	defer s.space.poke()
	for after, left := int64(0), b.total; left > 0; {
		turns, err := s.store.WaitingTurns(ctx, req.Namespace, after, min(left, extractBatch))
		if err != nil || len(turns) == 0 {
			return b.out, err
		}
		after, left = turns[len(turns)-1].ID, left-len(turns)
		if err := b.group(ctx, turns); err != nil {
			return b.out, err
		}
		if b.done += len(turns); req.Progress != nil {
			req.Progress(b.done, b.total)
		}
	}
	return b.out, nil
}

type backfill struct {
	x           extractor
	holder      string
	done, total int
	out         Backfilled
}

// group reads some turns, as many as can be had.
func (b *backfill) group(ctx context.Context, turns []store.WaitingTurn) error {
	var tasks []*task
	held := map[*task]store.Job{}
	for _, t := range turns {
		job, ok, err := b.x.store.ClaimTurn(ctx, t.Scope.Namespace, t.ID, b.holder, extractLease)
		if err != nil {
			return err
		}
		if !ok {
			b.out.Elsewhere++
			continue
		}
		// It may have been read since it was listed, by who let go of it now.
		now, err := b.x.store.TurnsToRead(ctx, t.Scope.Namespace, []int64{t.ID})
		if err != nil {
			return err
		}
		if len(now) == 0 {
			if err := b.x.store.CompleteJobs(ctx, b.holder, []int64{job.ID}); err != nil {
				return err
			}
			continue
		}
		k := &task{turn: now[0], id: job.ID, job: store.Held{Holder: b.holder, IDs: []int64{job.ID}}}
		tasks, held[k] = append(tasks, k), job
	}
	stop := b.keep(ctx, tasks)
	b.x.read(ctx, tasks)
	stop()
	for _, t := range tasks {
		if err := b.note(ctx, t, held[t]); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// note counts what became of a turn, and gives its job back where it is not done.
func (b *backfill) note(ctx context.Context, t *task, job store.Job) error {
	after := context.WithoutCancel(ctx)
	var later *jobs.Later
	switch {
	case t.err == nil:
		b.out.Turns++
		return nil
	case ctx.Err() != nil:
		return b.x.store.ReleaseJobs(after, b.holder, t.job.IDs)
	case errors.As(t.err, &later):
		b.out.Waiting++
		return b.x.store.DeferJobs(after, b.holder, t.job.IDs, later.Until, later.Err)
	}
	b.out.Failed++
	b.x.log.Warn("a turn could not be read", "turn", job.Subject, "error", t.err)
	return b.x.store.FailJobs(after, b.holder, []store.Job{job}, t.err)
}

// count adds up what was found.
func (b *backfill) count(w store.Written) {
	for _, r := range w.Relations {
		if r.Status == memory.RelationReinforced {
			b.out.Again++
		} else {
			b.out.Facts++
		}
	}
}

// keep renews the leases until stop is called.
func (b *backfill) keep(ctx context.Context, tasks []*task) (stop func()) {
	ids := make([]int64, len(tasks))
	for i, t := range tasks {
		ids[i] = t.id
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(extractLease / 3)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if _, err := b.x.store.RenewJobs(ctx, b.holder, ids, extractLease); err != nil && ctx.Err() == nil {
					b.x.log.Warn("the lease on turns cannot be renewed", "error", err)
				}
			}
		}
	}()
	return func() { cancel(); <-ended }
}
