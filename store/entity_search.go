package store

import (
	"context"
	"strings"
	"unicode/utf8"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// nameRank is BM25 over name, description and aliases (Z51). https://sqlite.org/fts5.html#the_bm25_function
const nameRank = `bm25(mg_entities_fts, 10.0, 1.0, 5.0)`

// SearchEntities gives the k entities and memories of the namespace whose name, aliases or description match any of the
// words best, best first, ties by id; of these types only where any are given. A word of two letters or more matches
// what begins with it too, whole words better. Score is BM25 with the sign turned: higher is better, and comparable
// within one answer only. Words may be any text; what holds no letter matches nothing.
func (s *Store) SearchEntities(ctx context.Context, namespace string, words, types []string, k int) ([]memory.Hit,
	error) {
	hits := []memory.Hit{}
	match := matchNames(words)
	if match == "" || k <= 0 {
		return hits, nil
	}
	w := new(where)
	w.and(`mg_entities_fts MATCH ?`, match)
	w.and(`e.namespace = ? AND e.merged_into IS NULL AND e.kind IN `+shownKinds, namespace)
	w.in("e.type", types)
	err := s.readOne(ctx, "search entities", func(c *conn) error {
		return c.query(ctx, `SELECT f.rowid,
			`+nameRank+` AS score FROM mg_entities_fts f CROSS JOIN mg_entities e ON e.id =
			f.rowid
			WHERE `+w.sql.String()+` ORDER BY score, f.rowid LIMIT ?`, func(s cursor) error {
			hits = append(hits, memory.Hit{ID: s.int64(0), Score: -s.float(1)})
			return nil
		}, append(w.args, k)...)
	})
	if err != nil {
		return nil, err
	}
	return hits, nil
}

// indexedName gives a name or description as the text index of entities is fed it: folded words as they are written,
// since a stem is no beginning of them, and scripts without spaces as single characters.
func indexedName(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for _, t := range text.Tokens(s) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.Word)
	}
	return b.String()
}

// maxNameTerms bounds what one search can cost.
const maxNameTerms = 64

// matchNames writes words in FTS5's query language, "" where they hold nothing to look for: each as it is or as a
// beginning, joined by OR. Whatever the words are, they stand between quotes. Parts of one word (main.go) are a phrase;
// characters of a script without spaces are asked for in pairs.
func matchNames(words []string) string {
	var b strings.Builder
	seen := map[string]bool{}
	add := func(run []text.Token) {
		parts := make([]string, len(run))
		for i, t := range run {
			parts[i] = t.Word
		}
		phrase := strings.Join(parts, " ")
		if seen[phrase] || len(seen) == maxNameTerms {
			return
		}
		if seen[phrase] = true; len(seen) > 1 {
			b.WriteString(" OR ")
		}
		b.WriteString(quote(phrase))
		if run[0].Kind == text.Word && utf8.RuneCountInString(parts[len(parts)-1]) > 1 {
			b.WriteString(" OR " + quote(phrase) + " *")
		}
	}
	for _, word := range words {
		tokens := text.Tokens(word)
		for i := 0; i < len(tokens); {
			j := i + 1
			for j < len(tokens) && tokens[j].Kind == tokens[i].Kind && tokens[j].Glued {
				j++
			}
			run := tokens[i:j]
			i = j
			if run[0].Kind != text.Word {
				for at := 0; at == 0 || at+2 <= len(run); at++ {
					add(run[at:min(at+2, len(run))])
				}
				continue
			}
			for _, t := range run {
				if len(run) == 1 || !t.Stop() {
					add([]text.Token{t})
				}
			}
			if len(run) > 1 {
				add(run)
			}
		}
	}
	return b.String()
}
