package text

import "strings"

// Match is a token of a text with one of the stems that a Matcher looks for.
type Match struct {
	Stem int // the index of the stem
	At   int // the number of tokens before it
}

// Matcher finds a few stems in many texts. It stems each distinct word once. It is not safe for concurrent use.
type Matcher struct {
	stems map[string]int
	known map[string]int // the index of a word's stem, or -1
}

// NewMatcher returns a matcher of these stems, as Prepare writes them.
func NewMatcher(stems []string) *Matcher {
	m := &Matcher{stems: make(map[string]int, len(stems)), known: map[string]int{}}
	for i, s := range stems {
		m.stems[s] = i
	}
	return m
}

// Find appends the matches in a text to found, in their order, and returns them with the number of the text's tokens.
// The tokens are those of Tokens.
func (m *Matcher) Find(s string, found []Match) ([]Match, int) {
	s = fold(s)
	n := 0
	for c := Search.Cut(s); c.Next(); n++ {
		word := wordAt(s, c.Piece)
		stem, ok := m.known[word]
		if !ok {
			stem = -1
			if i, ok := m.stems[token(word, c.Kind, false).Stem]; ok {
				stem = i
			}
			m.known[strings.Clone(word)] = stem
		}
		if stem >= 0 {
			found = append(found, Match{Stem: stem, At: n})
		}
	}
	return found, n
}
