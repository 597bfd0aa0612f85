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
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	var plan []string
	err = s.readers.with(t.Context(), func(c *conn) error {
		return c.query(t.Context(), "EXPLAIN QUERY PLAN "+withheldQuery, func(row cursor) error {
			plan = append(plan, row.text(3))
			return nil
		}, "[1]", "[1]", "default")
	})
	if err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(plan, "\n"); !strings.Contains(all, "mg_mentions_held") {
		t.Errorf("the plan does not use mg_mentions_held:\n%s", all)
	}
}
