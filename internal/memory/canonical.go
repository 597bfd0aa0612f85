package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxCanonicalBytes is the maximum length of a canonical name. Longer names are cut at a rune boundary.
const MaxCanonicalBytes = 512

// Canonical returns the form in which two spellings of a name are equal: composed (Unicode NFC), trimmed, white space
// collapsed, lower case, without control and format characters, at most MaxCanonicalBytes. It returns "" for a name
// without visible characters.
func Canonical(name string) string {
	var b strings.Builder
	space := false
	for _, r := range name {
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case r == utf8.RuneError, unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point,
			unicode.Variation_Selector):
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(unicode.ToLower(r))
	}
	s := norm.NFC.String(b.String())
	if len(s) <= MaxCanonicalBytes {
		return s
	}
	end := MaxCanonicalBytes
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return strings.TrimRight(s[:end], " ")
}
