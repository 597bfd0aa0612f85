package spool

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
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

// try notes in a file's name that its turn is tried once more, and gives the new name: whoever is killed over it has left
// word that others shall go first. The error is fs.ErrNotExist's where another process was faster.
func (d Dir) try(name string) (string, error) {
	first, n := tried(name)
	next := fmt.Sprintf("%s%s%d%s", strings.TrimSuffix(first, suffix), tries, n+1, suffix)
	err := os.Rename(filepath.Join(string(d), name), filepath.Join(string(d), next))
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
	_ = os.Rename(filepath.Join(string(d), name), filepath.Join(string(d), before)) // else it goes a little later
}

// Names lists the turns that wait: those that were tried least often first, and of them the oldest. Turns that are held are left out. So a turn that takes longer
// than hooks have holds up no other. Half written files of processes that died are taken away.
func (d Dir) Names(now time.Time) ([]string, error) {
	entries, err := d.entries()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		switch name := e.Name(); {
		case strings.HasSuffix(name, suffix):
			if !held(e, now) {
				names = append(names, name)
			}
		case strings.HasSuffix(name, partly):
			if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > oldPart {
				_ = os.Remove(filepath.Join(string(d), name)) // the next run tries again
			}
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		firstA, nA := tried(a)
		firstB, nB := tried(b)
		return cmp.Or(cmp.Compare(nA, nB), strings.Compare(firstA, firstB))
	})
	return names, nil
}

// entries gives what is in the directory, nothing where there is none.
func (d Dir) entries() ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(string(d))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("look for turns that wait: %w", err)
	}
	return entries, nil
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
	entries, err := d.entries()
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), aside) {
			w.Broken++
		}
		if !strings.HasSuffix(e.Name(), suffix) {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue // another process stored it
		}
		w.Turns++
		w.Bytes += info.Size()
		if at := info.ModTime(); w.Oldest.IsZero() || at.Before(w.Oldest) {
			w.Oldest = at
		}
	}
	return w, err
}
