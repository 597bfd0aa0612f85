package e2e_test

import (
	"fmt"
	"testing"
	"time"
)

// Killed while notes that are alike are stored and linked: afterwards every note is linked as if nothing had happened,
// each pair once in each direction, and none with more than five.
func TestKill_WhileNotesAreLinked(t *testing.T) {
	t.Parallel()
	rnd := random(t)
	db := newDB(t)
	notes := 0
	linking := 0
	for range count(6, 40) {
		h := start(t, db)
		for range 3 {
			if _, err := h.call("create_entity", arguments{"name": fmt.Sprintf("Violin lesson %d", notes), "type": "concept",
				"kind":        "memory",
				"description": "My daughter plays the violin at the music school on Tuesdays"}); err != nil {
				t.Fatal(err)
			}
			notes++
		}
		killWithin(rnd, 120*time.Millisecond, h.kill)
		if peek(t, db, `SELECT count(*) FROM mg_jobs WHERE kind = 'link'`) > 0 {
			linking++
		}
	}
	h := start(t, db)
	h.settled()
	h.stop()
	t.Logf("%d notes; %d of %d kills with notes to be linked", notes, linking, count(6, 40))
	for what, sql := range map[string]string{
		"links in one direction only": `SELECT count(*) FROM mg_relationships r WHERE r.relation = 'similar_to' AND r.valid_until IS NULL AND NOT EXISTS
			(SELECT 1 FROM mg_relationships b WHERE b.head_id = r.tail_id AND b.tail_id = r.head_id AND b.relation = 'similar_to' AND b.valid_until IS NULL)`,
		"notes with more than five":  `SELECT count(*) FROM (SELECT head_id FROM mg_relationships WHERE relation = 'similar_to' AND valid_until IS NULL GROUP BY head_id HAVING count(*) > 5)`,
		"pairs that are there twice": `SELECT count(*) FROM (SELECT 1 FROM mg_relationships WHERE relation = 'similar_to' AND valid_until IS NULL GROUP BY head_id, tail_id HAVING count(*) > 1)`,
		"jobs that are open":         `SELECT count(*) FROM mg_jobs`,
		// All are alike, and each has five places; the last few may find only partners that have none left.
		"notes too many without links": `SELECT max(0, (SELECT count(*) FROM mg_entities e WHERE e.kind = 'memory' AND NOT EXISTS
			(SELECT 1 FROM mg_relationships r WHERE r.head_id = e.id AND r.relation = 'similar_to' AND r.valid_until IS NULL)) - 5)`,
	} {
		if n := peek(t, db, sql); n != 0 {
			t.Errorf("%d %s", n, what)
		}
	}
	checkFile(t, db)
}
