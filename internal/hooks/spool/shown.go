package spool

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"memory-graph/internal/safety/private"
)

// Limits of what is remembered of a session's blocks.
const (
	shownSuffix = ".shown"
	shownFor    = 10             // blocks for which a line is not repeated
	shownLines  = 400            // lines remembered of one session, the newest ones
	shownAge    = 12 * time.Hour // age of the last block after which nothing counts as shown
)

// shown is the file of one session. A line is known by a part of its hash, so the file holds no text.
type shown struct {
	Blocks int            `json:"blocks"` // given so far
	Lines  map[string]int `json:"lines"`  // by hash: the number of the last block that had the line
}

// Unseen returns a context block without the items that the last blocks of the session showed in the same words: the
// host still has those blocks in the conversation. It returns "" if no item is left. session names one session of one
// host; "" is unknown, and nothing is left out.
func (d Dir) Unseen(session, block string, now time.Time) string {
	s := d.shown(session, now)
	if len(s.Lines) == 0 {
		return block
	}
	var rest strings.Builder
	head, items, left := "", 0, 0
	for line := range strings.Lines(block) {
		switch {
		case strings.HasPrefix(line, "- "):
			items++
			if n, ok := s.Lines[hashed(line)]; ok && s.Blocks-n < shownFor {
				continue
			}
			left++
			rest.WriteString(head + line)
			head = ""
		case strings.HasSuffix(line, ":\n") && !strings.HasPrefix(line, "<"):
			head = line // of a section, which may become empty
		default:
			rest.WriteString(line)
			head = ""
		}
	}
	if items > 0 && left == 0 && strings.HasSuffix(block, ">\n") {
		return ""
	}
	return rest.String()
}

// Saw records that a session was given a block. With begins, earlier blocks no longer count, because the host has
// begun, compacted, cleared or resumed the conversation. A failure only means that a later block repeats lines.
func (d Dir) Saw(session, block string, begins bool, now time.Time) {
	if session == "" || block == "" && !begins {
		return
	}
	s := d.shown(session, now)
	if begins {
		s = shown{}
	}
	next := shown{Blocks: s.Blocks + 1, Lines: map[string]int{}}
	for line := range strings.Lines(block) {
		if strings.HasPrefix(line, "- ") && len(next.Lines) < shownLines {
			next.Lines[hashed(line)] = next.Blocks
		}
	}
	for line, n := range s.Lines {
		if _, ok := next.Lines[line]; !ok && next.Blocks-n < shownFor && len(next.Lines) < shownLines {
			next.Lines[line] = n
		}
	}
	data, err := json.Marshal(next)
	if err != nil {
		return
	}
	root, err := private.MakeDir(string(d))
	if err != nil {
		return
	}
	defer func() { _ = root.Close() }() // nothing is written through it
	if begins {
		forgetShown(root, now)
	}
	name := shownName(session)
	part := name + "-" + hashed(now.String())[:8] + partly
	if writeNew(root, part, data) != nil || root.Rename(part, name) != nil {
		_ = root.Remove(part) // the next run removes it if this fails
	}
}

// shown reads the file of a session; a file that is missing, old or not ours counts as empty.
func (d Dir) shown(session string, now time.Time) (s shown) {
	if session == "" {
		return s
	}
	err := d.in(func(root *os.Root) error {
		f, err := private.Open(root, shownName(session))
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }() // it was only read
		if info, err := f.Stat(); err != nil || now.Sub(info.ModTime()) > shownAge {
			return errors.Join(err, fs.ErrNotExist)
		}
		return json.NewDecoder(io.LimitReader(f, 1<<20)).Decode(&s)
	})
	if err != nil {
		return shown{}
	}
	return s
}

// forgetShown removes the files of sessions that got nothing for a long time.
func forgetShown(root *os.Root, now time.Time) {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), shownSuffix) {
			continue
		}
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > shownAge {
			_ = root.Remove(e.Name()) // the next session tries again
		}
	}
}

func shownName(session string) string { return hashed(session) + shownSuffix }

func hashed(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:10])
}
