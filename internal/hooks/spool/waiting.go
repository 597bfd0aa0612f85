package spool

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"memory-graph/internal/safety/private"
)

// tries precedes the number of attempts in a file's name.
const tries = "~"

// tried splits a file's name into its original name and the number of attempts.
func tried(name string) (first string, n int) {
	stem := strings.TrimSuffix(name, suffix)
	if head, digits, ok := strings.Cut(stem, tries); ok {
		if n, err := strconv.Atoi(digits); err == nil && n > 0 {
			return head + suffix, n
		}
	}
	return name, 0
}

// try records one more attempt in a file's name and returns the new name. If the process is killed during the attempt,
// other turns go first next time. The error is fs.ErrNotExist if another process was faster.
func (d Dir) try(name string) (string, error) {
	first, n := tried(name)
	next := fmt.Sprintf("%s%s%d%s", strings.TrimSuffix(first, suffix), tries, n+1, suffix)
	err := d.in(func(root *os.Root) error { return root.Rename(name, next) })
	if err == nil {
		return next, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return name, nil // for example the file is open on Windows: attempt it anyway
}

// untry undoes try after a failure that the turn did not cause.
func (d Dir) untry(name, before string) {
	_ = d.in(func(root *os.Root) error { return root.Rename(name, before) }) // on failure the turn is only tried later
}

// Names lists the waiting turns, those with the fewest attempts first, then the oldest. So a turn that takes longer
// than a hook's timeout does not block the others. Held turns are left out. Names removes incomplete files of processes
// that died.
func (d Dir) Names(now time.Time) ([]string, error) {
	var names []string
	err := d.in(func(root *os.Root) error {
		entries, err := list(root)
		for _, e := range entries {
			switch name := e.Name(); {
			case strings.HasSuffix(name, suffix):
				if !held(root, name, now) {
					names = append(names, name)
				}
			case strings.HasSuffix(name, partly):
				if info, err := root.Lstat(name); err == nil && now.Sub(info.ModTime()) > oldPart {
					_ = root.Remove(name) // on failure the next run tries again
				}
			}
		}
		return err
	})
	if err = unread(err); err != nil {
		return nil, err
	}
	slices.SortFunc(names, func(a, b string) int {
		firstA, nA := tried(a)
		firstB, nB := tried(b)
		return cmp.Or(cmp.Compare(nA, nB), strings.Compare(firstA, firstB))
	})
	return names, nil
}

// list returns the entries of a directory.
func list(root *os.Root) ([]fs.DirEntry, error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	entries, err := dir.ReadDir(-1)
	return entries, errors.Join(err, dir.Close())
}

// unread describes why a directory cannot be read. A missing one is no error.
func unread(err error) error {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("list the waiting turns: %w", err)
}

// look is like in, but changes nothing, not even the directory's mode.
func (d Dir) look(do func(*os.Root) error) error {
	root, err := private.LookInto(string(d))
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // nothing is written through it
	return do(root)
}

// Waiting describes the content of a spool.
type Waiting struct {
	Turns  int
	Bytes  int64     // of the turns' files
	Oldest time.Time // when the oldest turn was spooled; zero without turns
	Broken int       // files that were set aside
}

// Waiting counts the waiting turns. It changes nothing.
func (d Dir) Waiting() (Waiting, error) {
	var w Waiting
	err := d.look(func(root *os.Root) error {
		entries, err := list(root)
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), aside) {
				w.Broken++
			}
			if !strings.HasSuffix(e.Name(), suffix) {
				continue
			}
			info, err := root.Lstat(e.Name())
			if err != nil {
				continue // another process stored it
			}
			w.Turns++
			w.Bytes += info.Size()
			if at := info.ModTime(); w.Oldest.IsZero() || at.Before(w.Oldest) {
				w.Oldest = at
			}
		}
		return err
	})
	return w, unread(err)
}
