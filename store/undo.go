package store

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/ncruces/go-sqlite3"

	"memory-graph/memory"
)

// Undo takes back every change of meaning that one call made, as new versions, and is itself a call that can be undone
// (docs/facts.md, "Taking back"). callID "" is the newest call of the namespace that changed something and was not taken
// back, so that a second undo takes the first one back. Errors: NotFound for a call that changed nothing here; Conflict,
// which names what changed since and by which call, for one that cannot be taken back any more.
func (s *Store) Undo(ctx context.Context, namespace, callID string, by memory.Caller) (memory.Undone, error) {
	var out memory.Undone
	err := s.writeGraph(ctx, "undo", "undo", memory.Scope{Namespace: namespace}, by, func(ctx context.Context, w *writing) error {
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
		out.Objects, err = w.markUndone(ctx, events)
		return err
	})
	if err != nil {
		return memory.Undone{}, err
	}
	return out, nil
}

// changeEvent is one event of a call, as undo reads it.
type changeEvent struct {
	id       int64
	call     string
	action   string
	object   memory.ID
	before   string // "" for what the event made
	undoneBy int64
}

// changedMeaning are the events v that changed a meaning: not the notes of turns, and not a scheduled end that came, which nobody
// did.
const changedMeaning = `(v.before IS NOT NULL OR v.after IS NOT NULL)
	AND NOT EXISTS (SELECT 1 FROM mg_relationship_versions x WHERE x.event_id = v.id AND x.cause = 'expired')`

// NewestCall gives the call that Undo takes back where none is named. The error is NotFound where there is none.
func (s *Store) NewestCall(ctx context.Context, namespace string) (callID string, err error) {
	err = s.readOne(ctx, "look for the last call", func(c *conn) (err error) {
		callID, err = newestCall(ctx, c, namespace)
		return err
	})
	return callID, err
}

func newestCall(ctx context.Context, c *conn, namespace string) (string, error) {
	newest, err := c.text(ctx, `SELECT v.call_id FROM mg_events v WHERE v.namespace = ? AND v.undone_by IS NULL AND v.call_id IS NOT NULL
		AND v.action <> 'forget' AND `+changedMeaning+` ORDER BY v.id DESC LIMIT 1`, namespace)
	if err == nil && newest == "" {
		err = memory.Errorf(memory.NotFound, "Nothing has changed in namespace %q that could be undone.", namespace).
			WithHint("Check the namespace; what_changed lists what changed, with its call.")
	}
	return newest, err
}

// calledEvents gives the changes of a call, first to last; of the newest one for "". There is at least one, and none of
// them was taken back.
func (w *writing) calledEvents(ctx context.Context, callID string) ([]changeEvent, error) {
	if callID == "" {
		newest, err := newestCall(ctx, w.c, w.scope.Namespace)
		if err != nil {
			return nil, err
		}
		callID = newest
	}
	var events []changeEvent
	err := w.c.query(ctx, `SELECT v.id, v.action, v.object, v.before, v.undone_by FROM mg_events v WHERE v.namespace = ? AND v.call_id = ? AND `+changedMeaning+` ORDER BY v.id`,
		func(s *sqlite3.Stmt) error {
			object, err := memory.ParseID(s.ColumnText(2))
			if err != nil {
				return fmt.Errorf("event %d: object: %w", s.ColumnInt64(0), err)
			}
			events = append(events, changeEvent{id: s.ColumnInt64(0), call: callID, action: s.ColumnText(1), object: object, before: s.ColumnText(3), undoneBy: s.ColumnInt64(4)})
			return nil
		}, w.scope.Namespace, callID)
	if err != nil {
		return nil, err
	}
	if len(events) == 0 {
		return nil, memory.Errorf(memory.NotFound, "There is no call %q in namespace %q that changed something.", clip(callID), w.scope.Namespace).
			WithHint("what_changed lists what changed, with its call; a turn itself is removed with forget.")
	}
	return events, w.undoable(ctx, events)
}

// undoable refuses a call that was taken back, and one that forgot something.
func (w *writing) undoable(ctx context.Context, events []changeEvent) error {
	for _, e := range events {
		if e.action == forgetAction {
			return memory.Errorf(memory.Conflict, "The call %s forgot something, and that is for good.", e.call).WithHint("Store it again.")
		}
		if e.undoneBy == 0 {
			continue
		}
		by, err := w.c.text(ctx, `SELECT call_id FROM mg_events WHERE id = ? AND undone_by IS NULL`, e.undoneBy)
		if err != nil {
			return err
		}
		if by == "" { // what took it back was taken back: it is in force again
			continue
		}
		return memory.Errorf(memory.Conflict, "The call %s was taken back already, by the call %s.", e.call, by).WithHint("To have it again, undo that one.")
	}
	return nil
}

// undoing is what a call's objects are to become.
type undoing struct {
	w         *writing
	facts     []factTarget
	entities  []entityTarget
	retracted []int64 // nodes that become mere names again
	own       string  // all facts of the call, as a list
}

