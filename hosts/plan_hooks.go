package hosts

import (
	"strconv"

	"memory-graph/hosts/splice"
)

// ourHook finds our command in the list of an event: the index of its element, and in the nested form its index there.
func (h Host) ourHook(root splice.Object, system string, o Options, e Event) (element, inside int, alone bool) {
	list, _ := splice.At(root, "hooks", e.Name)
	all, _ := list.([]any)
	for i, v := range all {
		group, _ := v.(splice.Object)
		runs := []any{v}
		if h.Hooks.Form == Nested {
			below, _ := group.Get("hooks")
			runs, _ = below.([]any)
		}
		for j, run := range runs {
			line, _ := splice.At(run, "command")
			if text, ok := line.(string); ok && h.isOurHook(text, system, o, e.Name) {
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
		h.note(d, line, system, o, e)
		if err := d.apply(splice.Set(d.format, d.text, command, want)); err != nil {
			return err
		}
	}
	return nil
}

// note keeps the program of a hook of ours that is changed or taken out.
func (h Host) note(d *draft, line, system string, o Options, e Event) {
	if l, ok := h.ourLine(line, system, e.Name); ok && l.program != unquote(system, quote(system, o.Program)) {
		d.was(l.program, o)
	}
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
				path, keep = path[:3], d.wasThere(h, system, o)
			}
			line, _ := splice.Step(d.root, below(h.hookPath(e, i, j), "command"))
			text, _ := line.(string)
			h.note(d, text, system, o, e)
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
