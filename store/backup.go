package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"github.com/ncruces/go-sqlite3"

	"memory-graph/internal/atomicfile"
	"memory-graph/internal/memory"
)

// asideSuffix is appended to the name of a file that is not a readable database, when Restore moves it out of the way.
const asideSuffix = ".damaged"

// Backup writes the database, as it is now, into a file of its own, and checks what it wrote. Other processes can write
// meanwhile; what they acknowledged before the call is in the backup. The file appears under its name only when it is
// complete and sound. replace allows an existing file to be overwritten. It returns what the backup contains.
//
// Errors: Conflict if the file exists, Unavailable if it cannot be written or is not sound.
func (s *Store) Backup(ctx context.Context, path string, replace bool) (Counts, error) {
	var n Counts
	if err := s.present(); err != nil {
		return n, err
	}
	if err := NotOfDatabase(s.path, path); err != nil {
		return n, err
	}
	err := place(path, replace, func(part string) (err error) {
		if err = s.copyTo(ctx, part); err == nil {
			err = oneFile(ctx, part)
		}
		if err == nil {
			n, err = verify(ctx, part)
		}
		return err
	})
	return n, (&Store{path: path}).edge(ctx, "back up", err)
}

// Restored is the result of Restore.
type Restored struct {
	Counts Counts // what the restored database contains
	Aside  string // where the previous file was moved because it is not a readable database; "" if it was not moved
}

// NotOfDatabase returns an InvalidArgument error if the file at path is the database or one of the files that SQLite
// keeps beside it: overwriting one of them loses turns.
func NotOfDatabase(database, path string) error {
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		own := database + suffix
		same := false
		if a, err := filepath.Abs(path); err == nil {
			b, err := filepath.Abs(own)
			same = err == nil && a == b
		}
		if info, err := os.Stat(path); err == nil && !same {
			of, err := os.Stat(own)
			same = err == nil && os.SameFile(info, of)
		}
		if same {
			return memory.Errorf(memory.InvalidArgument, "%s is a file of the database %s.", path, database).
				WithHint("Name another file.")
		}
	}
	return nil
}

// Restore replaces the database at path by the backup in the file from, and checks what it wrote. It checks the backup
// first. Without replace an existing database is an error. No other process may use the database at path. A Restore
// that is interrupted leaves the previous database: the change is one transaction.
//
// Errors: NotFound for a missing backup; Conflict if there is a database and replace is false; Unavailable if the
// backup is damaged, if another process uses the database at path, or if it cannot be written.
func Restore(ctx context.Context, from, path string, replace bool, o Options) (Restored, error) {
	var r Restored
	if !there(from) {
		return r, memory.Errorf(memory.NotFound, "There is no file %s.", from).
			WithHint("Name a file that `memory-graph backup` wrote.")
	}
	o.ReadOnly, o.AnySchema = true, true
	backup, err := Open(ctx, from, o)
	if err != nil {
		return r, notABackup(from, err)
	}
	defer func() { _ = backup.Close() }() // opened read-only
	if err := backup.sound(ctx); err != nil {
		return r, notABackup(from, err)
	}
	info, err := os.Lstat(path)
	switch {
	case err == nil && os.SameFile(info, backup.file):
		return r, memory.Errorf(memory.InvalidArgument, "%s is the database itself.", from).WithHint("Name a backup of it.")
	case err == nil && !info.Mode().IsRegular():
		return r, notAFile(path, info.Mode())
	case err == nil && info.Size() == 0: // the first start was interrupted
		err = os.Remove(path)
	case err == nil && !replace:
		return r, exists(path)
	case err == nil:
		r.Aside, err = backup.over(ctx, path, o)
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	if err == nil && !there(path) {
		err = backup.fresh(ctx, path)
	}
	if err != nil {
		return r, (&Store{path: path}).edge(ctx, "restore", err)
	}
	r.Counts, err = verify(ctx, path)
	return r, err
}

// notABackup is the error for a file that cannot be restored: its cause, and a hint that is not about the database in
// use.
func notABackup(from string, err error) error {
	e := *memory.AsError(err)
	e.Hint = "Nothing is changed. Name a file that `memory-graph backup` wrote; another backup may be sound."
	switch {
	case errors.As(err, new(outdated)):
		e.Message = fmt.Sprintf("%s holds no memory: it is empty, or was never completed.", from)
	case errors.As(err, new(tooNew)):
		e.Hint = "Nothing is changed. Update memory-graph, then restore again."
	}
	return &e
}

// fresh writes the database into a new file.
func (s *Store) fresh(ctx context.Context, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return unwritable(path, err)
	}
	// SQLite would apply a leftover write-ahead log to the new file.
	for _, left := range []string{path + "-wal", path + "-shm"} {
		if err := os.Remove(left); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return unwritable(left, err)
		}
	}
	return place(path, false, func(part string) error { return s.copyTo(ctx, part) })
}

