package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"memory-graph/internal/memory"
	"memory-graph/internal/safety/private"
)

// prepareFile creates the directories (0700) and the file (0600), because turns are private. It refuses a file that
// SQLite cannot open or would wait for, because SQLite's error would not name the cause.
func prepareFile(path string, readOnly bool) error {
	info, err := os.Lstat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return notAFile(path, info.Mode())
	case err == nil:
		return usable(path, readOnly)
	case readOnly && errors.Is(err, fs.ErrNotExist):
		return memory.Errorf(memory.Unavailable, "There is no database at %s.", path).
			WithHint("Start once without MEMORY_GRAPH_READ_ONLY to create it, or set MEMORY_GRAPH_DB to an existing file.")
	case errors.Is(err, fs.ErrNotExist):
		err = create(path)
	}
	if err != nil {
		return memory.Errorf(memory.Unavailable, "The database %s cannot be created or opened: %w.", path,
			memory.Reason(err)).
			WithHint("Set MEMORY_GRAPH_DB to a file in a directory that this user may write.")
	}
	return nil
}

// notAFile returns the error for a path that is not a regular file. A symbolic link is refused, as in SQLite's driver:
// with two paths to one file, hooks and servers would miss each other, and whoever may change the link could redirect
// turns.
func notAFile(path string, mode fs.FileMode) error {
	e := memory.Errorf(memory.Unavailable, "%s is %s, not a database file.", path, private.Kind(mode))
	switch mode.Type() {
	case fs.ModeDir:
		return e.WithHint("Set MEMORY_GRAPH_DB to a file in that directory.")
	case fs.ModeSymlink:
		if target, err := filepath.EvalSymlinks(path); err == nil {
			return e.WithHint("Links to a database are not followed: set MEMORY_GRAPH_DB to the link's target, %s.", target)
		}
		target, err := os.Readlink(path)
		if err != nil {
			target = "an unknown place"
		}
		e.Message = path + " is a symbolic link to " + target + ", which does not exist."
		return e.WithHint(
			"Remove the link, and set MEMORY_GRAPH_DB to the path of a file: links to a database are not followed.")
	}
	return e.WithHint("Set MEMORY_GRAPH_DB to the path of a file.")
}

// usable returns an error if this user may not read the file, or may not write it when it is to be written.
func usable(path string, readOnly bool) error {
	if err := mayRead(path); errors.Is(err, fs.ErrPermission) {
		return memory.Errorf(memory.Unavailable, "The database %s cannot be read: %w.", path, err).
			WithHint("Give this user the right to read it, or set MEMORY_GRAPH_DB to another file.")
	}
	if readOnly {
		return nil
	}
	const hint = "Give this user the right to write the file and its directory, or start with MEMORY_GRAPH_READ_ONLY=true."
	if err := mayWrite(path); err != nil {
		return memory.Errorf(memory.ReadOnly, "The database %s cannot be written: %w.", path, err).WithHint(hint)
	}
	dir := filepath.Dir(path)
	if err := mayWrite(dir); err != nil {
		return memory.Errorf(memory.ReadOnly,
			"The database %s cannot be written: SQLite keeps its log in the directory %s, which cannot be written: %w.",
			path, dir, err).WithHint(hint)
	}
	return nil
}

func create(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := openNoFollow(path, os.O_RDWR|os.O_CREATE, 0o600) // no O_EXCL: another process may create it first
	if err != nil {
		return err
	}
	return f.Close()
}
