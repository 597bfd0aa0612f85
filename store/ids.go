package store

// freshID returns SQL for the next id of a table, above all ids that exist or ever existed. SQLite would reuse the id
// of a forgotten row for the next stored one, and an id in an old conversation would then mean something else. Triggers
// record the ids of deleted rows.
func freshID(table string) string {
	return `(SELECT max(coalesce((SELECT max(id) FROM ` + table + `), 0),
		coalesce((SELECT CAST(value AS INTEGER) FROM mg_metadata WHERE key = 'last_id.` + table + `'), 0)) + 1)`
}