// over writes the database over the one at path, in one transaction and while no other process uses it. If the file at
// path is not a readable database, over moves it aside instead and returns its new name.
func (s *Store) over(ctx context.Context, path string, o Options) (aside string, err error) {
	if o, err = o.withDefaults(); err != nil {
		return "", err
	}
	// The exclusive mode comes first: it makes the next statement fail if another connection exists, and is then kept.
	alone := []pragma{{"locking_mode", "exclusive", "no other process may open the file before it is replaced"}}
	c, err := dial(ctx, fileURI(path, url.Values{"modeof": {path}}), forWriting, o.BusyTimeout, alone)
	if err == nil {
		err = s.replace(ctx, c, path)
		err = errors.Join(err, c.close())
	}
	switch {
	case errors.Is(err, sqlite3.NOTADB), errors.Is(err, sqlite3.CORRUPT):
		return moveAside(path)
	case isBusy(err):
		return "", memory.Errorf(memory.Unavailable, "Another process uses the database %s.", path).
			WithHint("Stop all hosts and servers that use it, then restore again.")
	}
	return "", err
}

// replace writes the database over the one that c has open.
func (s *Store) replace(ctx context.Context, c *conn, path string) error {
	defer c.setInterrupt(c.setInterrupt(ctx))
	if _, err := checkVersion(ctx, c, path); err != nil {
		return err
	}
	// With a rollback journal, the old log is written into the file and removed, so it cannot meet the new content.
	mode, err := c.text(ctx, "PRAGMA journal_mode = delete")
	if err != nil {
		return err
	}
	if mode != "delete" {
		return fmt.Errorf("the journal mode is %s, not delete: %w", mode, sqlite3.BUSY)
	}
	return c.raw.Restore("main", fileURI(s.path, url.Values{"mode": {"ro"}}))
}

// moveAside renames a file that is not a readable database, with its logs.
func moveAside(path string) (string, error) {
	to := path + asideSuffix
	for n := 2; there(to); n++ {
		to = fmt.Sprintf("%s%s%d", path, asideSuffix, n)
	}
	for _, end := range []string{"-wal", "-shm", "-journal", ""} {
		if err := os.Rename(path+end, to+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", unwritable(path, err)
		}
	}
	return to, nil
}

// oneFile makes the database at path one file without a log, which can be read in a directory that is not writable.
func oneFile(ctx context.Context, path string) error {
	c, err := dial(ctx, fileURI(path, nil), forWriting, 0, connectionPragmas)
	if err != nil {
		return err
	}
	return errors.Join(c.script("PRAGMA journal_mode = delete"), c.close())
}

// verify reads the whole database at path and returns what it contains; nothing for a file of an older schema.
func verify(ctx context.Context, path string) (n Counts, err error) {
	s, err := Open(ctx, path, Options{ReadOnly: true, AnySchema: true})
	if err != nil {
		return n, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.sound(ctx); err != nil {
		return n, err
	}
	v, err := s.Versions(ctx)
	if err != nil || v.Schema < v.ProgramsSchema { // the next start upgrades it
		return n, err
	}
	return s.Counts(ctx)
}

// sound fails if the file is damaged.
func (s *Store) sound(ctx context.Context) error {
	findings, err := s.IntegrityCheck(ctx)
	if err == nil && len(findings) > 0 {
		err = memory.Errorf(memory.Unavailable, "The database %s is damaged: %s.", s.path, findings[0]).
			WithHint("`memory-graph doctor` checks the memory in use; an older backup may be sound.")
	}
	return err
}

// place lets write fill a temporary file beside path, and moves it to its name. With replace it follows a symbolic link
// and replaces only regular files, never a device.
func place(path string, replace bool, write func(part string) error) error {
	put := atomicfile.CreateNew
	if replace {
		put = atomicfile.Replace
		if to, err := filepath.EvalSymlinks(path); err == nil {
			path = to
		}
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return memory.Errorf(memory.InvalidArgument, "%s is not a regular file.", path).WithHint("Name another file.")
		}
	}
	err := put(path, func(f *os.File) error { return write(f.Name()) })
	if errors.Is(err, fs.ErrExist) {
		return exists(path)
	}
	var failed *fs.PathError
	if errors.As(err, &failed) {
		return unwritable(path, err)
	}
	return err // of write
}

func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func exists(path string) error {
	return memory.Errorf(memory.Conflict, "%s already exists.", path).
		WithHint("Name another file, or add --force to overwrite this one.")
}

func unwritable(path string, err error) error {
	return memory.Errorf(memory.Unavailable, "Cannot write %s: %w.", path, memory.Reason(err)).
		WithHint("Name a file in a directory that this user can write to, on a disk with free space.")
}
