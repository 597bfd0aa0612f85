package vault_test

import (
	"strings"
	"testing"

	"memory-graph/internal/memory"
)

const (
	ownFields  = "tags:\n    - boat\n    - harbour\ncssclasses: [wide]\n"
	ownSection = "## Notes\n\nCall her.  \nOn Monday. [[Any]] #tag\n\n" +
		"```sh\n## Facts\n- owns [[Moon]]\n\n\n```\n\n### Later\n\n" +
		"- [ ] bees\n"
)

func TestOwnFieldsAndSections_StayInThePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.people()
	w.export()
	w.edit(ann, "origin:", ownFields+"origin:")
	w.edit(ann, "## Facts", ownSection+"\n## Facts")
	r := w.read()
	if len(r.Changes)+len(r.Problems) > 0 {
		t.Fatalf("%v %v", outcomes(r), r.Problems)
	}
	w.apply(r)
	for range 2 {
		w.export()
		page := w.files()[ann]
		if !strings.Contains(page, ownFields+"---\n") || !strings.HasSuffix(page, "\n\n"+ownSection) {
			t.Fatal(page)
		}
		w.fact(memory.RelationDraft{Head: "Ann", Relation: "likes", Tail: "Tea"}) // the page is written again
	}
	w.edit(ann, "- boat", "- ship")
	w.edit(ann, "Call her.  ", "Write to her.")
	w.edit(ann, "Keeps bees.", "Keeps goats.")
	w.apply(w.read())
	w.export()
	if page := w.files()[ann]; !strings.Contains(page, "- ship\n") || !strings.Contains(page, "\nWrite to her.\n") ||
		!strings.Contains(page, "Keeps goats.") || strings.Contains(page, "boat") {
		t.Error(page)
	}
}

func TestOwnSections_SurviveTheirEntity(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.people()
	w.export()
	w.edit(ann, "## Facts", "## Notes\n\nOf Ann.\n\n## Facts")
	w.edit("Entities/Robert.md", "## Facts", "## Notes\n\nOf Robert.\n\n## Facts")
	w.apply(w.read())
	w.export()
	if err := w.s.RetractEntity(t.Context(), "n", memory.ID{Kind: memory.KindEntity, Num: 1}, human); err != nil {
		t.Fatal(err)
	}
	w.edit("Entities/Bob.md", "confidence:", "merge: \"[[Robert]]\"\nconfidence:")
	w.apply(w.read())
	for range 2 {
		r := w.export()
		files := w.files()
		if !strings.Contains(files[ann], "Of Ann.") || len(r.Left) != 1 || r.Left[0] != ann {
			t.Errorf("%v %v", r.Left, files[ann])
		}
		if !strings.HasSuffix(files["Entities/Bob.md"], "## Notes\n\nOf Robert.\n") || files["Entities/Robert.md"] != "" {
			t.Error(files)
		}
	}
	if r := w.read(); len(r.Changes)+len(r.Problems) > 0 {
		t.Errorf("%v %v", outcomes(r), r.Problems)
	}
}
