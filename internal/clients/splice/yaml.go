package splice

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// unplaced is the error for YAML whose entries do not stand on lines of their own.
var unplaced = &Error{Why: "its entries are written in a form that cannot be changed without rewriting others"}

// breaks matches what ends a line for YAML and not here.
var breaks = regexp.MustCompile("\r[^\n]|\r$|\u0085|\u2028|\u2029")

// parseYAML returns the root of a document, which must be a mapping; nil for an empty one.
func parseYAML(body []byte) (*yaml.Node, error) {
	if at := breaks.FindIndex(body); at != nil {
		line, column := position(body, at[0])
		return nil, &Error{line, column, "a line ends in an unusual way"}
	}
	d := yaml.NewDecoder(bytes.NewReader(body))
	var doc, next yaml.Node
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, &Error{Why: strings.TrimPrefix(err.Error(), "yaml: ")}
	case !errors.Is(d.Decode(&next), io.EOF):
		return nil, &Error{Why: "it has more than one document"}
	}
	root := doc.Content[0]
	switch {
	case root.Kind == yaml.MappingNode:
		return root, nil
	case root.ShortTag() == "!!null":
		return nil, nil
	}
	return nil, &Error{root.Line, root.Column, "it is not a mapping"}
}

func readYAML(body []byte) (Object, error) {
	root, err := parseYAML(body)
	if err != nil || root == nil {
		return Object{}, err
	}
	v, err := valueYAML(root)
	o, _ := v.(Object)
	return o, err
}

// valueYAML converts a node. Aliases are not followed: an alias is a value of its own.
func valueYAML(n *yaml.Node) (any, error) {
	switch n.Kind {
	case yaml.MappingNode:
		o := Object{}
		for i := 0; i < len(n.Content); i += 2 {
			key := n.Content[i]
			if _, twice := o.Get(key.Value); twice || key.Kind != yaml.ScalarNode {
				return nil, &Error{key.Line, key.Column, fmt.Sprintf("the key %q is there twice, or is no text", key.Value)}
			}
			v, err := valueYAML(n.Content[i+1])
			if err != nil {
				return nil, err
			}
			o = append(o, Member{key.Value, v})
		}
		return o, nil
	case yaml.SequenceNode:
		list := []any{}
		for _, element := range n.Content {
			v, err := valueYAML(element)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case yaml.AliasNode:
		return Number("*" + n.Value), nil
	}
	switch n.ShortTag() {
	case "!!str":
		return n.Value, nil
	case "!!null":
		return nil, nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true"), nil
	}
	return Number(n.Value), nil
}

// setYAML sets a value in an entry of a mapping of the root: path has the mapping, the entry, and names in the entry.
// An entry that exists is written anew in its place. A new one becomes the first of the mapping.
func setYAML(body []byte, path []string, v any) ([]byte, error) {
	root, err := parseYAML(body)
	if err != nil || len(path) < 2 {
		return nil, errors.Join(err, unplaced)
	}
	list, name, nl := path[0], path[1], lineEnd(body)
	key, entries := childYAML(root, list)
	if key == nil {
		indent := ""
		if root != nil {
			indent = strings.Repeat(" ", root.Column-1)
		}
		text := indent + keyYAML(list) + ":" + nl + entryYAML(name, nest(path[2:], v), indent+"  ", nl)
		if len(body) > 0 && !bytes.HasSuffix(body, []byte("\n")) {
			text = nl + text
		}
		return apply(body, cut{len(body), len(body), text}), nil
	}
	if entries.Anchor != "" || entries.Style&yaml.TaggedStyle != 0 {
		return nil, unplaced
	}
	indent := strings.Repeat(" ", key.Column+1)
	below := lineOffset(body, key.Line+1)
	switch flow := entries.Style&yaml.FlowStyle != 0; {
	case entries.Kind == yaml.MappingNode && !flow && len(entries.Content) > 0:
		indent = strings.Repeat(" ", entries.Column-1)
		if at, old := childYAML(entries, name); at != nil {
			whole, err := valueYAML(old)
			if err != nil {
				return nil, err
			}
			from, to := entryLines(body, root, at)
			return apply(body, cut{from, to, entryYAML(name, put(whole, path[2:], v), indent, nl)}), nil
		}
	case entries.Kind == yaml.MappingNode && flow && len(entries.Content) == 0:
		from := bytes.LastIndex(body[:below], []byte("{}"))
		if from < lineOffset(body, key.Line) {
			return nil, unplaced
		}
		body = apply(body, cut{from, from + 2, ""})
		below -= 2
	case entries.ShortTag() != "!!null" || entries.Line > key.Line:
		return nil, unplaced
	case entries.Value != "": // "~" or "null"
		from := min(lineOffset(body, key.Line)+entries.Column-1, below)
		if !bytes.HasPrefix(body[from:below], []byte(entries.Value)) {
			return nil, unplaced
		}
		body = apply(body, cut{from, from + len(entries.Value), ""})
		below -= len(entries.Value)
	}
	text := entryYAML(name, nest(path[2:], v), indent, nl)
	if !bytes.HasSuffix(body[:below], []byte("\n")) {
		text = nl + text
	}
	return apply(body, cut{below, below, text}), nil
}

// removeYAML removes an entry of a mapping of the root, or an empty mapping. The last entry leaves an empty mapping.
func removeYAML(body []byte, path []string) ([]byte, error) {
	root, err := parseYAML(body)
	if err != nil {
		return nil, err
	}
	key, value := childYAML(root, path[0])
	if key == nil || len(path) > 2 {
		return nil, unplaced
	}
	if len(path) == 1 {
		from, to := entryLines(body, root, key)
		return apply(body, cut{from, to, ""}), nil
	}
	at, _ := childYAML(value, path[1])
	if at == nil || value.Style&yaml.FlowStyle != 0 {
		return nil, unplaced
	}
	from, to := entryLines(body, root, at)
	cuts := []cut{{from, to, ""}}
	if len(value.Content) == 2 {
		line := lineOffset(body, key.Line)
		colon := bytes.IndexByte(body[line+key.Column-1+len(key.Value):], ':')
		if colon < 0 {
			return nil, unplaced
		}
		after := line + key.Column + len(key.Value) + colon
		cuts = append(cuts, cut{after, after, " {}"})
	}
	return apply(body, cuts...), nil
}

// childYAML returns the key and the value of a name in a mapping; nil if there are none.
func childYAML(mapping *yaml.Node, name string) (key, value *yaml.Node) {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i], mapping.Content[i+1]
		}
	}
	return nil, nil
}

