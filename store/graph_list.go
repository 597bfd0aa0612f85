package store

import (
	"context"
	"time"

	"memory-graph/internal/memory"
)

// ListOrder is the order of a list.
type ListOrder string

// The orders of lists.
const (
	NewestFirst ListOrder = "newest" // the last seen entity or last stored fact first; the default for ""
	ByName      ListOrder = "name"   // by canonical names
)

func (o ListOrder) check() error {
	switch o {
	case "", NewestFirst, ByName:
		return nil
	}
	return memory.Errorf(memory.InvalidArgument, "order: %q is unknown.", o).WithHint("Use newest or name.")
}

// EntityFilter selects entities. Namespace is required; a zero value elsewhere does not narrow.
type EntityFilter struct {
	Namespace string
	Kinds     []memory.NodeKind // empty: entities and memories
	Types     []string
	Prefix    string // of a name or an alias, ignoring case
	Community int64  // only its members
	Order     ListOrder
}

// where is the filter's condition on mg_entities as e.
func (f EntityFilter) where() *where {
	w := new(where)
	w.and("e.namespace = ? AND e.merged_into IS NULL", f.Namespace)
	if f.Prefix == "" { // archived entities are listed by name only
		w.and("e.archived_at IS NULL")
	}
	if len(f.Kinds) == 0 {
		f.Kinds = []memory.NodeKind{memory.NodeEntity, memory.NodeMemory}
	}
	kinds := make([]string, len(f.Kinds))
	for i, k := range f.Kinds {
		kinds[i] = string(k)
	}
	w.in("e.kind", kinds)
	w.in("e.type", f.Types)
	if f.Community != 0 {
		w.and("e.community_id = ?", f.Community)
	}
	if prefix := memory.Canonical(f.Prefix); prefix != "" {
		from, to := subjectRange(prefix)
		w.and("e.id IN (SELECT entity_id FROM mg_entity_aliases WHERE namespace = ? AND alias >= ? AND alias < ?)",
			f.Namespace, from, to)
	}
	return w
}

// CountEntities returns the number of nodes that match the filter.
func (s *Store) CountEntities(ctx context.Context, f EntityFilter) (n int64, err error) {
	w := f.where()
	err = s.readOne(ctx, "count entities", func(c *conn) (err error) {
		n, _, err = c.int64(ctx, `SELECT count(*) FROM mg_entities e WHERE `+w.sql.String(), w.args...)
		return err
	})
	return n, err
}

// ListEntities returns the filter's nodes that are not merged into others. It skips the first offset ones and reports
// whether there are more than limit. The error is InvalidArgument for an unknown order.
func (s *Store) ListEntities(ctx context.Context, f EntityFilter, offset, limit int) (list []memory.Entity, more bool,
	err error) {
	if err := f.Order.check(); err != nil {
		return nil, false, err
	}
	w := f.where()
	order := `e.last_seen_at DESC, e.id DESC`
	if f.Order == ByName {
		order = `e.canonical_name, e.type, e.id`
	}
	err = s.readOne(ctx, "list entities", func(c *conn) error {
		list = make([]memory.Entity, 0, min(limit, 64))
		found, err := queryEntities(ctx, c, `SELECT `+entityColumns+` FROM (SELECT e.id AS row FROM mg_entities e
			WHERE
			`+w.sql.String()+` ORDER BY
				`+order+` LIMIT ? OFFSET ?) p CROSS JOIN mg_entities e ON e.id = p.row ORDER BY
				`+order,
			append(w.args, limit+1, offset)...) // only the listed rows are read whole
		for _, e := range found {
			list = append(list, e.Entity)
		}
		return err
	})
	if err != nil {
		return nil, false, err
	}
	if len(list) > limit {
		return list[:limit], true, nil
	}
	return list, false, nil
}

// RelationshipFilter selects facts. Namespace is required; a zero value elsewhere does not narrow.
type RelationshipFilter struct {
	Namespace string
	Relations []string
	Classes   []string
	Entity    int64 // the head or the tail
	Ended     bool  // ended facts instead of active ones, without those that an undo retracted
	All       bool  // both
	Scheduled bool  // active facts that begin later, instead of those that hold now
	Order     ListOrder
	At        memory.AsOf // with a time: the facts that held then, ignoring Ended, All and Scheduled
}

// rows returns the table of the filter's rows, as r, and the condition on them.
func (f RelationshipFilter) rows(ctx context.Context, c *conn, now time.Time) (factsAt, *where, error) {
	facts := factsHolding(f.At, now)
	if f.At.Now() && (f.Ended || f.All || f.Scheduled) {
		facts = factsActive(now)
	}
	if f.At.Now() && f.Scheduled {
		facts.where, facts.args = facts.where+" AND NOT "+begun, append(facts.args, facts.args[0])
	}
	names, err := c.relationNames(ctx, f.Relations, f.At)
	w := new(where)
	w.and("r.namespace = ?", f.Namespace)
	switch {
	case !f.At.Now() || !f.Ended && !f.All:
		w.and(facts.where, facts.args...)
	case !f.All:
		w.and("NOT ("+facts.where+")", facts.args...)
	}
	if f.At.Now() && (f.Ended || f.All) {
		facts.table = "mg_facts"
		w.and("NOT (" + undoneFact + ")")
	}
	w.in("r.relation", names.all())
	w.in("r.edge_class", f.Classes)
	if f.Entity != 0 {
		w.and("(r.head_id = ? OR r.tail_id = ?)", f.Entity, f.Entity)
	}
	return facts, w, err
}

// CountRelationships returns the number of facts that match the filter.
func (s *Store) CountRelationships(ctx context.Context, f RelationshipFilter) (n int64, err error) {
	err = s.readOne(ctx, "count relationships", func(c *conn) (err error) {
		facts, w, err := f.rows(ctx, c, s.now())
		if err != nil {
			return err
		}
		n, _, err = c.int64(ctx, `SELECT count(*) FROM `+facts.table+` r WHERE `+w.sql.String(), w.args...)
		return err
	})
	return n, err
}

// ListRelationships returns the filter's facts. It skips the first offset ones and reports whether there are more than
// limit. The error is InvalidArgument for an unknown order.
func (s *Store) ListRelationships(ctx context.Context, f RelationshipFilter, offset,
	limit int) (list []memory.Relationship, more bool, err error) {
	if err := f.Order.check(); err != nil {
		return nil, false, err
	}
	err = s.read(ctx, "list relationships", func(c *conn) (err error) {
		facts, w, err := f.rows(ctx, c, s.now())
		if err != nil {
			return err
		}
		order, ends := `r.`+facts.id+` DESC`, ``
		if f.Order == ByName {
			order = `h.canonical_name, r.relation, t.canonical_name, r.` + facts.id
			ends = ` CROSS JOIN mg_entities h ON h.id = r.head_id CROSS JOIN mg_entities t ON t.id = r.tail_id`
		}
		list, err = queryRelationships(ctx, c, f.At, `FROM (SELECT r.`+facts.row+` AS row
			FROM `+facts.table+` r NOT INDEXED`+ends+` WHERE `+w.sql.String()+` ORDER BY `+order+` LIMIT ? OFFSET ?) p
			CROSS JOIN `+facts.table+` r ON r.`+facts.row+
			` = p.row`, `true ORDER BY `+order, append(w.args, limit+1, offset)...) // only the listed rows are read whole
		return err
	})
	if err != nil {
		return nil, false, err
	}
	if len(list) > limit {
		return list[:limit], true, nil
	}
	return list, false, nil
}
