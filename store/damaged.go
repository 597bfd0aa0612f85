package store

import (
	"context"
	"errors"

	"github.com/ncruces/go-sqlite3"
)

// Damaged says whether an error is SQLite's word that a page of the file makes no sense.
func Damaged(err error) bool { return errors.Is(err, sqlite3.CORRUPT) }

// Remains is what can still be read of a damaged file.
type Remains struct {
	Episodes, Namespaces, Entities, Relationships int64 // -1 where it cannot be counted
	// root page → "table" or "index", as far as the schema is readable
	Roots map[int64]string
}

// ReadDamaged looks at a file that Open may refuse: from the tables alone, since indexes are what most often breaks,
// and as far as each goes. It changes nothing.
func ReadDamaged(ctx context.Context, path string) Remains {
	r := Remains{-1, -1, -1, -1, map[int64]string{}}
	c, err := sqlite3.OpenFlags(path, sqlite3.OPEN_READONLY)
	if err != nil {
		return r
	}
	defer c.Close() // it only read
	c.SetInterrupt(ctx)
	for _, q := range []struct {
		into *int64
		sql  string
	}{
		{&r.Episodes, `SELECT count(*) FROM mg_episodes NOT INDEXED WHERE id IS NOT NULL`},
		{&r.Namespaces, `SELECT count(DISTINCT namespace) FROM mg_episodes NOT INDEXED`},
		{&r.Entities,
			`SELECT count(*) FROM mg_entities NOT INDEXED WHERE kind IN ('entity', 'memory') AND merged_into IS NULL`},
		{&r.Relationships, `SELECT count(*) FROM mg_relationships NOT INDEXED WHERE valid_until IS NULL`},
	} {
		eachRow(c, q.sql, func(s *sqlite3.Stmt) { *q.into = s.ColumnInt64(0) })
	}
	eachRow(c, `SELECT rootpage, type FROM sqlite_schema WHERE rootpage > 0`, func(s *sqlite3.Stmt) {
		r.Roots[s.ColumnInt64(0)] = s.ColumnText(1)
	})
	return r
}

// eachRow gives the rows that can be read; where the damage ends them, the rest stays unknown.
func eachRow(c *sqlite3.Conn, sql string, row func(*sqlite3.Stmt)) {
	s, _, err := c.Prepare(sql)
	if err != nil {
		return
	}
	for s.Step() {
		row(s)
	}
	_ = s.Close() // repeats the error of Step
}
