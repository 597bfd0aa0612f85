package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/ncruces/go-sqlite3"

	"memory-graph/internal/memory"
)

// errClosed is the error of every method of a closed store.
var errClosed = errors.New("store is closed")

// edge turns an error of SQLite into one for the caller. Exported methods return only such errors. A memory.Error and
// the end of ctx pass through unchanged. An error without a better code becomes Internal and keeps its cause for the
// log. op is a verb with its object ("record episode").
func (s *Store) edge(ctx context.Context, op string, err error) error {
	if err == nil {
		return nil
	}
	if cause := ctx.Err(); cause != nil && (errors.Is(err, sqlite3.INTERRUPT) || isBusy(err) || errors.Is(err, cause)) {
		return fmt.Errorf("%s: %w", op, cause)
	}
	return edgeError(s.path, op, err)
}

func edgeError(path, op string, err error) error {
	var own *memory.Error
	if errors.As(err, &own) {
		return err
	}
	unavailable := func(format string, args ...any) *memory.Error {
		e := memory.Errorf(memory.Unavailable, format, args...)
		e.Err = fmt.Errorf("%s: %w", op, err)
		return e
	}
	var code sqlite3.ErrorCode
	if !errors.As(err, &code) {
		if errors.Is(err, errClosed) {
			return unavailable("The memory is shutting down.").WithHint("Start the server again.")
		}
		return memory.AsError(fmt.Errorf("%s: %w", op, err))
	}
	switch code {
	case sqlite3.BUSY, sqlite3.LOCKED:
		return unavailable("The database %s is locked by another process.", path).
			WithHint("Try again in a moment. If it stays locked, end the program that writes to it.")
	case sqlite3.FULL:
		return unavailable("The disk that holds %s is full.",
			path).WithHint("Free some space and try again. No partial write remains.")
	case sqlite3.CORRUPT:
		return unavailable("The database %s is damaged.", path).
			WithHint("Run `memory-graph doctor` to see how far it can be read, and restore a backup.")
	case sqlite3.NOTADB:
		return unavailable("%s is not a SQLite database.", path).
			WithHint("Set MEMORY_GRAPH_DB to another file, or restore a backup over this one.")
	case sqlite3.READONLY, sqlite3.PERM, sqlite3.AUTH:
		e := memory.Errorf(memory.ReadOnly, "The database %s cannot be written.", path).
			WithHint("Give this user the right to write the file and its directory, or start with MEMORY_GRAPH_READ_ONLY=true.")
		e.Err = fmt.Errorf("%s: %w", op, err)
		return e
	case sqlite3.IOERR, sqlite3.CANTOPEN:
		if failedWrite(err) {
			return unavailable("The disk that holds %s is full or failing.",
				path).WithHint("Free some space and try again. No partial write remains.")
		}
		return unavailable("The database %s cannot be opened or read.", path).
			WithHint(
				"Check that its directory exists, that this user may use it and that the disk works; `memory-graph doctor` " +
					"reports details.")
	default:
		return memory.AsError(fmt.Errorf("%s: %w", op, err))
	}
}

// isBusy reports whether another connection holds the lock.
func isBusy(err error) bool { return errors.Is(err, sqlite3.BUSY) }

// needsWriting reports whether a read-only connection failed because SQLite wants to create the files of the
// write-ahead log beside the database.
func needsWriting(err error) bool {
	return errors.Is(err, sqlite3.CANTOPEN) || errors.Is(err, sqlite3.READONLY)
}

// violatesSchema reports whether a statement failed because a value breaks a constraint or has the wrong type.
func violatesSchema(err error) bool {
	return errors.Is(err, sqlite3.CONSTRAINT) || errors.Is(err, sqlite3.MISMATCH)
}

// Damaged reports whether SQLite found a malformed page in the file.
func Damaged(err error) bool { return errors.Is(err, sqlite3.CORRUPT) }

// failedWrite reports whether the operating system refused a write. The driver gives no more detail about a full disk:
// SQLite's own FULL means a database at its maximum size.
func failedWrite(err error) bool {
	var code sqlite3.ExtendedErrorCode
	if !errors.As(err, &code) {
		return false
	}
	switch code {
	case sqlite3.IOERR_WRITE, sqlite3.IOERR_FSYNC, sqlite3.IOERR_DIR_FSYNC, sqlite3.IOERR_TRUNCATE, sqlite3.IOERR_SHMSIZE:
		return true
	}
	return false
}
