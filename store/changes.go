package store

import (
	"context"
	"time"

	"memory-graph/internal/memory"
)

// Changes returns the changes of meaning from since (inclusive; zero: from the beginning) to until (exclusive; zero: to
// the end), the newest first. Entity 0 selects all changes of the namespace, another value those of that entity and of
// its facts. Storing a turn is not a change of meaning. Changes skips the first offset events; more reports whether
// there are more than limit after them.
func (s *Store) Changes(ctx context.Context, namespace string, since, until time.Time, entity int64, offset,
	limit int) (events []memory.Event, more bool, err error) {
	w, from := changesOf(namespace, since, until, entity)
	err = s.read(ctx, "read changes", func(c *conn) error {
		if entity != 0 {
			if err := needNode(ctx, c, namespace, entity); err != nil {
				return err
			}
		}
		events = []memory.Event{}
		return c.query(ctx, `SELECT `+eventColumns+` FROM `+from+` WHERE `+w.sql.String()+
			` ORDER BY v.id DESC LIMIT ? OFFSET ?`, func(s cursor) error {
			e, err := scanEvent(s, 0)
			events = append(events, e)
			return err
		}, append(w.args, limit+1, offset)...)
	})
	if err != nil {
		return nil, false, err
	}
	if len(events) > limit {
		return events[:limit], true, nil
	}
	return events, false, nil
}

// changesOf returns the condition on the events v that Changes and Calls read, and the FROM clause.
func changesOf(namespace string, since, until time.Time, entity int64) (w *where, from string) {
	w = new(where)
	w.and("v.namespace = ?", namespace)
	w.and("(v.before IS NOT NULL OR v.after IS NOT NULL OR v.action = ?)", forgetAction)
	if !since.IsZero() {
		w.and("v.at >= ?", memory.Millis(since.Add(time.Millisecond-1))) // round up: stored times are whole milliseconds
	}
	if !until.IsZero() {
		w.and("v.at < ?", memory.Millis(until.Add(time.Millisecond-1)))
	}
	from = `mg_events v INDEXED BY mg_events_at`
	if entity != 0 {
		from = `mg_events v INDEXED BY mg_events_object`
		w.and(`v.object IN (SELECT 'r' || relationship_id FROM mg_relationship_versions WHERE head_id = ? AND namespace = ?
			UNION SELECT 'r' || relationship_id FROM mg_relationship_versions WHERE tail_id = ? AND namespace = ? UNION SELECT
			'e' || ? UNION SELECT 'm' || ?)`,
			entity, namespace, entity, namespace, entity, entity)
	}
	return w, from
}
