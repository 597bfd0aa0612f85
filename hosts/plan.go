package hosts

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

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
			if err := h.restore(d, &changes[i], p.system, o); err != nil {
				return nil, err
			}
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

// server finds our entry in a list: under the name asked for, else under any, since people rename it.
func (h Host) server(root splice.Object, o Options) (name string, entry splice.Object) {
	list, _ := splice.At(root, h.Servers.Key...)
	all, _ := list.(splice.Object)
	name = o.Name
	if name == "" {
		name = DefaultName
	}
	if v, ok := all.Get(name); ok && isOurs(v, o.Program) {
		entry, _ = v.(splice.Object)
		return name, entry
	}
	for _, m := range all {
		if o.Name == "" && isOurs(m.Value, o.Program) {
			entry, _ = m.Value.(splice.Object)
			return m.Name, entry
		}
	}
	return name, nil
}

func (h Host) addServer(d *draft, o Options) error {
	name, entry := h.server(d.root, o)
	path := below(h.Servers.Key, name)
	if entry == nil {
		if _, taken := splice.At(d.root, path...); taken {
			return memory.Errorf(memory.Conflict, "%s has a server called %q already, and it is another program.", d.path, name).
				WithHint("Nothing was written. Give ours another name: --name.")
		}
		return d.apply(splice.Set(d.format, d.text, path, h.Servers.entry(o)))
	}
	if command, _ := entry.Get("command"); command != o.Program {
		if err := d.apply(splice.Set(d.format, d.text, below(path, "command"), o.Program)); err != nil {
			return err
		}
	}
	env, _ := entry.Get("env")
	have, isTable := env.(splice.Object)
	if len(o.Env) > 0 && !isTable {
		return d.apply(splice.Set(d.format, d.text, below(path, "env"), splice.Object(o.Env)))
	}
	for _, m := range o.Env {
		if v, ok := have.Get(m.Name); ok && v == m.Value {
			continue
		}
		if err := d.apply(splice.Set(d.format, d.text, below(path, "env", m.Name), m.Value)); err != nil {
			return err
		}
	}
	return nil
}

func (h Host) dropServer(d *draft, o Options) error {
	name, entry := h.server(d.root, o)
	if entry == nil {
		return nil
	}
	path := below(h.Servers.Key, name)
	ordered := entry
	if d.format == splice.TOML { // whose tables have no order once they are read
		ordered = h.Servers.entry(Options{Program: o.Program})
		for i, m := range ordered {
			if v, ok := entry.Get(m.Name); ok {
				ordered[i].Value = v
			}
		}
		for _, m := range entry {
			if _, ok := ordered.Get(m.Name); !ok {
				ordered = append(ordered, m)
			}
		}
	}
	d.undo = append(d.undo, func(base []byte, _ splice.Object) ([]byte, error) { return splice.Set(d.format, base, path, ordered) })
	return d.apply(splice.Remove(d.format, d.text, path, d.wasThere()))
}

// ourHook finds our command in the list of an event: the index of its element, and in the nested form its index there.
func (h Host) ourHook(root splice.Object, system string, o Options, e Event) (element, inside int, alone bool) {
	list, _ := splice.At(root, "hooks", e.Name)
	all, _ := list.([]any)
	want := h.command(system, o, e.Name)
	for i, v := range all {
		group, _ := v.(splice.Object)
		runs := []any{v}
		if h.Hooks.Form == Nested {
			below, _ := group.Get("hooks")
			runs, _ = below.([]any)
		}
		for j, run := range runs {
			line, _ := splice.At(run, "command")
			if text, ok := line.(string); ok && h.isOurHook(text, want, e.Name) {
				return i, j, len(runs) == 1
			}
		}
	}
	return -1, -1, false
}

func (h Host) addHooks(d *draft, system string, o Options) error {
	if v := h.Hooks.Version; v != nil {
		if _, ok := d.root.Get(v.Name); !ok {
			if err := d.apply(splice.Set(d.format, d.text, []string{v.Name}, v.Value)); err != nil {
				return err
			}
		}
	}
	for _, e := range h.Hooks.Events {
		i, j, _ := h.ourHook(d.root, system, o, e)
		if i < 0 {
			if err := d.apply(splice.Append(d.format, d.text, []string{"hooks", e.Name}, h.hook(system, o, e))); err != nil {
				return err
			}
			continue
		}
		path := h.hookPath(e, i, j)
		command := below(path, "command")
		have, _ := splice.Step(d.root, command)
		line, _ := have.(string)
		want := h.moved(line, system, o, e.Name)
		if line == want {
			continue
		}
		if err := d.apply(splice.Set(d.format, d.text, command, want)); err != nil {
			return err
		}
	}
	return nil
}

func (h Host) hookPath(e Event, i, j int) []string {
	path := []string{"hooks", e.Name, strconv.Itoa(i)}
	if h.Hooks.Form == Nested {
		path = append(path, "hooks", strconv.Itoa(j))
	}
	return path
}

func (h Host) dropHooks(d *draft, system string, o Options) error {
	for _, e := range h.Hooks.Events {
		for {
			i, j, alone := h.ourHook(d.root, system, o, e)
			if i < 0 {
				break
			}
			path, keep := h.hookPath(e, i, j), func([]string) bool { return true }
			if alone {
				path, keep = path[:3], d.wasThere()
			}
			element, _ := splice.Step(d.root, path)
			into := path[:len(path)-1]
			d.undo = append(d.undo, func(base []byte, _ splice.Object) ([]byte, error) {
				return splice.Append(d.format, base, into, element)
			})
			if err := d.apply(splice.Remove(d.format, d.text, path, keep)); err != nil {
				return err
			}
		}
	}
	if v := h.Hooks.Version; v != nil && len(d.undo) > 0 {
		put := func(base []byte, root splice.Object) ([]byte, error) {
			if _, ok := root.Get(v.Name); ok {
				return base, nil
			}
			return splice.Set(d.format, base, []string{v.Name}, v.Value)
		}
		d.undo = append([]func([]byte, splice.Object) ([]byte, error){put}, d.undo...)
	}
	return nil
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
