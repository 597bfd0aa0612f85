package main

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
)

// source gives the bytes of a published file by its base name.
type source func(name string) ([]byte, error)

// open takes a directory or a wheel, which is a zip archive.
func open(from string) (source, error) {
	info, err := os.Stat(from)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(from, name)) }, nil
	}
	return func(name string) ([]byte, error) { return readZipped(from, name) }, nil
}

// readZipped reads the one file of the archive that has this base name.
func readZipped(archive, name string) ([]byte, error) {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return nil, fmt.Errorf("open wheel %s: %w", archive, err)
	}
	defer z.Close()
	for _, f := range z.File {
		if path.Base(f.Name) != name {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("open %s in %s: %w", f.Name, archive, err)
		}
		defer r.Close()
		return io.ReadAll(r)
	}
	return nil, fmt.Errorf("%s has no %s in it", archive, name)
}

// read gives a file's bytes, if they are the ones that were published.
func (s source) read(name, want string) ([]byte, error) {
	b, err := s(name)
	if err != nil {
		return nil, err
	}
	if got := hash(b); got != want {
		return nil, fmt.Errorf("%s has sha256 %s, but the published one has %s: it is another file, so nothing was written",
			name, got, want)
	}
	return b, nil
}
