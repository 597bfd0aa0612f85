package spool

import (
	"errors"
	"os"
	"syscall"
	"time"

	"memory-graph/internal/safety/private"
)

// attended is the file whose time says that a server looks after the spool.
const attended = "attended"

// AttendEvery is how often a server that looks after a spool says so, and looks; it counts as gone after attendedFor.
const (
	AttendEvery = time.Second
	attendedFor = 5 * time.Second
)

// Attend says that this process stores what waits, from now on until the next call. Where nothing was ever written down
// there is nothing to say it in.
func (d Dir) Attend(now time.Time) {
	_ = d.in(func(root *os.Root) error { // no directory: no spool
		if _, err := private.Stat(root, attended); err == nil {
			return root.Chtimes(attended, now, now)
		}
		_ = root.Remove(attended) // another user's would go on to say what that user likes
		f, err := root.OpenFile(attended, os.O_CREATE|os.O_WRONLY|syscall.O_NONBLOCK, 0o600)
		if err != nil {
			return err
		}
		return errors.Join(f.Close(), root.Chtimes(attended, now, now))
	})
}

// Claim is Attend for a process that is about to be one: it makes the directory, and says whether nobody attends
// already and others can see that this one does now.
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

// Leave takes it back.
func (d Dir) Leave() {
	_ = d.in(func(root *os.Root) error { return root.Remove(attended) }) // another server says it again in a moment
}

// Attended says whether a server stores what waits, so that a hook need not. A server that was killed counts for a few
// seconds: what is written down then is stored by the hook after it.
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
