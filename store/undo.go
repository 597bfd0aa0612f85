package store

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

// Undo reverses every change of meaning that one call made, as new versions, and is itself a call that can be undone
// (docs/facts.md, "Taking back"). An empty callID means the newest call of the namespace that changed something, is not
// an undo and has not been undone, so a repeated undo goes further back. Errors: NotFound for a call that changed
// nothing here; Conflict for a call that can no longer be undone. A Conflict names what changed since, and by which
// call.
func (s *Store) Undo(ctx context.Context, namespace, callID string, by memory.Caller) (memory.Undone, error) {
	var out memory.Undone
	err := s.writeGraph(ctx, "undo", "undo", memory.Scope{Namespace: namespace}, by,
		func(ctx context.Context, w *writing) error {
			events, err := w.calledEvents(ctx, callID)
			if err != nil {
				return err
			}
			out = memory.Undone{CallID: events[0].call, UndoneBy: w.by.CallID, Action: events[0].action}
			u, err := w.undoing(ctx, events)
			if err != nil {
				return err
			}
			if err := u.apply(ctx); err != nil {
				return err
			}
			out.Stayed = u.stayed
			if out.Objects, err = w.markUndone(ctx, events); err != nil {
				return err
			}
			if out.Changes, err = w.undoneTexts(ctx); err != nil {
				return err
			}
			return w.noneMergedAway(ctx)
		})
	if err != nil {
		return memory.Undone{}, err
	}
	return out, nil
}

// noneMergedAway refuses an undo that makes a fact active again if another call has since merged one of its nodes into
// another node.
func (w *writing) noneMergedAway(ctx context.Context) error {
	var refused error
	err := w.c.query(ctx, `SELECT r.id, e.id, e.kind, e.merged_into FROM mg_events v JOIN mg_relationships r ON r.id =
		CAST(substr(v.object, 2) AS INTEGER)
		JOIN mg_entities e ON e.id IN (r.head_id, r.tail_id) WHERE v.namespace = ? AND v.call_id = ? AND v.object LIKE 'r%'
		AND r.valid_until IS NULL
		AND e.merged_into IS NOT NULL LIMIT 1`,
		func(s cursor) error {
			kind := memory.NodeKind(s.text(2))
			node := memory.NodeID(kind, s.int64(1))
			refused = memory.Errorf(memory.Conflict, "%s was about %s, which has been merged into %s since.",
				memory.RelationshipID(s.int64(0)), node,
				memory.NodeID(kind, s.int64(3))).WithHint("Unmerge %s first.", node)
			return nil
		}, w.scope.Namespace, w.by.CallID)
	return cmp.Or(err, refused)
}

// undoing is the target state of a call's objects.
type undoing struct {
	w         *writing
	call      string
	facts     []factTarget
	entities  []entityTarget
	turns     []turnTarget
	retracted []int64     // nodes that become mention nodes again
	own       string      // all facts of the call, as a JSON list
	stayed    []memory.ID // turns that stay, because others depend on them
}

// undoing computes the target states that reverse the events, and refuses if an object changed since.
func (w *writing) undoing(ctx context.Context, events []changeEvent) (*undoing, error) {
	u := &undoing{w: w, call: events[0].call}
	var own []int64
	seen := map[memory.ID]bool{}
	for _, e := range events { // the first event of an object has its state before the call
		if seen[e.object] {
			continue
		}
		seen[e.object] = true
		var err error
		switch e.object.Kind {
		case memory.KindRelationship:
			own = append(own, e.object.Num)
			err = u.addFact(ctx, e)
		case memory.KindEpisode:
			err = u.addTurn(ctx, e)
		default:
			err = u.addEntity(ctx, e)
		}
		if err != nil {
			return nil, err
		}
	}
	u.own = idList(own)
	return u, nil
}

func (u *undoing) addFact(ctx context.Context, e changeEvent) error {
	w := u.w
	before, err := w.relationshipSnapshot(ctx, e.object.Num)
	if err != nil || before == "" { // forgotten since
		return err
	}
	if err := w.unchangedSince(ctx, e, "mg_relationship_versions", "relationship_id"); err != nil {
		return err
	}
	t := factTarget{before: before}
	if e.before != "" {
		t.want, err = parseFactSnapshot(e.before)
	} else if t.want, err = parseFactSnapshot(before); err == nil {
		t.want = t.want.retracted(memory.Seconds(w.now))
	}
	if err != nil {
		return err
	}
	if t.want, err = w.sound(ctx, t.want); err != nil {
		return err
	}
	u.facts = append(u.facts, t)
	return nil
}

