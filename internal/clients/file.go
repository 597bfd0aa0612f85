package clients

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"memory-graph/internal/atomicfile"
	"memory-graph/internal/clients/splice"
	"memory-graph/internal/memory"
	"memory-graph/internal/safety/secrets"
)

// snapshot is the content of a file at one time.
type snapshot struct {
	path   string // the host's path
	target string // the file to write: path, or the target of its links
	info   fs.FileInfo
	data   []byte // nil if there is no file
	mode   fs.FileMode
	advice advice
}

// look reads a file, which need not exist. mode is the mode of a new one.
func look(path string, mode fs.FileMode) (*snapshot, error) {
	s := &snapshot{path: path, mode: mode}
	var err error
	if s.target, err = follow(path); err != nil {
		return nil, err
	}
	s.info, err = os.Stat(s.target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.info = nil
		return s, nil
	case err != nil:
		return nil, unreadable(path, err)
	case !s.info.Mode().IsRegular():
		return nil, unreadable(path, errors.New("it is not a regular file"))
	case s.info.Size() > splice.MaxBytes:
		return nil, unreadable(path, fmt.Errorf("it is larger than %d MiB", splice.MaxBytes>>20))
	}
	s.mode = s.info.Mode().Perm()
	f, err := os.Open(s.target)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer func() { _ = f.Close() }() // it was only read
	if s.data, err = io.ReadAll(io.LimitReader(f, splice.MaxBytes+1)); err != nil {
		return nil, unreadable(path, err)
	}
	if s.data == nil {
		s.data = []byte{}
	}
	return s, nil
}

// follow resolves the links of a path, also if the target does not exist.
func follow(path string) (string, error) {
	const most = 40
	at := path
	for n := 0; ; n++ {
		if n == most {
			return "", unreadable(path, errors.New("its symbolic links form a cycle"))
		}
		// Let the system resolve "..": removing it from the text is wrong after a link to a directory.
		dir, name := filepath.Split(at)
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir, at = real, filepath.Join(real, name)
		}
		if info, err := os.Lstat(at); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			break // errors are reported when the file is read
		}
		to, err := os.Readlink(at)
		if err != nil {
			return "", unreadable(path, err)
		}
		if !filepath.IsAbs(to) {
			to = dir + string(filepath.Separator) + to
		}
		at = to
	}
	return at, nil
}

// Change is the planned change of one file.
type Change struct {
	Path    string // the host's path; if it is a link, its target is written
	After   []byte
	Removes bool     // delete the file: setup had created it
	Before  []string // the programs that our entries started before, if different
	Other   string   // the program of an entry with our name that is not ours and stays; "" for none
	Problem error    // why the file cannot be changed
	*snapshot
}

// FileChange returns the change that f makes to the text of one of our own files.
func FileChange(path string, mode fs.FileMode, f func(text []byte) ([]byte, error)) (Change, error) {
	s, err := look(path, mode)
	if err != nil {
		return Change{}, err
	}
	c := Change{Path: path, snapshot: s}
	s.advice.kept = "Nothing was written."
	d := &draft{snapshot: s}
	if c.After, d.problem = f(s.data); d.problem == nil {
		d.problem = c.possible()
	}
	return c, d.explained()
}

// Makes reports whether the file does not exist yet.
func (c Change) Makes() bool { return c.info == nil }

// Empty reports whether nothing changes or nothing can be changed.
func (c Change) Empty() bool {
	return c.Problem != nil || c.info == nil && len(c.After) == 0 ||
		c.info != nil && !c.Removes && bytes.Equal(c.data, c.After)
}

// Action names the change: "none", "create", "change" or "remove".
func (c Change) Action() string {
	switch {
	case c.Empty():
		return "none"
	case c.Makes():
		return "create"
	case c.Removes:
		return "remove"
	}
	return "change"
}

