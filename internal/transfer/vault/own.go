package vault

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// fieldBytes is the maximum size of a person's own fields in a frontmatter, so that the frontmatter stays within
// frontBytes.
const fieldBytes = frontBytes / 2

// field keeps a field of the frontmatter that the memory does not have.
func (p *parsing) field(line int, key string, value *yaml.Node) {
	text, ok := fieldText(key, value)
	if ok { // the written form must parse to the same value
		again := ""
		err := Fields([]byte(text), func(key string, value *yaml.Node, _ int) {
			again, _ = fieldText(key, value)
		})
		ok = err == nil && again == text
	}
	if !ok || len(p.page.Fields)+len(text) > fieldBytes {
		p.problem(line, "the field %q cannot be kept", key)
		return
	}
	p.page.Fields += text
}

// fieldText writes a field as lines of YAML.
func fieldText(key string, value *yaml.Node) (text string, ok bool) {
	defer func() {
		if recover() != nil { // a writer of hostile text
			ok = false
		}
	}()
	bare(value)
	name := &yaml.Node{Kind: yaml.ScalarNode, Value: key}
	out, err := yaml.Marshal(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{name, value}})
	return string(out), err == nil && key != ""
}

// bare removes comments, which do not keep their places.
func bare(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, c := range n.Content {
		bare(c)
	}
}

var fence = regexp.MustCompile("^ {0,3}(```+|~~~+)")

// code reports whether a line of a kept section belongs to code, which contains no headings. rest are the lines below:
// a fence that is never closed begins no code.
func (p *parsing) code(line string, rest []string) bool {
	ends := func(mark, line string) bool {
		line = strings.TrimSpace(line)
		return strings.HasPrefix(line, mark) && strings.Trim(line, mark[:1]) == ""
	}
	if p.fence != "" {
		if ends(p.fence, line) {
			p.fence = ""
		}
		return true
	}
	m := fence.FindStringSubmatch(line)
	if m == nil || !slices.ContainsFunc(rest, func(s string) bool { return ends(m[1], s) }) {
		return false
	}
	p.fence = m[1]
	return true
}

// begin begins a kept section, with one empty line before its heading.
func (p *parsing) begin(heading string) {
	for len(p.own) > 0 && strings.TrimSpace(p.own[len(p.own)-1]) == "" {
		p.own = p.own[:len(p.own)-1]
	}
	p.kept, p.own = true, append(p.own, "", heading)
}

// sections returns the kept sections as one text.
func (p *parsing) sections() string {
	return strings.TrimRight(strings.TrimPrefix(strings.Join(p.own, "\n"), "\n"), " \t\n")
}
