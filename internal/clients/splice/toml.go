package splice

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

func readTOML(body []byte) (Object, error) {
	var m map[string]any
	if err := toml.Unmarshal(body, &m); err != nil {
		if de := (*toml.DecodeError)(nil); errors.As(err, &de) {
			line, column := de.Position()
			return nil, &Error{line, column, strings.TrimPrefix(de.Error(), "toml: ")}
		}
		return nil, &Error{Why: strings.TrimPrefix(err.Error(), "toml: ")}
	}
	o, _ := fromTOML(m).(Object)
	return o, nil
}

// fromTOML converts a decoded value. The order of tables has no meaning, so members are sorted by name.
func fromTOML(v any) any {
	switch t := v.(type) {
	case map[string]any:
		o := make(Object, 0, len(t))
		for name, below := range t {
			o = append(o, Member{name, fromTOML(below)})
		}
		slices.SortFunc(o, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
		return o
	case []any:
		list := make([]any, len(t))
		for i := range t {
			list[i] = fromTOML(t[i])
		}
		return list
	case int64:
		return int(t)
	}
	return v
}

// setTOML replaces the value at a path, or adds it after the keys of its table, or in a new table at the end.
func setTOML(body []byte, path []string, v any) ([]byte, error) {
	list, err := statements(body)
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		if !s.header && slices.Equal(s.path, path) {
			return apply(body, cut{s.value[0], s.value[1], renderTOML(v)}), nil
		}
		if !s.header && len(s.path) < len(path) && slices.Equal(s.path, path[:len(s.path)]) {
			line, column := position(body, s.value[0])
			return nil, &Error{line, column, fmt.Sprintf("%s is written as one value; it must be a table, [%s]",
				quoteDotted(s.path), quoteDotted(s.path))}
		}
	}
	nl := lineEnd(body)
	if o, ok := v.(Object); ok {
		return appendTable(body, nl, path, o), nil
	}
	table, at := path[:len(path)-1], -1
	for i, s := range list {
		if !s.header || s.list || !slices.Equal(s.path, table) {
			continue
		}
		for at = s.to; i+1 < len(list) && !list[i+1].header; i++ {
			at = list[i+1].to
		}
	}
	line := keyTOML(path[len(path)-1]) + " = " + renderTOML(v) + nl
	if at < 0 {
		return appendTable(body, nl, table, Object{{path[len(path)-1], v}}), nil
	}
	if at > 0 && body[at-1] != '\n' {
		line = nl + line
	}
	return apply(body, cut{at, at, line}), nil
}

// appendTable adds a table at the end, with a blank line before it.
func appendTable(body []byte, nl string, path []string, o Object) []byte {
	var b strings.Builder
	b.Write(body)
	if len(body) > 0 {
		if body[len(body)-1] != '\n' {
			b.WriteString(nl)
		}
		if !isBlank(body) {
			b.WriteString(nl)
		}
	}
	keys := make([]string, len(path))
	for i, name := range path {
		keys[i] = keyTOML(name)
	}
	b.WriteString("[" + strings.Join(keys, ".") + "]" + nl)
	for _, m := range o {
		b.WriteString(keyTOML(m.Name) + " = " + renderTOML(m.Value) + nl)
	}
	return []byte(b.String())
}

// removeTOML removes the statements at a path and below it, with the blank line before a table. Comments stay.
func removeTOML(body []byte, path []string) ([]byte, error) {
	list, err := statements(body)
	if err != nil {
		return nil, err
	}
	var cuts []cut
	for _, s := range list {
		if len(s.path) < len(path) || !slices.Equal(s.path[:len(path)], path) {
			continue
		}
		from := s.from
		if s.header && from > 0 {
			before := body[:from-1] // without the previous line's end
			if start := bytes.LastIndexByte(before, '\n') + 1; isBlank(before[start:]) &&
				!slices.ContainsFunc(cuts, func(c cut) bool { return c.to > start }) {
				from = start
			}
		}
		cuts = append(cuts, cut{from, s.to, ""})
	}
	return apply(body, cuts...), nil
}

func keyTOML(name string) string {
	bare := name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") == ""
	if bare {
		return name
	}
	return textTOML(name)
}

// textTOML encodes a string. It prefers single quotes if the string contains a backslash, so Windows paths stay
// readable.
func textTOML(text string) string {
	if strings.Contains(text, `\`) && !strings.ContainsFunc(text,
		func(r rune) bool { return r < ' ' || r == '\'' || r == 0x7f }) {
		return "'" + text + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func renderTOML(v any) string {
	switch t := v.(type) {
	case string:
		return textTOML(t)
	case []any:
		parts := make([]string, len(t))
		for i := range t {
			parts[i] = renderTOML(t[i])
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case Object:
		parts := make([]string, len(t))
		for i, m := range t {
			parts[i] = keyTOML(m.Name) + " = " + renderTOML(m.Value)
		}
		if len(parts) == 0 {
			return "{}"
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	return fmt.Sprint(v)
}
