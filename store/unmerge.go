package store

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

// Unmerge reverses a merge as far as possible (docs/facts.md, "Taking back"): the entity gets back its name, aliases,
// children, mentions and facts. Each fact returns to its state before the merge. If it changed since, it only gets the
// entity back. entity is the id or the name of the merged entity. Errors: NotFound; Ambiguous; Conflict if it is not
// merged, if the entity it was merged into has been merged itself, and if another entity now has the name.
func (s *Store) Unmerge(ctx context.Context, namespace, entity string, by memory.Caller) (memory.Undone, error) {
	var out memory.Undone
	err := s.writeGraph(ctx, "unmerge", "unmerge", memory.Scope{Namespace: namespace}, by,
		func(ctx context.Context, w *writing) error {
			b, into, err := w.merged(ctx, entity)
			if err != nil {
				return err
			}
			events, err := w.mergeEvents(ctx, b, into)
			if err != nil {
				return err
			}
			out = memory.Undone{CallID: events[0].call, UndoneBy: w.by.CallID, Action: events[0].action}
			u := unmerging{w: w, a: into, b: b, events: events}
			if err := u.apply(ctx); err != nil {
				return err
			}
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

// merged finds the merged node, by its id or its former name, and the node that it was merged into.
func (w *writing) merged(ctx context.Context, ref string) (b, into int64, err error) {
	type row struct {
		node
		into int64
	}
	var found []row
	scan := func(s cursor) error {
		found = append(found, row{scanNode(s), s.int64(5)})
		return nil
	}
	const merged = `SELECT ` + nodeColumns +
		`, e.merged_into FROM mg_entities e WHERE e.namespace = ?1 AND e.merged_into IS NOT NULL AND e.kind IN ` + shownKinds
	if id, notAnID := memory.ParseID(strings.TrimSpace(ref)); notAnID == nil &&
		(id.Kind == memory.KindEntity || id.Kind == memory.KindMemory) {
		err = w.c.query(ctx, merged+` AND e.id = ?2`, scan, w.scope.Namespace, id.Num)
	} else if canonical := memory.Canonical(ref); canonical != "" {
		err = w.c.query(ctx, merged+` AND e.canonical_name = ?2`, scan, w.scope.Namespace, canonical)
	} else {
		err = emptyName(ref)
	}
	if err != nil {
		return 0, 0, err
	}
	switch len(found) {
	case 0:
		n, err := w.need(ctx, ref, "")
		if err != nil {
			return 0, 0, err
		}
		return 0, 0, memory.Errorf(memory.Conflict, "%s is not merged into anything.",
			n.ref()).WithHint("Give the id of the entity that was merged, as merge_entities named it.")
	case 1:
		return found[0].id, found[0].into, w.mergedOn(ctx, found[0].into)
	}
	e := memory.Errorf(memory.Ambiguous, "%q may be any of %d merged nodes.", clip(ref),
		len(found)).WithHint("Say which by its id.")
	for _, f := range found {
		e.Candidates = append(e.Candidates, memory.Candidate{ID: f.ref().String(), Name: f.name, Type: f.typ})
	}
	return 0, 0, e
}

// mergedOn refuses if the node that stayed has been merged itself.
func (w *writing) mergedOn(ctx context.Context, into int64) error {
	further, on, err := w.c.int64(ctx, `SELECT merged_into FROM mg_entities WHERE id = ?`, into)
	if err != nil || !on {
		return err
	}
	return memory.Errorf(memory.Conflict, "e%d, into which it was merged, is itself merged into e%d.", into,
		further).WithHint("Unmerge e%d first.", into)
}

// mergeEvents returns the events of the merge of b, first to last: that of b, and those that follow it directly. One
// lock covers a merge, so no other events are between them. Later events of the same call have other causes. If an undo
// redid the merge, the events are those of that undo, but only of objects that a merge had changed before.
func (w *writing) mergeEvents(ctx context.Context, b, into int64) ([]changeEvent, error) {
	first, _, err := w.c.int64(ctx, `SELECT x.event_id FROM mg_entity_versions x WHERE x.entity_id = ?1 AND
		json_extract(x.snapshot, '$.merged_into') = ?2
		AND x.version_id > coalesce((SELECT max(version_id) FROM mg_entity_versions WHERE entity_id = ?1 AND
		json_extract(snapshot, '$.merged_into') IS NOT ?2), 0)
		ORDER BY x.version_id LIMIT 1`, b, into)
	if err != nil {
		return nil, err
	}
	var events []changeEvent
	known, done := false, false
	const byMerge = `x.cause IN ('` + causeMerged + `', '` + causeNamed + `', '` + causeUnlinked + `')`
	err = w.c.query(ctx, `SELECT v.id, v.call_id, v.action, v.object, v.before, m.entity_id, CASE v.action
		WHEN 'undo' THEN EXISTS (SELECT 1 FROM mg_events o WHERE o.namespace = v.namespace AND o.object = v.object AND (
			EXISTS (SELECT 1 FROM mg_relationship_versions x WHERE x.event_id = o.id AND `+byMerge+`) OR
			EXISTS (SELECT 1 FROM mg_entity_versions x WHERE x.event_id = o.id AND `+byMerge+`)))
		ELSE EXISTS (SELECT 1 FROM mg_relationship_versions x WHERE x.event_id = v.id AND `+byMerge+`) OR
			EXISTS (SELECT 1 FROM mg_entity_versions x WHERE x.event_id = v.id AND `+byMerge+`) END FROM mg_events f
		JOIN mg_events v ON v.namespace = f.namespace AND v.call_id = f.call_id AND v.action = f.action AND v.at = f.at AND
		(v.id >= f.id OR v.action = 'undo')
		LEFT JOIN mg_entity_versions m ON m.event_id = v.id AND json_extract(m.snapshot, '$.merged_into') IS NOT NULL
		WHERE f.id = ?1 AND f.namespace = ?2 ORDER BY v.id`, func(s cursor) error {
		e := changeEvent{id: s.int64(0), call: s.text(1), action: s.text(2), before: s.text(4)}
		ofMerge := s.bool(6)
		if n := len(events); n > 0 && e.action != "undo" &&
			(!ofMerge || e.id != events[n-1].id+1 || s.int64(5) != 0) {
			done = true // another change of the same call
		}
		if done || !ofMerge {
			return nil
		}
		var err error
		e.object, err = memory.ParseID(s.text(3))
		events = append(events, e)
		known = known || e.object.Kind != memory.KindRelationship && e.object.Num == b && e.before != ""
		return err
	}, first, w.scope.Namespace)
	if err == nil && !known {
		err = memory.Errorf(memory.Conflict, "The record of what the merge of e%d changed is gone.",
			b).WithHint("Part of it was forgotten; create the entity again.")
	}
	return events, err
}

// unmerging is one unmerge of b from a.
type unmerging struct {
	w      *writing
	a, b   int64
	events []changeEvent
}

func (u *unmerging) apply(ctx context.Context) error {
	var entities []entityTarget
	var nodesDone []int64
	for _, e := range u.events {
		if e.object.Kind == memory.KindRelationship || slices.Contains(nodesDone, e.object.Num) {
			continue
		}
		nodesDone = append(nodesDone, e.object.Num)
		t, there, err := u.node(ctx, e)
		if err != nil {
			return err
		}
		if there {
			entities = append(entities, t)
		}
	}
	if err := u.w.restoreEntities(ctx, entities, causeUnmerged, func(int64, int64) error { return nil }); err != nil {
		return err
	}
	return u.facts(ctx)
}

// node returns the target state of a node of the merge. b returns to its former state. a loses b's names, and what it
// got from b unless that changed since. A child goes back to b if it is still a's.
func (u *unmerging) node(ctx context.Context, e changeEvent) (entityTarget, bool, error) {
	before, is, err := u.w.snapshotIfThere(ctx, e.object.Num)
	if err != nil || before == "" || e.before == "" {
		return entityTarget{}, false, err
	}
	was, err := parseEntitySnapshot(e.before)
	if err != nil {
		return entityTarget{}, false, err
	}
	t := entityTarget{before: before, is: is, want: is}
	switch is.ID {
	case u.b:
		t.want = was
	case u.a:
		err = u.takeBack(ctx, &t.want, was, e.id)
	default:
		if is.ParentID != nil && *is.ParentID == u.a {
			t.want.ParentID = was.ParentID
		}
	}
	return t, true, err
}

// takeBack removes from a what the merge added.
func (u *unmerging) takeBack(ctx context.Context, want *entitySnapshot, was entitySnapshot, event int64) error {
	text, err := u.w.c.text(ctx, `SELECT after FROM mg_events WHERE id = ?`, event)
	if err != nil {
		return err
	}
	made, err := parseEntitySnapshot(text)
	if err != nil {
		return err
	}
	given := without(made.Aliases, was.Aliases)
	want.Aliases = without(want.Aliases, given)
	if slices.Contains(given, memory.Canonical(want.Name)) { // the current name of a comes from b
		want.Name = was.Name
	}
	if slices.Contains(given, want.Canonical) {
		want.Canonical = was.Canonical
	}
	own := ownWords(want.Desc, want.Notes)
	if own == ownWords(made.Desc, made.Notes) {
		own = ownWords(was.Desc, was.Notes)
	}
	theirs := without(made.Notes, was.Notes)
	want.setNotes(slices.DeleteFunc(want.notes(), func(n note) bool { return slices.Contains(theirs, n.text) }))
	want.Desc = describe(own, want.Notes)
	// otherwise a newer change lowered the origin
	if want.Origin == made.Origin && !slices.ContainsFunc(want.notes(), note.unvouched) {
		want.Origin = was.Origin
	}
	if alike(want.Layer, made.Layer) {
		want.Layer = was.Layer
	}
	if alike(want.ParentID, made.ParentID) {
		want.ParentID = was.ParentID
	}
	return nil
}

// facts restores the facts, in the order of their ids. Of two joined facts the older row stayed. Its id is lower, so it
// frees the key for the other first.
func (u *unmerging) facts(ctx context.Context) error {
	w := u.w
	events := slices.Clone(u.events)
	slices.SortStableFunc(events, func(x, y changeEvent) int { return int(x.object.Num - y.object.Num) })
	var last int64
	for _, e := range events {
		if e.object.Kind != memory.KindRelationship || e.object.Num == last {
			continue
		}
		last = e.object.Num
		before, err := w.relationshipSnapshot(ctx, last)
		if err != nil {
			return err
		}
		if before == "" || e.before == "" { // forgotten since
			continue
		}
		if err := u.fact(ctx, e, before); err != nil {
			return err
		}
	}
	return nil
}

func (u *unmerging) fact(ctx context.Context, e changeEvent, before string) error {
	w := u.w
	is, err := parseFactSnapshot(before)
	if err != nil {
		return err
	}
	was, err := parseFactSnapshot(e.before)
	if err != nil {
		return err
	}
	want := was
	unchanged, err := u.asMerged(ctx, is)
	if err != nil {
		return err
	}
	if !unchanged {
		want = is
		if was.Head == u.b && is.Head == u.a {
			want.Head = u.b
		}
		if was.Tail == u.b && is.Tail == u.a {
			want.Tail = u.b
		}
	}
	if want, err = w.sound(ctx, want); err != nil {
		return err
	}
	if want.ValidUntil == nil {
		other, err := w.taken(ctx, want, idList([]int64{want.ID}))
		if err != nil || other != 0 { // another fact now says the same: this one stays unchanged
			return err
		}
	}
	if want.SupersededBy != nil && w.leadsTo(ctx, *want.SupersededBy, want.ID) {
		want.SupersededBy = is.SupersededBy
	}
	return w.writeFact(ctx, factTarget{before: before, want: want}, causeUnmerged)
}

// asMerged reports whether a fact is as the merge left it. A change that was reversed since does not count.
func (u *unmerging) asMerged(ctx context.Context, is factSnapshot) (bool, error) {
	var last int64
	for _, e := range u.events {
		if e.object == memory.RelationshipID(is.ID) {
			last = e.id
		}
	}
	text, err := u.w.c.text(ctx, `SELECT after FROM mg_events WHERE id = ?`, last)
	if err != nil {
		return false, err
	}
	made, err := parseFactSnapshot(text)
	if err != nil {
		return false, err
	}
	now := memory.Seconds(u.w.now)
	return reflect.DeepEqual(made.expired(now), is.expired(now)), nil
}
