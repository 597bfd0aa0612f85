package store

import (
	"context"
	"encoding/json"
	"slices"

	"memory-graph/internal/memory"
)

// entityTarget is what a node is to become, and what it was before.
type entityTarget struct {
	before string // the snapshot as it is now
	is     entitySnapshot
	want   entitySnapshot
}

// mention gives a node as the mere name that it is where nothing is said of it.
func (s entitySnapshot) mention() entitySnapshot {
	s.Kind, s.Aliases, s.Notes, s.NotedBy, s.ParentID, s.MergedInto = string(memory.NodeMention), nil, nil, nil, nil, nil
	return s
}

// restoreEntities brings nodes to what they are to become: columns, names, place in the hierarchy, what a merge gave to
// others, and the index of names. stays says of a parent that cannot be had any more, since it would stand below its
// child, what to do: an error ends the call, nil leaves the node without a parent.
func (w *writing) restoreEntities(ctx context.Context, targets []entityTarget, cause string,
	stays func(node, parent int64) error) error {
	for _, t := range targets { // first all out of the way of each other: names and parents
		if _, err := w.c.exec(ctx, `UPDATE mg_entities SET merged_into = id WHERE id = ?`, t.is.ID); err != nil {
			return err
		}
		if t.is.ParentID != nil && !alike(t.is.ParentID, t.want.ParentID) {
			if err := w.moveTo(ctx, t.is.ID, nil); err != nil {
				return err
			}
		}
	}
	for i := range targets {
		if err := w.writeEntity(ctx, &targets[i]); err != nil {
			return err
		}
	}
	for _, t := range targets {
		if t.want.ParentID != nil && !alike(t.is.ParentID, t.want.ParentID) {
			if err := w.restoreParent(ctx, t.is.ID, *t.want.ParentID, stays); err != nil {
				return err
			}
		}
	}
	for _, t := range targets {
		if err := w.entityChanged(ctx, t.is.ID, cause, t.before); err != nil {
			return err
		}
		if err := w.indexEntity(ctx, t.is.ID); err != nil {
			return err
		}
	}
	return nil
}

func alike[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// writeEntity writes a node's columns and names. Its parent is not among them.
func (w *writing) writeEntity(ctx context.Context, t *entityTarget) error {
	want := &t.want
	if err := w.freeName(ctx, want); err != nil {
		return err
	}
	if _, err := w.c.exec(ctx, `UPDATE mg_entities SET kind = ?2, canonical_name = ?3, name = ?4, type = ?5, type_assumed =
		?6, description = ?7,
		confidence = ?8, unfaded = NULL, origin = ?9, layer = ?10, merged_into = ?11, valid_from = ?12, valid_until = ?13,
		updated_at = ?14 WHERE id = ?1`,
		want.ID, want.Kind, want.Canonical, want.Name, want.Type, want.Assumed, want.Desc, want.Confidence, want.Origin,
		optional(want.Layer),
		optional(want.MergedInto), optional(want.ValidFrom), optional(want.ValidUntil), memory.Millis(w.now)); err != nil {
		return err
	}
	if err := w.setAliases(ctx, want.ID, want.Aliases); err != nil {
		return err
	}
	if err := w.setNotes(ctx, want.ID, want.notes()); err != nil {
		return err
	}
	if alike(t.is.MergedInto, want.MergedInto) {
		return nil
	}
	if t.is.MergedInto != nil && memory.NodeKind(t.is.Kind).Shown() {
		if err := w.unlinkMerged(ctx, want.ID, *t.is.MergedInto); err != nil {
			return err
		}
	}
	if want.MergedInto != nil && memory.NodeKind(want.Kind).Shown() {
		return w.linkMerged(ctx, want.ID, *want.MergedInto)
	}
	return nil
}

// freeName looks whether the node's identity is still to be had. A mere mention that meets another one of its name
// answers as that one; for anything else the error is Conflict.
func (w *writing) freeName(ctx context.Context, want *entitySnapshot) error {
	if want.MergedInto != nil || want.Kind == string(memory.NodeMemory) {
		return nil
	}
	other, taken, err := w.c.int64(ctx, `SELECT id FROM mg_entities WHERE namespace = ? AND canonical_name = ? AND type = ?
		AND kind = ?
		AND kind <> 'memory' AND merged_into IS NULL AND id <>
		?`, w.scope.Namespace, want.Canonical, want.Type, want.Kind, want.ID)
	if err != nil || !taken {
		return err
	}
	if want.Kind == string(memory.NodeMention) {
		want.MergedInto = &other
		return nil
	}
	return memory.Errorf(memory.Conflict, "%q of type %s is another entity by now, %s.", clip(want.Name), want.Type,
		memory.NodeID(memory.NodeKind(want.Kind), other)).
		WithHint("Rename that one with update_entity, and try again.")
}

// setAliases makes the names of a node exactly these.
func (w *writing) setAliases(ctx context.Context, id int64, aliases []string) error {
	list, err := json.Marshal(append([]string{}, aliases...))
	if err != nil {
		return err
	}
	if _, err := w.c.exec(ctx,
		`DELETE FROM mg_entity_aliases WHERE entity_id = ? AND alias NOT IN (SELECT value FROM json_each(?))`, id, string(
			list)); err != nil {
		return err
	}
	return w.addAliases(ctx, id, aliases)
}

// restoreParent puts a node back under a parent, if that is still there.
func (w *writing) restoreParent(ctx context.Context, id, parent int64, stays func(node, parent int64) error) error {
	root, there, err := w.c.int64(ctx, `SELECT id FROM mg_entities WHERE id = ? AND namespace = ? AND merged_into IS NULL`,
		parent, w.scope.Namespace)
	if err != nil || !there {
		return err
	}
	_, below, err := w.c.int64(ctx, `SELECT 1 FROM mg_closure WHERE ancestor_id = ? AND descendant_id = ?`, id, root)
	if err != nil {
		return err
	}
	if below || root == id {
		return stays(id, root)
	}
	return w.moveTo(ctx, id, root)
}

// without gives what of a is not in b.
func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}
