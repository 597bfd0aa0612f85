package store

import (
	"context"

	"memory-graph/internal/memory"
)

// RuleMemories returns the ids of the namespace's memories of the types rule and instruction, newest first, at most
// limit. A filter that is narrower than the namespace selects those that one of its turns says or mentions. It runs one
// statement.
func (s *Store) RuleMemories(ctx context.Context, f memory.Filter, limit int) ([]int64, error) {
	sql := `SELECT n.id FROM mg_entities n INDEXED BY mg_entities_rules WHERE n.namespace = ?
		AND n.kind = 'memory' AND n.type IN ('rule', 'instruction') AND n.merged_into IS NULL
		AND (n.valid_until IS NULL OR n.valid_until > ?)`
	args := []any{f.Namespace, memory.Seconds(s.now())}
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
