package store

import (
	"context"

	"memory-graph/internal/memory"
)

// CopyTo writes a copy of the database, as it is now, into a new file. Other processes can write meanwhile.
func (s *Store) CopyTo(ctx context.Context, path string) error {
	return s.readOne(ctx, "copy the database", func(c *conn) error {
		if err := c.raw.Backup("main", fileURI(path, nil)); err != nil {
			return memory.Errorf(memory.Unavailable, "The database cannot be copied to %s: %w.", path, err).
				WithHint("The copy needs as much free space as the database. TMPDIR names another directory.")
		}
		return nil
	})
}
