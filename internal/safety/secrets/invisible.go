package secrets

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// shownText is a text as a reader sees it: without invisible characters and escape sequences of terminals, and with
// full-width characters as ASCII. Inside a token all of these hide its shape.
type shownText struct {
	text string
	cuts []cut
}

// cut says that the text has this many more bytes than the shown text from position at of the shown text on. folded
// means that the character before at is shorter than in the text, so a span that ends at at includes these bytes.
type cut struct {
	at, missing int
	folded      bool
}

// shown returns the shown text; ok is false if it is the text itself.
func shown(s string) (t shownText, ok bool) {
	var b strings.Builder
	from, missing := 0, 0
	for i := 0; i < len(s); {
		if c := s[i]; ' ' <= c && c < 0x7f {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		narrow, wide := narrowForm(r)
		switch {
		case wide:
			b.WriteString(s[from:i])
			b.WriteByte(narrow)
			from = i + size
			missing += size - 1
			t.cuts = append(t.cuts, cut{b.Len(), missing, true})
		case invisible(r):
			size = max(size, escapeSequence(s[i:]))
			b.WriteString(s[from:i])
			from = i + size
			missing += size
			if n := len(t.cuts); n > 0 && t.cuts[n-1].at == b.Len() && !t.cuts[n-1].folded {
				t.cuts[n-1].missing = missing
			} else {
				t.cuts = append(t.cuts, cut{b.Len(), missing, false})
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

// narrowForm returns the ASCII form of a full-width character that tokens contain. Other full-width signs are
// punctuation of Chinese and Japanese, which the rules know.
func narrowForm(r rune) (ascii byte, ok bool) {
	if r < '！' || r > '～' {
		return 0, false
	}
	c := byte(r - '！' + '!')
	return c, wordRune(rune(c), 1) || strings.IndexByte("-./+", c) >= 0
}

// escapeSequence returns the length of the terminal's escape sequence at the beginning of a text, 0 for none: control
// sequences (ESC [ … or U+009B …), such as colours; commands (ESC ] … BEL or ESC \), such as links; and character sets
// (ESC ( …). See ECMA-48. No sequence extends over a control character.
func escapeSequence(s string) int {
	end := func(i int, first, last byte) int { // the sequence ends with a byte of this range
		if i < len(s) && first <= s[i] && s[i] <= last {
			return i + 1
		}
		return 0
	}
	body, found := strings.CutPrefix(s, "\u009b")
	if !found {
		body, found = strings.CutPrefix(s, "\x1b[")
	}
	switch i := len(s) - len(body); {
	case found:
		for i < len(s) && ' ' <= s[i] && s[i] <= '?' {
			i++
		}
		return end(i, '@', '~')
	case strings.HasPrefix(s, "\x1b]"):
		for i = 2; i < len(s) && s[i] >= ' '; i++ {
		}
		if strings.HasPrefix(s[i:], "\x1b\\") {
			return i + 2
		}
		return end(i, '\a', '\a')
	case len(s) > 1 && s[0] == '\x1b' && strings.IndexByte("()*+", s[1]) >= 0:
		return end(2, '0', '~')
	case strings.HasPrefix(s, "\x1b\\"):
		return 2
	}
	return 0
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
		for j := next; j < len(t.cuts); j++ {
			if c := t.cuts[j]; c.at > spans[i].end || c.at == spans[i].end && !c.folded {
				break
			}
			inside = t.cuts[j].missing
		}
		spans[i].start += missing
		spans[i].end += inside
	}
	return spans
}
