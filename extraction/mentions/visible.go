package mentions

import "strings"

// Visible gives a name without the signs in it that nobody sees: spaces of no width, soft hyphens and marks of
// direction. Joiners stay, which scripts need, but for those between letters of ASCII.
func Visible(name string) string {
	if !strings.ContainsFunc(name, hidden) {
		return name
	}
	var b strings.Builder
	before := rune(0)
	for i, c := range name {
		if hidden(c) && !(joins(c) && (before >= 0x80 || joinsStrange(name[i:]))) {
			continue
		}
		b.WriteRune(c)
		before = c
	}
	return strings.TrimSpace(b.String())
}

func hidden(c rune) bool {
	return c == 0xad || 0x200b <= c && c <= 0x200f || 0x202a <= c && c <= 0x202e || 0x2060 <= c && c <= 0x2064 ||
		0x2066 <= c && c <= 0x2069 || c == 0xfeff || c == 0x61c
}

func joins(c rune) bool { return c == 0x200c || c == 0x200d }

// joinsStrange says whether the sign behind the joiner at the head of s is of another script.
func joinsStrange(s string) bool {
	for _, c := range s[3:] { // a joiner has three bytes
		return c >= 0x80
	}
	return false
}
