package store

import (
	"cmp"
	"context"

	"memory-graph/internal/memory"
)

// Facts that have ended, or that are known to be of the past when they are stored.

func (w *writing) moveEnds(ctx context.Context, a assertion, was fact, out *memory.RelationWrite) error {
	if a.validFrom == "" || a.validFrom >= was.validFrom || a.begin().covers(was.begin()) {
		return nil
	}
	ended, err := w.facts(ctx,
		`r.namespace = ? AND r.superseded_by = ? AND coalesce(r.valid_until, r.expires_at) = ? ORDER BY r.id`,
		w.scope.Namespace, was.id, was.validFrom)
	if err != nil {
		return err
	}
	for _, f := range ended {
		if !mayEnd(a.fact, f) {
			continue
		}
		if err := w.endAt(ctx, f, a.begin().after(f.begin()), was.id, causeSuperseded); err != nil {
			return err
		}
		out.Superseded = append(out.Superseded, f.id)
	}
	return nil
}

func (w *writing) assertPast(ctx context.Context, a assertion, live []fact, out *memory.RelationWrite) (err error) {
	out.Status = memory.RelationEnded
	for _, f := range live {
		if f.validFrom < a.validUntil {
			if err := w.conflict(ctx, f,
				"the same fact is active and goes on after that end; if it has ended, use supersede", out); err != nil {
				return err
			}
		}
	}
	out.Relationship.ID, _, err = w.storePast(ctx, a)
	return err
}

func (w *writing) assertEnded(ctx context.Context, a assertion, live []fact, out *memory.RelationWrite) error {
	out.Status = memory.RelationEnded
	for _, f := range live {
		over, err := w.over(ctx, a, f)
		if err != nil {
			return err
		}
		if !over {
			continue
		}
		if mayEnd(a.fact, f) {
			out.Relationship.ID = f.id
			return w.endClaimed(ctx, a, f)
		}
		if err := cmp.Or(w.guessed(a, live), w.conflict(ctx, f, claimTooWeak, out)); err != nil {
			return err
		}
		if a.expiresAt != "" { // there is no past to store, and the fact stays active
			out.Relationship.ID = f.id
			return nil
		}
	}
	if a.expiresAt != "" {
		return w.assertActive(ctx, a, live, out)
	}
	if !a.fromGiven {
		a.validFrom, a.fromUnit = "", "" // the end says nothing about the beginning
	}
	var err error
	out.Relationship.ID, _, err = w.storePast(ctx, a)
	return err
}

// claimTooWeak is the reason why a fact goes on that is given as ended.
const claimTooWeak = "it is more trusted than the claim that it ended"

// over reports whether the claim that a fact has ended means this active one. One that began later is another period.
func (w *writing) over(ctx context.Context, a assertion, f fact) (bool, error) {
	yields, err := w.yields(ctx, f, a)
	if err != nil {
		return false, err
	}
	off, err := w.calledOff(ctx, f, a)
	return f.validFrom <= cmp.Or(a.validUntil, a.expiresAt) || yields || off || a.denied, err
}

// endClaimed ends a fact that is given as ended or denied.
func (w *writing) endClaimed(ctx context.Context, a assertion, f fact) error {
	if a.denied {
		return w.deny(ctx, f)
	}
	return w.endAt(ctx, f, moment{cmp.Or(a.validUntil, a.expiresAt), a.untilUnit}.after(f.begin()), f.supersededBy,
		causeEnded)
}

func (w *writing) storePast(ctx context.Context, a assertion) (id int64, known bool, err error) {
	same, err := w.facts(ctx,
		`r.namespace = ? AND r.head_id = ? AND r.relation = ? AND r.tail_id = ? AND r.valid_until = ? AND (r.valid_from = ?6
			OR ?6 IS NULL AND r.valid_from IS NOT r.valid_until) ORDER BY r.id LIMIT 1`,
		w.scope.Namespace, a.head, a.relation, a.tail, a.validUntil, nullable(a.validFrom))
	if err != nil {
		return 0, false, err
	}
	if len(same) > 0 {
		if err := w.unarchive(ctx, same[0].id); err != nil {
			return 0, false, err
		}
		_, err := w.c.exec(ctx, `UPDATE mg_relationships SET last_observed_at = ?2 WHERE id = ?1`, same[0].id,
			memory.Millis(w.now))
		return same[0].id, true, err
	}
	id, err = w.insertFact(ctx, a)
	return id, false, err
}

func (w *writing) storeClosed(ctx context.Context, a assertion, rivals []fact, out *memory.RelationWrite) error {
	for _, f := range rivals {
		if err := w.conflict(ctx, f, "it holds at the same time, and a past fact ends no other fact", out); err != nil {
			return err
		}
	}
	id, known, err := w.storePast(ctx, a)
	if out.Relationship.ID = id; known {
		out.Status = memory.RelationReinforced
	}
	return err
}
