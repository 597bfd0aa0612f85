package store

import (
	"context"
	"strings"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// Replaced returns, for episodes with an ended fact, the later episodes of the filter that replaced it: those that
// state the superseding fact, and those that state the end. If a fact of a relation with one tail has no superseding
// fact, these are the episodes that state the fact that is active since. An episode after the end is not replaced,
// unless it states a fact that news ended at its own beginning. If two episodes have the same second, the one that was
// stored first is the earlier. Quarantined episodes replace nothing. An episode of origin tool replaces only others of
// that origin. With times in at, only what was said and known by then counts. It runs one statement.
func (s *Store) Replaced(ctx context.Context, f memory.Filter, episodes []int64, at memory.AsOf) ([]memory.Replacement,
	error) {
	if len(episodes) == 0 {
		return nil, nil
	}
	w := filterWhere(f)
	w.and("e.status <> ?", memory.StatusQuarantined)
	if !at.ValidAt.IsZero() {
		w.and("e.occurred_at <= ?", memory.Seconds(at.ValidAt))
	}
	if !at.KnownAt.IsZero() {
		w.and("e.created_at <= ?", memory.Millis(at.KnownAt))
		w.and("v.created_at <= ? AND x.created_at <= ?", memory.Millis(at.KnownAt), memory.Millis(at.KnownAt))
	}
	var sql strings.Builder
	sql.WriteString(`SELECT a.id, e.id, r.id, h.name, r.relation, t.name, h.type, x.relationship_id = r.id,
		x.relationship_id NOT IN (r.id, coalesce(r.superseded_by, 0)), r.head_id, r.tail_id
		FROM json_each(?) j CROSS JOIN mg_episodes a ON a.id = j.value
		CROSS JOIN mg_evidence v ON v.episode_id = a.id
		CROSS JOIN mg_facts r ON r.id = v.relationship_id
		CROSS JOIN mg_evidence x ON x.relationship_id IN (SELECT r.id UNION ALL SELECT r.superseded_by UNION ALL
			SELECT c.id FROM mg_relationships c WHERE r.superseded_by IS NULL AND c.namespace = r.namespace AND c.head_id =
			r.head_id
				AND c.relation = r.relation AND c.valid_until IS NULL AND c.tail_id <> r.tail_id AND coalesce(c.valid_from,
				r.valid_until) >= r.valid_until)
		CROSS JOIN mg_episodes e ON e.id = x.episode_id
		CROSS JOIN mg_entities h ON h.id = r.head_id CROSS JOIN mg_entities t ON t.id = r.tail_id
		WHERE a.namespace = ? AND r.valid_until IS NOT NULL
			AND (a.occurred_at < r.valid_until OR r.superseded_by IS NOT NULL AND r.valid_from = r.valid_until)
			AND (e.occurred_at, e.id) > (a.occurred_at, a.id)
			AND (x.relationship_id <> r.id OR e.occurred_at >= r.valid_until)
			AND (e.origin IN ('user', 'agent', 'assistant') OR a.origin NOT IN ('user', 'agent', 'assistant')) AND `)
	sql.WriteString(w.sql.String())
	sql.WriteString(` ORDER BY a.id, e.id, r.id`)
	var out []memory.Replacement
	err := s.readOne(ctx, "read what was replaced", func(c *conn) error {
		out = out[:0]
		return c.query(ctx, sql.String(), func(row cursor) error {
			p := memory.Replacement{Earlier: row.int64(0), Later: row.int64(1), Fact: row.int64(2),
				Head: row.text(3), Relation: row.text(4), Tail: row.text(5), Ends: row.bool(7), HeadID: row.int64(9),
				TailID: row.int64(10)}
			if row.bool(8) && !graph.Lookup(p.Relation).OneTail(row.text(6)) {
				return nil
			}
			if n := len(out) - 1; n >= 0 && out[n].Earlier == p.Earlier && out[n].Later == p.Later && out[n].Fact == p.Fact {
				out[n].Ends = out[n].Ends && p.Ends // the episode says the end and the successor
				return nil
			}
			out = append(out, p)
			return nil
		}, append([]any{idList(episodes), f.Namespace}, w.args...)...)
	})
	return out, err
}
