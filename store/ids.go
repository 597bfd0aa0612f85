package store

// freshID writes the next id of a table: behind the last one that there is and the last one that there was. SQLite
// alone would give the id of what was forgotten to the next thing that is stored, and an id in an old conversation
// would mean something else. Triggers keep the ids of rows that go.
func freshID(table string) string {
	return `(SELECT max(coalesce((SELECT max(id) FROM ` + table + `), 0),
		coalesce((SELECT CAST(value AS INTEGER) FROM mg_metadata WHERE key = 'last_id.` + table + `'), 0)) + 1)`
}
