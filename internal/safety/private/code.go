package private

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"memory-graph/internal/memory"
)

// CheckCode checks a directory whose files this program runs as machine code. Nobody but this user may have
// written a file in it, or be able to replace one. Otherwise the error is a memory.Error: the directory, or a file or
// directory in it, is a link, belongs to another user, or can be written by others; or others can replace the directory
// itself, since they may write to its parent. A missing directory is fine. CheckCode changes nothing: a directory that
// was open to others may hold their files even when its mode is set right.
func CheckCode(dir string) error {
	if err := checkParent(filepath.Dir(dir)); err != nil {
		return err
	}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // removed meanwhile, such as a temporary file
			return nil
		}
		if entry == nil {
			return err
		}
		info, failed := entry.Info()
		if errors.Is(failed, fs.ErrNotExist) {
			return nil
		}
		if failed != nil {
			return failed
		}
		if wrong := checkCodeFile(path, info); wrong != nil {
			return wrong
		}
		return err
	})
	var own *memory.Error
	if errors.As(err, &own) {
		return own.WithHint("Remove %q: the next start creates it again.", dir)
	}
	return err
}

func checkCodeFile(path string, info fs.FileInfo) *memory.Error {
	if !info.IsDir() && !info.Mode().IsRegular() {
		return refused("%s is %s.", path, Kind(info.Mode()))
	}
	if hasModes && info.Mode().Perm()&write != 0 {
		return refused("%s can be written by other users (mode %04o).", path, info.Mode().Perm())
	}
	var own *memory.Error
	if errors.As(owned(path, info), &own) {
		return own
	}
	return nil
}

// checkParent checks that no other account can replace what is in a directory. In a directory with the sticky bit, such
// as /tmp, only the owner of a file can.
func checkParent(dir string) error {
	info, err := os.Stat(dir) // a link is fine: what it leads to is checked
	if errors.Is(err, fs.ErrNotExist) || !hasModes {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode().Perm()&worldWrite != 0 && info.Mode()&fs.ModeSticky == 0 {
		return refused("The directory %s can be written by all users (mode %04o), so they can replace what is in it.", dir,
			info.Mode().Perm()).WithHint("Run: chmod o-w %q. Or use a directory in your home.", dir)
	}
	if uid, known := owner(info); known && uid != 0 && uid != os.Geteuid() {
		return refused("The directory %s belongs to another user (uid %d), who can replace what is in it.", dir, uid).
			WithHint("Use a directory of this user.")
	}
	return nil
}
