package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shown gives a name as it is stored and shown: trimmed, and without what cannot be seen and only hides or turns it
// (control, zero-width and bidirectional characters, tags, fillers). Joiners stay between characters of scripts that
// are written with them and in pictures, as do the selectors of a picture's form. Names that are Shown alike have one
// Canonical form.
func Shown(name string) string {
	runes := []rune(strings.TrimSpace(name))
	var b strings.Builder
	for i, r := range runes {
		switch {
		case unicode.IsSpace(r):
		case r == '\u200c' || r == '\u200d':
			if i == 0 || i+1 == len(runes) || plain(runes[i-1]) || plain(runes[i+1]) {
				continue
			}
		case unicode.Is(unicode.Variation_Selector, r):
			if i == 0 || plain(runes[i-1]) {
				continue
			}
		case r == utf8.RuneError, unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point):
			continue
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
}

// plain says whether a character is of a script that needs no joiners.
func plain(r rune) bool {
	return r < 0x80 && !unicode.IsDigit(r) && r != '#' && r != '*' ||
		unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.White_Space, unicode.Cf, unicode.Cc)
}
