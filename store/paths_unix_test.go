//go:build unix

package store_test

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func TestOpen_NamesWhatIsInThePlaceOfAFile(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "mg") // short enough for the path of a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	at := func(name string) string { return filepath.Join(dir, name) }
	_ = openNewAt(t, at("memory.db")).Close()
	for link, target := range map[string]string{"link": at("memory.db"), "dangling": at("gone.db"), "linked-dir": dir} {
		if err := os.Symlink(target, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(at("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", at("socket"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	for name, says := range map[string][]string{
		"link": {"is a symbolic link, not a database file",
			"set MEMORY_GRAPH_DB to the link's target, " + at("memory.db")},
		"dangling":   {"is a symbolic link to " + at("gone.db") + ", which does not exist"},
		"linked-dir": {"is a symbolic link"},
		"pipe":       {"is a named pipe, not a database file"},
		"socket":     {"is a socket, not a database file"},
	} {
		for _, readOnly := range []bool{false, true} {
			done := make(chan error, 1)
			go func() { done <- openErr(at(name), store.Options{ReadOnly: readOnly, BusyTimeout: time.Millisecond}) }()
			select {
			case err := <-done:
				wantError(t, err, memory.Unavailable, append(says, name)...)
			case <-time.After(20 * time.Second):
				t.Errorf("%s: Open does not return", name)
			}
		}
	}
	if _, err := os.Lstat(at("gone.db")); err == nil {
		t.Error("a file was created at the target of a link")
	}
	// Links in the directories above the file are followed: a home directory may be behind one.
	s := open(t, filepath.Join(at("linked-dir"), "memory.db"), store.Options{})
	record(t, s, turn("s", "hello"))
}
