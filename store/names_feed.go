package store

import (
	"context"

	"github.com/ncruces/go-sqlite3"
)

// NamesSince gives names and aliases of the namespace's entities that were added behind after, in the order of adding and
// in canonical form, at most limit, and the place of the last one: what the next call begins behind. after = 0 begins at
// the beginning.
func (s *Store) NamesSince(ctx context.Context, namespace string, after int64, limit int) (names []string, last int64, err error) {
	last = after
	err = s.readOne(ctx, "read names", func(c *conn) error {
		return c.query(ctx, `SELECT id, alias FROM mg_entity_aliases WHERE namespace = ? AND id > ? ORDER BY id LIMIT ?`, func(row *sqlite3.Stmt) error {
			last = row.ColumnInt64(0)
			names = append(names, row.ColumnText(1))
			return nil
		}, namespace, after, limit)
	})
	return names, last, err
}
