package dates

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memory-graph/internal/text"
)

// kind is the kind of a token.
type kind uint8

const (
	word   kind = iota // letters, lower-cased
	number             // digits, at most nine of them, with or without st, nd, rd, th
	chunk              // letters, digits and marks without a space: a version, an ISO date, a path, a time
	punct              // any other single character except space
)

// token is a piece of the text. Its text has no possessive 's.
type token struct {
	kind        kind
	text        string // lower case
	upper       bool   // the first letter is a capital
	glued       bool   // touches a mark that makes it part of something longer (a path, an address)
	ordinal     bool   // 5th
	value       int    // of a number
	start, stop int
}

// tokenise cuts a text into tokens, in linear time.
func tokenise(s string) []token {
	tokens := make([]token, 0, len(s)/5+1)
	for c := text.Times.Cut(s); c.Next(); {
		if c.Kind == text.Sign {
			tokens = append(tokens, token{kind: punct, text: s[c.Start:c.Stop], start: c.Start, stop: c.Stop})
			continue
		}
		tokens = append(tokens, piece(s, c.Start, c.Stop))
	}
	return tokens
}

// piece returns the token for s[start:stop].
func piece(s string, start, stop int) token {
	t := token{kind: chunk, start: start, stop: stop}
	first, _ := utf8.DecodeRuneInString(s[start:])
	t.upper = unicode.IsUpper(first)
	raw := s[start:stop]
	if stop-start > longestPiece {
		return t // no expression of time is that long
	}
	t.glued = gluedBefore(s, start) || gluedBehind(s, stop)
	t.text = strings.ToLower(raw)
	for _, own := range []string{"'s", "’s"} {
		t.text = strings.TrimSuffix(t.text, own)
	}
	switch {
	case strings.IndexFunc(t.text, func(r rune) bool { return r < 'a' || r > 'z' }) < 0:
		t.kind = word
	case readNumber(&t):
		t.kind = number
	}
	return t
}

// longestPiece limits the length of pieces that are read. An RFC 3339 time with nanoseconds and a zone has 35 bytes.
const longestPiece = 40

func gluedBefore(s string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	return i > 0 && strings.ContainsRune(`/\_-.@#:=&$€£~+`, r)
}

func gluedBehind(s string, i int) bool {
	if i == len(s) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return strings.ContainsRune(`/\_@=&%$€£+`, r)
}

// readNumber reads digits with or without an ordinal ending.
func readNumber(t *token) bool {
	digits := strings.TrimRight(t.text, "abcdefghijklmnopqrstuvwxyz")
	switch t.text[len(digits):] {
	case "":
	case "st", "nd", "rd", "th":
		t.ordinal = true
	default:
		return false
	}
	if digits == "" || len(digits) > 9 {
		return false
	}
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' {
			return false
		}
		t.value = t.value*10 + int(c-'0')
	}
	return true
}

// mayNameTime reports whether a text may name a time. One pass rules out most sentences, which have no digit and none
// of the words.
func mayNameTime(s string) bool {
	for i := 0; i < len(s); i++ {
		if '0' <= s[i] && s[i] <= '9' {
			return true
		}
		if i > 0 && (s[i-1]|0x20 >= 'a' && s[i-1]|0x20 <= 'z') {
			continue // inside a word
		}
		n := i
		for n < len(s) && n-i <= longestWord && s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z' {
			n++
		}
		if n-i < 3 || n-i > longestWord {
			continue
		}
		var low [longestWord]byte
		for k := i; k < n; k++ {
			low[k-i] = s[k] | 0x20
		}
		if timeWord[string(low[:n-i])] {
			return true
		}
	}
	return false
}
