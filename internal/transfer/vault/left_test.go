package vault_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/internal/transfer/vault"
)

func TestExport_LeavesOnlyThePagesOfWhichSomethingWasLeftOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.people()
	w.export()
	name := "Anna"
	if _, _, err := w.w.UpdateEntity(t.Context(), scope, memory.EntityChange{Entity: "Ann", Name: &name},
		human); err != nil {
		t.Fatal(err)
	}
	session := "Sessions/2026-06-01 s.md"
	w.edit(ann, `"Ann"`, "Annette")                               // a conflict
	w.edit("Entities/Bob.md", "confidence: 1", "confidence: big") // not read
	w.edit("Entities/Bob.md", "# Bob\n", "# Bob\n\n## Notes\n\nMine.\n")
	w.edit(session, "\n## ", "\nmine\n\n## ")
	edited := w.files()
	if _, err := w.tryExport(false); err == nil {
		t.Error("an export passes over edits that no import has seen")
	}
	w.apply(w.read())
	w.fact(memory.RelationDraft{Head: "Acme", Relation: "owns", Tail: "Globex", ValidFrom: date("2020-01-01")})
	for range 2 {
		r := w.export()
		if diff := cmp.Diff([]string{ann, "Entities/Bob.md", session}, r.Left); diff != "" {
			t.Error(diff)
		}
		for _, file := range r.Left {
			if diff := cmp.Diff(edited[file], w.files()[file]); diff != "" {
				t.Errorf("%s: %s", file, diff)
			}
		}
	}
	if !strings.Contains(w.files()["Entities/Acme.md"], "owns [[Globex]]") {
		t.Error("the other pages are not written")
	}
	w.edit("Entities/Bob.md", "confidence: big", "confidence: 0.5")
	if _, err := w.tryExport(false); err == nil {
		t.Error("an export passes over edits of a page that it left once")
	}
	if r, err := vault.Export(t.Context(), w.s, w.dir, vault.ExportOptions{Namespace: "n", Now: now,
		Overwrite: []string{ann, "Entities/Bob.md", session}}); err != nil || len(r.Left) > 0 {
		t.Errorf("%v %v", err, r.Left)
	}
	files := w.files()
	if files["Entities/Anna.md"] == "" || files[ann] != "" || strings.Contains(files[session], "mine") ||
		!strings.HasSuffix(files["Entities/Bob.md"], "\n\n## Notes\n\nMine.\n") {
		t.Error(files)
	}
}

func TestRead_RemovesNoPageBehindALink(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.people()
	w.export()
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.Rename(filepath.Join(w.dir, "Entities"), outside); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(w.dir, "Entities")); err != nil {
		t.Skip(err)
	}
	r := w.read()
	if len(r.Changes) > 0 || len(r.Problems) != 1 || r.Problems[0].File != "Entities" {
		t.Errorf("%v %v", outcomes(r), r.Problems)
	}
	if _, err := w.tryExport(false); err == nil || !strings.Contains(err.Error(), "Entities is a link") {
		t.Error(err)
	}
}

func TestRead_RemovesNoPageThatHasAnotherId(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.people()
	w.export()
	w.write(ann, w.page("Entities/Bob.md"))
	r := w.read()
	if len(r.Changes) > 0 || len(r.Problems) != 1 {
		t.Errorf("%v %v", outcomes(r), r.Problems)
	}
	w.apply(r)
	if r := w.export(); len(r.Left) != 1 {
		t.Errorf("%+v", r)
	}
}

func TestExport_KnowsItsPagesWithoutTheManifest(t *testing.T) {
	t.Parallel()
	manifest := ".memory-graph/manifest.jsonl"
	for name, lose := range map[string]func(w *world, text string){
		"removed":          func(w *world, _ string) { w.drop(manifest) },
		"empty":            func(w *world, _ string) { w.write(manifest, "") },
		"cut off":          func(w *world, text string) { w.write(manifest, text[:len(text)/2]) },
		"cut off at a row": func(w *world, text string) { w.write(manifest, strings.SplitAfter(text, "\n")[0]) },
	} {
		w := newWorld(t)
		w.people()
		w.export()
		w.edit(ann, "## Facts", "## Notes\n\nMine.\n\n## Facts")
		before := w.files()
		lose(w, w.page(manifest))
		if _, err := w.tryExport(false); err == nil {
			t.Errorf("%s: the export wrote %d pages", name, len(w.files()))
		}
		if diff := cmp.Diff(before, w.files()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		_ = os.Remove(filepath.Join(w.dir, manifest))
		if _, err := w.tryExport(true); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		after := w.files()
		if !strings.HasSuffix(after[ann], "\n\n## Notes\n\nMine.\n") {
			t.Errorf("%s: the note is lost: %s", name, after[ann])
		}
		delete(before, ann)
		delete(after, ann)
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestUndo_BringsTheEditsBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.people()
	w.export()
	w.edit(ann, "Keeps bees.", "Keeps goats.")
	w.write("Entities/Carol.md", "---\ntype: person\n---\n# Carol\n")
	w.drop("Entities/Robert.md")
	w.edit("Entities/Bob.md", "confidence:", "aliases: [Robert]\nconfidence:")
	first := w.read()
	by := w.apply(first)
	edited := w.files()
	if r := w.read(); len(r.Changes) > 0 {
		t.Errorf("%v", outcomes(r))
	}
	if _, err := w.s.Undo(t.Context(), "n", by.CallID, human); err != nil {
		t.Fatal(err)
	}
	if _, err := w.tryExport(false); err == nil {
		t.Error("an export overwrites edits whose import was undone")
	}
	if diff := cmp.Diff(edited, w.files()); diff != "" {
		t.Error(diff)
	}
	want := []string{"add Carol as a new entity of type person: open",
		`Ann: change the description from "Keeps bees." to "Keeps goats.": open`, "merge Robert into Bob: open"}
	if diff := cmp.Diff(want, outcomes(w.read())); diff != "" {
		t.Error(diff)
	}
}

func TestRead_TakesNothingFromAFileThatCannotBeRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.people()
	w.export()
	w.edit(ann, "---\n", "")
	w.edit("Entities/Bob.md", "\n---\n", "\n")
	w.write("Entities/Acme.md", "# Caf\xe9\n")
	w.write("Entities/New.md", "# Caf\xe9\n")
	w.edit("Entities/Robert.md", "(since 2022-01-01)", "(since 2027-01-01, until 2026-01-01)")
	r := w.read()
	if len(r.Changes) > 0 || len(r.Problems) != 5 {
		t.Errorf("%v %v", outcomes(r), r.Problems)
	}
}

func TestLinks_ShowNamesThatFilesCannotHave(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact(memory.RelationDraft{Head: "Ann", Relation: "uses", Tail: "TCP/IP", ValidFrom: date("2020-01-01")})
	w.fact(memory.RelationDraft{Head: "Ann", Relation: "knows", Tail: "%%x%%", ValidFrom: date("2020-01-01")})
	w.export()
	files := w.files()
	for file, text := range map[string]string{ann: "- uses [[TCP-IP|TCP/IP]] (since",
		"Memory index.md": "- [[TCP-IP|TCP/IP]]\n"} {
		if !strings.Contains(files[file], text) {
			t.Errorf("%s: %s", file, files[file])
		}
	}
	if !strings.Contains(files[ann], "- knows [[--x--]] (since") {
		t.Error(files[ann])
	}
	w.edit(ann, "# Ann\n", "# Ann\n\nReads.\n")
	if r := w.read(); len(r.Changes) != 1 || len(r.Problems) > 0 {
		t.Errorf("%v %v", outcomes(r), r.Problems)
	}
}
