package store

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

// MergeEntities merges two entities, or two memories (docs/facts.md, "Taking back"). The node into stays, and the node
// from answers as into from now on. The names, facts and mentions of from move to into; unmerge and undo move them
// back. Errors: NotFound, Ambiguous, InvalidArgument for the same node twice and for an entity with a memory, Conflict
// if from is already merged.
func (s *Store) MergeEntities(ctx context.Context, namespace, into, from string, by memory.Caller) (memory.Merge,
	error) {
	var out memory.Merge
	err := s.writeGraph(ctx, "merge entities", "merge_entities", memory.Scope{Namespace: namespace}, by,
		func(ctx context.Context, w *writing) error {
			a, b, err := w.mergePair(ctx, into, from)
			if err != nil {
				return err
			}
			m := merging{w: w, a: a, b: b, cause: causeMerged}
			if err := m.run(ctx); err != nil {
				return err
			}
			out = m.out
			out.CallID = w.by.CallID
			out.Into, out.From, err = w.pair(ctx, a.id, b.id)
			return err
		})
	return out, err
}

func (w *writing) pair(ctx context.Context, a, b int64) (memory.Entity, memory.Entity, error) {
	x, err := w.entity(ctx, a)
	if err != nil {
		return x, x, err
	}
	y, err := w.entity(ctx, b)
	return x, y, err
}

// mergePair finds the two nodes and checks that they can be merged.
func (w *writing) mergePair(ctx context.Context, into, from string) (a, b node, err error) {
	if id, notAnID := memory.ParseID(strings.TrimSpace(from)); notAnID == nil {
		already, merged, err := w.c.int64(ctx,
			`SELECT merged_into FROM mg_entities WHERE id = ? AND namespace = ? AND kind IN `+
				shownKinds, id.Num, w.scope.Namespace)
		if err != nil {
			return a, b, err
		}
		if merged && id.Kind != memory.KindRelationship {
			return a, b, memory.Errorf(memory.Conflict, "%s is already merged into %s.", id,
				memory.ID{Kind: id.Kind, Num: already}).
				WithHint("Undo that with unmerge first, or merge %s instead.", memory.ID{Kind: id.Kind, Num: already})
		}
	}
	if a, err = w.need(ctx, into, ""); err != nil {
		return a, b, err
	}
	if b, err = w.need(ctx, from, ""); err != nil {
		return a, b, err
	}
	switch {
	case a.id == b.id:
		return a, b, memory.Errorf(memory.InvalidArgument, "%q and %q are the same node, %s.", clip(into), clip(from),
			a.ref()).
			WithHint("Name two different nodes, by id if their names are alike.")
	case a.kind != b.kind:
		return a, b, memory.Errorf(memory.InvalidArgument, "%s is %s and %s is %s.", a.ref(), article(a.kind), b.ref(),
			article(b.kind)).
			WithHint("Merge an entity with an entity, or a memory with a memory.")
	}
	return a, b, nil
}

func article(k memory.NodeKind) string {
	if k == memory.NodeMemory {
		return "a memory"
	}
	return "an entity"
}

// retold returns the sentence of b's fact. If b is a speaker, it has a's name: "User uses Go." becomes "Ann uses Go."
func (m *merging) retold(sentence string) string {
	if rest, ok := strings.CutPrefix(sentence, m.b.name+" "); ok && m.cause == causeNamed {
		return m.a.name + " " + rest
	}
	return sentence
}

// merging is one merge of b into a.
type merging struct {
	w     *writing
	a, b  node
	cause string // of b's version
	moved []fact // active facts that now belong to a
	out   memory.Merge
}

// run does the merge in an order that unmerge relies on: the event of b is the first of the merge, and all others
// follow it directly.
func (m *merging) run(ctx context.Context) error {
	w := m.w
	due, err := w.openFacts(ctx, factsOfNodes+` AND r.expires_at <= ?2`,
		idList([]int64{m.a.id, m.b.id}), memory.Seconds(w.now))
	if err != nil {
		return err
	}
	for _, f := range due {
		if err := w.expire(ctx, f); err != nil {
			return err
		}
	}
	if err := m.joinNodes(ctx); err != nil {
		return err
	}
	facts, err := w.facts(ctx, factsOfNodes+` ORDER BY r.id`, idList([]int64{m.b.id}))
	if err != nil {
		return err
	}
	for _, f := range facts {
		if err := m.moveFact(ctx, f); err != nil {
			return err
		}
	}
	if err := w.recordMentions(ctx, m.b.id, m.a.id); err != nil {
		return err
	}
	if err := w.linkMerged(ctx, m.b.id, m.a.id); err != nil {
		return err
	}
	return m.contradictions(ctx)
}

// factsOfNodes selects the facts, past ones included, of the nodes in the list ?1. Each part uses an index.
const factsOfNodes = `r.id IN (SELECT f.id FROM json_each(?1) j CROSS JOIN mg_relationships f ON f.head_id = j.value
	WHERE f.valid_until IS NULL
	UNION SELECT f.id FROM json_each(?1) j CROSS JOIN mg_relationships f ON f.tail_id = j.value WHERE f.valid_until IS NULL
	UNION SELECT f.id FROM json_each(?1) j CROSS JOIN mg_relationships f ON f.head_id = j.value WHERE f.valid_until IS NOT
	NULL
	UNION SELECT f.id FROM json_each(?1) j CROSS JOIN mg_relationships f ON f.tail_id = j.value WHERE f.valid_until IS NOT
	NULL
	UNION SELECT f.id FROM json_each(?1) j CROSS JOIN mg_archive f ON f.head_id = j.value
	UNION SELECT f.id FROM json_each(?1) j CROSS JOIN mg_archive f ON f.tail_id = j.value)`

