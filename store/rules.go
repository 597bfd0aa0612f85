package store

import (
	"context"
	"slices"

	"memory-graph/internal/memory"
)

// Instructs reports whether a memory is a standing instruction, by its type or by its metadata.
func (m NewMemory) Instructs() bool {
	is := func(typ string) bool { return typ == "rule" || typ == "instruction" }
	return is(m.Type) || slices.ContainsFunc(m.Labels, func(l memory.Label) bool {
		return l.Kind == memory.LabelType && is(memory.Canonical(l.Value))
	})
}

// RuleMemories returns the ids of the namespace's memories that are standing instructions, newest first, at most
// limit. A filter that is narrower than the namespace selects those that one of its turns says or mentions. It runs one
// statement.
func (s *Store) RuleMemories(ctx context.Context, f memory.Filter, limit int) ([]int64, error) {
	sql := `WITH rules (id) AS (
			SELECT n.id FROM mg_entities n INDEXED BY mg_entities_rules WHERE n.namespace = ?1
				AND n.kind = 'memory' AND n.type IN ('rule', 'instruction') AND n.merged_into IS NULL
			UNION SELECT r.head_id FROM mg_entities l CROSS JOIN mg_relationships r ON r.tail_id = l.id AND
				r.valid_until IS NULL WHERE l.namespace = ?1 AND l.canonical_name IN (?3, ?4) AND l.type = ?5
				AND r.relation = '` + sharedNode + `')
		SELECT n.id FROM rules x CROSS JOIN mg_entities n ON n.id = x.id WHERE n.kind = 'memory' AND n.merged_into IS NULL
		AND (n.valid_until IS NULL OR n.valid_until > ?2)`
	label := func(value string) string {
		return memory.Canonical(memory.Label{Kind: memory.LabelType, Value: value}.Name())
	}
	args := []any{f.Namespace, memory.Seconds(s.now()), label("rule"), label("instruction"), string(memory.LabelType)}
	if f.Narrow() {
		w := filterWhere(f)
		sql += ` AND EXISTS (SELECT 1 FROM mg_mentions m CROSS JOIN mg_episodes e ON e.id = m.episode_id
			WHERE m.entity_id = n.id AND ` + w.sql.String() + `)`
		args = append(args, w.args...)
	}
	var ids []int64
	err := s.readOne(ctx, "read rules", func(c *conn) error {
		ids = ids[:0]
		return c.query(ctx, sql+` ORDER BY n.id DESC LIMIT ?`, func(row cursor) error {
			ids = append(ids, row.int64(0))
			return nil
		}, append(args, limit)...)
	})
	return ids, err
}
