package text

import (
	"unicode"
	"unicode/utf8"
)

// Search cuts folded text for the index and its queries: words, single characters of scripts without spaces, and
// pictographs. Other characters are left out. Those of ASCII, marks and joiners leave what is beside them glued.
var Search = mode(func(c byte) class {
	switch {
	case alphanumeric(c):
		return letter
	case asciiSpace(c):
		return parts
	}
	return nothing
}, func(r rune, size int) class {
	switch {
	case r == utf8.RuneError && size == 1:
		return parts
	case ideograph(r):
		return ideo
	case syllable(r):
		return syll
	case unicode.IsLetter(r) || unicode.IsNumber(r):
		return letter
	case unicode.Is(unicode.So, r):
		return symbol
	case unicode.Is(unicode.M, r):
		return inWord | inSyllable
	case r == '\u200d' || unicode.Is(unicode.Sk, r) || r == '’' || r == '‑':
		return nothing // it may stand inside a sequence of emoji or an identifier
	}
	return parts
})

// Names cuts unfolded text for the search of names: "_" belongs to a word, and every sign is a piece of its own. An
// invisible character belongs to the word it stands in, but begins none: there it would hide a capital.
var Names = mode(func(c byte) class {
	switch {
	case alphanumeric(c), c == '_':
		return letter
	case c == '\n':
		return endsLine
	case c == ' ', c == '\t', c == '\r':
		return parts
	}
	return sign
}, func(r rune, size int) class {
	switch {
	case ideograph(r) || syllable(r):
		if Invisible(r) { // the fillers of Hangul
			return nothing
		}
		return syll
	case unicode.IsLetter(r), unicode.IsNumber(r):
		return letter
	case unicode.IsSpace(r):
		return parts
	case unicode.Is(unicode.M, r):
		if Invisible(r) {
			return inWord | inSyllable
		}
		return letter | inSyllable
	case Invisible(r):
		return inWord
	}
	return sign
})

// Invisible reports whether a character cannot be seen: a format character, a variation selector and their like.
func Invisible(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// Times cuts unfolded text for the search of dates: a path, a version, an ISO date or a time of day is one word. Every
// other sign, the end of a line among them, is a piece of its own.
var Times = mode(func(c byte) class {
	switch {
	case alphanumeric(c):
		return letter
	case c == '\n':
		return sign
	case asciiSpace(c):
		return parts
	}
	switch c {
	case '.', ',', '-', '/', ':', '+', '@', '_', '\'', '=', '&', '\\':
		return sign | connects
	}
	return sign
}, func(r rune, size int) class {
	switch {
	case unicode.IsSpace(r):
		return parts
	case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
		return letter
	case r == '’':
		return sign | connects
	}
	return sign
})

// Prompts cuts folded text for the search of prompt attacks: "_" parts words, since names are read as their words, and
// what a script without spaces writes is no word.
var Prompts = mode(func(c byte) class {
	if alphanumeric(c) && (c < 'A' || c > 'Z') {
		return letter
	}
	return parts
}, func(r rune, _ int) class {
	if !Unspaced(r) && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
		return letter
	}
	return parts
})

// Unspaced reports whether a character belongs to a script that Prompts finds no words in.
func Unspaced(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r == 'ー' ||
		0x0e00 <= r && r < 0x0e80
}

// Plain cuts text without looking beyond ASCII: every other character belongs to a word. It is the fastest.
var Plain = mode(func(c byte) class {
	if alphanumeric(c) {
		return letter
	}
	return parts
}, func(rune, int) class { return letter })
