package store

import (
	"context"

	"memory-graph/internal/memory"
)

// setParent sets a node's parent, "" for none, and updates the closure. The closure has one row for every ancestor of a
// node, with the distance, counted from 1. The error is Conflict if the parent is below the node.
func (w *writing) setParent(ctx context.Context, id int64, parent string) error {
	var above any
	if parent != "" {
		p, err := w.need(ctx, parent, "")
		if err != nil {
			return err
		}
		_, below, err := w.c.int64(ctx, `SELECT 1 FROM mg_closure WHERE ancestor_id = ? AND descendant_id = ?`, id, p.id)
		if err != nil {
			return err
		}
		if p.id == id || below {
			kind, err := w.c.text(ctx, `SELECT kind FROM mg_entities WHERE id = ?`, id)
			if err != nil {
				return err
			}
			child := memory.NodeID(memory.NodeKind(kind), id)
			if p.id == id {
				return memory.Errorf(memory.Conflict, "%s cannot be its own parent.", child).
					WithHint("Choose another parent, or none.")
			}
			return memory.Errorf(memory.Conflict, "%s cannot be the parent of %s, which is above it.", p.ref(), child).
				WithHint("Choose a parent that is not below it, or move that one first.")
		}
		above = p.id
	}
	return w.moveTo(ctx, id, above)
}

// moveTo sets the parent's id, nil for none, and updates the closure of the node and of everything below it.
func (w *writing) moveTo(ctx context.Context, id int64, above any) error {
	if _, err := w.c.exec(ctx, `UPDATE mg_entities SET parent_id = ?2, updated_at = ?3 WHERE id = ?1`, id, above,
		memory.Millis(w.now)); err != nil {
		return err
	}
	const below = `(SELECT descendant_id FROM mg_closure WHERE ancestor_id = ?1 UNION ALL SELECT ?1)`
	if _, err := w.c.exec(ctx, `DELETE FROM mg_closure WHERE descendant_id IN `+below+
		` AND ancestor_id IN (SELECT ancestor_id FROM mg_closure WHERE descendant_id = ?1)`, id); err != nil {
		return err
	}
	if above == nil {
		return nil
	}
	_, err := w.c.exec(ctx, `INSERT INTO mg_closure (ancestor_id, descendant_id, depth)
		SELECT a.id, d.id, a.depth + d.depth + 1
		FROM (SELECT ancestor_id AS id, depth FROM mg_closure WHERE descendant_id = ?2 UNION ALL SELECT ?2, 0) a,
		(SELECT descendant_id AS id, depth FROM mg_closure WHERE ancestor_id = ?1 UNION ALL SELECT ?1, 0) d`, id, above)
	return err
}

// orphan removes the parent of nodes.
func (w *writing) orphan(ctx context.Context, children []int64) error {
	for _, child := range children {
		before, err := w.entitySnapshot(ctx, child)
		if err != nil {
			return err
		}
		if err := w.moveTo(ctx, child, nil); err != nil {
			return err
		}
		if err := w.entityChanged(ctx, child, causeUpdated, before); err != nil {
			return err
		}
	}
	return nil
}
