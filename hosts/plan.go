package hosts

import (
	"errors"
	"fmt"
	"path/filepath"

	"memory-graph/hosts/splice"
	"memory-graph/memory"
)

// FilesOf gives the absolute paths of the host's files, servers first, in a directory or for the user.
func (h Host) FilesOf(p Places, dir string) (servers, hooks string, err error) {
	servers, err = h.place(p, h.Servers.File, dir)
	if err == nil && h.Hooks != nil {
		hooks, err = h.place(p, h.Hooks.File, dir)
	}
	return servers, hooks, err
}

func (h Host) place(p Places, f File, dir string) (string, error) {
	if dir != "" {
		if f.Project == "" {
			return "", memory.Errorf(memory.InvalidArgument, "%s has no settings of a single project.", h.Name).
				WithHint("Run setup without --in: it then counts for all projects.")
		}
		return filepath.Join(dir, filepath.FromSlash(f.Project)), nil
	}
	path := p.find(f.User)
	if path == "" {
		return "", memory.Errorf(memory.InvalidArgument, "There is no home directory in the environment, so the settings of %s cannot be found.", h.Name).
			WithHint("Set HOME (on Windows USERPROFILE).")
	}
	return path, nil
}

// Install gives the changes that make the host start memory-graph: none where it does already. Nothing is written.
func (h Host) Install(p Places, o Options) ([]Change, error) {
	return h.plan(p, o, o.Hooks, func(f *draft, what part) error {
		if what == serverList {
			return h.addServer(f, o)
		}
		return h.addHooks(f, p.system, o)
	})
}

// Uninstall gives the changes that take memory-graph out of the host's files. A file that has not changed since setup made
// or changed it becomes what it was, byte for byte.
func (h Host) Uninstall(p Places, o Options) ([]Change, error) {
	return h.plan(p, o, true, func(f *draft, what part) error {
		if what == serverList {
			return h.dropServer(f, o)
		}
		return h.dropHooks(f, p.system, o)
	})
}

// part is what of a host's settings is meant.
type part int

const (
	serverList part = iota
	hookList
)

// draft is a file on its way from what it is to what it shall be.
type draft struct {
	*snapshot
	format splice.Format
	text   []byte
	root   splice.Object
	undo   []func(base []byte, root splice.Object) ([]byte, error) // puts back into an older text what was taken away
}

func (h Host) plan(p Places, o Options, withHooks bool, do func(*draft, part) error) ([]Change, error) {
	servers, hooks, err := h.FilesOf(p, o.Dir)
	if err != nil {
		return nil, err
	}
	var drafts []*draft
	run := func(path string, f File, what part) error {
		var d *draft
		for _, other := range drafts {
			if other.path == path {
				d = other
			}
		}
		if d == nil {
			s, err := look(path, f.Mode)
			if err != nil {
				return err
			}
			d = &draft{snapshot: s, format: f.Format, text: s.data}
			if err := d.read(); err != nil {
				return err
			}
			drafts = append(drafts, d)
		}
		return d.wrap(do(d, what))
	}
	if err := run(servers, h.Servers.File, serverList); err != nil {
		return nil, err
	}
	if hooks != "" && withHooks {
		if err := run(hooks, h.Hooks.File, hookList); err != nil {
			return nil, err
		}
	}
	changes := make([]Change, len(drafts))
	for i, d := range drafts {
		changes[i] = Change{Path: d.path, After: d.text, snapshot: d.snapshot}
		if len(d.undo) > 0 {
			h.restore(d, &changes[i], p.system, o)
		}
		if err := changes[i].possible(); err != nil {
			return nil, err
		}
	}
	return changes, nil
}

// read parses what the draft is now.
func (d *draft) read() error {
	root, err := splice.Read(d.format, d.text)
	d.root = root
	return d.wrap(err)
}

// apply takes the result of a splice over.
func (d *draft) apply(text []byte, err error) error {
	if err != nil {
		return err
	}
	d.text = text
	return d.read()
}

// wrap words a file's mistake for the person, who has to correct it.
func (d *draft) wrap(err error) error {
	se := (*splice.Error)(nil)
	if !errors.As(err, &se) {
		return err
	}
	at := d.path
	if se.Line > 0 {
		at = fmt.Sprintf("%s:%d:%d", d.path, se.Line, se.Column)
	}
	return memory.Errorf(memory.Conflict, "%s cannot be changed: %s.", at, se.Why).
		WithHint("Nothing was written. Correct the file, or add what `memory-graph setup HOST --print` shows by hand.")
}

// Has says whether the host starts memory-graph, from whatever path.
func (h Host) Has(p Places, o Options) (bool, error) {
	path, err := h.place(p, h.Servers.File, o.Dir)
	if err != nil {
		return false, err
	}
	s, err := look(path, 0)
	if err != nil {
		return false, err
	}
	d := &draft{snapshot: s, format: h.Servers.Format, text: s.data}
	if err := d.read(); err != nil {
		return false, err
	}
	_, entry := h.server(d.root, o)
	return entry != nil, nil
}
