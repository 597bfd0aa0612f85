package mentions

import "strings"

// Visible returns a name without invisible characters: zero-width spaces, soft hyphens and direction marks. It keeps
// joiners, which some scripts need, except between ASCII letters.
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

// joinsStrange reports whether the character after the joiner at the beginning of s is not ASCII.
func joinsStrange(s string) bool {
	for _, c := range s[3:] { // a joiner has three bytes
		return c >= 0x80
	}
	return false
}
