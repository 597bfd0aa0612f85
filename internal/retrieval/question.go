package retrieval

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memory-graph/internal/text"
)

// question is what a query says, read once.
type question struct {
	raw         string
	query       text.Query
	words       map[string]bool // folded words, stop words among them
	stems       []string        // of the words that carry meaning, each once
	capitalised map[string]bool // those of them that are written as names are
	places      map[string]bool // those of the names that stand behind in, at, from: where it is, not whom it is about
}

// maxStems bounds what a long message costs: its first words are what it is about.
const maxStems = 64

func readQuestion(raw string) question {
	q := question{raw: raw, query: text.Parse(raw), words: map[string]bool{}}
	for _, t := range text.Tokens(raw) {
		q.words[t.Word] = true
		if !t.Stop() && !slices.Contains(q.stems, t.Stem) && len(q.stems) < maxStems {
			q.stems = append(q.stems, t.Stem)
		}
	}
	q.capitalised, q.places = capitalised(raw)
	return q
}

// wheres stand before the name of a place.
var wheres = wordSet(`in at from to near into around`)

// capitalised gives the stems of the words that are written with a capital, but for the first, and those of them that
// stand behind one of wheres.
func capitalised(raw string) (names, places map[string]bool) {
	names, places = map[string]bool{}, map[string]bool{}
	fields := strings.Fields(raw)
	for i, field := range fields {
		if r, _ := utf8.DecodeRuneInString(field); i == 0 || !unicode.IsUpper(r) {
			continue
		}
		for _, t := range text.Tokens(field) {
			if !t.Stop() {
				names[t.Stem] = true
				places[t.Stem] = wheres[strings.ToLower(fields[i-1])]
			}
		}
	}
	return names, places
}

// names says whether the question names somebody: any part of the name that is a word of its own and no stop word.
func (q question) names(speaker string) bool {
	for _, t := range text.Tokens(speaker) {
		if !t.Stop() && len(t.Word) > 1 && q.words[t.Word] {
			return true
		}
	}
	return false
}
