package engine

import (
	"context"
	"time"

	"memory-graph/store"
)

// queued returns the open jobs of the turns if this process has no model. A host's model reads such turns, so a shell
// without model settings must not complete their jobs.
func (b *backfill) queued(ctx context.Context, turns []store.WaitingTurn) (map[int64]store.OpenExtract, error) {
	if b.x.model != nil || len(turns) == 0 {
		return nil, nil
	}
	ids := make([]int64, len(turns))
	for i, t := range turns {
		ids[i] = t.ID
	}
	return b.x.store.OpenExtracts(ctx, b.req.Namespace, ids)
}

// heldPoll is how often the leases of other processes are checked.
const heldPoll = 200 * time.Millisecond

// heldElsewhere waits for the other processes' leases on turns to end, at most one lease time, and then reads the turns
// that are free. A killed process keeps its leases for some seconds; a live one renews them and keeps its turns.
func (b *backfill) heldElsewhere(ctx context.Context) error {
	ids := b.held
	if len(ids) == 0 {
		return nil
	}
	last, err := b.lastLease(ctx, ids)
	if err != nil {
		return err
	}
	if most := b.x.now().Add(extractLease); last.After(most) {
		last = most
	}
	for until := last; !until.IsZero() && b.x.now().Before(last); {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(heldPoll):
		}
		if until, err = b.lastLease(ctx, ids); err != nil {
			return err
		}
	}
	turns, err := b.x.store.TurnsToRead(ctx, b.req.Namespace, ids)
	if err != nil {
		return err
	}
	b.held, b.out.Elsewhere = nil, 0
	b.done -= len(turns)
	for len(turns) > 0 {
		n := min(len(turns), extractBatch)
		if err := b.group(ctx, turns[:n]); err != nil {
			return err
		}
		turns = turns[n:]
	}
	if len(b.held) > 0 {
		b.out.Until, err = b.lastLease(ctx, b.held)
	}
	return err
}

// lastLease returns when the last lease on the turns ends; zero if none is held.
func (b *backfill) lastLease(ctx context.Context, ids []int64) (last time.Time, err error) {
	open, err := b.x.store.OpenExtracts(ctx, b.req.Namespace, ids)
	for _, j := range open {
		if j.Running && j.Until.After(last) {
			last = j.Until
		}
	}
	return last, err
}
