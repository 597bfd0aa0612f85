// Package splice changes single entries in configuration files of other programs: JSON with comments and trailing
// commas, TOML, and YAML. Everything else stays the same, byte for byte: comments, order, indentation, line ends, a
// byte order mark. A file that it cannot parse, or that has no place for the entry, gives an *Error with line and
// column.
//
// Every change is checked: splice parses the result and compares it with the old content plus the one change.
package splice

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Format is the format of a file.
type Format string

// The formats.
const (
	JSON Format = "json" // comments and trailing commas are allowed
	TOML Format = "toml"
	YAML Format = "yaml" // entries of a mapping of the root, on lines of their own
)

// Member is one member of an object.
type Member struct {
	Name  string
	Value any
}

// Object is an object or a table with ordered members. Values are string, bool, int, float64, nil, []any and Object.
// Numbers read from JSON are Number.
type Object []Member

// Number is a number in its original notation.
type Number string

// Get returns the value of a member.
func (o Object) Get(name string) (any, bool) {
	for _, m := range o {
		if m.Name == name {
			return m.Value, true
		}
	}
	return nil, false
}

// Error says why a file cannot be used, and where.
type Error struct {
	Line, Column int // from 1; 0 for the whole file
	Why          string
}

// Error implements error.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Why
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Why)
}

// MaxBytes is the maximal size of a file.
const MaxBytes = 64 << 20

// deepest is the maximal nesting of lists and objects.
const deepest = 1000

const bom = "\xef\xbb\xbf"

// Read parses a file. An empty file gives an empty Object.
func Read(f Format, src []byte) (Object, error) {
	if err := readable(src); err != nil {
		return nil, err
	}
	body := bytes.TrimPrefix(src, []byte(bom))
	switch f {
	case TOML:
		return readTOML(body)
	case YAML:
		return readYAML(body)
	}
	return readJSON(body)
}

// Set writes v at a path of names and creates what is missing of the path.
func Set(f Format, src []byte, path []string, v any) ([]byte, error) {
	return change(f, src, func(body []byte) ([]byte, error) {
		switch f {
		case TOML:
			return setTOML(body, path, v)
		case YAML:
			return setYAML(body, path, v)
		}
		return setJSON(body, path, v)
	}, func(root Object) Object { return with(root, path, v) })
}

// Append adds v to the list at a path and creates the list if it is missing. JSON only.
func Append(f Format, src []byte, path []string, v any) ([]byte, error) {
	if f != JSON {
		return nil, &Error{Why: "lists can only be changed in JSON"}
	}
	return change(f, src, func(body []byte) ([]byte, error) { return appendJSON(body, path, v) },
		func(root Object) Object {
			list, _ := At(root, path...)
			old, _ := list.([]any)
			return with(root, path, append(slices.Clone(old), v))
		})
}

// Remove removes the value at a path, which may end in a list index. It then removes parents that became empty, unless
// keep reports that they existed before. A missing path is no error.
func Remove(f Format, src []byte, path []string, keep func(path []string) bool) ([]byte, error) {
	for {
		root, err := Read(f, src)
		if err != nil {
			return nil, err
		}
		if !has(root, path) {
			return src, nil
		}
		src, err = change(f, src, func(body []byte) ([]byte, error) {
			switch f {
			case TOML:
				return removeTOML(body, path)
			case YAML:
				return removeYAML(body, path)
			}
			return removeJSON(body, path)
		}, func(root Object) Object { return without(root, path) })
		if err != nil {
			return nil, err
		}
		path = path[:len(path)-1]
		if len(path) == 0 || keep(path) {
			return src, nil
		}
		if root, err = Read(f, src); err != nil {
			return nil, err
		}
		if v, ok := At(root, path...); ok && !empty(v) {
			return src, nil
		}
	}
}

// change edits the text after the byte order mark and checks that the result differs exactly as want says.
func change(f Format, src []byte, edit func([]byte) ([]byte, error), want func(Object) Object) ([]byte, error) {
	before, err := Read(f, src)
	if err != nil {
		return nil, err
	}
	body, mark := bytes.CutPrefix(src, []byte(bom))
	out, err := edit(body)
	if err != nil {
		return nil, err
	}
	if mark {
		out = append([]byte(bom), out...)
	}
	after, err := Read(f, out)
	if err != nil {
		return nil, &Error{Why: "its entries are written in a form that cannot be changed without rewriting others"}
	}
	if !reflect.DeepEqual(compared(f, want(before)), compared(f, after)) {
		return nil, &Error{Why: "its entries are written in a form that cannot be changed without changing others"}
	}
	return out, nil
}

// compared converts a file's content for comparison. A TOML table may exist only through its subtables and vanish with
// them, so for TOML empty tables are dropped.
func compared(f Format, root Object) any {
	v := plain(root)
	if f == TOML {
		v = filled(v)
	}
	return v
}

func filled(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	for name, below := range m {
		if below, ok := filled(below).(map[string]any); ok && len(below) == 0 {
			delete(m, name)
		}
	}
	return m
}

// readable rejects files that are unsafe to parse.
func readable(src []byte) error {
	switch {
	case len(src) > MaxBytes:
		return &Error{Why: fmt.Sprintf("it is larger than %d MiB", MaxBytes>>20)}
	case bytes.HasPrefix(src, []byte("\xff\xfe")), bytes.HasPrefix(src, []byte("\xfe\xff")):
		return &Error{Line: 1, Column: 1, Why: "it is UTF-16 and not UTF-8: save it as UTF-8"}
	}
	depth := 0
	for i, b := range src {
		switch b {
		case '{', '[':
			if depth++; depth > deepest {
				line, column := position(src, i)
				return &Error{line, column, fmt.Sprintf("it is nested deeper than %d levels", deepest)}
			}
		case '}', ']':
			depth = max(0, depth-1)
		}
	}
	return nil
}

// position returns the line and the column, in characters, of an offset.
func position(src []byte, at int) (line, column int) {
	before := src[:min(at, len(src))]
	line = bytes.Count(before, []byte("\n")) + 1
	return line, len([]rune(string(before[bytes.LastIndexByte(before, '\n')+1:]))) + 1
}

// lineEnd returns the line ending of a file.
func lineEnd(src []byte) string {
	if bytes.Contains(src, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// cut replaces a part of a text.
type cut struct {
	from, to int
	text     string
}

// apply makes the cuts, which must not overlap. Cuts at the same place keep their order.
func apply(src []byte, cuts ...cut) []byte {
	slices.SortStableFunc(cuts, func(a, b cut) int { return a.from - b.from })
	var out bytes.Buffer
	at := 0
	for _, c := range cuts {
		out.Write(src[at:c.from])
		out.WriteString(c.text)
		at = c.to
	}
	out.Write(src[at:])
	return out.Bytes()
}

// isBlank reports whether there is only white space.
func isBlank(b []byte) bool { return len(bytes.TrimSpace(b)) == 0 }

// quoteDotted formats a path for a message.
func quoteDotted(path []string) string { return strings.Join(path, ".") }
