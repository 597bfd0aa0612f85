package store

import (
	"path/filepath"
	"strings"
	"testing"
)

// A parameter for LIMIT must not cost a new plan for every run.
func TestConn_KeepsAPreparedStatementWhateverItsLimit(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	for _, p := range []*pool{s.writer, s.readers} {
		err := p.with(t.Context(), func(c *conn) error {
			const sql = `SELECT id FROM mg_relationships WHERE head_id = ? AND valid_until IS NULL ORDER BY confidence DESC LIMIT
				?`
			for limit := range 5 {
				if err := c.query(t.Context(), sql, func(cursor) error { return nil }, limit, 10+limit); err != nil {
					return err
				}
			}
			if n := c.prepares(sql); n != 0 {
				t.Errorf("prepared again %d times", n)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A hub has very many mentions, and this query runs before every context block.
func TestConn_AsksWhatIsHeldThroughItsOwnIndex(t *testing.T) {
	t.Parallel()
	if plan := planOf(t, withheldQuery, "[1]", "[1]", "default"); !strings.Contains(plan, "mg_mentions_held") {
		t.Errorf("the plan does not use mg_mentions_held:\n%s", plan)
	}
}

// This query runs before every turn that is stored, and must not become slower with their number.
func TestConn_LooksForATurnThatCameBothWaysAmongTheNewest(t *testing.T) {
	t.Parallel()
	for _, hooked := range []bool{false, true} {
		plan := planOf(t, twiceQuery(hooked), newestTurns, "default", "user", []byte("hash"))
		if !strings.Contains(plan, "INTEGER PRIMARY KEY (rowid>?)") {
			t.Errorf("hooked %v: the plan reads more than the newest episodes:\n%s", hooked, plan)
		}
	}
}

// planOf returns SQLite's plan of a query on a new file.
func planOf(t *testing.T, sql string, args ...any) string {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	var plan []string
	err = s.readers.with(t.Context(), func(c *conn) error {
		return c.query(t.Context(), "EXPLAIN QUERY PLAN "+sql, func(row cursor) error {
			plan = append(plan, row.text(3))
			return nil
		}, args...)
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(plan, "\n")
}
