package store

import (
	"context"

	"memory-graph/internal/memory"
)

// EpisodeIDs returns the ids of the filter's episodes in ascending order.
func (s *Store) EpisodeIDs(ctx context.Context, f memory.Filter) (ids []int64, err error) {
	w := filterWhere(f)
	err = s.read(ctx, "read ids of episodes", func(c *conn) error {
		from := "mg_episodes e"
		if f.SessionID == "" && f.Since.IsZero() && f.Until.IsZero() {
			// If all rows are of the namespace, finding them through an index takes twice as long as reading them.
			alone, err := onlyNamespace(ctx, c, f.Namespace)
			if err != nil {
				return err
			}
			if alone {
				from += " NOT INDEXED"
			}
		}
		// one row for all ids, since each row is a call into SQLite
		return c.query(ctx, `SELECT group_concat(e.id) FROM `+from+` WHERE `+w.sql.String(), func(row cursor) error {
			ids, err = parseIDs(row.text(0))
			return err
		}, w.args...)
	})
	return ids, err
}