// undoing works out what taking events back means, and refuses where something changed since.
func (w *writing) undoing(ctx context.Context, events []changeEvent) (*undoing, error) {
	u := &undoing{w: w}
	var own []int64
	seen := map[memory.ID]bool{}
	for _, e := range events { // the first event of an object knows what it was before the call
		if seen[e.object] {
			continue
		}
		seen[e.object] = true
		var err error
		if e.object.Kind == memory.KindRelationship {
			own = append(own, e.object.Num)
			err = u.addFact(ctx, e)
		} else {
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

// unchangedSince refuses where another call changed the object after an event.
func (w *writing) unchangedSince(ctx context.Context, e changeEvent, versions, column string) error {
	later, err := w.c.text(ctx, `SELECT coalesce(v.call_id, '') || ' (' || v.action || ')' FROM `+versions+` x JOIN mg_events v ON v.id = x.event_id
		WHERE x.`+column+` = ? AND x.event_id > ? AND x.cause <> 'expired' AND v.call_id IS NOT ? ORDER BY x.version_id DESC LIMIT 1`, e.object.Num, e.id, e.call)
	if err != nil || later == "" {
		return err
	}
	if same, err := w.asLeft(ctx, e); err != nil || same {
		return err
	}
	return memory.Errorf(memory.Conflict, "%s changed since, by the call %s.", e.object, later).
		WithHint("Undo that call first, or correct %s by hand.", e.object)
}

// asLeft says whether an object is as the event's call left it: what changed since and was changed back has not changed,
// so that one can go back call by call.
func (w *writing) asLeft(ctx context.Context, e changeEvent) (bool, error) {
	left, err := w.c.text(ctx, `SELECT after FROM mg_events WHERE namespace = ? AND call_id = ? AND object = ? AND after IS NOT NULL ORDER BY id DESC LIMIT 1`,
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

// apply does it. Facts go first: whether a node can become a mere name depends on what stands on it then.
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
				WithHint("%s was superseded by it since: undo that first.", memory.RelationshipID(*t.want.SupersededBy))
		}
	}
	for _, id := range u.retracted {
		if err := u.standsAlone(ctx, id); err != nil {
			return err
		}
	}
	return w.restoreEntities(ctx, u.entities, causeUndone, func(id, parent int64) error {
		return memory.Errorf(memory.Conflict, "e%d stands below e%d by now.", parent, id).WithHint("Move it with update_entity, and try again.")
	})
}

// check refuses where the key of a fact that comes back was taken since.
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
			return memory.Errorf(memory.Conflict, "%s says the same as %s, which came since.", memory.RelationshipID(other), memory.RelationshipID(f.ID)).
				WithHint("End %s with supersede, and try again.", memory.RelationshipID(other))
		}
		held[k] = f.ID
	}
	return nil
}

// standsAlone refuses where other calls' active facts, or nodes, stand on a node that is to become a mere name.
func (u *undoing) standsAlone(ctx context.Context, id int64) error {
	w := u.w
	others, err := w.activeOn(ctx, `(r.head_id = ?1 OR r.tail_id = ?1) AND r.id NOT IN (SELECT value FROM json_each(?2))`, id, u.own)
	if err != nil {
		return err
	}
	if len(others) > 0 {
		return memory.Errorf(memory.Conflict, "e%d is part of %s, which came since.", id, memory.RelationshipID(others[0].id)).
			WithHint("Undo what made that fact first, or end it with supersede.")
	}
	children, err := w.children(ctx, id)
	if err != nil {
		return err
	}
	for _, child := range children {
		if !slices.ContainsFunc(u.entities, func(t entityTarget) bool { return t.is.ID == child }) {
			return memory.Errorf(memory.Conflict, "e%d stands below e%d, since another call.", child, id).WithHint("Move it with update_entity first.")
		}
	}
	return nil
}

// markUndone notes for each event what took it back, and gives the objects that changed. Where nothing did, there was
// nothing to take back, and nothing is noted.
func (w *writing) markUndone(ctx context.Context, events []changeEvent) ([]memory.ID, error) {
	written := map[string]int64{}
	var last int64
	objects := []memory.ID{}
	err := w.c.query(ctx, `SELECT v.object, max(v.id) FROM mg_events v WHERE v.namespace = ? AND v.call_id = ? AND v.id > ? AND `+changedMeaning+` GROUP BY v.object ORDER BY 2`,
		func(s *sqlite3.Stmt) error {
			written[s.ColumnText(0)], last = s.ColumnInt64(1), s.ColumnInt64(1)
			id, err := memory.ParseID(s.ColumnText(0))
			objects = append(objects, id)
			return err
		}, w.scope.Namespace, w.by.CallID, events[len(events)-1].id)
	if err != nil || last == 0 {
		return objects, err
	}
	for _, e := range events {
		if _, err := w.c.exec(ctx, `UPDATE mg_events SET undone_by = ? WHERE id = ?`, cmp.Or(written[e.object.String()], last), e.id); err != nil {
			return nil, err
		}
	}
	return objects, nil
}
