package store

import (
	"context"
	"encoding/json"
	"slices"

	"memory-graph/internal/memory"
)

// entityTarget is the state that a node is to get, and the state that it has.
type entityTarget struct {
	before string // the current snapshot
	is     entitySnapshot
	want   entitySnapshot
}

// mention returns the node as a mention node, without anything that was stated about it.
func (s entitySnapshot) mention() entitySnapshot {
	s.Kind, s.Aliases, s.Notes, s.NotedBy, s.ParentID, s.MergedInto = string(memory.NodeMention), nil, nil, nil, nil, nil
	return s
}

// restoreEntities brings nodes to their target state: columns, names, place in the hierarchy, what a merge moved to
// other nodes, and the index of names. It calls stays for a parent that is now below its child: an error ends the call,
// nil leaves the node without a parent.
func (w *writing) restoreEntities(ctx context.Context, targets []entityTarget, cause string,
	stays func(node, parent int64) error) error {
	for _, t := range targets { // first free all names and parents, so that targets do not collide
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

// writeEntity writes a node's columns, names and observations. It does not write the parent.
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

// freeName checks that the node's identity is still free. If it is taken, a mention node is merged into the other one;
// for any other node the error is Conflict.
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
	return memory.Errorf(memory.Conflict, "%q of type %s is now another entity, %s.", clip(want.Name), want.Type,
		memory.NodeID(memory.NodeKind(want.Kind), other)).
		WithHint("Rename that entity with update_entity, and try again.")
}

// setAliases makes these the names of a node.
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

// restoreParent moves a node back under a parent, if the parent still exists.
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

// without returns the elements of a that are not in b.
func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}
