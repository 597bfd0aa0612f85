package store

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// nameRank is BM25 over name, description and aliases. https://sqlite.org/fts5.html#the_bm25_function
const nameRank = `bm25(mg_entities_fts, 10.0, 1.0, 5.0)`

// SearchEntities returns the k entities and memories of the namespace whose name, aliases or description match the
// words best, sorted by score and then by id. If types are given, only entities of these types count. A word of two
// letters or more also matches words that begin with it, but whole words score better. Score is BM25 with the sign
// reversed: higher is better, and scores compare only within one answer. Words may be any text. A word without letters
// matches nothing.
func (s *Store) SearchEntities(ctx context.Context, namespace string, words, types []string, k int) ([]memory.Hit,
	error) {
	return s.searchEntities(ctx, namespace, words, types, false, k)
}

// SearchWithLabels is SearchEntities, and also finds the memories that have a label with a word that begins with one of
// the words. Such a memory scores as the best of the others, or 1. It runs one statement.
func (s *Store) SearchWithLabels(ctx context.Context, namespace string, words []string, k int) ([]memory.Hit, error) {
	return s.searchEntities(ctx, namespace, words, nil, true, k)
}

func (s *Store) searchEntities(ctx context.Context, namespace string, words, types []string, labels bool, k int) (
	[]memory.Hit, error) {
	hits := []memory.Hit{}
	match := matchNames(words)
	if match == "" || k <= 0 {
		return hits, nil
	}
	w := new(where)
	w.and(`mg_entities_fts MATCH ?`, match)
	w.and(`e.namespace = ? AND e.merged_into IS NULL AND e.kind IN `+shownKinds, namespace)
	w.in("e.type", types)
	sql, args := `SELECT f.rowid AS id, `+nameRank+` AS score FROM mg_entities_fts f CROSS JOIN mg_entities e ON e.id =
		f.rowid WHERE `+w.sql.String()+` ORDER BY score, f.rowid LIMIT ?`, append(w.args, k)
	if labels {
		labelled, more := labelledWith(namespace, words, k)
		sql = `SELECT * FROM (` + sql + `) UNION ALL SELECT * FROM (` + labelled + `)`
		args = append(args, more...)
	}
	seen, best := map[int64]bool{}, 0.
	err := s.readOne(ctx, "search entities", func(c *conn) error {
		return c.query(ctx, sql, func(row cursor) error {
			h := memory.Hit{ID: row.int64(0), Score: -row.float(1)}
			best = max(best, h.Score)
			if !seen[h.ID] {
				seen[h.ID] = true
				hits = append(hits, h)
			}
			return nil
		}, args...)
	})
	if err != nil {
		return nil, err
	}
	for i := range hits {
		if hits[i].Score == 0 { // by its label
			hits[i].Score = cmp.Or(best, 1)
		}
	}
	slices.SortStableFunc(hits, func(a, b memory.Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits[:min(len(hits), k)], nil
}

// labelledWith selects the memories with a label that has one of the words, those with most such labels first. Labels
// are few, so all of a namespace are compared.
func labelledWith(namespace string, words []string, k int) (sql string, args []any) {
	var kinds, has []string
	for _, kind := range []memory.LabelKind{memory.LabelTopic, memory.LabelCategory, memory.LabelRepo, memory.LabelType} {
		from, to := subjectRange(memory.Label{Kind: kind}.Name())
		kinds, args = append(kinds, `SELECT id, canonical_name FROM mg_entities WHERE namespace = ? AND
			canonical_name >= ? AND canonical_name < ? AND kind = '`+string(memory.NodeMetadata)+`'`),
			append(args, namespace, from, to)
	}
	for _, word := range words[:min(len(words), maxNameTerms)] {
		has = append(has, `instr(replace(replace(l.canonical_name, '-', ' '), '/', ' '), ?)`)
		args = append(args, " "+memory.Canonical(word))
	}
	return `SELECT r.head_id, 0.0 FROM (` + strings.Join(kinds, ` UNION ALL `) + `) l CROSS JOIN mg_relationships r
		ON r.tail_id = l.id AND r.valid_until IS NULL AND r.method = '` + string(memory.MethodMetadata) + `'
		CROSS JOIN mg_entities e ON e.id = r.head_id AND e.kind = 'memory' AND e.merged_into IS NULL
		WHERE (` + strings.Join(has, ` OR `) + `) GROUP BY r.head_id ORDER BY count(*) DESC, r.head_id DESC LIMIT ?`,
		append(args, k)
}

// indexedName returns a name or description as the text index of entities stores it: folded words, not stemmed because
// prefix search needs them unstemmed, and single characters for scripts without spaces.
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

// matchNames writes words in FTS5's query language, or "" if the words hold nothing to search for. Each word matches
// whole or as a prefix, and the words are joined by OR. Quotes protect against query syntax in the words. Parts of one
// word (main.go) form a phrase. Characters of scripts without spaces are searched in pairs.
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
