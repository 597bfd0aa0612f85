package mentions

import (
	"strings"
	"unicode/utf8"
)

// nameReader reads the words of a text.
type nameReader struct {
	text  string
	words []orth
	nouns bool            // the language capitalises nouns: a single capitalised word says nothing
	loud  bool            // most of the text is in capitals: capitals say nothing
	small map[string]bool // words that also occur in lower case
}

// findNames returns the runs of capitalised words from body on: "Journal of Mathematical Physics", "Dr. Chen",
// "iPhone".
func findNames(text string, tokens []token, body int, known []span) []span {
	r := nameReader{text: text, words: readWords(text, tokens, body)}
	r.survey()
	var spans []span
	for i := 0; i < len(r.words); {
		s, next := r.name(i, known)
		if s.to > 0 {
			spans = append(spans, s)
		}
		i = max(next, i+1)
	}
	return spans
}

// survey determines what capitals mean in this text.
func (r *nameReader) survey() {
	loud, long, german := 0, 0, 0
	for _, w := range r.words {
		if w.number {
			continue
		}
		if utf8.RuneCountInString(r.text[w.start:w.stop]) > 3 {
			long++
			if w.caps {
				loud++
			}
		}
		if !w.capital {
			if germanWords[w.lower] {
				german++
			}
			if r.small == nil {
				r.small = map[string]bool{}
			}
			if len(r.small) < 4096 {
				r.small[w.lower] = true
			}
		}
	}
	r.loud = loud >= 4 && loud*2 > long
	r.nouns = german >= 2 && german*12 > len(r.words)
}

// capital reports whether a word can be part of a name.
func (r *nameReader) capital(w orth) bool {
	if r.loud && w.caps || !w.capital && !w.camel {
		return false
	}
	word := r.text[w.start:w.stop]
	return strings.IndexByte(word, '_') < 0 && !isTicket(word) // these have their own shapes
}

// maxNameWords is the length of the longest name, in words. A longer run of capitalised words is a headline.
const maxNameWords = 10

// name reads the name that begins with word i, and returns the index of the next word to read. The span is empty if no
// name begins there.
func (r *nameReader) name(i int, known []span) (span, int) {
	w := r.words[i]
	if !r.capital(w) || w.number {
		// pnpm, nginx: often written in lower case
		if typ := technologies[w.lower]; typ != "" && !ambiguous[w.lower] && !w.capital &&
			Continues(r.text, w.stop) == w.stop {
			return newSpan(r.text, w.start, w.stop, kindName, typ), i + 1
		}
		return span{}, i + 1
	}
	end := r.run(i) // one past the last word
	next := end
	typ := ""
	first := i
	if honorifics[w.lower] && end-i > 1 && r.words[i+1].capital {
		typ = "person"
		if end-i > 2 {
			first++
		}
	} else {
		for first < end && r.opens(r.words[first], end-first) {
			first++
		}
		// A sentence may begin with any word. If a known name follows the first word, the first word is not part of it.
		if first+1 < end && r.words[first].head && startsKnown(known, r.words[first+1].start) &&
			!startsKnown(known, r.words[first].start) {
			first++
		}
	}
	for end > first && (functionWords[r.words[end-1].lower] && !numerals[r.words[end-1].lower] ||
		joiners[r.words[end-1].lower]) {
		end--
	}
	if first >= end || end-first > maxNameWords {
		return span{}, next
	}
	k := kindPhrase
	if end-first == 1 && typ == "" {
		var ok bool
		if k, ok = r.single(first); !ok {
			return span{}, next
		}
	}
	stop := r.words[end-1].stop
	if last := r.words[end-1]; last.abbreviated &&
		(end-first > 1 || last.stop-last.start > 1 && initials(r.text[last.start:last.stop])) {
		stop++ // the dot of "Inc." and "U.S."
	}
	text := r.text[r.words[first].start:stop]
	if typ == "" {
		typ = typeOf(text)
	}
	return newSpan(r.text, r.words[first].start, stop, k, typ), next
}

// opens reports whether a capitalised word at the beginning of a run of n is not part of the name that follows.
func (r *nameReader) opens(w orth, n int) bool {
	if functionWords[w.lower] || openers[w.lower] {
		return w.head || n == 1 || !givenWords[w.lower]
	}
	if n == 1 {
		return false
	}
	return dates[w.lower] || w.head && len(w.lower) > 5 && !likeDerived[w.lower] &&
		(strings.HasSuffix(w.lower, "ing") || strings.HasSuffix(w.lower, "ly"))
}

// run returns the end of the run of capitalised words that begins with word i. Joiners only count inside a run.
func (r *nameReader) run(i int) int {
	end := i + 1
	for j := i + 1; j < len(r.words); {
		before, w := r.words[j-1], r.words[j]
		if w.gap != spaced && !(w.gap == glued && before.abbreviated) || w.ended || before.possessive {
			break
		}
		switch {
		case r.capital(w) && !w.number && (!functionWords[w.lower] || joiners[w.lower] || numerals[w.lower] && j == end):
			end = j + 1
			j++
		case j-end < 2 && j+1 < len(r.words) && (r.joins(w.lower) || w.lower == "for" && starters[r.words[i].lower]):
			j++
		case w.number && j == end && w.stop-w.start <= 4 && models[before.lower] && technologies[before.lower] == "":
			return j + 1
		default:
			return end
		}
	}
	return end
}

// joins reports whether a lower-case word may be inside a name. In a language that capitalises nouns, only "van" may.
func (r *nameReader) joins(lower string) bool {
	return joiners[lower] && (!r.nouns || lower == "van")
}

// single judges a capitalised word that is alone.
func (r *nameReader) single(i int) (kind, bool) {
	w := r.words[i]
	size := utf8.RuneCountInString(r.text[w.start:w.stop])
	switch {
	case size < 2 || calendar[w.lower] || noNames[w.lower]:
		return 0, false
	case w.camel || w.caps && !interjections[w.lower]:
		return kindName, size <= 40
	case interjections[w.lower] || r.nouns || size < 3:
		return 0, false
	case !w.head:
		return kindName, true
	}
	// At the beginning of a sentence, any word has a capital.
	if commonWords[w.lower] || r.small[w.lower] || !w.possessive && derived(w.lower) {
		return 0, false
	}
	return kindFirst, true
}

// derived reports whether a word has an ending that names hardly ever have.
func derived(lower string) bool {
	if len(lower) < 6 || likeDerived[lower] {
		return false
	}
	for _, ending := range []string{"ly", "ing", "ed", "ness", "tion", "ment", "able", "ful", "less", "ies"} {
		if strings.HasSuffix(lower, ending) {
			return true
		}
	}
	return false
}

// startsKnown reports whether a known name begins at the offset.
func startsKnown(known []span, offset int) bool {
	lo, hi := 0, len(known)
	for lo < hi {
		mid := (lo + hi) / 2
		if known[mid].Start < offset {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(known) && known[lo].Start == offset
}
