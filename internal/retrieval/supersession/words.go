package supersession

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word as it is written.
type token struct {
	raw   string // without the punctuation around it; a currency, %, # and what stands inside remain
	lower string
	first bool // it begins a sentence
	stop  bool // punctuation stands behind it
	ends  bool // its sentence ends with it
	asks  bool // and does so with a question mark
}

// split cuts a text at white space, brackets and quotation marks, and takes punctuation off the words.
func split(s string) []token {
	var out []token
	first := true
	for field := range strings.FieldsFuncSeq(s, parts) {
		word := strings.TrimRight(field, ".,;:!?…'’`]|")
		ends := strings.ContainsAny(field[len(word):], ".!?:…")
		word = strings.TrimLeft(word, "'’`[|-")
		asks := strings.Contains(field[max(0, len(field)-4):], "?")
		if word == "" {
			first = first || ends
			if n := len(out); n > 0 && ends {
				out[n-1].stop, out[n-1].ends, out[n-1].asks = true, true, out[n-1].asks || asks
			}
			continue
		}
		out = append(out, token{raw: word, lower: strings.ToLower(strings.ReplaceAll(word, "’", "'")), first: first,
			stop: len(word) < len(strings.TrimLeft(field, "'’`[|-")), ends: ends, asks: ends && asks})
		first = ends
	}
	return out
}

// parts says whether words end at a rune.
func parts(r rune) bool {
	switch r {
	case '—', '–', '(', ')', '"', '“', '”', '*':
		return true
	}
	return unicode.IsSpace(r)
}

// capitalised says whether the word begins with a capital letter.
func (t token) capitalised() bool {
	r, _ := utf8.DecodeRuneInString(t.raw)
	return unicode.IsUpper(r)
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// word gives the i-th word in lower case, "" beyond the ends.
func word(tokens []token, i int) string {
	if i < 0 || i >= len(tokens) {
		return ""
	}
	return tokens[i].lower
}
