// Package private opens directories and files that steer this program or hold what people said, and refuses those that
// another account of the machine could have put there or could change.
//
// A check of a path says nothing about what the path leads to a moment later. So what is checked is what was
// opened, and a directory is used through the handle that was checked. On systems without owners and modes in Go
// (Windows) only the kind of a file is checked: there the access list of the user's profile keeps others out.
package private

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"memory-graph/internal/memory"
)

// others are the rights of everybody but the owner, write those of them to write.
const (
	others fs.FileMode = 0o077
	write  fs.FileMode = 0o022
)

// OpenDir opens a directory. It must be a directory and no symbolic link, and belong to this user; else the error is a
// memory.Error. Where others have rights to it, they lose them. The error is fs.ErrNotExist's where there is none.
func OpenDir(path string) (*os.Root, error) {
	root, info, err := open(path)
	if err != nil || !loose(info) {
		return root, err
	}
	if err := tighten(root); err != nil {
		return nil, errors.Join(
			refused("The directory %s can be used by other users (mode %04o), and that cannot be changed: %w.",
				path, info.Mode().Perm(), memory.Reason(err)).WithHint("Run: chmod 700 %q", path), root.Close())
	}
	return root, nil
}

// MakeDir is OpenDir for a directory that is made where there is none, with those above it.
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

// LookInto is OpenDir for a reader that changes nothing: rights of others stay.
func LookInto(path string) (*os.Root, error) {
	root, _, err := open(path)
	return root, err
}

// CheckDir says what is wrong with a directory, rights of others included, and changes nothing. One that is not
// there is fine.
func CheckDir(path string) error {
	root, info, err := open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case loose(info):
		err = refused("The directory %s can be used by other users (mode %04o).", path, info.Mode().Perm()).
			WithHint("Run: chmod 700 %q. The next hook or server does so too.", path)
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
			WithHint("Remove it: a directory is made in its place.")
	}
	if err := owned(path, seen); err != nil {
		return nil, nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := root.Stat(".")
	if err == nil && !os.SameFile(seen, info) { // such as by a link that was put in its place
		err = refused("The directory %s was replaced while it was opened.",
			path).WithHint("Find out who else may write the directory above it.")
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

// Stat looks at a file of a directory, which must be a regular one and belong to this user; else the error is a
// memory.Error.
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

// Open opens a regular file of a directory for reading. It must be no link, belong to this user, and no one else
// may write it; else the error is a memory.Error.
func Open(root *os.Root, name string) (*os.File, error) {
	// of what is opened: a link within the directory would be followed, and a pipe waited for
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

// CheckSocket makes sure that what is called so in a directory is a socket of this user; else the error is a
// memory.Error.
func CheckSocket(root *os.Root, name string) error {
	info, err := root.Lstat(name)
	if err != nil {
		return err
	}
	if hasModes && info.Mode().Type() != fs.ModeSocket {
		return refused("%s is %s, not a socket.", name,
			Kind(info.Mode())).WithHint("Remove it: the next server makes a socket in its place.")
	}
	return owned(name, info)
}

// Kind names what a file is, with its article.
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

// owned refuses what belongs to another user.
func owned(path string, info fs.FileInfo) error {
	uid, known := owner(info)
	if me := os.Geteuid(); known && uid != me {
		return refused("%s belongs to another user (uid %d, and this process runs as %d).", path, uid, me).
			WithHint("Find out whose it is and why it is there; remove it, or keep the database in a directory of your own.")
	}
	return nil
}

func refused(format string, args ...any) *memory.Error {
	return memory.Errorf(memory.Unavailable, format, args...)
}
