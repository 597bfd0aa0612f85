package store_test

import (
	"strings"
	"testing"
	"time"

	"memory-graph/internal/memory"
)

// Shortened histories on which the store and the model once disagreed. The ids are those of the model: the cast has the
// entities 1 to 6.
func TestFacts_AgreeWithTheModelOnKnownHistories(t *testing.T) {
	t.Parallel()
	file := newPlayground(t)
	date := func(s string) time.Time {
		at, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	fact := func(kind string, head int64, relation string, tail int64) call {
		return call{kind: kind, after: time.Minute, head: head, relation: relation, tail: tail, byName: true,
			origin: memory.OriginUser, method: memory.MethodSupplied}
	}
	with := func(c call, change func(*call)) call {
		change(&c)
		return c
	}
	merge := func(into, from int64) call { return call{kind: "merge", after: time.Minute, head: into, tail: from} }
	unmerge := func(id int64) call { return call{kind: "unmerge", after: time.Minute, head: id, tail: 1} }
	undo := func(back int) call { return call{kind: "undo", after: time.Minute, head: 1, tail: 2, undo: back} }
	newest := with(undo(1), func(c *call) { c.latest = true })
	ended := with(fact("end", 1, "uses", 5), func(c *call) { c.ended, c.end = true, date("2025-06-01") })
	for name, calls := range map[string][]call{
		"unmerge after a second merge took away the other end": {
			with(fact("create", 6, "works_at", 4), func(c *call) { c.from = date("2026-06-26") }),
			with(fact("schedule", 1, "employs", 6), func(c *call) {
				c.origin, c.end = memory.OriginAssistant, date("2026-08-27")
			}),
			merge(1, 4), merge(1, 6), unmerge(4), unmerge(6), unmerge(4)},
		"a fact shows an entity by the name that it gives": {merge(2, 5),
			{kind: "observe", after: time.Minute, head: 4, tail: 2, typ: "service", origin: memory.OriginAgent},
			with(fact("create", 6, "dislikes", 2), func(c *call) { c.origin = memory.OriginAgent })},
		"undo of a past fact with an unknown beginning": {ended, newest, newest, undo(1), undo(1)},
		"a past fact is told again after its undo":      {ended, newest, ended, newest, newest},
		"undo goes on to the older call": {fact("create", 1, "works_at", 3), ended, newest, newest,
			undo(1), fact("create", 1, "works_at", 4)},
	} {
		t.Run(name, func(t *testing.T) {
			h := file.history(t)
			for _, c := range calls {
				if err := h.play(c); err != nil {
					t.Fatalf("%v\nafter\n  %s", err, strings.Join(h.log, "\n  "))
				}
			}
			for seed := range uint64(8) {
				if err := h.verify(seed); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
