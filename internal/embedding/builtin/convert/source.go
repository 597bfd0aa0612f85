package main

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
)

// source returns the content of a published file by its base name.
type source func(name string) ([]byte, error)

// open opens a directory or a wheel, which is a zip archive.
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

// readZipped reads the file of the archive with this base name.
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
	return nil, fmt.Errorf("%s does not contain %s", archive, name)
}

// read returns a file's content after checking its sha256.
func (s source) read(name, want string) ([]byte, error) {
	b, err := s(name)
	if err != nil {
		return nil, err
	}
	if got := hash(b); got != want {
		return nil, fmt.Errorf("%s has sha256 %s, but the published file has %s; nothing was written",
			name, got, want)
	}
	return b, nil
}