// Diff returns the change as a unified diff, "" if there is none. It masks secrets, because other programs' entries may
// appear around ours.
func (c Change) Diff() string {
	from, to := c.Path, c.Path
	if c.Makes() {
		from = "/dev/null"
	}
	if c.Removes {
		to = "/dev/null"
	}
	d := string(diff.Diff(from, c.data, to, c.After))
	if _, rest, ok := strings.Cut(d, "\n"); ok { // drop the line that repeats the names
		d = rest
	}
	masked, _ := secrets.Mask(strings.ReplaceAll(d, "\r", ""))
	return masked
}

// possible returns an error if the change cannot be written.
func (c Change) possible() error {
	if c.Empty() || c.info == nil || c.info.Mode().Perm()&0o200 != 0 {
		return nil
	}
	return memory.Errorf(memory.ReadOnly, "%s is read-only.", c.Path)
}

// Write carries out the change. It first copies the file and returns the copy's path, then replaces the file
// atomically. It returns an error if the file has changed since the Change was made.
func (c Change) Write(now time.Time) (backup string, err error) {
	if c.Empty() {
		return "", nil
	}
	current, err := look(c.Path, c.mode)
	if err != nil {
		return "", err
	}
	if (current.info == nil) != (c.info == nil) || !bytes.Equal(current.data, c.data) {
		return "", memory.Errorf(memory.Conflict, "%s was changed by another program in the meantime.", c.Path).
			WithHint("Run the command again.")
	}
	if c.info != nil {
		if backup, err = c.keep(now); err != nil {
			return "", c.unwritable(err)
		}
	}
	if c.Removes {
		if err := os.Remove(c.target); err != nil {
			return backup, c.unwritable(err)
		}
		return backup, nil
	}
	if err := c.replace(); err != nil {
		return backup, c.unwritable(err)
	}
	return backup, nil
}

// replace replaces the file atomically.
func (c Change) replace() error {
	if err := os.MkdirAll(filepath.Dir(c.target), 0o755); err != nil {
		return err
	}
	return atomicfile.Replace(c.target, func(f *os.File) error {
		if _, err := f.Write(c.After); err != nil {
			return err
		}
		if err := os.Chmod(f.Name(), c.mode); err != nil {
			return err
		}
		if c.info != nil {
			sameOwner(f.Name(), c.info)
		}
		return nil
	})
}

// The names of our backups have mark before the time and ending at the end.
const (
	mark   = ".memory-graph-"
	ending = ".bak"
)

// keep copies the file to an unused name beside it.
func (c Change) keep(now time.Time) (string, error) {
	base := c.path + mark + now.UTC().Format("20060102T150405Z")
	for n := 1; ; n++ {
		name := base + ending
		if n > 1 {
			name = fmt.Sprintf("%s-%03d%s", base, n, ending)
		}
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, c.mode)
		if errors.Is(err, fs.ErrExist) && n < 1000 {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(c.data)
		if err == nil {
			err = f.Sync()
		}
		sameOwner(name, c.info)
		return name, errors.Join(err, f.Close())
	}
}

// backup is a copy of the file that Write has kept.
type backup struct {
	path string
	data []byte
}

// backups reads the copies beside the file, the newest first. It skips those that cannot be read.
func (s *snapshot) backups() []backup {
	entries, err := os.ReadDir(filepath.Dir(s.path))
	if err != nil {
		return nil
	}
	var times []string // "20261122T093000Z", "20261122T093000Z-002"
	for _, e := range entries {
		at, ours := strings.CutPrefix(e.Name(), filepath.Base(s.path)+mark)
		if at, is := strings.CutSuffix(at, ending); ours && is {
			times = append(times, at)
		}
	}
	slices.Sort(times)
	var list []backup
	for _, at := range slices.Backward(times) {
		path := s.path + mark + at + ending
		if old, err := look(path, 0); err == nil && old.info != nil {
			list = append(list, backup{path, old.data})
		}
	}
	return list
}
