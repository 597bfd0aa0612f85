package store

import (
	"os"

	"memory-graph/internal/memory"
)

// present fails if the open file is no longer the file at its path, because it was removed or replaced. SQLite would
// keep using the old file, which no other process can reach, and acknowledged writes would be lost when this process
// ends.
func (s *Store) present() error {
	info, err := os.Stat(s.path)
	if err == nil && os.SameFile(info, s.file) {
		return nil
	}
	if err != nil && !os.IsNotExist(err) {
		return nil // the file may still exist; SQLite reports the problem
	}
	return memory.Errorf(memory.Unavailable, "The database file %s was removed or replaced while it was in use.", s.path).
		WithHint("Restart the server (the host) to use the file that is there now.")
}
