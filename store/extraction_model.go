package store

import (
	"context"
	"encoding/json"

	"memory-graph/internal/memory"
)

// unread are the turns of a namespace (?1) behind an id (?2) that are done without a model having read them, of the
// roles ?3.
const unread = ` FROM mg_episodes e WHERE e.namespace = ?1 AND e.id > ?2 AND e.status = 'done' AND e.model_read = 0
	AND e.role IN (SELECT value FROM json_each(?3))`

// CountUnread counts the namespace's turns of some roles that are done without a model having read them. It looks at
// every turn.
func (s *Store) CountUnread(ctx context.Context, namespace string, roles []memory.Role) (n int64, err error) {
	err = s.readOne(ctx, "count turns that no model has read", func(c *conn) (err error) {
		n, _, err = c.int64(ctx, `SELECT count(*)`+unread, namespace, 0, roleList(roles))
		return err
	})
	return n, err
}

// ReopenUnread makes up to limit turns that are done without a model having read them wait for one, the oldest behind
// the id after, and gives their ids. Nothing is queued: who reopens them reads them, or the heartbeat finds them.
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
	names, _ := json.Marshal(roles) // strings always can
	return string(names)
}

// ExtractNow makes the extract jobs due that were put off: for a process that begins, since what it put them off for
// may be over, and an endpoint that is still away costs one question.
func (s *Store) ExtractNow(ctx context.Context) error {
	waiting := false
	now := memory.Millis(s.now())
	const putOff = ` FROM mg_jobs WHERE kind = '` + KindExtract + `' AND status = 'pending' AND next_at > ?1`
	err := s.readOne(ctx, "look for jobs that were put off", func(c *conn) (err error) {
		_, waiting, err = c.int64(ctx, `SELECT 1`+putOff+` LIMIT 1`, now)
		return err
	})
	if err != nil || !waiting {
		return err
	}
	return s.write(ctx, "take up what was put off", func(c *conn) error {
		_, err := c.exec(ctx, `UPDATE mg_jobs SET next_at = ?1 WHERE id IN (SELECT id`+putOff+`)`, now)
		return err
	})
}
