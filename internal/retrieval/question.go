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

// parsedQuestion is the question of a request. It is parsed once, when the request arrives, and only read afterwards:
// the search of the episodes and that of the graph share it.
type parsedQuestion struct {
	raw         string // as the embedder reads it
	query       text.Query
	words       map[string]bool    // folded words, stop words among them
	stems       []string           // of the content words, each once, at most maxStems
	capitalised map[string]bool    // those of the stems that are written as names are
	places      map[string]bool    // those of the names that stand behind in, at, from: where it is, not whom it is about
	names       []askedName        // parts that may name an entity
	searchWords []string           // by which entities are searched where none is named
	asked       supersession.Asked // the time and the kind of value that are asked for
}

// maxStems bounds what a long message costs: its first words are what it is about.
const maxStems = 64

// parseQuestion parses the question of a request that is asked now.
func parseQuestion(req Request, now time.Time) *parsedQuestion {
	tokens, fields := text.Tokens(req.Query), strings.Fields(req.Query)
	q := &parsedQuestion{
		raw:         req.Query,
		query:       text.QueryOf(tokens),
		words:       map[string]bool{},
		names:       askedNames(fields, cmp.Or(req.Scope.User, selfName)),
		searchWords: searchWords(tokens),
		asked:       supersession.ReadQuestion(req.Query, now),
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

// wheres stand before the name of a place.
var wheres = wordSet(`in at from to near into around`)

// capitalised gives the stems of the words that are written with a capital, but for the first, and those of them that
// stand behind one of wheres.
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

// mentions says whether the question names a speaker: by any part of the name that is a word of its own and no stop
// word.
func (q *parsedQuestion) mentions(speaker string) bool {
	for _, t := range text.Tokens(speaker) {
		if !t.Stop() && len(t.Word) > 1 && q.words[t.Word] {
			return true
		}
	}
	return false
}