func (u *undoing) addEntity(ctx context.Context, e changeEvent) error {
	w := u.w
	before, is, err := w.snapshotIfThere(ctx, e.object.Num)
	if err != nil || before == "" {
		return err
	}
	if err := w.unchangedSince(ctx, e, "mg_entity_versions", "entity_id"); err != nil {
		return err
	}
	t := entityTarget{before: before, is: is, want: is.mention()}
	if e.before != "" {
		if t.want, err = parseEntitySnapshot(e.before); err != nil {
			return err
		}
	}
	if is.shown() && t.want.Kind == string(memory.NodeMention) {
		u.retracted = append(u.retracted, is.ID)
	}
	u.entities = append(u.entities, t)
	return nil
}

func (w *writing) snapshotIfThere(ctx context.Context, id int64) (string, entitySnapshot, error) {
	_, there, err := w.c.int64(ctx, `SELECT 1 FROM mg_entities WHERE id = ? AND namespace = ?`, id, w.scope.Namespace)
	if err != nil || !there {
		return "", entitySnapshot{}, err
	}
	return w.snapshots(ctx, id)
}

// unchangedSince refuses if another call changed the object after an event.
func (w *writing) unchangedSince(ctx context.Context, e changeEvent, versions, column string) error {
	later, err := w.c.text(ctx, `SELECT coalesce(v.call_id, '') || ' (' || v.action || ')' FROM
		`+versions+` x JOIN
		mg_events v ON v.id = x.event_id
		WHERE
		x.`+column+` = ? AND x.event_id > ? AND x.cause <> 'expired' AND v.call_id IS NOT ? ORDER BY x.version_id DESC
			LIMIT 1`, e.object.Num, e.id, e.call)
	if err != nil || later == "" {
		return err
	}
	if same, err := w.asLeft(ctx, e); err != nil || same {
		return err
	}
	if strings.HasSuffix(later, "("+forgetAction+")") {
		return memory.Errorf(memory.Conflict, "%s changed since, by the call %s, which cannot be undone.", e.object,
			later).WithHint("Correct %s by hand.", e.object)
	}
	return memory.Errorf(memory.Conflict, "%s changed since, by the call %s.", e.object, later).
		WithHint("Undo that call first, or correct %s by hand. %s", e.object, listsCalls)
}

// asLeft reports whether an object is as the event's call left it. A change that was reversed since does not count, so
// calls can be undone one by one.
func (w *writing) asLeft(ctx context.Context, e changeEvent) (bool, error) {
	left, err := w.c.text(ctx,
		`SELECT v.after FROM mg_events v WHERE v.namespace = ? AND v.call_id = ? AND v.object = ? AND v.after IS NOT NULL
			AND `+inForce+` ORDER BY v.id DESC LIMIT 1`,
		w.scope.Namespace, e.call, e.object.String())
	if err != nil || left == "" {
		return false, err
	}
	if e.object.Kind != memory.KindRelationship {
		was, err := parseEntitySnapshot(left)
		if err != nil {
			return false, err
		}
		_, is, err := w.snapshots(ctx, e.object.Num)
		return err == nil && was.sameMeaning(is), err
	}
	was, err := parseFactSnapshot(left)
	if err != nil {
		return false, err
	}
	text, err := w.relationshipSnapshot(ctx, e.object.Num)
	if err != nil {
		return false, err
	}
	is, err := parseFactSnapshot(text)
	now := memory.Seconds(w.now)
	return err == nil && reflect.DeepEqual(was.expired(now), is.expired(now)), err
}

