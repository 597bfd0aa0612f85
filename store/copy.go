package store

import (
	"context"
	"errors"

	"memory-graph/internal/memory"
)

// CopyTo writes a copy of the database, as it is now, into a new file. Other processes can write meanwhile.
func (s *Store) CopyTo(ctx context.Context, path string) error {
	err := s.copyTo(ctx, path)
	var own *memory.Error
	if err == nil || errors.As(err, &own) || ctx.Err() != nil {
		return s.edge(ctx, "copy the database", err)
	}
	return memory.Errorf(memory.Unavailable, "The database cannot be copied to %s: %w.", path, err).
		WithHint("The copy needs as much free space as the database. TMPDIR names another directory.")
}

// copyTo is CopyTo with the error of SQLite.
func (s *Store) copyTo(ctx context.Context, path string) error {
	if err := s.present(); err != nil {
		return err
	}
	return s.readers.with(ctx, func(c *conn) error { return c.raw.Backup("main", fileURI(path, nil)) })
}
