package tools

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"
)

// stretch is a part of a text, in bytes.
type stretch struct{ start, stop int }

// excerptBytes is about how much of a turn the page of a fact shows.
const excerptBytes = 1200

// marked finds what matters in a turn: the quote, or else where one of the names stands as whole words, in any case.
func marked(content, quote string, names ...string) []stretch {
	if at := occurrences(content, quote, 1); len(at) > 0 {
		return at
	}
	const most = 20 // of each name
	var all []stretch
	for _, name := range names {
		all = append(all, occurrences(content, name, most)...)
	}
	slices.SortFunc(all, func(a, b stretch) int { return cmp.Or(a.start-b.start, b.stop-a.stop) })
	kept := all[:0]
	for _, s := range all {
		if len(kept) == 0 || s.start >= kept[len(kept)-1].stop {
			kept = append(kept, s)
		}
	}
	return kept
}

// occurrences returns where a text stands in another as whole words, in any case, up to most times.
func occurrences(in, text string, most int) []stretch {
	if text == "" {
		return nil
	}
	var found []stretch
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	before := ' '
	for at := 0; at < len(in) && len(found) < most; {
		if stop, ok := foldedPrefix(in[at:], text); ok && !inWord(before) {
			if after, _ := utf8.DecodeRuneInString(in[at+stop:]); !inWord(after) {
				found = append(found, stretch{at, at + stop})
				at, before = at+stop, ' '
				continue
			}
		}
		r, size := utf8.DecodeRuneInString(in[at:])
		at, before = at+size, r
	}
	return found
}

// foldedPrefix reports whether s begins with a prefix in any case, and how many bytes of s that is. The two may differ
// in length: İ and i.
func foldedPrefix(s, prefix string) (int, bool) {
	at := 0
	for _, want := range prefix {
		got, size := utf8.DecodeRuneInString(s[at:])
		if size == 0 || got != want && unicode.ToLower(got) != unicode.ToLower(want) {
			return 0, false
		}
		at += size
	}
	return at, true
}

// excerpt cuts a long text around its first mark. cut says where: "", start, end or both. The marks are those of the
// excerpt.
func excerpt(text string, marks []stretch) (_ string, cut string, _ []stretch) {
	if len(text) <= excerptBytes {
		return text, "", marks
	}
	start := 0
	if len(marks) > 0 && marks[0].start > excerptBytes/4 {
		start = safeCut(text, runeStart(text, marks[0].start-excerptBytes/4))
	}
	stop := len(text)
	if start+excerptBytes < stop {
		stop = safeCut(text, runeStart(text, start+excerptBytes))
	}
	switch {
	case start > 0 && stop < len(text):
		cut = "both"
	case start > 0:
		cut = "start"
	default:
		cut = "end"
	}
	var shown []stretch
	for _, m := range marks {
		if m.start >= start && m.start < stop {
			shown = append(shown, stretch{m.start - start, min(m.stop, stop) - start})
		}
	}
	return text[start:stop], cut, shown
}

// utf16Spans converts marks from bytes to the units in which a browser counts.
func utf16Spans(text string, marks []stretch) [][2]int {
	out := [][2]int{}
	at, units := 0, 0
	to := func(stop int) int {
		for _, r := range text[at:stop] {
			if units++; r > 0xffff {
				units++
			}
		}
		at = stop
		return units
	}
	for _, m := range marks {
		out = append(out, [2]int{to(m.start), to(m.stop)})
	}
	return out
}
