package store

import (
	"cmp"
	"context"
	"slices"

	"memory-graph/internal/memory"
)

// moveEnds handles a late "since March". Facts that this fact superseded at its old beginning now end at its new,
// earlier beginning.
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

// periodOf returns the past period of a fact that lasted when the fact was said to hold, or the zero fact.
// Such a fact is told late: with an old turn, by an import or out of order.
func (w *writing) periodOf(ctx context.Context, a assertion) (fact, error) {
	if a.expiresAt != "" {
		return fact{}, nil
	}
	periods, err := w.rows(ctx, w.facts, a.fact, ` AND r.valid_until > ?5 AND (r.valid_from IS NULL
		OR r.valid_from <= ?5) ORDER BY r.valid_until, r.id LIMIT 1`, max(a.said, a.validFrom))
	if err != nil || len(periods) == 0 {
		return fact{}, err
	}
	return periods[0], nil
}

// nextPast returns the first past fact that began after a newcomer began and was said: another period of the same fact,
// or a rival that may end the newcomer. It returns the zero fact if there is none.
func (w *writing) nextPast(ctx context.Context, a assertion) (fact, error) {
	if a.expiresAt != "" {
		return fact{}, nil
	}
	const later = ` AND r.valid_from > ? AND r.valid_until > r.valid_from`
	after := max(a.said, a.validFrom)
	periods, err := w.rows(ctx, w.facts, a.fact, ` AND r.valid_from > ?5 AND r.valid_until > r.valid_from`, after)
	if err != nil {
		return fact{}, err
	}
	rivals, err := w.rivalsAmong(ctx, a.fact, a.headType, a.news, func(ctx context.Context, where string,
		args ...any) ([]fact, error) {
		return w.facts(ctx, where+later, append(args, after)...)
	})
	var next fact
	for _, f := range append(periods, slices.DeleteFunc(rivals, func(f fact) bool { return !mayEnd(f, a.fact) })...) {
		if next.id == 0 || f.validFrom < next.validFrom || f.validFrom == next.validFrom && f.id < next.id {
			next = f
		}
	}
	return next, err
}

// toldLate adds a fact that is told late to a past period of the same fact.
func (w *writing) toldLate(ctx context.Context, a assertion, period fact, out *memory.RelationWrite) error {
	if err := w.unarchive(ctx, period.id); err != nil {
		return err
	}
	out.Status, out.Relationship.ID = memory.RelationReinforced, period.id
	if err := w.reinforce(ctx, a, period); err != nil {
		return err
	}
	return w.moveEnds(ctx, a, period, out)
}

// assertPast stores a fact that has ended. If the same fact is active and goes on after that end, both stay.
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

// assertEnded ends the active fact of the key. If there is none, it stores a past fact, or an active one with a
// scheduled end if the end lies ahead.
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
	if told, err := w.endTold(ctx, a, cmp.Or(a.validUntil, a.expiresAt)); err != nil || told != 0 {
		out.Relationship.ID = told
		return err
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

// endTold returns the fact whose end the same turn has told already, 0 for none. A caller and the words of a turn may
// both say that a fact is over. A time that one of them states for the end takes the place of when that was said.
func (w *writing) endTold(ctx context.Context, a assertion, end string) (int64, error) {
	found, err := w.rows(ctx, w.facts, a.fact, ` AND r.valid_until IS NOT NULL AND EXISTS (SELECT 1
		FROM mg_relationship_versions x JOIN mg_events v ON v.id = x.event_id WHERE x.relationship_id = r.id
		AND x.expired_at IS NULL AND v.episode_id = ?5 AND (v.call_id = ?6 OR ?7)) ORDER BY r.id DESC LIMIT 1`,
		w.episode, w.by.CallID, w.finding)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	f := found[0]
	from, until := f.begin(), moment{f.validUntil, f.untilUnit}
	if from.at == "" && a.fromGiven && a.validFrom < end {
		from = a.begin()
	}
	if !a.endSaid && (until.at != end || until.unit != a.untilUnit) {
		if until.at != a.said || until.unit != "" || from.at > end || !mayEnd(a.fact, f) {
			return 0, nil
		}
		until = moment{end, a.untilUnit}
	}
	set := `valid_until = ?2, until_unit = ?3, valid_from = ?4, from_unit = ?5`
	if until.at > memory.Seconds(w.now) {
		set = `valid_until = NULL, expired_at = NULL, expires_at = ?2, until_unit = ?3, valid_from = ?4, from_unit = ?5`
	}
	return f.id, w.change(ctx, f.id, causeEnded, set, until.at, nullable(string(until.unit)), nullable(from.at),
		nullable(string(from.unit)))
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
	at := moment{cmp.Or(a.validUntil, a.expiresAt), a.untilUnit}.after(f.begin())
	if err := w.endAt(ctx, f, at, f.supersededBy, causeEnded); err != nil {
		return err
	}
	return w.callOff(ctx, f, at.at)
}

// storePast writes a fact that has ended, unless the same fact with the same end is stored. The beginnings must match
// too, unless the newcomer's beginning is unknown.
func (w *writing) storePast(ctx context.Context, a assertion) (id int64, known bool, err error) {
	same, err := w.rows(ctx, w.facts, a.fact, ` AND r.valid_until = ?5 AND (r.valid_from = ?6
		OR ?6 IS NULL AND r.valid_from IS NOT r.valid_until) ORDER BY r.id LIMIT 1`, a.validUntil, nullable(a.validFrom))
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

// storeClosed writes a newcomer that ended when a later fact began. A rival that this later fact had superseded is
// superseded by the newcomer instead, if the newcomer began while the rival held.
func (w *writing) storeClosed(ctx context.Context, a assertion, rivals []fact, out *memory.RelationWrite) error {
	for _, f := range rivals {
		if err := w.conflict(ctx, f, "it holds at the same time, and a past fact ends no other fact", out); err != nil {
			return err
		}
	}
	id, known, err := w.storePast(ctx, a)
	if out.Relationship.ID = id; err != nil || known {
		out.Status = memory.RelationReinforced
		return err
	}
	before, err := w.rivalsAmong(ctx, a.fact, a.headType, a.news, func(ctx context.Context, where string,
		args ...any) ([]fact, error) {
		return w.facts(ctx, where+` AND r.superseded_by = ? AND r.valid_until = ? AND r.valid_from < ? AND r.valid_until > ?`,
			append(args, a.supersededBy, a.validUntil, a.validFrom, a.validFrom)...)
	})
	for _, f := range before {
		if err == nil && mayEnd(a.fact, f) {
			out.Superseded = append(out.Superseded, f.id)
			err = cmp.Or(w.unarchive(ctx, f.id), w.endAt(ctx, f, a.begin(), id, causeSuperseded))
		}
	}
	return err
}
