package store

import (
	"context"
	"encoding/json"

	"memory-graph/internal/memory"
)

// unread selects the turns of a namespace (?1) with an id above ?2 and a role among ?3 that are done although no model
// has read them.
const unread = ` FROM mg_episodes e WHERE e.namespace = ?1 AND e.id > ?2 AND e.status = 'done' AND e.model_read = 0
	AND e.role IN (SELECT value FROM json_each(?3))`

// CountUnread counts the namespace's turns of the given roles that are done although no model has read them. It scans
// every turn.
func (s *Store) CountUnread(ctx context.Context, namespace string, roles []memory.Role) (n int64, err error) {
	err = s.readOne(ctx, "count turns that no model has read", func(c *conn) (err error) {
		n, _, err = c.int64(ctx, `SELECT count(*)`+unread, namespace, 0, roleList(roles))
		return err
	})
	return n, err
}

// ReopenUnread sets up to limit turns that no model has read from done to pending, the oldest with an id above after,
// and returns their ids. It queues no jobs: the caller reads the turns, or the heartbeat finds them.
func (s *Store) ReopenUnread(ctx context.Context, namespace string, roles []memory.Role, after int64,
	limit int) (ids []int64, err error) {
	err = s.write(ctx, "reopen turns that no model has read", func(c *conn) error {
		ids = nil
		if err := c.query(ctx, `SELECT e.id`+unread+` ORDER BY e.id LIMIT ?4`, func(row cursor) error {
			ids = append(ids, row.int64(0))
			return nil
		}, namespace, after, roleList(roles), limit); err != nil || len(ids) == 0 {
			return err
		}
		_, err := c.exec(ctx, `UPDATE mg_episodes SET status = 'pending' WHERE id IN (SELECT value FROM json_each(?))`,
			idList(ids))
		return err
	})
	return ids, err
}

func roleList(roles []memory.Role) string {
	names, _ := json.Marshal(roles) // strings always marshal
	return string(names)
}

// ExtractNow makes postponed extract jobs due. A starting process calls it, because the reason for postponing them may
// be gone. If the endpoint is still unreachable, that costs one request.
func (s *Store) ExtractNow(ctx context.Context) error {
	waiting := false
	now := memory.Millis(s.now())
	const putOff = ` FROM mg_jobs WHERE kind = '` + KindExtract + `' AND status = 'pending' AND next_at > ?1`
	err := s.readOne(ctx, "find postponed jobs", func(c *conn) (err error) {
		_, waiting, err = c.int64(ctx, `SELECT 1`+putOff+` LIMIT 1`, now)
		return err
	})
	if err != nil || !waiting {
		return err
	}
	return s.write(ctx, "resume postponed jobs", func(c *conn) error {
		_, err := c.exec(ctx, `UPDATE mg_jobs SET next_at = ?1 WHERE id IN (SELECT id`+putOff+`)`, now)
		return err
	})
}
