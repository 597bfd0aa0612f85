package e2e_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"memory-graph/store"
)

// startSQLite makes this process able to open files with SQLite, in the same build and cache as the program.
var startSQLite = sync.OnceValue(func() error {
	dir, err := os.MkdirTemp("", "memory-graph-e2e-")
	if err != nil {
		return err
	}
	s, err := store.Open(context.Background(), filepath.Join(dir, "memory.db"),
		store.Options{CacheDir: filepath.Join(cacheHome(), "memory-graph")})
	if err == nil {
		err = s.Close()
	}
	return errors.Join(err, os.RemoveAll(dir))
})

// openRaw opens a file as any program may.
func openRaw(t testing.TB, path string) *sqlite3.Conn {
	t.Helper()
	if err := startSQLite(); err != nil {
		t.Fatal(err)
	}
	c, err := sqlite3.Open(path)
	if err != nil {
		t.Fatalf("open %s: %v", path, err)
	}
	return c
}

// execRaw runs statements on a file and closes it.
func execRaw(t testing.TB, path, sql string) {
	t.Helper()
	c := openRaw(t, path)
	if err := errors.Join(c.Exec(sql), c.Close()); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// peek asks a copy of a database that a killed process left behind, so that the program finds it as it was left. A
// statement that fails, since its tables are not there yet, gives 0.
func peek(t testing.TB, path, sql string) int {
	t.Helper()
	dir := t.TempDir()
	for _, suffix := range []string{"", "-wal"} { // without -shm: the copy is recovered from its log
		b, err := os.ReadFile(path + suffix)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "memory.db"+suffix), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	c := openRaw(t, filepath.Join(dir, "memory.db"))
	defer c.Close()
	s, _, err := c.Prepare(sql)
	if err != nil {
		return 0
	}
	defer s.Close()
	if !s.Step() {
		return 0
	}
	return s.ColumnInt(0)
}

// lockWhole keeps every other process from reading and writing a database, until the function it gives is called.
func lockWhole(t testing.TB, path string) (release func()) {
	t.Helper()
	c := openRaw(t, path)
	// In WAL mode an exclusive transaction alone lets others read.
	if err := c.Exec(
		"PRAGMA locking_mode = exclusive; BEGIN EXCLUSIVE; UPDATE mg_metadata SET value = value"); err != nil {
		t.Fatalf("lock %s: %v", path, err)
	}
	release = sync.OnceFunc(func() {
		if err := errors.Join(c.Exec("ROLLBACK"), c.Close()); err != nil {
			t.Errorf("unlock %s: %v", path, err)
		}
	})
	t.Cleanup(release)
	return release
}
