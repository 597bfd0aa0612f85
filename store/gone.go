package store

import (
	"os"

	"memory-graph/internal/memory"
)

// present fails when the file that is open is no longer the one at its path: it was removed, or another was put in its
// place. SQLite would go on with the old one, which nobody can reach any more, and what is acknowledged would be lost
// with the process.
func (s *Store) present() error {
	info, err := os.Stat(s.path)
	if err == nil && os.SameFile(info, s.file) {
		return nil
	}
	if err != nil && !os.IsNotExist(err) {
		return nil // not to be looked at is not to be gone: SQLite will say what is wrong
	}
	return memory.Errorf(memory.Unavailable, "The database file %s was removed or replaced while it was in use.", s.path).
		WithHint("Restart the server (the host) to go on with what is there now.")
}
