package secrets

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// shownText is a text without its invisible characters. Inside a token they hide its shape, and rendering removes them
// again.
type shownText struct {
	text string
	cuts []cut
}

// cut says that the text has this many more bytes than the shown text from position at of the shown text on.
type cut struct{ at, missing int }

// shown removes the invisible characters; ok is false if there are none.
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

// invisible reports whether the rendering of a context block drops the character: format and control characters,
// variation selectors, private and unassigned characters, and those that look empty. White space is kept.
func invisible(r rune) bool {
	if unicode.IsSpace(r) || r == '\u2028' || r == '\u2029' {
		return false
	}
	return r == utf8.RuneError || r == '\u2800' || !unicode.IsPrint(r) ||
		unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// original converts spans of the shown text to spans of the text. They must be sorted by start.
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
