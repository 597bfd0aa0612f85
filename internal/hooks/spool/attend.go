package spool

import (
	"errors"
	"os"
	"syscall"
	"time"

	"memory-graph/internal/safety/private"
)

// attended is the file whose modification time shows that a server attends to the spool.
const attended = "attended"

// AttendEvery is the interval at which a server updates the file and drains the spool. The server counts as gone after
// attendedFor.
const (
	AttendEvery = time.Second
	attendedFor = 5 * time.Second
)

// Attend announces that this process drains the spool until the next call. It does nothing if no turn was ever spooled.
func (d Dir) Attend(now time.Time) {
	_ = d.in(func(root *os.Root) error { // no directory: no spool
		if _, err := private.Stat(root, attended); err == nil {
			return root.Chtimes(attended, now, now)
		}
		_ = root.Remove(attended) // another user could forge the time of their own file
		f, err := root.OpenFile(attended, os.O_CREATE|os.O_WRONLY|syscall.O_NONBLOCK, 0o600)
		if err != nil {
			return err
		}
		return errors.Join(f.Close(), root.Chtimes(attended, now, now))
	})
}

// Claim is Attend for a process that is about to become the drainer. It creates the directory. It reports whether no
// other process attends to the spool and the claim is visible to others.
func (d Dir) Claim(now time.Time) bool {
	if d.Attended(now) {
		return false
	}
	root, err := private.MakeDir(string(d))
	if err != nil {
		return false
	}
	_ = root.Close()
	d.Attend(now)
	return d.Attended(now)
}

// Leave withdraws the announcement of Attend.
func (d Dir) Leave() {
	_ = d.in(func(root *os.Root) error { return root.Remove(attended) }) // another server will announce itself again soon
}

// Attended reports whether a server drains the spool, so a hook need not. A killed server counts for a few more
// seconds; turns spooled in that time are stored by the next hook.
func (d Dir) Attended(now time.Time) bool {
	at := time.Time{}
	err := d.look(func(root *os.Root) error {
		info, err := private.Stat(root, attended)
		if err == nil {
			at = info.ModTime()
		}
		return err
	})
	return err == nil && now.Sub(at).Abs() < attendedFor
}
