package store

import "context"

// Remains is what can still be read of a damaged file.
type Remains struct {
	Episodes, Namespaces, Entities, Relationships int64 // -1 if the count cannot be read
	// root page → "table" or "index", as far as the schema is readable
	Roots map[int64]string
}

// ReadDamaged reads what it can from a file that Open may refuse. It reads tables only, because indexes break most
// often. It does not change the file.
func ReadDamaged(ctx context.Context, path string) Remains {
	r := Remains{-1, -1, -1, -1, map[int64]string{}}
	c, err := dialPlain(path)
	if err != nil {
		return r
	}
	defer func() { _ = c.close() }() // nothing was written
	c.setInterrupt(ctx)
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
		eachRow(ctx, c, q.sql, func(row cursor) { *q.into = row.int64(0) })
	}
	eachRow(ctx, c, `SELECT rootpage, type FROM sqlite_schema WHERE rootpage > 0`, func(row cursor) {
		r.Roots[row.int64(0)] = row.text(1)
	})
	return r
}

// eachRow visits the rows that can be read. It stops at the first damaged one, and the rows after that stay unread.
func eachRow(ctx context.Context, c *conn, sql string, visit func(cursor)) {
	_ = c.query(ctx, sql, func(row cursor) error { visit(row); return nil })
}
