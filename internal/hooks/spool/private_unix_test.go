//go:build unix

package spool_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"memory-graph/internal/hooks/spool"
)

// giveAway changes the owner of a file, which requires root.
func giveAway(t *testing.T, path string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	if err := os.Lchown(path, 65534, 65534); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil { // independent of the umask
		t.Fatal(err)
	}
}

// plant writes a complete turn at the given place.
func plant(t *testing.T, path string) {
	t.Helper()
	data, err := json.Marshal(turn("planted"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// refuses checks that a spool neither reads nor writes anything, and reports why.
func refuses(t *testing.T, d spool.Dir, target, why string) {
	t.Helper()
	if _, err := d.Put(turn("secret"), when); err == nil || !strings.Contains(err.Error(), why) {
		t.Errorf("a turn was spooled: %v, want %q", err, why)
	}
	r := d.Drain(t.Context(), when, func(context.Context,
		spool.Entry) error {
		t.Error("a planted turn is stored")
		return nil
	})
	if len(r.Errs) != 1 || !strings.Contains(r.Errs[0].Error(), why) {
		t.Errorf("report %+v, want %q", r, why)
	}
	if _, err := d.Waiting(); err == nil || !strings.Contains(err.Error(), why) {
		t.Errorf("waiting: %v, want %q", err, why)
	}
	d.Attend(when)
	if d.Attended(when) || d.Claim(when) {
		t.Error("a server attends to the spool")
	}
	if list, err := os.ReadDir(target); err != nil || len(list) != 1 || list[0].Name() != "1.json" {
		t.Errorf("existing files were changed: %v, %v", list, err)
	}
}

func TestSpool_RefusesALink(t *testing.T) {
	t.Parallel()
	d, target := newDir(t), t.TempDir()
	plant(t, filepath.Join(target, "1.json"))
	if err := os.Symlink(target, string(d)); err != nil {
		t.Fatal(err)
	}
	refuses(t, d, target, "is a symbolic link")
}

func TestSpool_RefusesAnotherUsersDirectory(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	mkdir(t, string(d), 0o777)
	plant(t, filepath.Join(string(d), "1.json"))
	giveAway(t, string(d))
	refuses(t, d, string(d), "belongs to another user (uid 65534")
}

func TestSpool_TakesTheRightsOfOthersAway(t *testing.T) {
	t.Parallel()
	mode := func(d spool.Dir) os.FileMode {
		info, err := os.Stat(string(d))
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	for _, loose := range []os.FileMode{0o777, 0o755, 0o710} {
		d := newDir(t)
		mkdir(t, string(d), loose)
		if _, err := d.Waiting(); err != nil || mode(d) != loose {
			t.Errorf("counting changes %04o to %04o, %v", loose, mode(d), err)
		}
		put(t, d, turn("a"), when)
		if mode(d) != 0o700 {
			t.Errorf("mode %04o is %04o after a turn", loose, mode(d))
		}
	}
}

// Files that others created in a directory before they lost access do not count as turns.
func TestDrain_PutsAsideWhatOthersCouldHaveWritten(t *testing.T) {
	t.Parallel()
	for name, lay := range map[string]func(t *testing.T, path string){
		"a link": func(t *testing.T, path string) {
			plant(t, path+".elsewhere")
			if err := os.Symlink(filepath.Base(path)+".elsewhere", path); err != nil {
				t.Fatal(err)
			}
		},
		"a named pipe": func(t *testing.T, path string) {
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"another user's": func(t *testing.T, path string) { plant(t, path); giveAway(t, path) },
		"written by all": func(t *testing.T, path string) {
			plant(t, path)
			if err := os.Chmod(path, 0o622); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDir(t)
			put(t, d, turn("ours"), when.Add(time.Hour))
			lay(t, filepath.Join(string(d), "1.json"))
			var got []string
			done := make(chan spool.Report, 1)
			go func() {
				done <- d.Drain(t.Context(), when, func(_ context.Context,
					turn spool.Entry) error {
					got = append(got, turn.Content)
					return nil
				})
			}()
			select {
			case r := <-done:
				if r.Stored != 1 || r.Left != 0 || len(r.Errs) != 1 || len(got) != 1 || got[0] != "ours" {
					t.Errorf("%q are stored, report %+v", got, r)
				}
			case <-time.After(20 * time.Second):
				t.Fatal("it waits for data from the pipe")
			}
			if _, err := os.Lstat(filepath.Join(string(d), "1.json.broken")); err != nil {
				t.Error(err)
			}
		})
	}
}

// The owner of a file can set its time even without access to the directory.
func TestAttended_DoesNotBelieveAnotherUser(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	mkdir(t, string(d), 0o777)
	path := filepath.Join(string(d), "attended")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, when, when); err != nil {
		t.Fatal(err)
	}
	giveAway(t, path)
	if d.Attended(when) {
		t.Error("another user can keep hooks from storing")
	}
	d.Attend(when)
	if !d.Attended(when) {
		t.Error("another user can keep a server from announcing itself")
	}
}
