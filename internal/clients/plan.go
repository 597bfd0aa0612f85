package clients

import (
	"bytes"
	"cmp"
	"io/fs"
	"path/filepath"
	"slices"

	"memory-graph/internal/clients/splice"
	"memory-graph/internal/memory"
)

// FilesOf returns the absolute paths of the host's files for a project in dir, or for the user if dir is "".
func (h Client) FilesOf(p Places, dir string) (servers, hooks string, err error) {
	servers, err = h.place(p, h.Servers.File, dir)
	if err == nil && h.Hooks != nil {
		hooks, err = h.place(p, h.Hooks.File, dir)
	}
	return servers, hooks, err
}

func (h Client) place(p Places, f File, dir string) (string, error) {
	if dir != "" {
		if f.Project == "" {
			return "", memory.Errorf(memory.InvalidArgument, "%s has no project settings.", h.Name).
				WithHint("Run setup without --in to set it up for all projects.")
		}
		return filepath.Join(dir, filepath.FromSlash(f.Project)), nil
	}
	path := p.find(f.User)
	if path == "" {
		return "", memory.Errorf(memory.InvalidArgument,
			"There is no home directory in the environment, so the settings of %s cannot be found.", h.Name).
			WithHint("Set HOME (on Windows USERPROFILE).")
	}
	return path, nil
}

// Install returns the changes that make the host start memory-graph, one for each of its files. A change is empty if
// nothing needs to change, and has a Problem if the file cannot be changed. Nothing is written.
func (h Client) Install(p Places, o Options) ([]Change, error) {
	if err := h.sayable(p.system, o); err != nil {
		return nil, err
	}
	return h.plan(p, o, look, h.byHand(p.system, o), h.add(p, o))
}

// Snippets returns what Install would write if the host had no files yet, for users who edit the files by hand.
func (h Client) Snippets(p Places, o Options) ([]Change, error) {
	if err := h.sayable(p.system, o); err != nil {
		return nil, err
	}
	blank := func(path string, mode fs.FileMode) (*snapshot, error) {
		return &snapshot{path: path, target: path, mode: mode}, nil
	}
	return h.plan(p, o, blank, advice{}, h.add(p, o))
}

// Uninstall returns the changes that remove memory-graph from the host's files, with a Problem if a file cannot be
// changed. A file that has not changed since setup regains its former content, byte for byte.
func (h Client) Uninstall(p Places, o Options) ([]Change, error) {
	changes, err := h.plan(p, o, look, h.outByHand(o), func(d *draft, what part) error {
		if what == serverList {
			return h.dropServer(d, p.system, o)
		}
		if h.Hooks.Form == Script {
			return h.dropScript(d, o)
		}
		return h.dropHooks(d, p.system, o)
	})
	for i := range changes {
		if c := &changes[i]; c.Problem != nil && c.info != nil && !bytes.Contains(c.data, []byte(DefaultName)) &&
			!bytes.Contains(c.data, []byte(cmp.Or(o.Name, DefaultName))) {
			c.Problem, c.After = nil, c.data // a broken file without our name holds nothing of ours
		}
	}
	return changes, err
}

func (h Client) add(p Places, o Options) func(*draft, part) error {
	name := cmp.Or(o.Name, DefaultName)
	return func(d *draft, what part) (err error) {
		if what == serverList {
			name, err = h.addServer(d, p.system, o)
			_, entry := h.server(d.root, o)
			o.known = h.Servers.settings(p.system, entry)
			return err
		}
		if name != DefaultName { // hooks recognise our tools by the server's name
			o.Flags = append(slices.Clip(o.Flags), "--server="+name)
		}
		if h.Hooks.Form == Script {
			return h.addScript(d, o)
		}
		return h.addHooks(d, p.system, o)
	}
}

// part selects the server list or the hooks of a host's settings.
type part int

const (
	serverList part = iota
	hookList
)

// draft is a file while it is edited.
type draft struct {
	*snapshot
	format splice.Format
	text   []byte
	root   splice.Object
	undo   []func(base []byte, root splice.Object) ([]byte, error) // each adds a removed entry to an older text again
	older  [][]byte                                                // backups without our entries, read on demand
	// the programs that our entries started, if different
	before  []string
	other   string // the program of an entry with our name that is not ours
	removed bool   // the whole file is ours and is removed
	problem error  // why the file cannot be changed
}

// plan edits the host's files. A problem with one file does not stop the others.
func (h Client) plan(p Places, o Options, see func(string, fs.FileMode) (*snapshot, error), a advice,
	do func(*draft, part) error) ([]Change, error) {
	servers, hooks, err := h.FilesOf(p, o.Dir)
	if err != nil {
		return nil, err
	}
	var drafts []*draft
	run := func(path string, f File, what part) {
		i := slices.IndexFunc(drafts, func(d *draft) bool { return d.path == path })
		if i < 0 {
			i = len(drafts)
			drafts = append(drafts, open(path, f, see))
		}
		if d := drafts[i]; d.problem == nil {
			d.problem = do(d, what)
		}
	}
	run(servers, h.Servers.File, serverList)
	if hooks != "" && o.Hooks {
		run(hooks, h.Hooks.File, hookList)
	}
	changes := make([]Change, len(drafts))
	for i, d := range drafts {
		d.advice = a
		changes[i] = Change{Path: d.path, Before: d.before, Other: d.other, snapshot: d.snapshot}
		if d.problem == nil {
			changes[i].After, changes[i].Removes = d.text, d.removed
			if len(d.undo) > 0 {
				h.restore(d, &changes[i], p.system, o)
			}
			d.problem = changes[i].possible()
		}
		changes[i].Problem = d.explained()
	}
	return changes, nil
}

// open reads a file; an error becomes the draft's problem.
func open(path string, f File, see func(string, fs.FileMode) (*snapshot, error)) *draft {
	s, err := see(path, f.Mode)
	if err != nil {
		return &draft{snapshot: &snapshot{path: path}, problem: err}
	}
	d := &draft{snapshot: s, format: f.Format, text: s.data}
	d.problem = d.read()
	return d
}

// was records the old program of an entry of ours that is changed or removed.
func (d *draft) was(program string, o Options) {
	if program != "" && program != o.Program && !slices.Contains(d.before, program) {
		d.before = append(d.before, program)
	}
}

// read parses the current text of the draft.
func (d *draft) read() (err error) {
	if d.format == "" { // a script
		return nil
	}
	d.root, err = splice.Read(d.format, d.text)
	return err
}

// apply takes over the result of a splice.
func (d *draft) apply(text []byte, err error) error {
	if err != nil {
		return err
	}
	d.text = text
	return d.read()
}

// Starts returns the program that the host starts as memory-graph, "" for none.
func (h Client) Starts(p Places, o Options) (program string, err error) {
	path, err := h.place(p, h.Servers.File, o.Dir)
	if err != nil {
		return "", err
	}
	d := open(path, h.Servers.File, look)
	if err := d.explained(); err != nil {
		return "", err
	}
	_, entry := h.server(d.root, o)
	program, _ = h.Servers.starts(entry)
	return program, nil
}
