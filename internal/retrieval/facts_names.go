package retrieval

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// The limits for looking up words of a question as names.
const (
	maxNameWords   = 6   // words of the longest name
	maxAskedWords  = 64  // words of a question that are read as names, from its beginning
	maxAskedNames  = 600 // names that are looked up per question
	maxUnspaced    = 8   // characters of the longest name in a script without spaces
	maxSearchWords = 8   // words for the entity search if the question names no entity
)

// askedName is a part of a question that may be a name, in canonical form.
type askedName struct {
	canonical string
	from, to  int // word positions; to is exclusive
}

// askedNames returns every run of up to maxNameWords words of a question that may be a name, with and without
// surrounding punctuation. In scripts without spaces it returns parts of words. A single stop word is only a name if it
// has a capital inside the sentence (Will, May). self is the name of the speaker; "I" and "my" ask for it.
func askedNames(words []string, self string) []askedName {
	if len(words) > maxAskedWords {
		words = words[:maxAskedWords]
	}
	var out []askedName
	seen := map[askedName]bool{}
	add := func(name string, from, to int) {
		n := askedName{memory.Canonical(name), from, to}
		if n.canonical != "" && !seen[n] && len(out) < maxAskedNames {
			seen[n] = true
			out = append(out, n)
		}
	}
	for from := range words {
		for to := from + 1; to <= len(words) && to <= from+maxNameWords; to++ {
			run := strings.Join(words[from:to], " ")
			bare := strings.TrimFunc(run, isQuoteOrStop)
			if to == from+1 && !mayBeName(bare, from == 0) {
				if self != "" && firstPerson[strings.ToLower(bare)] {
					add(self, from, to)
				}
				continue
			}
			add(bare, from, to)
			if owner, ok := cutPossessive(bare); ok {
				add(owner, from, to)
			}
			if bare != run {
				add(strings.TrimRight(run, "?!.,;:"), from, to) // .NET, "C++", (x)
				add(run, from, to)
			}
		}
		addUnspaced(words[from], func(part string) { add(part, from, from+1) })
	}
	return out
}

var firstPerson = wordSet("i me my mine myself i'm i've i'd i'll")

// mayBeName reports whether a single word may be a name.
func mayBeName(word string, first bool) bool {
	tokens := text.Tokens(word)
	if len(tokens) == 0 {
		return word != ""
	}
	for _, t := range tokens {
		if !t.Stop() {
			return true
		}
	}
	r, _ := utf8.DecodeRuneInString(word)
	return !first && unicode.IsUpper(r) && utf8.RuneCountInString(word) > 1
}

// isQuoteOrStop reports whether a character may surround a name and is rarely part of one.
func isQuoteOrStop(r rune) bool {
	switch r {
	case '#', '@', '+', '_', '/', '\\', '$', '~':
		return false
	}
	return unicode.IsPunct(r) || unicode.IsSymbol(r) && r != '°'
}

// cutPossessive removes the possessive ending of Ann's or James'.
func cutPossessive(s string) (string, bool) {
	for _, ending := range []string{"'s", "’s", "'", "’"} {
		if owner, ok := strings.CutSuffix(s, ending); ok {
			return owner, true
		}
	}
	return s, false
}

// addUnspaced adds the parts of a word in a script without spaces.
func addUnspaced(word string, add func(string)) {
	runes := []rune(word)
	for from := range runes {
		for to := from; to < len(runes) && to-from < maxUnspaced && unspaced(runes[to]); to++ {
			if to > from {
				add(string(runes[from : to+1]))
			}
		}
	}
}

func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar)
}

// searchWords returns the words to search entities by: the content words. A word that begins with its stem is replaced
// by the stem, which finds its other forms as a prefix.
func searchWords(tokens []text.Token) []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range tokens {
		if t.Stop() || len(t.Word) < 3 && t.Kind == text.Word {
			continue
		}
		w := t.Word
		if strings.HasPrefix(w, t.Stem) {
			w = t.Stem
		}
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
		if len(out) == maxSearchWords {
			break
		}
	}
	return out
}
