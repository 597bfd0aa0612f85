package vault_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/internal/transfer/vault"
	"memory-graph/store"
)

// outcomes returns the changes with their states.
func outcomes(r *vault.Reading) []string {
	var out []string
	for _, c := range r.Changes {
		out = append(out, c.String()+": "+string(c.State))
	}
	return out
}

func TestRead_KeepsWhatTheMemoryChangedSince(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.people()
	w.export()
	name, until := "Anna", date("2025-01-01")
	if _, _, err := w.w.UpdateEntity(t.Context(), scope, memory.EntityChange{Entity: "Ann", Name: &name},
		human); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.w.UpdateRelation(t.Context(), "n", memory.RelationChange{ID: 2, ValidUntil: &until},
		human); err != nil {
		t.Fatal(err)
	}
	typ := "company"
	if _, _, err := w.w.UpdateEntity(t.Context(), scope, memory.EntityChange{Entity: "Acme", Type: &typ},
		human); err != nil {
		t.Fatal(err)
	}
	w.fact(memory.RelationDraft{Head: "Robert", Relation: "likes", Tail: "Globex"})
	w.edit(ann, `"Ann"`, "Annette")
	w.edit(ann, "since 2024-03-01", "since 2023")
	w.edit(ann, "Keeps bees.", "Keeps goats.")
	w.edit("Entities/Acme.md", `"organization"`, "company")
	w.drop("Entities/Robert.md")
	r := w.read()
	if diff := cmp.Diff([]string{
		"rename Ann to Annette: conflict",
		"Acme: change the type from organization to company: already_so",
		`Ann: change the description from "Keeps bees." to "Keeps goats.": open`,
		"Ann: change the dates of works_at Acme (since 2024-03-01) to works_at Acme (since 2023): conflict",
		"remove Robert, and end its facts: conflict"}, outcomes(r)); diff != "" {
		t.Error(diff)
	}
	w.apply(r)
	left := w.files()[ann]
	if r := w.export(); len(r.Left) != 1 || w.files()[ann] != left || w.files()["Entities/Robert.md"] == "" {
		t.Errorf("an export writes over what was left out: %v", r.Left)
	}
	if _, err := w.tryExport(true); err != nil {
		t.Error(err)
	}
	text := w.files()["Entities/Anna.md"]
	if !strings.Contains(text, "Keeps goats.") || !strings.Contains(text, "(since 2024-03-01, until 2025-01-01)") {
		t.Error(text)
	}
}

func TestLimit_LeavesWhatIsTrustedMore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.people()
	tool := memory.Caller{Actor: "import"}
	if _, err := w.w.CreateEntity(t.Context(), scope, memory.EntityDraft{Name: "Widget", Type: "tool"}, tool); err != nil {
		t.Fatal(err)
	}
	w.export()
	w.edit(ann, `"Ann"`, "Annette")
	w.cut(ann, worksAt)
	w.edit(ann, "## Facts\n", "## Facts\n- knows [[Robert]]\n")
	w.edit("Entities/Widget.md", `"tool"`, "gadget")
	w.drop("Entities/Robert.md")
	r := w.read()
	r.Limit(memory.OriginTool)
	if diff := cmp.Diff([]string{
		"rename Ann to Annette: needs_a_person",
		"Widget: change the type from tool to gadget: open",
		"Ann: remove the fact works_at Acme (since 2024-03-01), as if it never held: needs_a_person",
		"Ann: add the fact knows Robert: open",
		"remove Robert, and end its facts: needs_a_person"}, outcomes(r)); diff != "" {
		t.Error(diff)
	}
	if err := r.Apply(t.Context(), w.s, w.w, scope, tool); err != nil {
		t.Fatal(err)
	}
	added, err := w.s.Relationships(t.Context(), "n", []int64{5}, memory.AsOf{})
	if err != nil || len(added) != 1 || added[0].Origin != memory.OriginTool || added[0].Confidence > .4 {
		t.Errorf("%v %+v", err, added)
	}
}

func TestExport_LeavesWhatIsNotItsOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.people()
	for _, dir := range []string{"Entities", "Notes"} {
		if err := os.MkdirAll(filepath.Join(w.dir, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.write("Entities/Acme.md", "my own Acme")
	w.write("Notes/Bob.md", "my own Bob")
	w.write("Memory index.md", "mine too")
	w.export()
	w.export()
	files := w.files()
	if files["Entities/Acme.md"] != "my own Acme" || files["Notes/Bob.md"] != "my own Bob" ||
		files["Memory index.md"] != "mine too" ||
		files["Entities/Acme (e2).md"] == "" || files["Entities/Bob (e4).md"] == "" {
		t.Errorf("%v", files)
	}
	name := "Robin"
	if _, _, err := w.w.UpdateEntity(t.Context(), scope, memory.EntityChange{Entity: "Robert", Name: &name},
		human); err != nil {
		t.Fatal(err)
	}
	if r := w.export(); r.Renamed != 1 || w.files()["Entities/Robert.md"] != "" || w.files()["Entities/Robin.md"] == "" {
		t.Errorf("%+v %v", r, w.files())
	}
}

func TestExport_OverwritesNoEditsUnlessForced(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(*world){
		"edited":  func(w *world) { w.edit(ann, "bees", "goats") },
		"removed": func(w *world) { w.drop(ann) },
		"turns":   func(w *world) { w.edit("Sessions/2026-06-01 s.md", "Ann", "Anna") },
	} {
		w := newWorld(t)
		w.people()
		w.export()
		before := w.files()
		edit(w)
		edited := w.files()
		if _, err := w.tryExport(false); err == nil || memory.AsError(err).Code != memory.Conflict {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(edited, w.files()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if _, err := w.tryExport(true); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(before, w.files()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestExport_ContinuesAfterADeathAtAnyPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.people()
	w.export()
	name := "Bobby"
	if _, _, err := w.w.UpdateEntity(t.Context(), scope, memory.EntityChange{Entity: "Bob", Name: &name},
		human); err != nil {
		t.Fatal(err)
	}
	w.fact(memory.RelationDraft{Head: "Acme", Relation: "owns", Tail: "Globex"})
	for page := 1; page <= 7; page++ {
		died := true
		done := make(chan struct{})
		s, err := store.Open(t.Context(), w.s.Path(), store.Options{ReadOnly: true, // never closed: its reader is dead
			CacheDir: filepath.Join(os.TempDir(), "memory-graph-test-cache")})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			defer close(done)
			_, _ = vault.Export(t.Context(), s, w.dir, vault.ExportOptions{Namespace: "n", Now: now,
				Progress: func(n int) {
					if n == page {
						runtime.Goexit()
					}
				}})
			died = false
		}()
		<-done
		if !died {
			t.Fatalf("page %d is never written", page)
		}
		if r := w.read(); len(r.Changes)+len(r.Problems) > 0 {
			t.Errorf("after a death at page %d: %v %v", page, outcomes(r), r.Problems)
		}
	}
	w.export()
	fresh := &world{T: t, s: w.s, w: w.w, at: now, dir: filepath.Join(t.TempDir(), "fresh")}
	fresh.export()
	if diff := cmp.Diff(fresh.files(), w.files()); diff != "" {
		t.Error(diff)
	}
}

func TestVault_TrustsNoManifest(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"../victim.md", "/etc/x.md", "a/../../victim.md", ".hidden/x.md",
		"x.txt", "a\\..\\..\\x.md"} {
		w := newWorld(t)
		w.people()
		if err := os.MkdirAll(filepath.Join(w.dir, ".memory-graph"), 0o700); err != nil {
			t.Fatal(err)
		}
		quoted := strings.ReplaceAll(file, `\`, `\\`)
		w.write(".memory-graph/manifest.jsonl", `{"memory_graph_vault":1,"namespace":"n"}`+"\n"+
			`{"key":"e99","file":"`+quoted+`","hash":"","page":{"name":"x","type":"y"}}`+"\n")
		if _, err := w.tryExport(true); err == nil {
			t.Errorf("%s: an export takes it", file)
		}
		if _, err := vault.Read(t.Context(), w.s, w.dir, "n", now); err == nil {
			t.Errorf("%s: an import takes it", file)
		}
	}
}

func TestVault_FollowsNoLinkOutOfTheFolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.people()
	w.export()
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "Secret.md"), []byte("# Secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(w.dir, "Entities", "linked")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(filepath.Join(outside, "Secret.md"), filepath.Join(w.dir, "Entities", "Secret.md")); err != nil {
		t.Fatal(err)
	}
	if r := w.read(); len(r.Changes)+len(r.Problems) > 0 {
		t.Errorf("%v %v", outcomes(r), r.Problems)
	}
}
