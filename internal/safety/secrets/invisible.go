package secrets

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// shownText is a text without what a reader does not see. Invisible characters inside a token hide its shape, and
// rendering takes them out again.
type shownText struct {
	text string
	cuts []cut
}

// cut says that from this place of the shown text on, this many bytes of the text are missing.
type cut struct{ at, missing int }

// shown takes the invisible characters out; ok is false where there are none.
func shown(s string) (t shownText, ok bool) {
	var b strings.Builder
	from, missing := 0, 0
	for i := 0; i < len(s); {
		if c := s[i]; ' ' <= c && c < 0x7f {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if invisible(r) {
			b.WriteString(s[from:i])
			from = i + size
			missing += size
			if n := len(t.cuts); n > 0 && t.cuts[n-1].at == b.Len() {
				t.cuts[n-1].missing = missing
			} else {
				t.cuts = append(t.cuts, cut{b.Len(), missing})
			}
		}
		i += size
	}
	if missing == 0 {
		return t, false
	}
	b.WriteString(s[from:])
	t.text = b.String()
	return t, true
}

// invisible says what the rendering of a context leaves out: format and control characters, variation selectors,
// private and unassigned ones, and those that look empty. White space is none of them.
func invisible(r rune) bool {
	if unicode.IsSpace(r) || r == '\u2028' || r == '\u2029' {
		return false
	}
	return r == utf8.RuneError || r == '\u2800' || !unicode.IsPrint(r) ||
		unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// original brings spans of the shown text back to places of the text. The spans are ordered by their start.
func (t shownText) original(spans []span) []span {
	next, missing := 0, 0
	for i := range spans {
		for next < len(t.cuts) && t.cuts[next].at <= spans[i].start {
			missing = t.cuts[next].missing
			next++
		}
		inside := missing
		for j := next; j < len(t.cuts) && t.cuts[j].at < spans[i].end; j++ {
			inside = t.cuts[j].missing
		}
		spans[i].start += missing
		spans[i].end += inside
	}
	return spans
}
