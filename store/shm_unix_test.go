//go:build unix

package store_test

import (
	"os"
	"path/filepath"
	"testing"

	"memory-graph/store"
)

// The files beside the database get its mode: when they are created, when a killed process left them with another mode,
// and when the database is shared on purpose.
func TestOpen_GivesTheLogAndItsIndexTheModeOfTheDatabase(t *testing.T) {
	t.Parallel()
	mode := func(path string, want os.FileMode) {
		t.Helper()
		for _, p := range []string{path, path + "-wal", path + "-shm"} {
			if info, err := os.Stat(p); err != nil {
				t.Error(err)
			} else if info.Mode().Perm() != want {
				t.Errorf("%s has mode %04o, want %04o", filepath.Base(p), info.Mode().Perm(), want)
			}
		}
	}
	chmod := func(mode os.FileMode, paths ...string) {
		t.Helper()
		for _, p := range paths {
			if err := os.Chmod(p, mode); err != nil {
				t.Fatal(err)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "memory.db")
	first := open(t, path, store.Options{})
	record(t, first, turn("s", "first"))
	mode(path, 0o600)

	chmod(0o666, path+"-wal", path+"-shm")
	second := open(t, path, store.Options{}) // while another process has it open
	record(t, second, turn("s", "second"))
	mode(path, 0o600)

	for _, s := range []*store.Store{first, second} {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	chmod(0o640, path)
	third := open(t, path, store.Options{})
	record(t, third, turn("s", "third"))
	mode(path, 0o640)
	if err := third.Close(); err != nil {
		t.Fatal(err)
	}
	chmod(0o600, path)
	open(t, path, store.Options{ReadOnly: true})
	if info, err := os.Stat(path + "-shm"); err == nil && info.Mode().Perm() != 0o600 {
		t.Errorf("a reader makes the index with mode %04o", info.Mode().Perm())
	}
}

func TestOpen_MakesNothingBesideAnotherProgramsFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "other.db")
	rawExec(t, path, `CREATE TABLE customers (id INTEGER)`)
	if err := openErr(path, store.Options{}); err == nil {
		t.Fatal("the file of another program was opened")
	}
	if _, err := os.Lstat(path + "-shm"); err == nil {
		t.Error("there is an index of a log, but no log")
	}
}
