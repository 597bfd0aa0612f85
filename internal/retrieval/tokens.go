package retrieval

import (
	"strings"
	"unicode/utf8"
)

// EstimateTokens bounds from above what a text of a few lines costs a model, without a vocabulary: tests hold it
// against those of two families of models, for prose in many scripts, code, numbers, keys and names that nobody has;
// random letters alone may cost more. A word costs a token for three letters, for two where it has hardly a vowel; a
// number one for three digits and one for the space before it; what mixes letters, digits and capitals nearly one a
// character, as keys do; other ASCII one each; other characters as many as they have bytes, Han, Kana and Hangul two.
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
		case spaced && rare: // no token of a rare script begins with a space
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
	shifts                  int  // from digits to letters, from small to capital
	last                    rune // what the last one is: 'a', 'A' or '0'
}

// add says whether the character belongs to the run.
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

// tokens are those of the run; spaced says whether a space stands before it.
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
