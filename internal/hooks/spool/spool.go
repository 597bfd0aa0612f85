// Package spool keeps turns in files until they are in the database: a hook may have to answer its host before it gets
// at a file that others hold, and may be killed at any moment. A turn is one small file in a directory beside the
// database. What is stored is deleted; the turn's key makes sure that a turn which was stored, and whose file was left,
// is stored once.
//
// Nothing is synced to the disk: a file outlives the process that wrote it, and not a power loss, like the turns of the
// database itself (synchronous = normal).
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

// Entry is one turn that waits. Its text is masked.
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
	Key       string      `json:"key"` // under which it is stored, never empty
	Client    string      `json:"client,omitempty"`
}

// Dir is a spool's directory. It is made with the first turn. It is used only where it is a directory and no link,
// and belongs to this user; others lose what rights they have to it (see package private).
type Dir string

// Beside gives the spool of a database file.
func Beside(db string) Dir { return Dir(db + "-spool") }

const (
	suffix = ".json"
	partly = ".part"   // being written
	aside  = ".broken" // cannot be read or stored

	// maxFile bounds what is read of a file, in bytes: a longer one is none of ours.
	maxFile = 64 << 20

	// oldPart is the age at which a half written file is that of a process which died.
	oldPart = time.Hour
)

// Put writes a turn, whole or not at all, and gives its name. A turn without a key gets one of its own.
func (d Dir) Put(t Entry, now time.Time) (string, error) { return d.Hold(t, now, 0) }

// Hold is Put for a turn that is not to be stored for a while, at most MaxHold, or until Release: while the question
// that it asks is answered, say.
func (d Dir) Hold(t Entry, now time.Time, while time.Duration) (string, error) {
	var unique [8]byte
	_, _ = rand.Read(unique[:]) // it never fails (crypto/rand)
	name := fmt.Sprintf("%s-%s", now.UTC().Format("20060102T150405.000000000"), hex.EncodeToString(unique[:]))
	if t.Key == "" {
		t.Key = memory.OnceKey + name
	}
	data, err := json.Marshal(t)
	if err != nil {
		return "", fmt.Errorf("write a turn down: %w", err)
	}
	root, err := private.MakeDir(string(d))
	if err != nil {
		return "", fmt.Errorf("write a turn down: %w", err)
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
		_ = root.Remove(part) // half a file is of no use, and a next run takes away what stays
		return "", fmt.Errorf("write a turn down: %w", err)
	}
	return name + suffix, nil
}

// writeNew writes a file that must not be there yet, for this user only.
func writeNew(root *os.Root, name string, data []byte) error {
	f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// in runs do in the directory, which must be this user's own. The error is fs.ErrNotExist's where there is none.
func (d Dir) in(do func(*os.Root) error) error {
	root, err := private.OpenDir(string(d))
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // nothing is written through it
	return do(root)
}

// Release says that a turn which was held may be stored.
func (d Dir) Release(name string, now time.Time) {
	_ = d.in(func(root *os.Root) error { return root.Chtimes(name, time.Time{}, now) }) // else its time comes
}

// MaxHold is how long a turn can be held: a file of a later time is one of another clock.
const MaxHold = 2 * time.Minute

// held says whether a file is not to be touched yet.
func held(root *os.Root, name string, now time.Time) bool {
	info, err := root.Lstat(name)
	if err != nil {
		return false
	}
	left := info.ModTime().Sub(now)
	return left > 0 && left <= MaxHold
}

// ErrBroken is of a file that holds no turn, or that another user could have written.
var ErrBroken = errors.New("it holds no turn")

// Read gives a turn. The error is fs.ErrNotExist's where another process was faster, and ErrBroken's for a file that is
// none.
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

// untrusted is ErrBroken for a file that is refused for what it is or whose.
func untrusted(err error) error {
	if e := (*memory.Error)(nil); errors.As(err, &e) {
		return fmt.Errorf("%w: %s", ErrBroken, e.Message)
	}
	return err
}

// Remove takes a turn away that is stored. That another process did so is no error.
func (d Dir) Remove(name string) error {
	err := d.in(func(root *os.Root) error { return root.Remove(name) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Aside keeps a file out of the way, for a person to look at, and gives its new path.
func (d Dir) Aside(name string) (string, error) {
	err := d.in(func(root *os.Root) error { return root.Rename(name, name+aside) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return filepath.Join(string(d), name+aside), nil
}