// entryLines returns the position of the lines of a key with its value, without blank lines and comments after it.
func entryLines(body []byte, root, key *yaml.Node) (from, to int) {
	from, to = lineOffset(body, key.Line), len(body)
	var look func(*yaml.Node)
	look = func(mapping *yaml.Node) {
		for i := 0; mapping.Kind == yaml.MappingNode && i < len(mapping.Content); i += 2 {
			if k := mapping.Content[i]; k.Line > key.Line && k.Column <= key.Column {
				to = min(to, lineOffset(body, k.Line))
			}
			look(mapping.Content[i+1])
		}
	}
	look(root)
	for to > from {
		start := lineStart(body, to-1)
		if line := bytes.TrimSpace(body[start:to]); start <= from || len(line) > 0 && line[0] != '#' {
			break
		}
		to = start
	}
	return from, to
}

// lineOffset returns the offset of a line, which is counted from 1; the end if there are fewer.
func lineOffset(body []byte, line int) (at int) {
	for ; line > 1 && at < len(body); line-- {
		at = lineAfter(body, at)
	}
	return at
}

// bareKey matches keys that need no quotes.
var bareKey = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

func keyYAML(name string) string {
	words := []string{"true", "false", "yes", "no", "on", "off", "y", "n", "null"}
	if bareKey.MatchString(name) && !slices.Contains(words, strings.ToLower(name)) {
		return name
	}
	return quoteJSON(name)
}

// entryYAML writes an entry with a line for each member, whose values are in the notation of JSON.
func entryYAML(name string, v any, indent, nl string) string {
	s := style{nl: nl, space: " "}
	o, _ := v.(Object)
	if len(o) == 0 {
		return indent + keyYAML(name) + ": " + s.render(v, "") + nl
	}
	text := indent + keyYAML(name) + ":" + nl
	for _, m := range o {
		text += indent + "  " + keyYAML(m.Name) + ": " + s.render(m.Value, "") + nl
	}
	return text
}
