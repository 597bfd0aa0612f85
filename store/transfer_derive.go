package store

import (
	"context"
	"slices"
	"strings"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// unfound are the statuses of episodes that reads do not find.
var unfound = []string{memory.StatusWithdrawn, memory.StatusNote}

// another adds an id to a list, unless it is already the last one.
func another(list []int64, id int64) []int64 {
	if len(list) > 0 && list[len(list)-1] == id {
		return list
	}
	return append(list, id)
}

// derive writes what is derived from a new row.
func (m *Importer) derive(ctx context.Context, t *transferred, id int64) error {
	if t.record.name != "episode" || slices.Contains(unfound, t.text("status")) {
		return nil
	}
	scope := memory.Scope{Namespace: m.namespace, Project: t.text("project"), User: t.text("user"),
		SessionID: t.text("session_id")}
	e := memory.Episode{ID: id, Scope: scope, Role: memory.Role(t.text("role"))}
	err := m.w.indexTurn(ctx, e, text.Prepare(t.text("content")), beside(t.text("speaker"), nil))
	if err != nil {
		return err
	}
	return m.s.enqueueFor(ctx, m.w.c, e, nil, m.w.now)
}

// index writes the index rows of the entities that got new names, and of the turns that got metadata.
func (m *Importer) index(ctx context.Context) error {
	for _, id := range m.touched {
		if err := m.w.indexEntity(ctx, id); err != nil {
			return err
		}
	}
	err := m.w.reindexTurns(ctx, m.labelled)
	m.touched, m.labelled = m.touched[:0], m.labelled[:0]
	return err
}

func (t *transferred) text(name string) string {
	s, _ := t.values[name].(string)
	return s
}

// link sets the columns of a row that could only be set once all rows were there. It keeps values that are already set.
func (m *Importer) link(ctx context.Context, t *transferred) error {
	base := strings.TrimSuffix(t.record.name, "_link")
	id, foreign, err := m.refer(base, t.id)
	if err != nil {
		return memory.Errorf(memory.InvalidArgument, "%v", err)
	}
	if foreign {
		return nil
	}
	for _, col := range t.record.columns {
		v := t.values[col.name]
		if v == nil {
			continue
		}
		switch col.name {
		case "parent_id":
			err = m.setParent(ctx, id, v.(int64))
		case "merged_into": // a merged entity points to itself until then (see insert)
			_, err = m.w.c.exec(ctx,
				`UPDATE mg_entities SET merged_into = ?2 WHERE id = ?1 AND (merged_into = ?1 OR merged_into IS NULL) AND id <> ?2`,
				id, v)
		default:
			_, err = m.w.c.exec(ctx, `UPDATE `+t.record.table+` SET `+col.name+` = ?2 WHERE id = ?1 AND `+col.name+` IS NULL`,
				id, v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// setParent puts a node under another one, unless the node already has a parent or the other one is below it.
func (m *Importer) setParent(ctx context.Context, id, parent int64) error {
	_, refused, err := m.w.c.int64(ctx, `SELECT 1 FROM mg_entities WHERE id = ?1 AND parent_id IS NOT NULL
		UNION ALL SELECT 1 FROM mg_closure WHERE ancestor_id = ?1 AND descendant_id = ?2 LIMIT 1`, id, parent)
	if err != nil || refused || id == parent {
		return err
	}
	updated, err := m.w.c.text(ctx, `SELECT updated_at FROM mg_entities WHERE id = ?`, id)
	if err != nil {
		return err
	}
	if err := m.w.moveTo(ctx, id, parent); err != nil {
		return err
	}
	_, err = m.w.c.exec(ctx, `UPDATE mg_entities SET updated_at = ?2 WHERE id = ?1`, id, updated)
	return err
}
