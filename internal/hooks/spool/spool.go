// Package spool keeps turns in files until they are in the database. A hook may have to answer its host before it can
// open a database that others hold, and may be killed at any moment. Each turn is a small file in a directory beside
// the database, deleted once the turn is stored. If a stored turn's file was left, the turn's key keeps it from being
// stored again.
//
// Files are not synced to the disk. A file survives the process that wrote it but may not survive a power loss, like
// the turns of the database itself (synchronous = normal).
package spool

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/internal/safety/private"
)

// Entry is a waiting turn. Its text is masked.
type Entry struct {
	Namespace string      `json:"namespace"`
	Project   string      `json:"project,omitempty"`
	User      string      `json:"user,omitempty"`
	Session   string      `json:"session,omitempty"`
	Role      memory.Role `json:"role"`
	Speaker   string      `json:"speaker,omitempty"`
	Source    string      `json:"source"`
	Content   string      `json:"content"`
	At        time.Time   `json:"at"`  // when it was said
	Key       string      `json:"key"` // key of the stored turn, never empty
	Client    string      `json:"client,omitempty"`
}

// Dir is the directory of a spool. The first turn creates it. It must not be a link and must belong to this user;
// permissions of other users are removed (see package private).
type Dir string

// Beside returns the spool of a database file.
func Beside(db string) Dir { return Dir(db + "-spool") }

const (
	suffix = ".json"
	partly = ".part"   // being written
	aside  = ".broken" // cannot be read or stored

	// maxFile is the number of bytes read of a file. Spool files are never longer.
	maxFile = 64 << 20

	// oldPart is the age at which an incomplete file counts as left by a process that died.
	oldPart = time.Hour
)

// Put writes a turn atomically and returns the file's name. A turn without a key gets a unique one.
func (d Dir) Put(t Entry, now time.Time) (string, error) { return d.Hold(t, now, 0) }

// Hold is Put for a turn that must not be stored for a while, at most MaxHold, or until Release: for example, while its
// question is answered.
func (d Dir) Hold(t Entry, now time.Time, while time.Duration) (string, error) {
	var unique [8]byte
	_, _ = rand.Read(unique[:]) // crypto/rand never fails
	name := fmt.Sprintf("%s-%s", now.UTC().Format("20060102T150405.000000000"), hex.EncodeToString(unique[:]))
	if t.Key == "" {
		t.Key = memory.OnceKey + name
	}
	data, err := json.Marshal(t)
	if err != nil {
		return "", fmt.Errorf("spool a turn: %w", err)
	}
	root, err := private.MakeDir(string(d))
	if err != nil {
		return "", fmt.Errorf("spool a turn: %w", err)
	}
	defer func() { _ = root.Close() }() // nothing is written through it
	part := name + partly
	err = writeNew(root, part, data)
	if err == nil && while > 0 {
		err = root.Chtimes(part, time.Time{}, now.Add(min(while, MaxHold)))
	}
	if err == nil {
		err = root.Rename(part, name+suffix)
	}
	if err != nil {
		_ = root.Remove(part) // the next run removes it if this fails
		return "", fmt.Errorf("spool a turn: %w", err)
	}
	return name + suffix, nil
}

// writeNew writes a file that does not exist yet, for this user only.
func writeNew(root *os.Root, name string, data []byte) error {
	f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// in calls do with the directory, which must belong to this user. The error is fs.ErrNotExist if there is none.
func (d Dir) in(do func(*os.Root) error) error {
	root, err := private.OpenDir(string(d))
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // nothing is written through it
	return do(root)
}

// Release lets Drain store a held turn.
func (d Dir) Release(name string, now time.Time) {
	_ = d.in(func(root *os.Root) error { return root.Chtimes(name, time.Time{}, now) }) // on failure the hold expires
}

// MaxHold is the maximal duration of a hold. A file time further ahead comes from another clock and does not count.
const MaxHold = 2 * time.Minute

// held reports whether a file is still held.
func held(root *os.Root, name string, now time.Time) bool {
	info, err := root.Lstat(name)
	if err != nil {
		return false
	}
	left := info.ModTime().Sub(now)
	return left > 0 && left <= MaxHold
}

// ErrBroken reports a file that is not a valid turn or that another user could have written.
var ErrBroken = errors.New("it is not a valid turn")

// Read returns a turn. The error is fs.ErrNotExist if another process stored it first, and ErrBroken if the file is not
// a valid turn.
func (d Dir) Read(name string) (Entry, error) {
	var data []byte
	if err := d.in(func(root *os.Root) error {
		f, err := private.Open(root, name)
		if err != nil {
			return untrusted(err)
		}
		defer func() { _ = f.Close() }() // it was only read
		data, err = io.ReadAll(io.LimitReader(f, maxFile))
		return err
	}); err != nil {
		return Entry{}, err
	}
	var t Entry
	if err := json.Unmarshal(data, &t); err != nil {
		return Entry{}, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	if t.Namespace == "" || t.Key == "" || t.Content == "" || t.Role == "" {
		return Entry{}, fmt.Errorf("%w: namespace, key, role or content is missing", ErrBroken)
	}
	return t, nil
}

// untrusted converts the refusal of a file by package private to ErrBroken.
func untrusted(err error) error {
	if e := (*memory.Error)(nil); errors.As(err, &e) {
		return fmt.Errorf("%w: %s", ErrBroken, e.Message)
	}
	return err
}

// Remove deletes the file of a stored turn. It is no error if another process deleted it.
func (d Dir) Remove(name string) error {
	err := d.in(func(root *os.Root) error { return root.Remove(name) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Aside renames a file so that Drain ignores it and a person can look at it. It returns the new path.
func (d Dir) Aside(name string) (string, error) {
	err := d.in(func(root *os.Root) error { return root.Rename(name, name+aside) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return filepath.Join(string(d), name+aside), nil
}
