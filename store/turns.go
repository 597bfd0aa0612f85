package store

import (
	"context"
	"fmt"
	"strings"

	"memory-graph/internal/memory"
)

const turnColumns = `e.id, e.session_id, e.seq, e.role, e.speaker, e.occurred_at, e.status, e.origin, e.content`

// turnReader collects rows of turnColumns. Sessions, roles and speakers recur: each is one string.
type turnReader struct {
	turns []memory.Rankable
	known map[string]string
}

func (r *turnReader) row(s cursor) error {
	at, err := memory.ParseStored(r.name(s, 5)) // a session's turns often share a second
	if err != nil {
		return fmt.Errorf("turn %d: occurred_at: %w", s.int64(0), err)
	}
	r.turns = append(r.turns, memory.Rankable{
		ID:          s.int64(0),
		SessionID:   r.name(s, 1),
		Seq:         s.int64(2),
		Role:        memory.Role(r.name(s, 3)),
		Speaker:     r.name(s, 4),
		OccurredAt:  at,
		Quarantined: string(s.rawText(6)) == memory.StatusQuarantined,
		Unvouched:   memory.Origin(r.name(s, 7)).Trust() <= memory.OriginTool.Trust(),
		Content:     s.text(8),
	})
	return nil
}

func (r *turnReader) name(s cursor, column int) string {
	raw := s.rawText(column)
	known, ok := r.known[string(raw)]
	if !ok {
		known = string(raw)
		r.known[known] = known
	}
	return known
}

func (s *Store) turns(ctx context.Context, action, sql string, args ...any) ([]memory.Rankable, error) {
	r := turnReader{known: map[string]string{}}
	err := s.readOne(ctx, action, func(c *conn) error {
		r.turns = r.turns[:0]
		return c.query(ctx, sql, r.row, args...)
	})
	return r.turns, err
}

// Turns gives the turns of the namespace with these ids, in no order. Ids that are not there, or are another
// namespace's, are left out.
func (s *Store) Turns(ctx context.Context, namespace string, ids []int64) ([]memory.Rankable, error) {
	return s.turns(ctx, "read turns", `SELECT `+turnColumns+
		` FROM json_each(?) j CROSS JOIN mg_episodes e ON e.id = j.value WHERE e.namespace = ?`,
		idList(ids), namespace)
}

// TurnsBeside gives the turns just before and just after these in their sessions, as far as they pass the filter; each
// once, in no order, with those among the given ids that stand beside another.
func (s *Store) TurnsBeside(ctx context.Context, f memory.Filter, ids []int64) ([]memory.Rankable, error) {
	w := filterWhere(f)
	var sql strings.Builder
	// What stands beside what is found in an index alone; only what is in the answer is read from the table, once each.
	sql.WriteString(`WITH asked AS MATERIALIZED (
			SELECT a.namespace, a.session_id, a.seq FROM json_each(?) j CROSS JOIN mg_episodes a ON a.id = j.value
			WHERE a.namespace = ? AND a.session_id IS NOT NULL),
		beside (id) AS (
			SELECT n.id FROM asked a CROSS JOIN mg_episodes n INDEXED BY mg_episodes_session
				ON n.namespace = a.namespace AND n.session_id = a.session_id AND n.seq = a.seq - 1
			UNION SELECT n.id FROM asked a CROSS JOIN mg_episodes n INDEXED BY mg_episodes_session
				ON n.namespace = a.namespace AND n.session_id = a.session_id AND n.seq = a.seq + 1)
		SELECT ` + turnColumns + ` FROM beside b CROSS JOIN mg_episodes e ON e.id = b.id WHERE `)
	sql.WriteString(w.sql.String())
	return s.turns(ctx, "read turns beside", sql.String(), append([]any{idList(ids), f.Namespace}, w.args...)...)
}