// apply writes the target states. Facts come first: they decide whether a node can become a mention node.
func (u *undoing) apply(ctx context.Context) error {
	w := u.w
	if err := u.check(ctx); err != nil {
		return err
	}
	if err := w.park(ctx, u.own); err != nil {
		return err
	}
	for _, t := range u.facts {
		if err := w.writeFact(ctx, t, causeUndone); err != nil {
			return err
		}
	}
	for _, t := range u.facts {
		if t.want.SupersededBy != nil && w.leadsTo(ctx, t.want.ID, t.want.ID) {
			return memory.Errorf(memory.Conflict, "%s would be superseded by itself.", memory.RelationshipID(t.want.ID)).
				WithHint("It has superseded %s since: undo that first.", memory.RelationshipID(*t.want.SupersededBy))
		}
	}
	for _, id := range u.retracted {
		if err := u.standsAlone(ctx, id); err != nil {
			return err
		}
	}
	if err := w.restoreEntities(ctx, u.entities, causeUndone, func(id, parent int64) error {
		return memory.Errorf(memory.Conflict, "e%d is now below e%d.", parent,
			id).WithHint("Move it with update_entity, and try again.")
	}); err != nil {
		return err
	}
	return u.moveTurns(ctx)
}

// check refuses if a fact that becomes active again has been stated anew since.
func (u *undoing) check(ctx context.Context) error {
	type key struct {
		head     int64
		relation string
		tail     int64
	}
	held := map[key]int64{}
	for _, t := range u.facts {
		f := t.want
		if f.ValidUntil != nil {
			continue
		}
		k := key{f.Head, f.Relation, f.Tail}
		other, err := u.w.taken(ctx, f, u.own)
		if err != nil {
			return err
		}
		if other = cmp.Or(other, held[k]); other != 0 {
			return memory.Errorf(memory.Conflict, "%s, which came since, says the same as %s.", memory.RelationshipID(other),
				memory.RelationshipID(f.ID)).
				WithHint("End %s with supersede, and try again.", memory.RelationshipID(other))
		}
		held[k] = f.ID
	}
	return u.checkForgotten(ctx)
}

// checkForgotten refuses if a fact of the call was forgotten, and a fact that becomes active again contradicts another
// one. The forgotten fact stood between the two, so nothing else shows that something changed since.
func (u *undoing) checkForgotten(ctx context.Context) error {
	w := u.w
	gone, _, err := w.c.int64(ctx, `SELECT count(*) FROM mg_events v WHERE v.namespace = ? AND v.call_id = ? AND
		v.object GLOB 'r*' AND NOT EXISTS (SELECT 1 FROM mg_facts r WHERE r.id = CAST(substr(v.object, 2) AS INTEGER))`,
		w.scope.Namespace, u.call)
	if err != nil || gone == 0 {
		return err
	}
	for _, t := range u.facts {
		old, err := w.factByID(ctx, t.want.ID)
		if err != nil {
			return err
		}
		if t.want.ValidUntil != nil || old.validUntil == "" {
			continue
		}
		typ, err := w.c.text(ctx, `SELECT type FROM mg_entities WHERE id = ?`, old.head)
		if err != nil {
			return err
		}
		rivals, err := w.rivals(ctx, old, typ, false)
		if err != nil {
			return err
		}
		for _, r := range rivals {
			if slices.ContainsFunc(u.facts, func(o factTarget) bool { return o.want.ID == r.id }) {
				continue
			}
			return memory.Errorf(memory.Conflict, "%s would be active again beside %s, which contradicts it: a fact of this "+
				"call, which came between them, has been forgotten.", memory.RelationshipID(old.id),
				memory.RelationshipID(r.id)).WithHint("If %s holds, end %s with supersede first.",
				memory.RelationshipID(old.id), memory.RelationshipID(r.id))
		}
	}
	return nil
}

// standsAlone refuses if active facts or children of other calls depend on a node that will become a mention node.
func (u *undoing) standsAlone(ctx context.Context, id int64) error {
	w := u.w
	others, err := w.activeOn(ctx, `(r.head_id = ?1 OR r.tail_id = ?1) AND r.id NOT IN (SELECT value FROM json_each(?2))`,
		id, u.own)
	if err != nil {
		return err
	}
	others, err = w.withoutLinks(ctx, others)
	if err != nil {
		return err
	}
	if len(others) > 0 {
		return memory.Errorf(memory.Conflict, "e%d is part of %s, which came since.", id,
			memory.RelationshipID(others[0].id)).
			WithHint("Undo the call that made that fact first, or end it with supersede.")
	}
	children, err := w.children(ctx, id)
	if err != nil {
		return err
	}
	for _, child := range children {
		if !slices.ContainsFunc(u.entities, func(t entityTarget) bool { return t.is.ID == child }) {
			return memory.Errorf(memory.Conflict, "Another call has put e%d below e%d.", child,
				id).WithHint("Move it with update_entity first.")
		}
	}
	return nil
}
