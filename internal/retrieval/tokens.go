package retrieval

import (
	"strings"
	"unicode/utf8"
)

// EstimateTokens returns an upper bound for the number of tokens of a short text, without a vocabulary. Tests compare
// it with the tokenizers of two model families, for prose in many scripts, code, numbers, keys and invented names; only
// random letters may need more.
//
// The costs are: a word, one token per three letters, or per two letters if it has few vowels; a number, one per three
// digits and one for the space before it; a mix of letters, digits and capitals, such as a key, nearly one per
// character; another ASCII character, one; Han, Kana and Hangul, two per character; any other character, one per byte.
func EstimateTokens(s string) int {
	n, spaced, rare := 0, true, false
	var run tokenRun
	for _, r := range s {
		if run.add(r) {
			continue
		}
		n += run.tokens(spaced)
		run = tokenRun{}
		spaced = r == ' '
		switch {
		case spaced && rare: // tokens of rare scripts do not include the space before them
			n++
		case spaced:
		case r < utf8.RuneSelf:
			n++
		case r >= 0x3040 && r <= 0x30ff || r >= 0x4e00 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7a3:
			n += 2
		default:
			n += utf8.RuneLen(r)
		}
		rare = r > 0x24f
	}
	return n + run.tokens(spaced)
}

// tokenRun is a run of ASCII letters and digits.
type tokenRun struct {
	letters, digits, vowels int
	shifts                  int  // changes from digit to letter or from lower case to upper case
	last                    rune // the class of the last character: 'a', 'A' or '0'
}

// add adds the character and reports whether it belongs to the run.
func (t *tokenRun) add(r rune) bool {
	switch {
	case r >= '0' && r <= '9':
		t.digits++
		t.last = '0'
		return true
	case r >= 'a' && r <= 'z':
		if t.last == '0' {
			t.shifts++
		}
		t.last = 'a'
	case r >= 'A' && r <= 'Z':
		if t.last == 'a' || t.last == '0' {
			t.shifts++
		}
		t.last = 'A'
	default:
		return false
	}
	t.letters++
	if strings.ContainsRune("aeiouyAEIOUY", r) {
		t.vowels++
	}
	return true
}

// tokens returns the cost of the run. spaced tells whether a space precedes it.
func (t *tokenRun) tokens(spaced bool) int {
	switch {
	case t.letters+t.digits == 0:
		return 0
	case t.letters == 0 && spaced:
		return (t.digits+2)/3 + 1
	case t.letters == 0:
		return (t.digits + 2) / 3
	case t.digits > 0 || t.shifts > 1:
		return (t.letters+t.digits)*5/6 + 1
	case t.vowels*4 < t.letters:
		return (t.letters + 1) / 2
	}
	return (t.letters + 2) / 3
}
