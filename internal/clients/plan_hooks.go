package clients

import (
	"strconv"

	"memory-graph/internal/clients/splice"
)

// ourHook is one of our commands in the list of an event.
type ourHook struct {
	path  []string // its position
	line  string
	alone bool // the only command in its element of the list
}

// ourHooks finds our commands for an event.
func (h Client) ourHooks(root splice.Object, system string, o Options, e Event) (found []ourHook) {
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
				found = append(found, ourHook{h.hookPath(e, i, j), text, len(runs) == 1})
			}
		}
	}
	return found
}

func (h Client) addHooks(d *draft, system string, o Options) error {
	if v := h.Hooks.Version; v != nil {
		if _, ok := d.root.Get(v.Name); !ok {
			if err := d.apply(splice.Set(d.format, d.text, []string{v.Name}, v.Value)); err != nil {
				return err
			}
		}
	}
	for _, e := range h.Hooks.Events {
		if err := h.addHook(d, system, o, e); err != nil {
			return err
		}
	}
	return nil
}

// addHook corrects our commands for an event, or adds one if there is none. It removes duplicates.
func (h Client) addHook(d *draft, system string, o Options, e Event) error {
	lines := map[string]bool{}
	for n := 0; ; {
		found := h.ourHooks(d.root, system, o, e)
		if n == len(found) {
			break
		}
		at := found[n]
		want := h.moved(at.line, system, o, e.Name)
		if at.line != want {
			h.note(d, at.line, system, o, e)
		}
		if lines[want] {
			path := at.path
			if at.alone {
				path = path[:3]
			}
			if err := d.apply(splice.Remove(d.format, d.text, path, func([]string) bool { return true })); err != nil {
				return err
			}
			continue
		}
		lines[want] = true
		n++
		if at.line == want {
			continue
		}
		if err := d.apply(splice.Set(d.format, d.text, below(at.path, "command"), want)); err != nil {
			return err
		}
	}
	if len(lines) > 0 {
		return nil
	}
	o = o.beginning()
	if err := h.sayable(system, o); err != nil {
		return err
	}
	return d.apply(splice.Append(d.format, d.text, []string{"hooks", e.Name}, h.hook(system, o, e)))
}

// note records the old program of a hook of ours that is changed or removed.
func (h Client) note(d *draft, line, system string, o Options, e Event) {
	if l, ok := h.ourLine(line, system, e.Name); ok && l.program != slashed(system, o.Program) {
		d.was(l.program, o)
	}
}

func (h Client) hookPath(e Event, i, j int) []string {
	path := []string{"hooks", e.Name, strconv.Itoa(i)}
	if h.Hooks.Form == Nested {
		path = append(path, "hooks", strconv.Itoa(j))
	}
	return path
}

func (h Client) dropHooks(d *draft, system string, o Options) error {
	for _, e := range h.Hooks.Events {
		for {
			found := h.ourHooks(d.root, system, o, e)
			if len(found) == 0 {
				break
			}
			at := found[0]
			path, keep := at.path, func([]string) bool { return true }
			if at.alone {
				path, keep = path[:3], d.wasThere(h, system, o)
			}
			h.note(d, at.line, system, o, e)
			element, _ := splice.At(d.root, path...)
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
