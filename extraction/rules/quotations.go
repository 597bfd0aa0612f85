package rules

import (
	"bytes"
	"strings"
)

// quotations are pairs of quotation marks.
var quotations = [][2]string{{`"`, `"`}, {"“", "”"}, {"„", "“"}, {"„", "”"}, {"«", "»"}, {"»", "«"}, {"‹", "›"},
	{"‘", "’"}, {"「", "」"}, {"``", "``"}}

// maxQuoted is the maximum length of a quotation, in bytes: a stray quotation mark must not hide the rest of the text.
const maxQuoted = 600

// spans blanks quotations longer than a name and code longer than a word.
func (s *scrubber) spans() {
	for _, section := range []string{"struck", "address"} {
		for _, m := range s.res.first(section).FindAllIndex(s.out, -1) {
			s.blank(m[0], m[1])
		}
	}
	for i := 0; i < len(s.out); i++ {
		c := s.out[i]
		if c != '"' && c != '`' && c < 0x80 {
			continue
		}
		if c == '`' {
			rest := s.out[i+1 : min(len(s.out), i+maxQuoted)]
			if n := bytes.IndexByte(rest, '`'); n >= 0 && !bytes.Contains(rest[:n], []byte("\n")) {
				if bytes.ContainsAny(rest[:n], " (){}<>=;|$") {
					s.blank(i, i+n+2)
				}
				i += n + 1
			}
			continue
		}
		for _, signs := range quotations {
			if n := s.quoted(i, signs[0], signs[1]); n > 0 {
				i += n - 1
				break
			}
		}
	}
}

// quoted blanks the quotation at an offset, unless it is a name. It returns the length of the quotation; 0 for none.
func (s *scrubber) quoted(i int, open, shut string) int {
	if !bytes.HasPrefix(s.out[i:], []byte(open)) {
		return 0
	}
	inner := string(s.out[i+len(open) : min(len(s.out), i+len(open)+maxQuoted)])
	n := strings.Index(inner, shut)
	for shut == "’" && n >= 0 && n+len(shut) < len(inner) && isNameByte(inner[n+len(shut)]) { // within a word
		more := strings.Index(inner[n+len(shut):], shut)
		if more < 0 {
			return 0
		}
		n += len(shut) + more
	}
	if n < 0 || strings.Contains(inner[:n], "\n\n") {
		return 0
	}
	size := len(open) + n + len(shut)
	if !quotedName(inner[:n]) {
		s.blank(i, i+size)
	}
	return size
}

// quotedName reports whether a quotation is a name: a few words that are no sentence.
func quotedName(s string) bool {
	words := strings.Fields(s)
	return len(words) > 0 && len(words) <= 3 && !strings.ContainsAny(s, ".!?,;:=") && !strings.EqualFold(words[0], "i")
}
