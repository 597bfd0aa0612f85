package mentions

import (
	"unicode"
	"unicode/utf8"
)

// token is a word, a character of a script that is written without spaces, or a single other sign.
type token struct {
	start, stop int
	kind        tokenKind
	gap         gap  // what white space stands before it
	capital     bool // begins with a capital
	caps        bool // has two letters at least, and capitals only
	camel       bool // a capital stands behind a small letter
	code        bool // stands in a fenced block of code
	number      bool // begins with a digit
}

type tokenKind uint8

const (
	wordToken tokenKind = iota
	charToken
	signToken
)

// gap is the white space before a token.
type gap uint8

const (
	glued gap = iota
	spaced
	broken // a line ends in it
	parted // an empty line stands in it
)

// lex cuts a text into tokens. Words are runs of letters, digits, marks and low lines; what cannot be seen is part of
// the word it stands in.
func lex(text string) []token {
	tokens := make([]token, 0, len(text)/5+8)
	before := parted // the beginning of a text is that of a paragraph
	fenced := false
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		switch {
		case r == '\n':
			if before >= broken {
				before = parted
			} else {
				before = broken
			}
			i += size
			continue
		case r == ' ' || r == '\t' || r == '\r' || r >= utf8.RuneSelf && unicode.IsSpace(r):
			before = max(before, spaced)
			i += size
			continue
		case r == '`' && before >= broken && len(text) >= i+3 && text[i:i+3] == "```":
			fenced = !fenced
			for i < len(text) && text[i] != '\n' { // the rest of the line names a language
				i++
			}
			continue
		}
		if r >= utf8.RuneSelf && invisible(r) { // at the head of a word it would hide its capital
			i += size
			continue
		}
		t := token{start: i, gap: before, code: fenced}
		switch class := classOf(r, size); class {
		case wordToken:
			t.stop = t.readWord(text, i)
		default:
			t.kind, t.stop = class, i+size
			if class == charToken {
				t.stop = endOfMarks(text, t.stop)
			}
		}
		tokens = append(tokens, t)
		i, before = t.stop, glued
	}
	return tokens
}

// readWord gives where the word that starts at i ends, and fills what its letters say.
func (t *token) readWord(text string, i int) int {
	small, large, letters := false, false, 0
	for first := true; i < len(text); first = false {
		c := text[i]
		size := 1
		var upper, lower bool
		switch {
		case 'a' <= c && c <= 'z':
			lower = true
		case 'A' <= c && c <= 'Z':
			upper = true
		case '0' <= c && c <= '9':
			t.number = t.number || first
		case c == '_':
		case c < utf8.RuneSelf:
			size = 0
		default:
			var r rune
			r, size = utf8.DecodeRuneInString(text[i:])
			if class := classOf(r, size); class != wordToken {
				size = 0
			} else {
				upper, lower = unicode.IsUpper(r) || unicode.IsTitle(r), unicode.IsLower(r)
			}
		}
		if size == 0 {
			break
		}
		if upper {
			t.capital = t.capital || first
			t.camel = t.camel || small
			large = true
		}
		small = small || lower
		if upper || lower {
			letters++
		}
		i += size
	}
	t.caps = large && !small && letters > 1
	return i
}

func endOfMarks(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !unicode.Is(unicode.M, r) {
			break
		}
		i += size
	}
	return i
}

// classOf says what kind of token a rune that is no white space belongs to.
func classOf(r rune, size int) tokenKind {
	switch {
	case r < utf8.RuneSelf:
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' {
			return wordToken
		}
		return signToken
	case r == utf8.RuneError && size == 1:
		return signToken
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao,
		unicode.Khmer, unicode.Myanmar) && unicode.IsLetter(r):
		return charToken
	case unicode.IsLetter(r), unicode.IsNumber(r), unicode.Is(unicode.M, r), invisible(r):
		return wordToken
	}
	return signToken
}

// invisible says whether memory.Canonical leaves the rune out.
func invisible(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
