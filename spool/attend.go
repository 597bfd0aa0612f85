package spool

import (
	"os"
	"path/filepath"
	"time"
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
	path := filepath.Join(string(d), attended)
	if os.Chtimes(path, now, now) == nil {
		return
	}
	if f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600); err == nil { // no directory: no spool
		_ = f.Close()
		_ = os.Chtimes(path, now, now)
	}
}

// Claim is Attend for a process that is about to be one: it makes the directory, and says whether nobody attends already and
// others can see that this one does now.
func (d Dir) Claim(now time.Time) bool {
	if d.Attended(now) || os.MkdirAll(string(d), 0o700) != nil {
		return false
	}
	d.Attend(now)
	return d.Attended(now)
}

// Leave takes it back.
func (d Dir) Leave() { _ = os.Remove(filepath.Join(string(d), attended)) } // another server says it again in a moment

// Attended says whether a server stores what waits, so that a hook need not. A server that was killed counts for a few
// seconds: what is written down then is stored by the hook after it.
func (d Dir) Attended(now time.Time) bool {
	info, err := os.Stat(filepath.Join(string(d), attended))
	return err == nil && now.Sub(info.ModTime()).Abs() < attendedFor
}
