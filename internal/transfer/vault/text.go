package vault

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"memory-graph/internal/memory"
)

// marks are the characters with a meaning in Markdown editors. Each is written with a backslash before it, which
// disables links, tags, comments, HTML, entities, formulas, tables, block ids, code and headings.
const marks = "\\`*[]<>#|~=%^$&"

// leading are the characters with a meaning only at the beginning of a line.
const leading = "-+_!:"

// escape escapes one line of stored text, so that it has no effect on the page.
func escape(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 8)
	digits := true // only digits so far, at least one
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case strings.IndexByte(marks, c) >= 0,
			i == 0 && strings.IndexByte(leading, c) >= 0,
			i > 0 && digits && (c == '.' || c == ')'),
			c == ':' && i > 0 && s[i-1] == ':': // a field of Dataview
			b.WriteByte('\\')
		}
		digits = digits && c >= '0' && c <= '9'
		b.WriteByte(c)
	}
	return b.String()
}

// unescape removes the backslashes before punctuation, as Markdown does.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && punctuation(s[i+1]) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func punctuation(c byte) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'
}

// oneLine returns a text as one line without invisible characters.
func oneLine(s string) string {
	return strings.Join(strings.Fields(memory.Shown(strings.ToValidUTF8(s, ""))), " ")
}

// lines returns a text as lines that each are one line, without empty ones at both ends and without two empty ones in a
// row.
func lines(s string) string {
	var out []string
	for line := range strings.SplitSeq(strings.Map(func(r rune) rune {
		if r == '\r' || r == '\v' || r == '\f' || r == 0x85 || r == '\u2028' || r == '\u2029' {
			return '\n'
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n")), "\n") {
		line = oneLine(line)
		if line == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}
		out = append(out, line)
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n")
}

// escapeLines is escape for lines.
func escapeLines(s string) string {
	parts := strings.Split(s, "\n")
	for i, p := range parts {
		parts[i] = escape(p)
	}
	return strings.Join(parts, "\n")
}

// quoted returns a text as a double-quoted scalar of YAML.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x10000:
			b.WriteString(`\u` + hexOf(r, 4))
		default:
			b.WriteString(`\U` + hexOf(r, 8))
		}
	}
	b.WriteByte('"')
	return b.String()
}

func hexOf(r rune, digits int) string {
	s := strconv.FormatInt(int64(r), 16)
	return strings.Repeat("0", max(0, digits-len(s))) + s
}

// share formats a number from 0 to 1 with at most three digits.
func share(v float64) string {
	return strconv.FormatFloat(math.Round(v*1000)/1000, 'g', -1, 64)
}
