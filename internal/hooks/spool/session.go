package spool

import (
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"memory-graph/internal/safety/private"
)

// hostFile is the prefix of the files in which hooks record the session of a host's process. The rest of the name is
// the process id. The content is the host's session id.
const hostFile = "host-"

// oldHost is the age at which such a file counts as left by a host that was killed.
const oldHost = 7 * 24 * time.Hour

// maxSession is the number of bytes read of such a file.
const maxSession = 4096

// Announce records that the processes pids have a session. It does nothing before the first turn was spooled.
func (d Dir) Announce(pids []int, session string, now time.Time) {
	_ = d.in(func(root *os.Root) error { // without it a server uses the session with which the host started it
		for _, pid := range pids {
			name := hostFile + strconv.Itoa(pid)
			if said, _ := sessionIn(root, name); said == session {
				_ = root.Chtimes(name, now, now)
				continue
			}
			_ = root.Remove(name)
			if writeNew(root, name+partly, []byte(session)) != nil || root.Rename(name+partly, name) != nil {
				_ = root.Remove(name + partly)
			}
		}
		return nil
	})
}

// Withdraw undoes Announce for a session that has ended, and removes what killed hosts left.
func (d Dir) Withdraw(pids []int, session string, now time.Time) {
	_ = d.in(func(root *os.Root) error {
		for _, pid := range pids {
			if said, _ := sessionIn(root, hostFile+strconv.Itoa(pid)); said == session {
				_ = root.Remove(hostFile + strconv.Itoa(pid))
			}
		}
		names, err := fs.Glob(root.FS(), hostFile+"*")
		for _, name := range names {
			if info, err := root.Lstat(name); err == nil && now.Sub(info.ModTime()) > oldHost {
				_ = root.Remove(name)
			}
		}
		return err
	})
}

// SessionOf returns the session that a hook announced for a process at or after since, or "". since excludes an earlier
// process with the same id.
func (d Dir) SessionOf(pid int, since time.Time) (session string) {
	_ = d.look(func(root *os.Root) error {
		said, at := sessionIn(root, hostFile+strconv.Itoa(pid))
		if !at.Before(since) {
			session = said
		}
		return nil
	})
	return session
}

// sessionIn reads an announcement, and when it was last made.
func sessionIn(root *os.Root, name string) (session string, at time.Time) {
	f, err := private.Open(root, name)
	if err != nil {
		return "", time.Time{}
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return "", time.Time{}
	}
	text, _ := io.ReadAll(io.LimitReader(f, maxSession))
	return strings.TrimSpace(string(text)), info.ModTime()
}
