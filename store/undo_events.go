package store

import (
	"cmp"
	"context"
	"fmt"

	"memory-graph/internal/memory"
)

// changeEvent is one event of a call, as undo reads it.
type changeEvent struct {
	id       int64
	call     string
	action   string
	object   memory.ID
	before   string // "" if the event created the object
	undoneBy int64
}

// changedMeaning selects the events v that changed a meaning. It leaves out notes of turns and due scheduled ends,
// which no call made.
const changedMeaning = `(v.before IS NOT NULL OR v.after IS NOT NULL)
	AND NOT EXISTS (SELECT 1 FROM mg_relationship_versions x WHERE x.event_id = v.id AND x.cause = 'expired')`

// inForce is the condition on an event v that is in force: it was not undone, or its undo was undone.
const inForce = `(v.undone_by IS NULL OR EXISTS (SELECT 1 FROM mg_events u WHERE u.id = v.undone_by AND
	u.undone_by IS NOT NULL))`

// undoneFact is the condition on a fact r that an undo retracted: it never held. Only a fact without a duration can be.
const undoneFact = `(r.valid_from IS NULL OR r.valid_from = r.valid_until) AND EXISTS (SELECT 1 FROM mg_events v
	WHERE v.namespace = r.namespace AND v.object = 'r' || r.id AND v.before IS NULL AND v.after IS NOT NULL
	AND NOT ` + inForce + `)`

// listsCalls says where the ids of calls are shown.
const listsCalls = "`memory-graph undo --list` and the tool what_changed list the calls."

// NewestCall returns the call that Undo reverses if none is named. The error is NotFound if there is none.
func (s *Store) NewestCall(ctx context.Context, namespace string) (callID string, err error) {
	err = s.readOne(ctx, "look for the last call", func(c *conn) (err error) {
		callID, err = newestCall(ctx, c, namespace)
		return err
	})
	return callID, err
}

func newestCall(ctx context.Context, c *conn, namespace string) (string, error) {
	// Undos are left out: a repeated undo goes further back, and an undo is undone by its own id. A call whose undo was
	// undone counts again.
	newest, action := "", ""
	err := c.query(ctx, `SELECT v.call_id, v.action FROM mg_events v WHERE v.namespace = ? AND v.call_id IS NOT NULL AND
		v.action NOT IN ('undo', '`+linkAction+`', '`+healAction+`', '`+healRelationAction+`')
		AND `+inForce+`
		AND (v.action = '`+forgetAction+`' OR `+changedMeaning+`) ORDER BY v.id DESC LIMIT 1`, func(s cursor) error {
		newest, action = s.text(0), s.text(1)
		return nil
	}, namespace)
	switch {
	case err != nil:
	case newest == "":
		err = memory.Errorf(memory.NotFound, "Nothing has changed in namespace %q that could be undone.", namespace).
			WithHint("Check the namespace; " + listsCalls)
	case action == forgetAction:
		err = memory.Errorf(memory.Conflict, "The last change forgot something, which cannot be undone.").
			WithHint("To undo an earlier call, give its id; " + listsCalls)
	}
	return newest, err
}

// calledEvents returns the changes of a call that are in force, first to last; "" means the newest call. There is at
// least one.
func (w *writing) calledEvents(ctx context.Context, callID string) ([]changeEvent, error) {
	if callID == "" {
		newest, err := newestCall(ctx, w.c, w.scope.Namespace)
		if err != nil {
			return nil, err
		}
		callID = newest
	}
	var events []changeEvent
	err := w.c.query(ctx,
		`SELECT v.id, v.action, v.object, v.before, v.undone_by FROM mg_events v WHERE v.namespace = ? AND v.call_id = ? AND
			`+changedMeaning+` ORDER BY v.id`,
		func(s cursor) error {
			object, err := memory.ParseID(s.text(2))
			if err != nil {
				return fmt.Errorf("event %d: object: %w", s.int64(0), err)
			}
			events = append(events, changeEvent{id: s.int64(0), call: callID, action: s.text(1), object: object,
				before: s.text(3), undoneBy: s.int64(4)})
			return nil
		}, w.scope.Namespace, callID)
	if err != nil {
		return nil, err
	}
	if len(events) == 0 {
		return nil, memory.Errorf(memory.NotFound, "There is no call %q in namespace %q that changed something.",
			clip(callID), w.scope.Namespace).
			WithHint(listsCalls + " A turn itself is removed with forget.")
	}
	return w.undoable(ctx, events)
}

// undoable returns the events that are still in force: an unmerge reverses a part of a call. It refuses a call that was
// already undone as a whole, and one that forgot something.
func (w *writing) undoable(ctx context.Context, events []changeEvent) ([]changeEvent, error) {
	var open []changeEvent
	undoneBy := ""
	for _, e := range events {
		if e.action == forgetAction {
			return nil, memory.Errorf(memory.Conflict, "The call %s forgot something, which cannot be undone.",
				e.call).WithHint("Store it again.")
		}
		if e.undoneBy == 0 {
			open = append(open, e)
			continue
		}
		by, err := w.c.text(ctx, `SELECT call_id FROM mg_events WHERE id = ? AND undone_by IS NULL`, e.undoneBy)
		if err != nil {
			return nil, err
		}
		if by == "" { // the undo was undone, so the call is in force again
			open = append(open, e)
			continue
		}
		undoneBy = by
	}
	if len(open) == 0 {
		return nil, memory.Errorf(memory.Conflict, "The call %s was already undone by the call %s.", events[0].call,
			undoneBy).WithHint("To restore it, undo that one. %s", listsCalls)
	}
	return open, nil
}

// markUndone records for each event the event that undid it, and returns the objects that changed. If the call has
// nothing left to reverse, such as a fact that it also denied, an event without a change represents the undo.
func (w *writing) markUndone(ctx context.Context, events []changeEvent) ([]memory.ID, error) {
	written := map[string]int64{}
	var last int64
	objects := []memory.ID{}
	err := w.c.query(ctx,
		`SELECT v.object, max(v.id) FROM mg_events v WHERE v.namespace = ? AND v.call_id = ? AND v.id > ? AND `+
			changedMeaning+` GROUP BY v.object ORDER BY 2`,
		func(s cursor) error {
			written[s.text(0)], last = s.int64(1), s.int64(1)
			id, err := memory.ParseID(s.text(0))
			objects = append(objects, id)
			return err
		}, w.scope.Namespace, w.by.CallID, events[len(events)-1].id)
	if err == nil && last == 0 {
		last, err = w.tookBackNothing(ctx, events)
	}
	if err != nil || last == 0 {
		return objects, err
	}
	for _, e := range events {
		if _, err := w.c.exec(ctx, `UPDATE mg_events SET undone_by = ? WHERE id = ?`,
			cmp.Or(written[e.object.String()], last), e.id); err != nil {
			return nil, err
		}
	}
	return objects, nil
}

// tookBackNothing logs the undo of a call that has nothing left to reverse, for the first object that still exists.
// Without this event the next undo would choose the same call again. It returns 0 if nothing exists.
func (w *writing) tookBackNothing(ctx context.Context, events []changeEvent) (int64, error) {
	for _, e := range events {
		var is string
		var err error
		switch e.object.Kind {
		case memory.KindEpisode:
			continue
		case memory.KindRelationship:
			is, err = w.relationshipSnapshot(ctx, e.object.Num)
		default:
			is, _, err = w.snapshotIfThere(ctx, e.object.Num)
		}
		if err != nil {
			return 0, err
		}
		if is != "" {
			return w.log(ctx, e.object, is, is)
		}
	}
	return 0, nil
}
