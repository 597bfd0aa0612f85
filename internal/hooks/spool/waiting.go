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

// tries stands in a file's name before how often its turn was tried.
const tries = "~"

// tried takes a file's name apart: what it was called first, and how often its turn was tried.
func tried(name string) (first string, n int) {
	stem := strings.TrimSuffix(name, suffix)
	if head, digits, ok := strings.Cut(stem, tries); ok {
		if n, err := strconv.Atoi(digits); err == nil && n > 0 {
			return head + suffix, n
		}
	}
	return name, 0
}

// try notes in a file's name that its turn is tried once more, and gives the new name: whoever is killed over it has
// left word that others shall go first. The error is fs.ErrNotExist's where another process was faster.
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
	return name, nil // a system that holds it open, say: it is tried all the same
}

// untry takes that back, for a try that failed by no fault of the turn.
func (d Dir) untry(name, before string) {
	_ = d.in(func(root *os.Root) error { return root.Rename(name, before) }) // else it goes a little later
}

// Names lists the turns that wait: those that were tried least often first, and of them the oldest. So a turn that
// takes longer than hooks have holds up no other. Turns that are held are left out. Half written files of
// processes that died are taken away.
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
					_ = root.Remove(name) // the next run tries again
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

// list gives what is in a directory.
func list(root *os.Root) ([]fs.DirEntry, error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	entries, err := dir.ReadDir(-1)
	return entries, errors.Join(err, dir.Close())
}

// unread words why a directory cannot be looked into; that there is none is no error.
func unread(err error) error {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("look for turns that wait: %w", err)
}

// look is in for a reader that changes nothing, the directory's mode neither.
func (d Dir) look(do func(*os.Root) error) error {
	root, err := private.LookInto(string(d))
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // nothing is written through it
	return do(root)
}

// Waiting is what a spool holds.
type Waiting struct {
	Turns  int
	Bytes  int64     // of the turns' files
	Oldest time.Time // when the oldest was written down; zero without turns
	Broken int       // files that were put aside
}

// Waiting counts what waits, and changes nothing.
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
