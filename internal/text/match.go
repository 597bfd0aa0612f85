package text

import (
	"slices"
	"strings"
)

// Match is a token of a text with one of the stems that a Matcher looks for.
type Match struct {
	Stem int // the index of the stem
	At   int // the number of tokens before it
}

// Matcher finds a few stems in many texts. It stems each distinct word once, and only words that begin like one of the
// stems. It is not safe for concurrent use.
type Matcher struct {
	stems map[string]int
	known map[string]int // the index of a word's stem, or -1
	first [256]bool      // the first bytes of the stems
	begin [][2]byte      // their first two bytes; the second is 0 in a stem of one byte
}

// NewMatcher returns a matcher of these stems, as Prepare writes them.
func NewMatcher(stems []string) *Matcher {
	m := &Matcher{stems: make(map[string]int, len(stems)), known: map[string]int{}}
	for i, s := range stems {
		m.stems[s] = i
		if s == "" {
			continue
		}
		begin := [2]byte{s[0]}
		if len(s) > 1 {
			begin[1] = s[1]
		}
		m.first[s[0]] = true
		if !slices.Contains(m.begin, begin) {
			m.begin = append(m.begin, begin)
		}
	}
	return m
}

// mayMatch reports whether the stem of a word, which is no symbol, may be one that is looked for. A stem has the first
// byte of its word, and the second one too, except that y may become i ("eyed") and a stem may have one letter ("ies").
func (m *Matcher) mayMatch(word string) bool {
	if word == "" || !m.first[word[0]] {
		return false
	}
	for _, b := range m.begin {
		if b[0] == word[0] && (b[1] == 0 || len(word) > 1 && (b[1] == word[1] || b[1] == 'i' && word[1] == 'y')) {
			return true
		}
	}
	return false
}

// Find appends the matches in a text to found, in their order, and returns them with the number of the text's tokens.
// The tokens are those of Tokens.
func (m *Matcher) Find(s string, found []Match) ([]Match, int) {
	s = fold(s)
	n := 0
	for c := Search.Cut(s); c.Next(); n++ {
		word := wordAt(s, c.Piece)
		if c.Kind != Symbol && !m.mayMatch(word) {
			continue
		}
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
