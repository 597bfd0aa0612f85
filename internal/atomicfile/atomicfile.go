// Package atomicfile writes files atomically. It writes a temporary file in the same directory, syncs it, and moves it
// to its name. A write that fails or is interrupted leaves the previous file unchanged.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace writes the file at path, replacing an existing one. write gets a new file of mode 0600, whose mode and owner
// it may change. Replace returns the error of write unchanged.
func Replace(path string, write func(*os.File) error) error {
	return beside(path, write, func(part string) error { return os.Rename(part, path) })
}

// CreateNew is like Replace but fails with fs.ErrExist if path exists, and then leaves the existing file unchanged.
func CreateNew(path string, write func(*os.File) error) error {
	return beside(path, write, func(part string) error {
		err := os.Link(part, path) // fails on an existing name, unlike renaming
		switch {
		case err == nil:
			return os.Remove(part)
		case errors.Is(err, fs.ErrExist):
			return err
		}
		return renameNew(part, path) // the file system has no links
	})
}

// renameNew reserves the name with an empty file and renames part to it.
func renameNew(part, path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err = f.Close(); err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// beside writes a temporary file next to path and calls place to move it there.
func beside(path string, write func(*os.File) error, place func(part string) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.part")
	if err != nil {
		return err
	}
	if err = write(f); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = place(f.Name())
	}
	if err != nil {
		if gone := os.Remove(f.Name()); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}
