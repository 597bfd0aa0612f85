package clients

import (
	"bytes"
	"slices"
	"strings"

	"memory-graph/internal/clients/splice"
)

// restore looks for the text that the file had before setup: a backup without our entries, or no file. Adding the
// removed entries to it must give the current file, or its lines must be those that are left. Then restore uses that
// text, with its original blank lines and line ends.
func (h Client) restore(d *draft, c *Change, system string, o Options) {
	again := func(base []byte) bool {
		for _, put := range d.undo {
			root, err := splice.Read(d.format, base)
			if err != nil {
				return false
			}
			if base, err = put(base, root); err != nil {
				return false
			}
		}
		return bytes.Equal(base, d.data)
	}
	for _, old := range d.without(h, system, o) {
		if again(old) {
			c.After = old
			return
		}
	}
	if again(nil) {
		c.After, c.Removes = nil, true
		return
	}
	// An entry that was changed later may have another form than an entry that is added at once.
	left := lines(d.text)
	for _, old := range d.without(h, system, o) {
		if slices.Equal(lines(old), left) {
			c.After = old
			return
		}
	}
	if len(left) == 0 && len(d.older) == 0 {
		c.After, c.Removes = nil, true
	}
}

// lines returns the lines of a text that are not blank, without white space at their ends.
func lines(text []byte) (list []string) {
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, " \t\r\n"); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// without returns the file's backups that have no entries of ours, the newest first. They are read once.
func (d *draft) without(h Client, system string, o Options) [][]byte {
	if d.older == nil {
		d.older = [][]byte{}
		for _, old := range d.backups() {
			if h.absent(d.format, old.data, system, o) {
				d.older = append(d.older, old.data)
			}
		}
	}
	return d.older
}

// absent reports whether a text has no entries of ours.
func (h Client) absent(f splice.Format, text []byte, system string, o Options) bool {
	root, err := splice.Read(f, text)
	if err != nil {
		return false
	}
	if _, entry := h.server(root, o); entry != nil {
		return false
	}
	if h.Hooks != nil && h.Hooks.Form != Script {
		for _, e := range h.Hooks.Events {
			if len(h.ourHooks(root, system, o, e)) > 0 {
				return false
			}
		}
	}
	return true
}

// wasThere returns a function that reports whether a path was in the newest backup without our entries. A user's own
// empty list thus stays.
func (d *draft) wasThere(h Client, system string, o Options) func(path []string) bool {
	var base splice.Object
	if older := d.without(h, system, o); len(older) > 0 {
		base, _ = splice.Read(d.format, older[0]) // absent has parsed it before
	}
	return func(path []string) bool {
		_, ok := splice.At(base, path...)
		return ok
	}
}
