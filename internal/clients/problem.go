package clients

import (
	"errors"
	"fmt"
	"strings"

	"memory-graph/internal/clients/splice"
	"memory-graph/internal/memory"
)

// advice is what a user can do about a file that cannot be changed.
type advice struct {
	kept   string // what happened to the file: "Nothing was written."
	byHand string // the alternative, as half a sentence; "" for none
}

// hint returns the advice; first is the first thing to try.
func (a advice) hint(first string) string {
	if a.byHand != "" {
		first += ", or " + a.byHand
	}
	return strings.TrimSpace(a.kept + " " + first + ".")
}

// byHand returns the advice for files that Install cannot change.
func (h Client) byHand(system string, o Options) advice {
	command := "memory-graph setup " + h.ID + " --print"
	if o.Dir != "" {
		command += " --in " + quote(system, o.Dir)
	}
	if o.Name != "" {
		command += " --name " + quote(system, o.Name)
	}
	return advice{"Nothing was written.", "add by hand what `" + command + "` shows"}
}

// outByHand returns the advice for files that Uninstall cannot change.
func (h Client) outByHand(o Options) advice {
	name := o.Name
	if name == "" {
		name = DefaultName
	}
	out := fmt.Sprintf("remove the server %q by hand", name)
	if h.Hooks != nil && o.Hooks {
		out = fmt.Sprintf("remove the server %q and the commands with `hook %s` by hand", name, h.ID)
	}
	return advice{"The file was not changed.", out}
}

// explained returns the problem of a file, worded for the user who has to correct it.
func (d *draft) explained() error {
	if d.problem == nil {
		return nil
	}
	if se := (*splice.Error)(nil); errors.As(d.problem, &se) {
		at := d.path
		if se.Line > 0 {
			at = fmt.Sprintf("%s:%d:%d", d.path, se.Line, se.Column)
		}
		return memory.Errorf(memory.Conflict, "%s cannot be changed: %s.", at, se.Why).WithHint("%s",
			d.advice.hint("Correct the file"))
	}
	e := (*memory.Error)(nil)
	switch {
	case !errors.As(d.problem, &e):
		return d.problem
	case e.Hint != "":
	case e.Code == memory.ReadOnly:
		return e.WithHint("%s", d.advice.hint("Make it writable"))
	case e.Code == memory.Unavailable:
		return e.WithHint("%s", d.advice.hint("Check what is at that path"))
	}
	return e
}

func unreadable(path string, err error) error {
	return memory.Errorf(memory.Unavailable, "%s cannot be read: %w.", path, memory.Reason(err))
}

func (c Change) unwritable(err error) error {
	a := advice{"The file was not changed.", c.advice.byHand}
	return memory.Errorf(memory.Unavailable, "%s cannot be written: %w.", c.Path, memory.Reason(err)).
		WithHint("%s", a.hint("Check the permissions of its directory"))
}
