package store

import (
	"context"
	"fmt"
	"strings"

	"memory-graph/internal/memory"
)

const turnColumns = `e.id, e.session_id, e.seq, e.role, e.speaker, e.occurred_at, e.status, e.origin, e.content`

// turnReader collects rows of turnColumns. It keeps each session, role and speaker as one string, because they recur.
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

// Turns returns the turns of the namespace with these ids, in no particular order. It leaves out unknown ids, ids of
// another namespace, and turns that no search finds.
func (s *Store) Turns(ctx context.Context, namespace string, ids []int64) ([]memory.Rankable, error) {
	return s.turns(ctx, "read turns", `SELECT `+turnColumns+
		` FROM json_each(?) j CROSS JOIN mg_episodes e ON e.id = j.value WHERE e.namespace = ? AND `+readable,
		idList(ids), namespace)
}

// TurnsBeside returns the turns just before and just after these in their sessions, if they pass the filter, each once
// and in no particular order. A given turn that is beside another given one is included.
func (s *Store) TurnsBeside(ctx context.Context, f memory.Filter, ids []int64) ([]memory.Rankable, error) {
	w := filterWhere(f)
	var sql strings.Builder
	// The neighbours come from an index alone. Only the rows of the answer are read from the table, once each.
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
