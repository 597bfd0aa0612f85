package store

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// settleEnds decides what becomes of the facts whose ends go with the forgotten turns, before anything is deleted. So a
// dry run names every change. A fact that would hold again ends where the fact begins that stays and took the place of
// the forgotten one that had ended it, however many forgotten ones stand between the two. Else the facts that
// contradict it by now decide as if it was told again.
func (f *forgetting) settleEnds(ctx context.Context) error {
	var open []fact
	for id := range f.ends {
		r, err := f.w.factByID(ctx, id)
		if err != nil {
			return err
		}
		if end := f.ends[id]; end.until != nil || end.expires != nil && *end.expires <= memory.Seconds(f.w.now) {
			continue
		}
		open = append(open, r)
	}
	slices.SortFunc(open, told)
	for i, r := range open { // of two rows of one fact the later holds again
		if slices.ContainsFunc(open[i+1:], func(o fact) bool {
			return o.relation == r.relation && (o.head == r.head && o.tail == r.tail ||
				graph.Mirrored(r.relation) && o.head == r.tail && o.tail == r.head)
		}) {
			delete(f.ends, r.id)
			continue
		}
		by, at, err := f.successor(ctx, r)
		if err != nil {
			return err
		}
		if by != 0 {
			f.end(r, at, by)
			continue
		}
		f.again[r.id] = true
		if err := f.meetRivals(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// told orders facts by their beginning, and those that begin together by when they were told.
func told(a, b fact) int {
	return cmp.Or(cmp.Compare(a.validFrom, b.validFrom), cmp.Compare(a.id, b.id))
}

// successor returns the fact that stays at the end of the chain of superseded_by over forgotten facts, 0 if there is
// none, and when r ends for it.
func (f *forgetting) successor(ctx context.Context, r fact) (by int64, at moment, err error) {
	passed, last := idSet{r.id: true}, r
	for f.facts[last.supersededBy] && passed.add(last.supersededBy) {
		if last, err = f.w.factByID(ctx, last.supersededBy); err != nil {
			return 0, at, err
		}
	}
	if last.supersededBy == 0 || passed[last.supersededBy] {
		return 0, at, nil
	}
	next, err := f.w.factByID(ctx, last.supersededBy)
	if at = next.begin(); at.covers(r.begin()) { // r ends when the words were said, as the last one did
		at = moment{cmp.Or(last.validUntil, last.expiresAt), last.untilUnit}
	}
	return next.id, at.after(r.begin()), err
}

// end notes the end of a fact that stays.
func (f *forgetting) end(r fact, at moment, by int64) {
	delete(f.again, r.id)
	e := factEnd{by: &by}
	if at.unit != "" {
		unit := string(at.unit)
		e.unit = &unit
	}
	if at.at > memory.Seconds(f.w.now) && at.at > r.validFrom {
		e.expires = &at.at
	} else {
		e.until = &at.at
	}
	if _, back := f.ends[r.id]; !back {
		f.over[r.id] = true
	}
	f.ends[r.id] = e
}

// meetRivals ends a fact that holds again where the first fact begins that may end it, or ends those that began before.
func (f *forgetting) meetRivals(ctx context.Context, r fact) error {
	typ, err := f.w.c.text(ctx, `SELECT type FROM mg_entities WHERE id = ?`, r.head)
	if err != nil {
		return err
	}
	rivals, err := f.w.rivalsAmong(ctx, r, typ, false, f.active)
	if err != nil {
		return err
	}
	slices.SortFunc(rivals, told)
	ends := ""
	if e := f.ends[r.id].expires; e != nil {
		ends = *e
	}
	for _, o := range rivals {
		switch later := told(o, r) > 0; {
		case ends != "" && ends <= o.validFrom || o.expiresAt != "" && o.expiresAt <= r.validFrom:
		case later && mayEnd(o, r):
			f.end(r, o.begin(), o.id)
			return nil
		case !later && mayEnd(r, o):
			f.end(o, r.begin(), r.id)
		}
	}
	return nil
}

// active returns the facts that match a condition and are active without the forgotten turns, as far as is decided.
func (f *forgetting) active(ctx context.Context, where string, args ...any) ([]fact, error) {
	found, err := f.w.openFacts(ctx, where, args...)
	if err != nil {
		return nil, err
	}
	again, err := f.w.facts(ctx, where+` AND r.id IN (SELECT value FROM json_each(?))`, append(slices.Clip(args),
		f.again.list())...)
	if err != nil {
		return nil, err
	}
	now := memory.Seconds(f.w.now)
	found = slices.DeleteFunc(found, func(r fact) bool {
		_, settled := f.ends[r.id]
		return f.facts[r.id] || settled || r.expiresAt != "" && r.expiresAt <= now
	})
	for _, r := range again {
		if r.validUntil, r.expiresAt = "", ""; f.ends[r.id].expires != nil {
			r.expiresAt = *f.ends[r.id].expires
		}
		found = append(found, r)
	}
	return found, nil
}

// takeBackEnds writes the ends that settleEnds has decided.
func (f *forgetting) takeBackEnds(ctx context.Context) error {
	w := f.w
	for _, id := range slices.Sorted(maps.Keys(f.ends)) {
		end, cause := f.ends[id], causeRestored
		before, err := w.relationshipSnapshot(ctx, id)
		if err != nil {
			return err
		}
		want, err := parseFactSnapshot(before)
		if err != nil {
			return err
		}
		want.ValidUntil, want.ExpiresAt, want.UntilUnit, want.SupersededBy = end.until, end.expires, end.unit, end.by
		if want, err = w.sound(ctx, want); err != nil {
			return err
		}
		if f.over[id] {
			cause = causeSuperseded
		}
		if err := w.writeFact(ctx, factTarget{before: before, want: want}, cause); err != nil {
			return err
		}
	}
	return nil
}
