// Package atomicfile writes files that others see whole or not at all: beside their place first, on the disk, and then
// under their name at once. What is cut off leaves what was there before.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace writes a file in the place of what may be there. write is given a new file of mode 0600, whose mode and owner
// it may change; its error comes back as it is.
func Replace(path string, write func(*os.File) error) error {
	return beside(path, write, func(part string) error { return os.Rename(part, path) })
}

// CreateNew is Replace where nothing must be there by then: else the error is fs.ErrExist, and what is there stays.
func CreateNew(path string, write func(*os.File) error) error {
	return beside(path, write, func(part string) error {
		err := os.Link(part, path) // takes no name that is given, unlike renaming
		switch {
		case err == nil:
			return os.Remove(part)
		case errors.Is(err, fs.ErrExist):
			return err
		}
		return renameNew(part, path) // a file system without links
	})
}

// renameNew takes a free name with an empty file and puts part in its place.
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

// beside writes a file next to path and lets place put it there.
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