// joinNodes moves the names and children of b to a, and takes over b's description, layer and parent if a has none.
func (m *merging) joinNodes(ctx context.Context) error {
	w := m.w
	beforeA, a, err := w.snapshots(ctx, m.a.id)
	if err != nil {
		return err
	}
	beforeB, b, err := w.snapshots(ctx, m.b.id)
	if err != nil {
		return err
	}
	if _, err := w.c.exec(ctx, `DELETE FROM mg_merged_mentions WHERE from_id = ?`, b.ID); err != nil {
		return err
	}
	if _, err := w.c.exec(ctx, `DELETE FROM mg_merged_evidence WHERE from_id = ?`, b.ID); err != nil {
		return err
	}
	children, err := w.children(ctx, b.ID)
	if err != nil {
		return err
	}
	parent, err := m.parent(ctx, a, b)
	if err != nil {
		return err
	}
	if err := w.moveTo(ctx, b.ID, nil); err != nil {
		return err
	}
	if err := w.setAliases(ctx, b.ID, nil); err != nil {
		return err
	}
	if _, err := w.c.exec(ctx, `UPDATE mg_entities SET merged_into = ?2, updated_at = ?3 WHERE id = ?1`, b.ID, a.ID,
		memory.Millis(w.now)); err != nil {
		return err
	}
	if err := w.entityChanged(ctx, b.ID, m.cause, beforeB); err != nil {
		return err
	}
	if err := m.adopt(ctx, a, parent, children); err != nil {
		return err
	}
	if _, err := w.c.exec(ctx, `UPDATE mg_entities SET description = ?2, layer = ?3, updated_at = ?4 WHERE id = ?1`,
		a.ID, m.description(a, b), optional(cmp.Or(a.Layer, b.Layer)), memory.Millis(w.now)); err != nil {
		return err
	}
	to, by := m.said(a, b)
	if err := w.setNotes(ctx, a.ID, to.notes); err != nil {
		return err
	}
	if _, err := w.settleTrust(ctx, a, to, by); err != nil {
		return err
	}
	if err := w.addAliases(ctx, a.ID, b.Aliases); err != nil {
		return err
	}
	if err := w.entityChanged(ctx, a.ID, causeMerged, beforeA); err != nil {
		return err
	}
	return cmp.Or(w.indexEntity(ctx, a.ID), w.indexEntity(ctx, b.ID))
}

// description returns a's description after the merge: its own words, or b's if it has none, and the observations of
// both.
func (m *merging) description(a, b entitySnapshot) string {
	if len(b.Notes) == 0 {
		return cmp.Or(a.Desc, b.Desc)
	}
	own := cmp.Or(ownWords(a.Desc, a.Notes), ownWords(b.Desc, b.Notes))
	return describe(own, slices.Concat(a.Notes, without(b.Notes, a.Notes)))
}

// said returns the merged content in parts, and the origin of the own words if they come from b.
func (m *merging) said(a, b entitySnapshot) (said, vouched) {
	to := a.said()
	for _, n := range b.notes() {
		if !slices.Contains(a.Notes, n.text) {
			to.notes = append(to.notes, n)
		}
	}
	var by vouched
	if own := ownWords(m.description(a, b), textsOf(to.notes)); own != to.own {
		to.own, by.own = own, memory.Origin(b.Origin)
	}
	return to, by
}

func (w *writing) snapshots(ctx context.Context, id int64) (string, entitySnapshot, error) {
	text, err := w.entitySnapshot(ctx, id)
	if err != nil {
		return "", entitySnapshot{}, err
	}
	parsed, err := parseEntitySnapshot(text)
	return text, parsed, err
}

// parent returns a's parent after the merge: b's parent if a is below b, or if a has no parent and is not above b;
// otherwise a's parent.
func (m *merging) parent(ctx context.Context, a, b entitySnapshot) (*int64, error) {
	_, belowB, err := m.w.c.int64(ctx, `SELECT 1 FROM mg_closure WHERE ancestor_id = ? AND descendant_id = ?`, b.ID, a.ID)
	if err != nil {
		return nil, err
	}
	_, aboveB, err := m.w.c.int64(ctx, `SELECT 1 FROM mg_closure WHERE ancestor_id = ? AND descendant_id = ?`, a.ID, b.ID)
	if err != nil {
		return nil, err
	}
	if belowB || a.ParentID == nil && !aboveB {
		return b.ParentID, nil
	}
	return a.ParentID, nil
}

// adopt moves a to its parent and b's children to a.
func (m *merging) adopt(ctx context.Context, a entitySnapshot, parent *int64, children []int64) error {
	w := m.w
	if !alike(a.ParentID, parent) {
		if err := w.moveTo(ctx, a.ID, optional(parent)); err != nil {
			return err
		}
	}
	for _, child := range children {
		if child == a.ID {
			continue
		}
		before, err := w.entitySnapshot(ctx, child)
		if err != nil {
			return err
		}
		if err := w.moveTo(ctx, child, a.ID); err != nil {
			return err
		}
		if err := w.entityChanged(ctx, child, causeMerged, before); err != nil {
			return err
		}
	}
	return nil
}

func (w *writing) children(ctx context.Context, id int64) ([]int64, error) {
	return w.ids(ctx, `SELECT id FROM mg_entities WHERE parent_id = ? ORDER BY id`, id)
}
