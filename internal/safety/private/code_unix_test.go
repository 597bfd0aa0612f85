//go:build unix

package private_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memory-graph/internal/safety/private"
)

func TestCheckCode_RefusesWhatOthersCanWriteOrReplace(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(parent, dir, file string) error
		wants  string // "" for no error
		root   bool   // needs the rights of root
	}{
		"ours":      {func(string, string, string) error { return nil }, "", false},
		"missing":   {func(_, dir, _ string) error { return os.RemoveAll(dir) }, "", false},
		"no parent": {func(parent, _, _ string) error { return os.RemoveAll(parent) }, "", false},
		"readable by others": {func(_, dir, file string) error {
			return errors.Join(os.Chmod(dir, 0o755), os.Chmod(file, 0o644))
		}, "", false},
		"a sticky parent":          {chmodParent(0o777 | os.ModeSticky), "", false},
		"a parent of the group":    {chmodParent(0o770), "", false},
		"a parent of everybody":    {chmodParent(0o777), "can be written by all users (mode 0777)", false},
		"a directory of everybody": {chmodDir(0o777), "can be written by other users (mode 0777)", false},
		"a directory of the group": {chmodDir(0o770), "can be written by other users (mode 0770)", false},
		"a file of everybody":      {chmodFile(0o666), "can be written by other users (mode 0666)", false},
		"a directory by a link":    {linkDir, "is a symbolic link", false},
		"a file by a link":         {linkFile, "is a symbolic link", false},
		"another user's parent":    {func(parent, _, _ string) error { return toNobody(parent) }, "uid 65534", true},
		"another user's directory": {func(_, dir, _ string) error { return toNobody(dir) }, "uid 65534", true},
		"another user's file":      {func(_, _, file string) error { return toNobody(file) }, "uid 65534", true},
		"another user's subdirectory": {func(_, _, file string) error {
			return toNobody(filepath.Dir(file))
		}, "uid 65534", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tc.root && os.Geteuid() != 0 {
				t.Skip("only root can give a file to another user")
			}
			parent := filepath.Join(t.TempDir(), "parent")
			dir := filepath.Join(parent, "cache")
			file := filepath.Join(dir, "version", "module")
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte("code"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := tc.change(parent, dir, file); err != nil {
				t.Fatal(err)
			}
			err := private.CheckCode(dir)
			if (err == nil) != (tc.wants == "") || err != nil && !strings.Contains(err.Error(), tc.wants) {
				t.Errorf("got %v, want %q", err, tc.wants)
			}
		})
	}
}

func chmodParent(m os.FileMode) func(parent, dir, file string) error {
	return func(parent, _, _ string) error { return os.Chmod(parent, m) }
}

func chmodDir(m os.FileMode) func(parent, dir, file string) error {
	return func(_, dir, _ string) error { return os.Chmod(dir, m) }
}

func chmodFile(m os.FileMode) func(parent, dir, file string) error {
	return func(_, _, file string) error { return os.Chmod(file, m) }
}

func linkDir(_, dir, _ string) error {
	return errors.Join(os.Rename(dir, dir+"2"), os.Symlink(dir+"2", dir))
}

func linkFile(_, _, file string) error {
	return errors.Join(os.Rename(file, file+"2"), os.Symlink(file+"2", file))
}

func toNobody(path string) error { return os.Chown(path, 65534, 65534) }
