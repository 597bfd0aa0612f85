package retrieval

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"memory-graph/internal/retrieval/supersession"
	"memory-graph/internal/text"
)

// parsedQuestion is the question of a request. It is parsed once and then only read, by the search of the episodes and
// by the search of the graph.
type parsedQuestion struct {
	raw         string // the text that the embedder reads
	query       text.Query
	reader      *reader            // finds the words of the query in turns
	words       map[string]bool    // folded words, including stop words
	stems       []string           // of the content words, without duplicates, at most maxStems
	capitalised map[string]bool    // the stems of words that begin with a capital, as names do
	focus       []string           // the stems of what is asked for
	places      map[string]bool    // the stems of names after in, at, from ...: a place, not the subject of the question
	names       []askedName        // parts of the question that may name an entity
	searchWords []string           // words to search entities by if the question names none
	asked       supersession.Asked // the time that the question is about
	wanted      wanted             // the kind of value that it asks for
	demands     demands            // what an answer must contain
}

// maxStems bounds the cost of a long message. Its first words usually tell its subject.
const maxStems = 64

// parseQuestion parses the question of a request.
func parseQuestion(req Request, now time.Time) *parsedQuestion {
	asked := subject(req.Query)
	tokens, fields := text.Tokens(asked), strings.Fields(asked)
	query := text.QueryOf(tokens)
	q := &parsedQuestion{
		raw:         req.Query,
		query:       query,
		reader:      newReader(query),
		focus:       focusOf(req.Query),
		words:       map[string]bool{},
		names:       askedNames(fields, cmp.Or(req.Scope.User, selfName)),
		searchWords: searchWords(tokens),
		asked:       supersession.ReadQuestion(req.Query, now),
		wanted:      readWanted(req.Query),
		demands:     demandsOf(req.Query),
	}
	if at := req.At.ValidAt; !at.IsZero() {
		q.asked = q.asked.AsOf(at)
	}
	for _, t := range tokens {
		q.words[t.Word] = true
		if !t.Stop() && !slices.Contains(q.stems, t.Stem) && len(q.stems) < maxStems {
			q.stems = append(q.stems, t.Stem)
		}
	}
	q.capitalised, q.places = capitalised(fields)
	return q
}

// wheres are the words that precede the name of a place.
var wheres = wordSet(`in at from to near into around`)

// capitalised returns the stems of the words that begin with a capital, except the first word, and those of them that
// follow one of wheres.
func capitalised(fields []string) (names, places map[string]bool) {
	names, places = map[string]bool{}, map[string]bool{}
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

// mentions reports whether the question names a speaker. Any part of the name counts if it is longer than one character
// and not a stop word.
func (q *parsedQuestion) mentions(speaker string) bool {
	for _, t := range text.Tokens(speaker) {
		if !t.Stop() && len(t.Word) > 1 && q.words[t.Word] {
			return true
		}
	}
	return false
}
