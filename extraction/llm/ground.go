package llm

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memory-graph/internal/memory"
)

// folded is a text in which names and quotes are looked for as a reader would: white space is one blank, case does not
// count, typographic quotation marks and dashes are the plain ones, and what cannot be seen is not there. at leads
// back: the byte i of folded comes from the byte at[i] of the text.
type folded struct {
	text   string
	folded string
	at     []int // of each byte of folded, and the end
}

func fold(text string) folded {
	var b strings.Builder
	b.Grow(len(text))
	at := make([]int, 0, len(text)+1)
	space := true // a blank at the beginning is left out
	for i, r := range text {
		switch {
		case unicode.IsSpace(r):
			if space {
				continue
			}
			space = true
			b.WriteByte(' ')
			at = append(at, i)
			continue
		case r == utf8.RuneError, unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point,
			unicode.Variation_Selector):
			continue
		}
		space = false
		r = unicode.ToLower(plain(r))
		for range utf8.RuneLen(r) {
			at = append(at, i)
		}
		b.WriteRune(r)
	}
	return folded{text: text, folded: b.String(), at: append(at, len(text))}
}

// plain gives the plain form of a typographic sign: models write them as they please.
func plain(r rune) rune {
	switch r {
	case '‘', '’', '‚', '‛', 'ʼ':
		return '\''
	case '“', '”', '„', '‟', '«', '»':
		return '"'
	case '‐', '‑', '‒', '–', '—', '−':
		return '-'
	}
	return r
}

// needle folds what is looked for.
func needle(s string) string { return strings.TrimRight(fold(s).folded, " ") }

// find gives where s stands first as whole words at or behind from, as offsets into folded; ok is false where it does
// not.
func (f folded) find(s string, from int) (start, stop int, ok bool) {
	s = needle(s)
	if s == "" {
		return 0, 0, false
	}
	for from <= len(f.folded)-len(s) {
		i := strings.Index(f.folded[from:], s)
		if i < 0 {
			return 0, 0, false
		}
		start, stop = from+i, from+i+len(s)
		if f.edge(start) && f.edge(stop) {
			return start, stop, true
		}
		_, size := utf8.DecodeRuneInString(f.folded[start:])
		from = start + size
	}
	return 0, 0, false
}

// all gives where s stands in the text as whole words, at most most times.
func (f folded) all(s string, most int) (spans [][2]int) {
	for from := 0; len(spans) < most; {
		start, stop, ok := f.find(s, from)
		if !ok {
			break
		}
		_, first, last := f.span(start, stop)
		spans = append(spans, [2]int{first, last})
		from = stop
	}
	return spans
}

// has says whether s stands in the text as whole words.
func (f folded) has(s string) bool {
	_, _, ok := f.find(s, 0)
	return ok
}

// span gives what stands in the text between two offsets of folded, with where.
func (f folded) span(start, stop int) (text string, from, to int) {
	from = f.at[start]
	// The last character ends where its own bytes end, which is not where the next one that counts begins.
	last := f.at[stop-1]
	_, size := utf8.DecodeRuneInString(f.text[last:])
	return f.text[from : last+size], from, last + size
}

// edge says whether a word may begin or end at an offset of folded.
func (f folded) edge(at int) bool {
	before, _ := utf8.DecodeLastRuneInString(f.folded[:at])
	after, _ := utf8.DecodeRuneInString(f.folded[at:])
	return !joins(before) || !joins(after)
}

// joins says whether a character is of a word that its neighbours continue. Scripts without blanks have no such words.
func joins(r rune) bool {
	if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao,
		unicode.Khmer, unicode.Myanmar) {
		return false
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}

// hasWord says whether one of the words, in small letters, stands in the text as a whole word.
func (f folded) hasWord(words map[string]bool) bool {
	for w := range strings.FieldsFuncSeq(f.folded, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if words[w] {
			return true
		}
	}
	return false
}

// same says whether two names are one.
func same(a, b string) bool { return memory.Canonical(a) == memory.Canonical(b) }

// words makes a set of the words of a list.
func words(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}
