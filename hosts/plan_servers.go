package hosts

import (
	"memory-graph/hosts/splice"
	"memory-graph/memory"
)

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
	if err := d.apply(splice.Remove(d.format, d.text, path, d.wasThere())); err != nil {
		return err
	}
	return h.dropServer(d, o) // there may be another, under another name
}
