package llm

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memory-graph/internal/memory"
)

// folded is a text prepared for a tolerant search for names and quotes: runs of white space are one blank, letters are
// lower case, typographic quotation marks and dashes are plain, and invisible characters are removed. Byte i of folded
// comes from byte at[i] of the text.
type folded struct {
	text   string
	folded string
	at     []int // for each byte of folded, and for its end
}

func fold(text string) folded {
	var b strings.Builder
	b.Grow(len(text))
	at := make([]int, 0, len(text)+1)
	space := true // drop leading white space
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

// plain returns the plain form of a typographic character. Models use either.
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

// needle folds a search string.
func needle(s string) string { return strings.TrimRight(fold(s).folded, " ") }

// find returns the offsets in folded of the first s at or after from that consists of whole words; ok is false if there
// is none.
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

// all returns the places in the text where s occurs as whole words, limited to most places.
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

// has reports whether s occurs in the text as whole words.
func (f folded) has(s string) bool {
	_, _, ok := f.find(s, 0)
	return ok
}

// span returns the original text between two offsets of folded, and its place.
func (f folded) span(start, stop int) (text string, from, to int) {
	from = f.at[start]
	// Use the end of the last character: invisible characters may follow it.
	last := f.at[stop-1]
	_, size := utf8.DecodeRuneInString(f.text[last:])
	return f.text[from : last+size], from, last + size
}

// edge reports whether a word may begin or end at an offset of folded.
func (f folded) edge(at int) bool {
	before, _ := utf8.DecodeLastRuneInString(f.folded[:at])
	after, _ := utf8.DecodeRuneInString(f.folded[at:])
	return !joins(before) || !joins(after)
}

// joins reports whether a character forms words together with its neighbours. Scripts without spaces have no such
// words.
func joins(r rune) bool {
	if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao,
		unicode.Khmer, unicode.Myanmar) {
		return false
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}

// hasWord reports whether one of the words, in lower case, occurs in the text as a whole word.
func (f folded) hasWord(words map[string]bool) bool {
	for w := range strings.FieldsFuncSeq(f.folded, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if words[w] {
			return true
		}
	}
	return false
}

// same reports whether two names have the same canonical form.
func same(a, b string) bool { return memory.Canonical(a) == memory.Canonical(b) }

// words returns the set of the words in a list.
func words(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}
