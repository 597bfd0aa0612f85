package vault_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/internal/transfer/vault"
	"memory-graph/store"
)

// TestVault_OfManyEntities makes ten kinds of edits in a vault and logs what became of each, with the seconds of each
// step. MEMORY_GRAPH_VAULT_ENTITIES=10000 is the size of docs/benchmarks.md.
func TestVault_OfManyEntities(t *testing.T) {
	t.Parallel()
	size, err := strconv.Atoi(os.Getenv("MEMORY_GRAPH_VAULT_ENTITIES"))
	if err != nil {
		size = 400
	}
	w := newWorld(t)
	w.fill(size)
	step := func(name string, do func() string) {
		start := time.Now()
		told := do()
		t.Logf("%-16s %6.2f s  %s", name, time.Since(start).Seconds(), told)
	}
	step("export", func() string { return fmt.Sprintf("%+v", w.export()) })
	step("export again", func() string { return fmt.Sprintf("%+v", w.export()) })
	each := max(1, size/1000)
	made := w.manyEdits(size, each)
	var r *vault.Reading
	step("read", func() string {
		r = w.read()
		return fmt.Sprintf("%d pages, %d edited, %d changes, %d problems", r.Pages, r.Edited, len(r.Changes),
			len(r.Problems))
	})
	step("import", func() string { w.apply(r); return "" })
	became := map[vault.Kind]map[vault.State]int{}
	for _, c := range r.Changes {
		if became[c.Kind] == nil {
			became[c.Kind] = map[vault.State]int{}
		}
		became[c.Kind][c.State]++
		if c.State != vault.Applied {
			t.Errorf("%s: %s %s", c, c.State, c.Why)
		}
	}
	for _, edit := range made {
		t.Logf("%-36s %4d → %s %v", edit.name, each, edit.kind, became[edit.kind])
		if n := became[edit.kind][vault.Applied]; n < each {
			t.Errorf("%s: %d of %d edits became %s", edit.name, n, each, edit.kind)
		}
	}
	if len(r.Problems) > 0 {
		t.Errorf("%v", r.Problems)
	}
	var last vault.ExportReport
	step("export after", func() string { last = w.export(); return fmt.Sprintf("%+v", last) })
	if last.Written > 20*len(made)*each || last.Unchanged < size/2 {
		t.Errorf("the last export wrote %d pages and left %d", last.Written, last.Unchanged)
	}
	step("import again", func() string {
		r := w.read()
		if len(r.Changes)+len(r.Problems)+r.Edited > 0 {
			t.Errorf("changes after an export: %v %v", r.Changes, r.Problems)
		}
		return fmt.Sprintf("%d changes", len(r.Changes))
	})
	step("undo", func() string {
		if _, err := w.s.Undo(t.Context(), "n", "the-call", human); err != nil {
			t.Error(err)
		}
		return ""
	})
}

// fill makes a graph: every entity has a note, and three facts about others.
func (w *world) fill(size int) {
	w.Helper()
	w.at = now.AddDate(0, 0, -1)
	defer func() { w.at = now }()
	o := store.ReferenceCall{Action: "import", Source: "test", Origin: memory.OriginUser}
	var list []memory.ReferenceEntity
	for i := range size {
		list = append(list, memory.ReferenceEntity{Name: person(i), Type: "member", Observations: []string{
			fmt.Sprintf("Rows in boat %d.", i%7)}})
	}
	var relations []memory.ReferenceRelation
	for i := range size {
		for at, verb := range []string{"knows", "helps", "rows_with"} {
			relations = append(relations, memory.ReferenceRelation{From: person(i), To: person((i*7 + at*13 + 1) % size),
				Type: verb})
		}
	}
	for part := range slices.Chunk(list, 500) {
		if _, err := w.w.CreateReferenceEntities(w.Context(), scope, part, o, human); err != nil {
			w.Fatal(err)
		}
	}
	for part := range slices.Chunk(relations, 500) {
		if _, err := w.w.Relate(w.Context(), scope, part, o, human); err != nil {
			w.Fatal(err)
		}
	}
}

func person(i int) string { return fmt.Sprintf("Member %d", i) }

type madeEdit struct {
	name string
	kind vault.Kind
}

// manyEdits makes ten kinds of edits on so many pages each.
func (w *world) manyEdits(size, each int) []madeEdit {
	page := func(i int) string { return "Entities/" + person(i) + ".md" }
	line := func(i int, verb string) string {
		for l := range strings.Lines(w.page(page(i))) {
			if strings.HasPrefix(l, "- "+verb+" ") {
				return l
			}
		}
		w.Fatalf("page %d has no %s", i, verb)
		return ""
	}
	kinds := []struct {
		madeEdit
		do func(i int)
	}{
		{madeEdit{"renamed (title)", vault.Renamed}, func(i int) {
			w.edit1(page(i), `title: "`+person(i)+`"`, fmt.Sprintf("title: Rower %d", i))
		}},
		{madeEdit{"changed type", vault.TypeChanged}, func(i int) { w.edit1(page(i), `type: "member"`, "type: captain") }},
		{madeEdit{"removed fact line", vault.FactRemoved}, func(i int) { w.edit1(page(i), line(i, "knows"), "") }},
		{madeEdit{"added fact line", vault.FactAdded}, func(i int) {
			w.edit1(page(i), "## Facts\n", "## Facts\n\n- likes [["+person(i/2)+"]] (since 2025)")
		}},
		{madeEdit{"fact line moved to the ended ones", vault.FactEnded}, func(i int) {
			l := line(i, "helps")
			w.edit1(page(i), l, "")
			w.edit1(page(i), "## Observations", "## Ended facts\n\n"+l+"\n## Observations")
		}},
		{madeEdit{"changed dates", vault.FactRedated}, func(i int) {
			w.edit1(page(i), "(since 2026-05-31)", "(since 2024)")
		}},
		{madeEdit{"edited description", vault.DescriptionChanged}, func(i int) {
			w.edit1(page(i), "\n## Facts", "\nA rower of note.\n\n## Facts")
		}},
		{madeEdit{"removed page", vault.EntityRemoved}, func(i int) { w.drop(page(i)) }},
		{madeEdit{"new page", vault.EntityAdded}, func(i int) {
			w.write(fmt.Sprintf("Entities/Guest %d.md", i), "---\ntype: person\n---\n\nA guest.\n")
		}},
		{madeEdit{"merged pages", vault.Merged}, func(i int) {
			w.drop(page(i))
			w.edit1(page(size-1-i), "confidence:", "aliases: ["+person(i)+"]\nconfidence:")
		}},
	}
	var out []madeEdit
	for at, k := range kinds {
		for n := range each {
			k.do(at*size/20 + n)
		}
		out = append(out, k.madeEdit)
	}
	return out
}

// page returns a file of the vault.
func (w *world) page(file string) string {
	w.Helper()
	text, err := os.ReadFile(w.dir + "/" + file)
	if err != nil {
		w.Fatal(err)
	}
	return string(text)
}

// edit1 is edit, and reads only this file.
func (w *world) edit1(file, old, by string) {
	w.Helper()
	text := w.page(file)
	if !strings.Contains(text, old) {
		w.Fatalf("%s has no %q:\n%s", file, old, text)
	}
	w.write(file, strings.Replace(text, old, by, 1))
}
