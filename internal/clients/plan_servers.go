package clients

import (
	"slices"

	"memory-graph/internal/clients/splice"
	"memory-graph/internal/memory"
)

// server finds our entry in a list: under the requested name, else under any name, since users rename it.
func (h Client) server(root splice.Object, o Options) (name string, entry splice.Object) {
	list, _ := splice.At(root, h.Servers.Key...)
	all, _ := list.(splice.Object)
	name = o.Name
	if name == "" {
		name = DefaultName
	}
	if v, _ := all.Get(name); v != nil {
		if entry, _ = v.(splice.Object); h.Servers.isOurs(name, entry, o) {
			return name, entry
		}
	}
	for _, m := range all {
		if entry, _ = m.Value.(splice.Object); o.Name == "" && h.Servers.isOurs(m.Name, entry, o) {
			return m.Name, entry
		}
	}
	return name, nil
}

// addServer adds or corrects our entry and returns its name.
func (h Client) addServer(d *draft, system string, o Options) (name string, err error) {
	name, entry := h.server(d.root, o)
	path := below(h.Servers.Key, name)
	if entry == nil {
		if other, taken := splice.At(d.root, path...); taken {
			return name, h.Servers.notOurs(d, system, name, other)
		}
		return name, d.apply(splice.Set(d.format, d.text, path, h.Servers.entry(o)))
	}
	if program, args := h.Servers.starts(entry); program != o.Program {
		d.was(program, o)
		command := h.Servers.starting(o.Program, args)
		if err := d.apply(splice.Set(d.format, d.text, below(path, h.Servers.command()), command)); err != nil {
			return name, err
		}
	}
	return name, h.addEnv(d, path, entry, o)
}

// addEnv sets the given settings in our entry and leaves its others.
func (h Client) addEnv(d *draft, path []string, entry splice.Object, o Options) error {
	name := h.Servers.env()
	env, _ := entry.Get(name)
	have, isTable := env.(splice.Object)
	if len(o.Env) > 0 && !isTable {
		return d.apply(splice.Set(d.format, d.text, below(path, name), splice.Object(o.Env)))
	}
	for _, m := range o.Env {
		if v, ok := have.Get(m.Name); ok && v == m.Value {
			continue
		}
		err := d.apply(splice.Set(d.format, d.text, below(path, name, m.Name), m.Value))
		if err != nil && d.format == splice.TOML { // an inline table, as setup writes it: rewrite all of it
			return d.apply(splice.Set(d.format, d.text, below(path, name), joined(have, o.Env)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// joined returns have with the members of given replaced or appended.
func joined(have, given splice.Object) splice.Object {
	all := slices.Clone(have)
	for _, m := range given {
		if i := slices.IndexFunc(all, func(other splice.Member) bool { return other.Name == m.Name }); i >= 0 {
			all[i] = m
		} else {
			all = append(all, m)
		}
	}
	return all
}

// notOurs is the error for a server of another program under our name.
func (s Servers) notOurs(d *draft, system, name string, entry any) error {
	object, _ := entry.(splice.Object)
	program, _ := s.starts(object)
	if program == "" {
		return memory.Errorf(memory.Conflict, "%s already has a server called %q that is not memory-graph.", d.path, name).
			WithHint("Nothing was written. Choose another name with --name.")
	}
	return memory.Errorf(memory.Conflict, "%s already has a server called %q, which starts %s.", d.path,
		name, program).
		WithHint(
			"Nothing was written. Choose another name with --name. If that program starts memory-graph, run "+
				"setup with --program %s.", quote(system, program))
}

func (h Client) dropServer(d *draft, system string, o Options) error {
	name, entry := h.server(d.root, o)
	path := below(h.Servers.Key, name)
	if entry == nil {
		other, _ := splice.At(d.root, path...)
		object, _ := other.(splice.Object)
		d.other, _ = h.Servers.starts(object)
		return nil
	}
	program, _ := h.Servers.starts(entry)
	d.was(program, o)
	ordered := entry
	if d.format == splice.TOML { // TOML tables lose their order when parsed
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
	d.undo = append(d.undo, func(base []byte, _ splice.Object) ([]byte, error) {
		return splice.Set(d.format, base, path, ordered)
	})
	if err := d.apply(splice.Remove(d.format, d.text, path, d.wasThere(h, system, o))); err != nil {
		return err
	}
	return h.dropServer(d, system, o) // there may be another one under another name
}
