package main

import (
	"archive/tar"
	"archive/zip"
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"time"
)

// file is one file of an archive. Its content is data, or the file at from.
type file struct {
	name string
	mode uint32
	data []byte
	from string
}

// read returns the file's content.
func (f file) read() ([]byte, error) {
	if f.from != "" {
		return os.ReadFile(f.from)
	}
	return f.data, nil
}

// licenses are the files that every package carries.
func licenses(dir string) []file {
	return []file{{name: dir + "LICENSE", mode: 0o644, from: "LICENSE"},
		{name: dir + "NOTICE", mode: 0o644, from: "NOTICE"}}
}

// archive writes the program with licences, manual and completions: a zip for Windows, else a tar.gz.
func (r release) archive(p program) error {
	files := append(licenses(""), file{name: p.name(), mode: 0o755, from: p.path})
	if p.os == "windows" {
		return writeZip(r.out(p, ".zip"), r.time, files)
	}
	return writeTar(r.out(p, ".tar.gz"), r.time, append(files, r.pages...))
}

// writeTar writes a tar.gz whose entries have the given time and no owner.
func writeTar(path string, at time.Time, files []file) error {
	return create(path, func(w io.Writer) error {
		z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
		if err != nil {
			return err
		}
		return errors.Join(tarTo(z, at, files), z.Close())
	})
}

// tarTo writes a tar whose entries have the given time and no owner.
func tarTo(w io.Writer, at time.Time, files []file) error {
	t := tar.NewWriter(w)
	return errors.Join(writeFiles(t, at, files), t.Close())
}

func writeFiles(t *tar.Writer, at time.Time, files []file) error {
	for _, f := range files {
		data, err := f.read()
		if err != nil {
			return err
		}
		h := &tar.Header{Name: f.name, Mode: int64(f.mode), Size: int64(len(data)), ModTime: at, Format: tar.FormatUSTAR}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(data); err != nil {
			return err
		}
	}
	return nil
}

// writeZip writes a zip whose entries have the given time and Unix modes.
func writeZip(path string, at time.Time, files []file) error {
	return create(path, func(w io.Writer) error {
		z := zip.NewWriter(w)
		z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
			return flate.NewWriter(w, flate.BestCompression)
		})
		for _, f := range files {
			data, err := f.read()
			if err != nil {
				return err
			}
			e, err := z.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at,
				CreatorVersion: 3 << 8, ExternalAttrs: (0o100000 | f.mode) << 16})
			if err != nil {
				return err
			}
			if _, err := e.Write(data); err != nil {
				return err
			}
		}
		return z.Close()
	})
}

// create creates the file and lets write fill it.
func create(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
