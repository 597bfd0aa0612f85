package splice

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// style is the layout of a file around a change.
type style struct {
	nl    string // line ending
	unit  string // one level of indentation
	space string // after a colon and a comma
	lines bool   // members have lines of their own
}

// styleOf detects the layout of the file and of the object or list to change.
func styleOf(body []byte, at *hujson.Value) style {
	s := style{nl: lineEnd(body), unit: indentUnit(body), space: " "}
	own := body[at.StartOffset:at.EndOffset]
	whole := bytes.TrimSpace(body)
	s.lines = bytes.Contains(own, []byte("\n")) || len(items(at)) == 0 &&
		(bytes.Contains(whole, []byte("\n")) || len(whole) <= 2)
	if !s.lines && bytes.Contains(whole, []byte(`":`)) && !bytes.Contains(whole, []byte(`": `)) {
		s.space = "" // the file has no spaces after colons
	}
	return s
}

// indentUnit returns the indentation of the first indented line, or two blanks.
func indentUnit(body []byte) string {
	for line := range bytes.Lines(body) {
		text := bytes.TrimLeft(line, " \t")
		if indent := line[:len(line)-len(text)]; len(indent) > 0 && len(bytes.TrimSpace(text)) > 0 && text[0] == '"' {
			return string(indent)
		}
	}
	return "  "
}

func lineStart(body []byte, at int) int { return bytes.LastIndexByte(body[:at], '\n') + 1 }

// lineIndent returns the white space at the beginning of an offset's line.
func lineIndent(body []byte, at int) string {
	line := body[lineStart(body, at):at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// render formats a value for a line with this indentation.
func (s style) render(v any, indent string) string {
	var b strings.Builder
	s.write(&b, v, indent)
	return b.String()
}

func (s style) write(b *strings.Builder, v any, indent string) {
	switch t := v.(type) {
	case Object:
		s.group(b, '{', '}', len(t), s.lines, indent, func(i int, deeper string) {
			b.WriteString(quoteJSON(t[i].Name) + ":" + s.space)
			s.write(b, t[i].Value, deeper)
		})
	case []any:
		lines := false
		for _, e := range t {
			switch e.(type) {
			case Object, []any:
				lines = s.lines
			}
		}
		s.group(b, '[', ']', len(t), lines, indent, func(i int, deeper string) { s.write(b, t[i], deeper) })
	case string:
		b.WriteString(quoteJSON(t))
	case nil:
		b.WriteString("null")
	default:
		fmt.Fprint(b, t) // a number or a boolean
	}
}

// group writes n parts between brackets, on lines of their own or on one line.
func (s style) group(b *strings.Builder, open, shut byte, n int, lines bool, indent string,
	part func(i int, deeper string)) {
	b.WriteByte(open)
	for i := range n {
		switch {
		case lines:
			b.WriteString(s.nl + indent + s.unit)
		case i > 0:
			b.WriteString(s.space)
		}
		part(i, indent+s.unit)
		if i < n-1 {
			b.WriteByte(',')
		}
	}
	if lines && n > 0 {
		b.WriteString(s.nl + indent)
	}
	b.WriteByte(shut)
}

// quoteJSON encodes a string as JSON without escaping <, > and &.
func quoteJSON(text string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}
