package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shown returns a name as it is stored and displayed: trimmed, and without invisible characters that hide or reorder
// text (control, zero-width and bidirectional characters, tags, fillers). Joiners stay between emoji and between
// characters of scripts that use them. Variation selectors stay after such characters. Names with equal Shown forms
// have equal Canonical forms.
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

// plain reports whether a character belongs to a script that needs no joiners.
func plain(r rune) bool {
	return r < 0x80 && !unicode.IsDigit(r) && r != '#' && r != '*' ||
		unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.White_Space, unicode.Cf, unicode.Cc)
}

// shoutedLetters is the minimum length of a name in capitals that is not taken for an abbreviation.
const shoutedLetters = 5

// shouted reports whether a name is written in capitals only and is no abbreviation or identifier.
func shouted(name string) bool {
	letters := 0
	for _, r := range name {
		switch {
		case unicode.IsUpper(r):
			letters++
		case r != ' ':
			return false
		}
	}
	return letters >= shoutedLetters
}

// Poorer reports whether a name is a hasty spelling beside another one: without its capital letters, or shouted
// ("KAFKA", beside "Kafka" or "kafka"). Capitals are shouted from five letters on: AWS is better than aws.
func Poorer(name, than string) bool {
	if Canonical(name) == Canonical(than) && shouted(name) != shouted(than) {
		return shouted(name)
	}
	return name == strings.ToLower(name) && than != strings.ToLower(than)
}
