package vault

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"memory-graph/internal/memory"
)

// frontBytes bounds the frontmatter of a page.
const frontBytes = 64 << 10

// Problem is a place in a file that cannot be read, with the reason.
type Problem struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"` // from 1; 0 for the whole file
	Text string `json:"text"`
}

// Front splits the frontmatter from a file. body is the line at which the rest begins, from 1. ok is false if the file
// has none.
func Front(data []byte) (front, rest []byte, body int, ok bool) {
	first, more, cut := bytes.Cut(data, []byte("\n"))
	if !cut || strings.TrimRight(string(first), " \t\r") != "---" {
		return nil, data, 1, false
	}
	at := len(first) + 1
	for body = 2; ; body++ {
		line, after, cut := bytes.Cut(more, []byte("\n"))
		if s := strings.TrimRight(string(line), " \t\r"); s == "---" || s == "..." {
			return data[len(first)+1 : at], after, body + 1, true
		}
		if !cut || at > frontBytes {
			return nil, data, 1, false
		}
		at, more = at+len(line)+1, after
	}
}

// Fields calls visit for each field of a frontmatter, with the line of the file where it stands. The error says why it
// is not YAML.
func Fields(front []byte, visit func(key string, value *yaml.Node, line int)) (err error) {
	defer func() { // a parser of hostile text
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	var doc yaml.Node
	if err := yaml.Unmarshal(front, &doc); err != nil {
		return err
	}
	if len(doc.Content) == 0 {
		return nil
	}
	if doc.Content[0].Kind != yaml.MappingNode {
		return fmt.Errorf("it has no fields")
	}
	fields := doc.Content[0].Content
	for i := 0; i+1 < len(fields); i += 2 {
		visit(fields[i].Value, fields[i+1], fields[i].Line+1)
	}
	return nil
}

// Strings returns the texts of a field: a list, or one text. Anything else has none.
func Strings(n *yaml.Node) []string {
	switch n.Kind {
	case yaml.ScalarNode:
		if n.Tag != "!!null" && n.Value != "" {
			return []string{n.Value}
		}
	case yaml.SequenceNode:
		var out []string
		for _, item := range n.Content {
			if item.Kind == yaml.ScalarNode && item.Value != "" {
				out = append(out, item.Value)
			}
		}
		return out
	}
	return nil
}

// front reads the frontmatter of a page.
func (p *parsing) front(text []byte) {
	err := Fields(text, func(key string, value *yaml.Node, line int) {
		p.page.Lines[key] = line
		switch key {
		case "memory-graph":
			p.page.Kind = value.Value
		case "id":
			id, err := memory.ParseID(value.Value)
			if err != nil || id.Kind != memory.KindEntity && id.Kind != memory.KindMemory {
				p.problem(line, "%q is not the id of an entity or a memory", value.Value)
				return
			}
			p.page.ID = id
		case "title":
			p.page.Title = oneLine(value.Value)
		case "type":
			p.page.Type = oneLine(value.Value)
		case "aliases", "alias":
			for _, a := range Strings(value) {
				if a = memory.Canonical(oneLine(a)); a != "" {
					p.page.Aliases = append(p.page.Aliases, a)
				}
			}
		case "confidence":
			v, err := strconv.ParseFloat(value.Value, 64)
			if err != nil || !(v >= 0 && v <= 1) {
				p.problem(line, "confidence: %q is not a number from 0 to 1", value.Value)
				delete(p.page.Lines, key)
				return
			}
			p.page.Confidence = share(v)
		case "merge":
			p.page.Merge = append(p.page.Merge, Strings(value)...)
		case "origin", "layer", "parent":
			p.page.Info = append(p.page.Info, Info{key, oneLine(value.Value)})
		default:
			p.field(line, key, value)
		}
	})
	if err != nil {
		p.problem(1, "the frontmatter is not YAML: %v", err)
	}
}
