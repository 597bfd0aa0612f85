//go:build unix

package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
	"memory-graph/store"
)

func init() {
	childParts["read"] = func(args []string) error {
		if os.Getuid() == 0 { // root may write everywhere
			if err := syscall.Setuid(65534); err != nil {
				return err
			}
		}
		s, err := store.Open(context.Background(), args[0], store.Options{ReadOnly: true})
		if err != nil {
			return fmt.Errorf("open: %w (%v)", err, memory.AsError(err).Err)
		}
		hits, err := s.SearchText(context.Background(), text.Parse("kept"), memory.Filter{Namespace: "default"}, 5)
		if err != nil {
			return fmt.Errorf("search: %w (%v)", err, memory.AsError(err).Err)
		}
		fmt.Println("found", len(hits))
		if err := s.Close(); err != nil {
			return err
		}
		_, err = store.Open(context.Background(), args[0], store.Options{})
		fmt.Printf("%s: %v\n", memory.AsError(err).Code, err)
		return nil
	}
}

func TestOpen_InADirectoryThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	top, err := os.MkdirTemp("", "memory-graph-readonly-") // t.TempDir is not readable by other users
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(top) })
	dir := filepath.Join(top, "fixed")
	path := filepath.Join(dir, "memory.db")
	s := openNewAt(t, path)
	record(t, s, turn("s", "kept for others to read"))
	if err := s.Close(); err != nil { // the last connection leaves no write-ahead log
		t.Fatal(err)
	}
	for p, mode := range map[string]os.FileMode{path: 0o444, dir: 0o555, top: 0o755} {
		if err := os.Chmod(p, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	out := runChild(t, "read", path)
	if !strings.Contains(out, "found 1") {
		t.Errorf("reading: %q", out)
	}
	if !strings.Contains(out, "read_only: The database "+path+" cannot be written: permission denied.") {
		t.Errorf("writing: %q", out)
	}
	for p, mode := range map[string]os.FileMode{path: 0o666, dir: 0o555} {
		if err := os.Chmod(p, mode); err != nil {
			t.Fatal(err)
		}
	}
	if out := runChild(t, "read", path); !strings.Contains(out,
		"read_only: The database "+path+" cannot be written: SQLite keeps its log in the directory "+dir) {
		t.Errorf("writing with only the directory read-only: %q", out)
	}
}
