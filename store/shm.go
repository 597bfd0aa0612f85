package store

import (
	"errors"
	"io"
	"os"
	"runtime"
	"syscall"
)

// matchShm gives the index of the write-ahead log (FILE-shm) the mode of the database file. SQLite's driver creates it
// with the mode that the umask allows, because the URI's modeof applies only to the log. So matchShm creates it first,
// if the file is in WAL mode. Its error can be ignored: SQLite then continues and reports its own error.
func matchShm(path string) error {
	if runtime.GOOS == "windows" {
		return nil // no modes
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	// The owner can always write it: a process that only reads the database also locks through it, and a read-only
	// database may become writable while the file exists.
	mode := info.Mode().Perm() | 0o600
	f, err := openNoFollow(path+"-shm", os.O_RDWR|os.O_CREATE|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return err
	}
	shm, err := f.Stat()
	switch {
	case err != nil:
	case !shm.Mode().IsRegular():
		err = errors.New("it is not a regular file")
	case shm.Mode().Perm() != mode:
		err = f.Chmod(mode) // fails on a file of another user, whose umask decides
	}
	return errors.Join(err, f.Close())
}

// inWAL reports whether a file is a database in WAL mode, for which SQLite creates the index on the first read.
// https://sqlite.org/fileformat2.html#file_format_version_numbers
func inWAL(path string) bool {
	const readVersion, wal = 19, 2
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // it was only read
	header := make([]byte, readVersion+1)
	_, err = io.ReadFull(f, header)
	return err == nil && header[readVersion] == wal
}
