package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxCanonicalBytes is where canonical names are cut, on a rune's border.
const MaxCanonicalBytes = 512

// Canonical gives the form under which a name is the same name: trimmed, white space collapsed, lower
// case, without control and format characters, at most MaxCanonicalBytes. It is "" for a name with nothing to be seen
// in it.
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
		r = unicode.ToLower(r)
		need := utf8.RuneLen(r)
		if space {
			need++
		}
		if b.Len()+need > MaxCanonicalBytes {
			break
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}
