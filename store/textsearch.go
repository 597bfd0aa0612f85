package store

import (
	"context"
	"strings"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// textRank is BM25 over content and speaker with equal weights; scope is only a filter and has no weight.
// https://sqlite.org/fts5.html#the_bm25_function
const textRank = `bm25(mg_episodes_fts, 1.0, 1.0, 0.0)`

// SearchText returns the k best matches of any of the query's terms among the filter's episodes, best first, ties by
// id. Score is the negated BM25: higher is better. Scores are comparable only within one answer.
func (s *Store) SearchText(ctx context.Context, q text.Query, f memory.Filter, k int) ([]memory.Hit, error) {
	hits := []memory.Hit{}
	if len(q.Terms) == 0 || k <= 0 {
		return hits, nil
	}
	collect := func(s cursor) error {
		hits = append(hits, memory.Hit{ID: s.int64(0), Score: -s.float(1)})
		return nil
	}
	err := s.read(ctx, "search text", func(c *conn) error {
		alone, err := onlyNamespace(ctx, c, f.Namespace)
		if err != nil {
			return err
		}
		w := new(where)
		w.times(f)
		if f.Unassigned { // an episode without a project has no project token to match
			w.project(f)
		}
		match := matchExpression(q, f, alone)
		if w.sql.Len() == 0 {
			return c.query(ctx, `SELECT rowid, `+textRank+
				` AS score FROM mg_episodes_fts WHERE mg_episodes_fts MATCH ? ORDER BY score, rowid LIMIT ?`,
				collect, match, k)
		}
		return c.query(ctx, `SELECT f.rowid,
			`+textRank+` AS score FROM mg_episodes_fts f CROSS JOIN mg_episodes e ON e.id =
			f.rowid
			WHERE mg_episodes_fts MATCH ? AND `+w.sql.String()+` ORDER BY score, f.rowid LIMIT ?`,
			collect, append(append([]any{match}, w.args...), k)...)
	})
	if err != nil {
		return nil, err
	}
	return hits, nil
}

// onlyNamespace reports whether the file has no other namespace, with two seeks in an index. The filter on the
// namespace can then be left out, because its token would be in every row.
func onlyNamespace(ctx context.Context, c *conn, namespace string) (bool, error) {
	n, _, err := c.int64(ctx,
		`SELECT (SELECT min(namespace) FROM mg_episodes) = ?1 AND (SELECT max(namespace) FROM mg_episodes) = ?1`, namespace)
	return n == 1, err
}

// matchExpression writes the query in FTS5's language: the filter's exact values in the scope column, then the quoted
// terms joined by OR. Quotes keep any word from being read as syntax.
func matchExpression(q text.Query, f memory.Filter, alone bool) string {
	var b strings.Builder
	scope := func(kind byte, values ...string) {
		b.WriteString("scope : (")
		for i, v := range values {
			if i > 0 {
				b.WriteString(" OR ")
			}
			b.WriteString(quote(text.ScopeToken(kind, v)))
		}
		b.WriteString(") AND ")
	}
	if !alone {
		scope(scopeNamespace, f.Namespace)
	}
	if f.Project != "" && !f.Unassigned {
		scope(scopeProject, f.Project)
	}
	if f.User != "" {
		scope(scopeUser, f.User)
	}
	if f.SessionID != "" {
		scope(scopeSession, f.SessionID)
	}
	if len(f.Roles) > 0 {
		roles := make([]string, len(f.Roles))
		for i, r := range f.Roles {
			roles[i] = string(r)
		}
		scope(scopeRole, roles...)
	}
	b.WriteString("{content speaker} : (")
	for i, t := range q.Terms {
		if i > 0 {
			b.WriteString(" OR ")
		}
		b.WriteString(quote(strings.Join(t.Words, " ")))
	}
	b.WriteByte(')')
	return b.String()
}

var quoter = strings.NewReplacer(`"`, `""`, "\x00", " ") // a NUL would end the query inside its quotes

// quote returns s as a string of FTS5's query language.
func quote(s string) string { return `"` + quoter.Replace(s) + `"` }
