package store

import (
	"errors"
	"io"
	"os"
	"runtime"
	"syscall"
)

// matchShm gives the index of the write-ahead log (FILE-shm) the mode of the database file. SQLite's driver makes
// it with the mode that the umask leaves and takes that of the database for the log alone (the URI's modeof). So
// it is made here first, where SQLite is about to: in WAL mode. An error is no reason to stop: SQLite then does as
// it can, and says why not.
func matchShm(path string) error {
	if runtime.GOOS == "windows" {
		return nil // no modes
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	// The owner can always write it: even who only reads the database locks through it, and a read-only database may
	// become writable while the file is there.
	mode := info.Mode().Perm() | 0o600
	f, err := openNoFollow(path+"-shm", os.O_RDWR|os.O_CREATE|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return err
	}
	shm, err := f.Stat()
	switch {
	case err != nil:
	case !shm.Mode().IsRegular():
		err = errors.New("it is no file")
	case shm.Mode().Perm() != mode:
		err = f.Chmod(mode) // not of another user's file, who has a umask of his own
	}
	return errors.Join(err, f.Close())
}

// inWAL says whether a file is a database in WAL mode, so that SQLite makes the index when it first reads.
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
