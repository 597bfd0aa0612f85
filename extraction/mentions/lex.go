package mentions

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memory-graph/internal/text"
)

// token is a word, a character of a script without spaces, or another single sign.
type token struct {
	start, stop int
	kind        tokenKind
	gap         gap  // the white space before it
	capital     bool // begins with a capital
	caps        bool // at least two letters, all capitals
	camel       bool // has a capital after a small letter
	code        bool // is in a fenced block of code
	number      bool // begins with a digit
}

type tokenKind uint8

const (
	wordToken tokenKind = iota
	charToken
	signToken
)

// gap is the white space before a token.
type gap = text.Gap

const (
	glued  = text.Glued
	spaced = text.Spaced
	broken = text.Line      // contains a line break
	parted = text.Paragraph // contains an empty line
)

// lex cuts a text into tokens and marks those in fenced blocks of code. The lines that open and close such a block
// produce no tokens.
func lex(s string) []token {
	tokens := make([]token, 0, len(s)/5+8)
	fenced, fence := false, false
	for c := text.Names.Cut(s); c.Next(); {
		if fence { // skip the rest of the line, which names a language
			if c.Gap < broken {
				continue
			}
			fence, c.Gap = false, parted
		}
		t := token{start: c.Start, stop: c.Stop, gap: c.Gap}
		switch c.Kind {
		case text.Word:
			t.readCase(s[c.Start:c.Stop])
		case text.Sign:
			if c.Gap >= broken && strings.HasPrefix(s[c.Start:], "```") {
				fenced, fence = !fenced, true
				continue
			}
			t.kind = signToken
		default:
			t.kind = charToken
		}
		t.code = fenced
		tokens = append(tokens, t)
	}
	return tokens
}

// readCase sets the fields that depend on the letters of a word.
func (t *token) readCase(word string) {
	small, large, letters := false, false, 0
	for i := 0; i < len(word); {
		c, size := word[i], 1
		var upper, lower bool
		switch {
		case 'a' <= c && c <= 'z':
			lower = true
		case 'A' <= c && c <= 'Z':
			upper = true
		case '0' <= c && c <= '9':
			t.number = t.number || i == 0
		case c >= utf8.RuneSelf:
			var r rune
			r, size = utf8.DecodeRuneInString(word[i:])
			upper, lower = unicode.IsUpper(r) || unicode.IsTitle(r), unicode.IsLower(r)
		}
		if upper {
			t.capital = t.capital || i == 0
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
}
