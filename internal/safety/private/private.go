// Package private opens directories and files that steer this program or hold what people said. It refuses those that
// another account of the machine could have created or could change.
//
// Checking a path is not enough, since the path may lead elsewhere a moment later. So the checks apply to the opened
// file, and a directory is used through the checked handle. On systems where Go has no owners and modes (Windows) only
// the file's kind is checked: the access list of the user's profile keeps other users out.
package private

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"memory-graph/internal/memory"
)

// others are the permissions of group and world; write is their write permissions, worldWrite that of world.
const (
	others fs.FileMode = 0o077
	write  fs.FileMode = 0o022

	worldWrite fs.FileMode = 0o002
)

// OpenDir opens a directory. It must not be a symbolic link and must belong to this user; otherwise the error is a
// memory.Error. OpenDir removes all permissions of other users. The error is fs.ErrNotExist if there is no directory.
func OpenDir(path string) (*os.Root, error) {
	root, info, err := open(path)
	if err != nil || !loose(info) {
		return root, err
	}
	if err := tighten(root); err != nil {
		return nil, errors.Join(
			refused("The directory %s can be used by other users (mode %04o), and its mode cannot be changed: %w.",
				path, info.Mode().Perm(), memory.Reason(err)).WithHint("Run: chmod 700 %q", path), root.Close())
	}
	return root, nil
}

// MakeDir is OpenDir, but creates the directory and its parents if they do not exist.
func MakeDir(path string) (*os.Root, error) {
	root, err := OpenDir(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return root, err
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, err
	}
	return OpenDir(path)
}

// LookInto is OpenDir without changes: permissions of other users stay.
func LookInto(path string) (*os.Root, error) {
	root, _, err := open(path)
	return root, err
}

// CheckDir returns an error if OpenDir would refuse or change the directory. It changes nothing. A missing directory is
// fine.
func CheckDir(path string) error {
	root, info, err := open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case loose(info):
		err = refused("The directory %s can be used by other users (mode %04o).", path, info.Mode().Perm()).
			WithHint("Run: chmod 700 %q. The next hook or server also does this.", path)
	}
	return errors.Join(err, root.Close())
}

func open(path string) (*os.Root, fs.FileInfo, error) {
	seen, err := os.Lstat(path)
	if err != nil {
		return nil, nil, err
	}
	if !seen.IsDir() {
		return nil, nil, refused("%s is %s, not a directory.", path, Kind(seen.Mode())).
			WithHint("Remove it: a directory is then created in its place.")
	}
	if err := owned(path, seen); err != nil {
		return nil, nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := root.Stat(".")
	if err == nil && !os.SameFile(seen, info) { // for example by a link
		err = refused("The directory %s was replaced while it was opened.",
			path).WithHint("Find out who else can write to its parent directory.")
	}
	if err != nil {
		return nil, nil, errors.Join(err, root.Close())
	}
	return root, info, nil
}

func tighten(root *os.Root) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(dir.Chmod(0o700), dir.Close())
}

// Stat returns the information of a file in a directory. The file must be regular and belong to this user; otherwise
// the error is a memory.Error.
func Stat(root *os.Root, name string) (fs.FileInfo, error) {
	info, err := root.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = refused("%s is %s, not a file.", name, Kind(info.Mode()))
	}
	if err == nil {
		err = owned(name, info)
	}
	return info, err
}

// Open opens a regular file in a directory for reading. The file must not be a link, must belong to this user, and must
// not be writable by others; otherwise the error is a memory.Error.
func Open(root *os.Root, name string) (*os.File, error) {
	// Stat first: opening would follow a link within the directory, and could block on a pipe.
	seen, err := Stat(root, name)
	if err != nil {
		return nil, err
	}
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !os.SameFile(seen, info):
		err = refused("%s was replaced while it was opened.", name)
	case hasModes && info.Mode().Perm()&write != 0:
		err = refused("%s can be written by other users (mode %04o).", name, info.Mode().Perm())
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// CheckSocket checks that a file in a directory is a socket and belongs to this user; otherwise the error is a
// memory.Error.
func CheckSocket(root *os.Root, name string) error {
	info, err := root.Lstat(name)
	if err != nil {
		return err
	}
	if hasModes && info.Mode().Type() != fs.ModeSocket {
		return refused("%s is %s, not a socket.", name,
			Kind(info.Mode())).WithHint("Remove it: the next server creates a socket in its place.")
	}
	return owned(name, info)
}

// Kind returns the kind of a file, with an article.
func Kind(m fs.FileMode) string {
	switch m.Type() {
	case 0:
		return "a file"
	case fs.ModeDir:
		return "a directory"
	case fs.ModeSymlink:
		return "a symbolic link"
	case fs.ModeNamedPipe:
		return "a named pipe"
	case fs.ModeSocket:
		return "a socket"
	}
	return "a device"
}

func loose(info fs.FileInfo) bool { return hasModes && info.Mode().Perm()&others != 0 }

// owned returns an error if the file belongs to another user.
func owned(path string, info fs.FileInfo) error {
	uid, known := owner(info)
	if me := os.Geteuid(); known && uid != me {
		return refused("%s belongs to another user (uid %d, and this process runs as %d).", path, uid, me).
			WithHint("Find out who created it and why. Then remove it, or keep the database in a directory of your own.")
	}
	return nil
}

func refused(format string, args ...any) *memory.Error {
	return memory.Errorf(memory.Unavailable, format, args...)
}
