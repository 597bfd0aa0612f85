package engine

import (
	"context"
	"errors"
	"time"

	"memory-graph/heartbeat/jobs"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// BackfillRequest selects the turns that Backfill reads.
type BackfillRequest struct {
	Namespace string
	Limit     int                   // maximum number of turns; 0: all
	Model     bool                  // also turns that are done but that no model has read
	DryRun    bool                  // only count the turns
	Begin     func(total int)       // called before the first turn, if there is one; may be nil
	Progress  func(done, total int) // called after each group of turns; may be nil
}

// Backfilled is the result of a backfill.
type Backfilled struct {
	Found     int       // turns to read, within the limit
	Turns     int       // turns read, by the rules and, if configured, by the model
	Facts     int       // new facts
	Again     int       // known facts that were found again
	Waiting   int       // turns read by the rules that still wait because the model does not answer
	Failed    int       // turns on which the model failed
	Elsewhere int       // turns still held by other processes, after waiting for the leases of dead ones
	Until     time.Time // when the last lease on those turns ends; zero if none is known
	NoModel   int       // turns left for a model, because this process has none
	Why       error     // the last reason why a turn waits or failed; nil if none does
}

// Backfill reads the turns of a namespace that wait or failed, oldest first: with the rules, then with the model if one
// is configured. With Model it also reads the turns that only the rules have read, until the endpoint stops answering.
// It returns when all are done. Each turn is held under a lease, so Backfill may run beside servers. An interrupted
// Backfill loses nothing: the next one continues. The error is InvalidArgument if extraction is off, if neither rules
// nor a model are configured, or if Model is set without a model.
func (e *Engine) Backfill(ctx context.Context, req BackfillRequest) (Backfilled, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return Backfilled{}, err
	}
	reader := s.reading.reader
	switch {
	case !reader.On():
		return Backfilled{}, memory.Errorf(memory.InvalidArgument,
			"Extraction is off, so there are no turns to read.").WithHint("Set enabled to true.")
	case req.Model && !reader.Model():
		return Backfilled{}, memory.Errorf(memory.InvalidArgument,
			"No language model is configured to read turns again.").
			WithHint("Set llm_base_url and llm_model, or llm_command.")
	case !reader.Rules() && !reader.Model():
		return Backfilled{}, memory.Errorf(memory.InvalidArgument,
			"Neither the rules nor a language model is configured, so nothing can read turns.").
			WithHint("Set rules to true, or llm_base_url and llm_model, or llm_command.")
	}
	waiting, err := s.store.CountWaiting(ctx, req.Namespace)
	if err != nil {
		return Backfilled{}, err
	}
	b := &backfill{x: *s.reading.extractor, holder: jobs.NewHolder(), req: req, total: int(waiting)}
	b.x.saved = b.count
	for _, role := range []memory.Role{memory.RoleUser, memory.RoleAssistant, memory.RoleTool} {
		if req.Model && reader.States(role) {
			b.roles = append(b.roles, role)
		}
	}
	if req.Model {
		unread, err := s.store.CountUnread(ctx, req.Namespace, b.roles)
		if err != nil {
			return Backfilled{}, err
		}
		b.total += int(unread)
	}
	if req.Limit > 0 {
		b.total = min(b.total, req.Limit)
	}
	b.out.Found = b.total
	if req.DryRun || b.total == 0 {
		return b.out, nil
	}
	if req.Begin != nil {
		req.Begin(b.total)
	}
	if err := b.waiting(ctx); err != nil {
		return b.out, err
	}
	if req.Model && b.out.Waiting == 0 {
		if err := b.unread(ctx); err != nil {
			return b.out, err
		}
	}
	return b.out, b.heldElsewhere(ctx)
}

// waiting reads the turns that wait.
func (b *backfill) waiting(ctx context.Context) error {
	for after := int64(0); b.done < b.total; {
		turns, err := b.x.store.WaitingTurns(ctx, b.req.Namespace, after, min(b.total-b.done, extractBatch))
		if err != nil || len(turns) == 0 {
			return err
		}
		after = turns[len(turns)-1].ID
		if err := b.group(ctx, turns); err != nil {
			return err
		}
	}
	return nil
}

// unread reads the turns that no model has read, until the model stops answering. A turn that the model could not read
// waits afterwards.
func (b *backfill) unread(ctx context.Context) error {
	for after := int64(0); b.done < b.total && b.out.Waiting == 0; {
		ids, err := b.x.store.ReopenUnread(ctx, b.req.Namespace, b.roles, after, min(b.total-b.done, extractBatch))
		if err != nil || len(ids) == 0 {
			return err
		}
		after = ids[len(ids)-1]
		turns, err := b.x.store.TurnsToRead(ctx, b.req.Namespace, ids)
		if err != nil {
			return err
		}
		if err := b.group(ctx, turns); err != nil {
			return err
		}
	}
	return nil
}

type backfill struct {
	x           extractor
	holder      string
	req         BackfillRequest
	roles       []memory.Role // roles whose turns the model reads again
	done, total int
	held        []int64 // turns held by another process
	out         Backfilled
}

// group reads those of the turns that it can claim.
func (b *backfill) group(ctx context.Context, turns []store.WaitingTurn) error {
	var tasks []*task
	held := map[*task]store.Job{}
	queued, err := b.queued(ctx, turns)
	if err != nil {
		return err
	}
	for _, t := range turns {
		open, waits := queued[t.ID]
		waits = waits && (t.RulesRead || !open.Running) // else such a backfill was killed reading it
		if waits {
			b.out.NoModel++
			if t.RulesRead {
				continue
			}
		}
		job, ok, err := b.x.store.ClaimTurn(ctx, t.Scope.Namespace, t.ID, b.holder, extractLease)
		if err != nil {
			return err
		}
		if !ok {
			b.held = append(b.held, t.ID)
			b.out.Elsewhere++
			continue
		}
		// Another process may have read the turn since it was listed, and then released it.
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
		k := &task{turn: now[0], id: job.ID, job: store.Held{Holder: b.holder, IDs: []int64{job.ID}}, stays: waits}
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
	if b.done += len(turns); b.req.Progress != nil {
		b.req.Progress(b.done, b.total)
	}
	return ctx.Err()
}

// note counts the result of a turn, and releases its job if the turn is not done.
func (b *backfill) note(ctx context.Context, t *task, job store.Job) error {
	after := context.WithoutCancel(ctx)
	var later *jobs.Later
	switch {
	case t.err == nil:
		b.out.Turns++
		if t.stays {
			return b.x.store.ReleaseJobs(after, b.holder, t.job.IDs)
		}
		return nil
	case ctx.Err() != nil && b.x.model == nil && !t.stays: // no worker needs this job, so the turn waits as before
		return b.x.store.CompleteJobs(after, b.holder, t.job.IDs)
	case ctx.Err() != nil:
		return b.x.store.ReleaseJobs(after, b.holder, t.job.IDs)
	case errors.As(t.err, &later):
		b.out.Waiting++
		b.out.Why = later.Err
		return b.x.store.DeferJobs(after, b.holder, t.job.IDs, later.Until, later.Err)
	}
	b.out.Failed++
	b.out.Why = t.err
	b.x.log.Warn("reading a turn failed", "turn", job.Subject, "error", t.err)
	return b.x.store.FailJobs(after, b.holder, []store.Job{job}, t.err)
}

// count adds the stored facts to the result.
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
					b.x.log.Warn("renewing the leases on turns failed", "error", err)
				}
			}
		}
	}()
	return func() { cancel(); <-ended }
}
