package vault_test

import (
	"strings"
	"testing"

	"memory-graph/internal/memory"
)

func TestExport_HasEveryEndedFactThatHeld(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact(memory.RelationDraft{Head: "Cid", Relation: "works_at", Tail: "Initech", ValidUntil: date("2024-03-15"),
		Ended: true})
	w.fact(memory.RelationDraft{Head: "Cid", Relation: "lives_in", Tail: "York", Ended: true})
	never := w.fact(memory.RelationDraft{Head: "Cid", Relation: "likes", Tail: "Tea", Ended: true})
	if err := w.s.RetractRelation(t.Context(), "n", never, human); err != nil {
		t.Fatal(err)
	}
	w.export()
	page := w.files()["Entities/Cid.md"]
	for _, line := range []string{"- works_at [[Initech]] (until 2024-03-15)", "- lives_in [[York]] (until 2026-06-01)"} {
		if !strings.Contains(page, line) {
			t.Errorf("the page has no %q:\n%s", line, page)
		}
	}
	if strings.Contains(page, "Tea") {
		t.Errorf("the page has a fact that never held:\n%s", page)
	}
}

func TestExport_HasNoDuplicateOfAMerge(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, head := range []string{"Rob", "Robert"} {
		w.fact(memory.RelationDraft{Head: head, Relation: "works_at", Tail: "Acme", ValidFrom: date("2020-01-01")})
	}
	if _, err := w.s.MergeEntities(t.Context(), "n", "Rob", "Robert", human); err != nil {
		t.Fatal(err)
	}
	w.export()
	if page := w.files()["Entities/Rob.md"]; strings.Count(page, "[[Acme]]") != 1 {
		t.Error(page)
	}
}
