package vault_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/facts"
	"memory-graph/internal/memory"
	"memory-graph/internal/transfer/vault"
	"memory-graph/store"
)

var (
	now   = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	scope = memory.Scope{Namespace: "n", SessionID: "s"}
	human = memory.Caller{Actor: "cli"}
)

// world is a memory with a vault.
type world struct {
	*testing.T
	s   *store.Store
	w   *facts.Writer
	dir string
	at  time.Time // the store's clock
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := openWorld(t, t.TempDir())
	t.Cleanup(w.close)
	return w
}

// openWorld opens a world in a directory.
func openWorld(t *testing.T, dir string) *world {
	t.Helper()
	w := &world{T: t, dir: filepath.Join(dir, "vault"), at: now}
	s, err := store.Open(t.Context(), filepath.Join(dir, "memory.db"), store.Options{
		CacheDir: filepath.Join(os.TempDir(), "memory-graph-test-cache"), Now: func() time.Time { return w.at }})
	if err != nil {
		t.Fatal(err)
	}
	w.s, w.w = s, facts.New(s, facts.Options{})
	return w
}

func (w *world) close() {
	if err := w.s.Close(); err != nil {
		w.Error(err)
	}
}

// entity stores an entity and returns its id.
func (w *world) entity(d memory.EntityDraft) memory.ID {
	w.Helper()
	out, err := w.w.CreateEntity(w.Context(), scope, d, human)
	if err != nil {
		w.Fatal(err)
	}
	return out.Entity.Ref()
}

func (w *world) fact(d memory.RelationDraft) int64 {
	w.Helper()
	d.CreateMissing = true
	out, err := w.w.CreateRelation(w.Context(), scope, d, 0, human)
	if err != nil {
		w.Fatal(err)
	}
	return out.Relationship.ID
}

func date(s string) time.Time {
	t, err := memory.ParseTime("date", s)
	if err != nil {
		panic(err)
	}
	return t
}

// people fills a world with what the tests change.
func (w *world) people() {
	w.entity(memory.EntityDraft{Name: "Ann", Type: "person", Description: "Keeps bees.", Notes: []string{"Left-handed"}})
	for _, name := range []string{"Acme", "Globex"} {
		w.entity(memory.EntityDraft{Name: name, Type: "organization"})
	}
	w.entity(memory.EntityDraft{Name: "Bob", Type: "person"})
	w.entity(memory.EntityDraft{Name: "Robert", Type: "person"})
	w.fact(memory.RelationDraft{Head: "Ann", Relation: "works_at", Tail: "Globex", ValidFrom: date("2020-01-01"),
		ValidUntil: date("2024-01-01")})
	w.fact(memory.RelationDraft{Head: "Ann", Relation: "works_at", Tail: "Acme", ValidFrom: date("2024-03-01")})
	w.fact(memory.RelationDraft{Head: "Ann", Relation: "knows", Tail: "Bob", ValidFrom: date("2021-01-01")})
	w.fact(memory.RelationDraft{Head: "Robert", Relation: "likes", Tail: "Acme", ValidFrom: date("2022-01-01")})
}

func (w *world) export() vault.ExportReport {
	w.Helper()
	r, err := w.tryExport(false)
	if err != nil {
		w.Fatal(err)
	}
	return r
}

func (w *world) tryExport(force bool) (vault.ExportReport, error) {
	return vault.Export(w.Context(), w.s, w.dir, vault.ExportOptions{Namespace: "n", Now: now, Force: force})
}

func (w *world) read() *vault.Reading {
	w.Helper()
	r, err := vault.Read(w.Context(), w.s, w.dir, "n", now)
	if err != nil {
		w.Fatal(err)
	}
	return r
}

// apply makes the open changes as one call and returns the call.
func (w *world) apply(r *vault.Reading) memory.Caller {
	w.Helper()
	by := memory.Caller{Actor: "cli", CallID: "the-call"}
	if err := r.Apply(w.Context(), w.s, w.w, scope, by); err != nil {
		w.Fatal(err)
	}
	if err := r.Commit(); err != nil {
		w.Fatal(err)
	}
	return by
}

// pages returns files without those of turns, which stay when a call is undone.
func (w *world) pages() map[string]string {
	w.Helper()
	out := w.files()
	for name := range out {
		if strings.HasPrefix(name, "Sessions/") {
			delete(out, name)
		}
	}
	return out
}

// files returns the Markdown files of the vault by path.
func (w *world) files() map[string]string {
	w.Helper()
	out := map[string]string{}
	if err := filepath.WalkDir(w.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(w.dir, path)
		out[filepath.ToSlash(name)] = string(text)
		return err
	}); err != nil {
		w.Fatal(err)
	}
	return out
}

func (w *world) write(file, text string) {
	w.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, file), []byte(text), 0o600); err != nil {
		w.Fatal(err)
	}
}

// edit replaces a text of a file, which must occur in it.
func (w *world) edit(file, old, by string) {
	w.Helper()
	text := w.files()[file]
	if !strings.Contains(text, old) {
		w.Fatalf("%s has no %q:\n%s", file, old, text)
	}
	w.write(file, strings.Replace(text, old, by, 1))
}

// cut removes the line of a file that begins so, and returns the rest of it.
func (w *world) cut(file, begin string) string {
	w.Helper()
	for line := range strings.Lines(w.files()[file]) {
		if rest, ok := strings.CutPrefix(line, begin); ok {
			w.edit(file, line, "")
			return strings.TrimSpace(rest)
		}
	}
	w.Fatalf("%s has no line %q", file, begin)
	return ""
}

func (w *world) move(from, to string) {
	w.Helper()
	if err := os.Rename(filepath.Join(w.dir, from), filepath.Join(w.dir, to)); err != nil {
		w.Fatal(err)
	}
}

func (w *world) drop(file string) {
	w.Helper()
	if err := os.Remove(filepath.Join(w.dir, file)); err != nil {
		w.Fatal(err)
	}
}

const (
	ann      = "Entities/Ann.md"
	worksAt  = "- works_at [[Acme]] (since 2024-03-01)"
	workedAt = "- works_at [[Globex]] (since 2020-01-01, until 2024-01-01)"
)

var edits = []struct {
	name string
	do   func(*world)
	want []string // the changes
	file string   // after the next export: this file has
	has  string   // these texts, between " & "
	not  string   // and not this one
}{
	{"a new title", func(w *world) { w.edit(ann, `"Ann"`, `"Ann Lee"`) }, []string{"rename Ann to Ann Lee"},
		"Entities/Ann Lee.md", "# Ann Lee", ""},
	{"a new heading", func(w *world) { w.edit(ann, "# Ann", "# Ann Lee") }, []string{"rename Ann to Ann Lee"},
		"Entities/Ann Lee.md", `title: "Ann Lee"`, ""},
	{"a renamed file", func(w *world) { w.move(ann, "Entities/Ann Lee.md") }, []string{"rename Ann to Ann Lee"},
		"Entities/Ann Lee.md", `title: "Ann Lee"`, ""},
	{"another alias", func(w *world) { w.edit(ann, "confidence:", "aliases: [Annie]\nconfidence:") },
		[]string{"Ann: add the name annie"}, ann, `- "annie"`, ""},
	{"another type", func(w *world) { w.edit("Entities/Acme.md", `"organization"`, "Company") },
		[]string{"Acme: change the type from organization to company"}, "Entities/Acme.md", `type: "company"`, ""},
	{"another description", func(w *world) { w.edit(ann, "Keeps bees.", "Keeps *bees*.\nAnd goats.") },
		[]string{`Ann: change the description from "Keeps bees." to "Keeps *bees*.\nAnd goats."`}, ann,
		"Keeps \\*bees\\*.\nAnd goats.\n\n## Facts", "left-handed"},
	{"another confidence", func(w *world) { w.edit(ann, "confidence: 1", "confidence: 0.5") },
		[]string{"Ann: change the confidence from 1 to 0.5"}, ann, "confidence: 0.5", ""},
	{"a removed line", func(w *world) { w.cut(ann, worksAt) },
		[]string{"Ann: remove the fact works_at Acme (since 2024-03-01), as if it never held"}, ann, "knows", "[[Acme]]"},
	{"a removed line of what has ended", func(w *world) { w.cut(ann, workedAt) },
		[]string{"Ann: remove the fact works_at Globex (since 2020-01-01, until 2024-01-01), as if it never held"}, ann,
		"[[Acme]]", "Globex"},
	{"an added line", func(w *world) { w.edit(ann, worksAt, "- likes [[Globex]] (since 2025)\n"+worksAt) },
		[]string{"Ann: add the fact likes Globex (since 2025)"}, ann, "- likes [[Globex]] (since 2025)", ""},
	{"an added line with a new target", func(w *world) { w.edit(ann, worksAt, "* Lives in [[New York]]\n"+worksAt) },
		[]string{"Ann: add the fact lives_in New York"}, ann, "- lives_in [[New York]] (since 2026-06-01)", ""},
	{"a line moved to the ended facts", func(w *world) {
		rest := w.cut(ann, worksAt)
		w.edit(ann, workedAt, worksAt+" "+rest+"\n"+workedAt)
	}, []string{"Ann: end the fact works_at Acme (since 2024-03-01) (ended)"}, ann,
		"- works_at [[Acme]] (since 2024-03-01, until 2026-06-01)", ""},
	{"an end", func(w *world) { w.edit(ann, "(since 2024-03-01)", "(since 2024-03-01, until 2025-02)") },
		[]string{"Ann: end the fact works_at Acme (since 2024-03-01, until 2025-02)"}, ann,
		"## Ended facts\n\n" + workedAt, "- works_at [[Acme]] (since 2024-03-01)\n"},
	{"an end that lies ahead", func(w *world) { w.edit(ann, "(since 2024-03-01)", "(since 2024-03-01, until 2027)") },
		[]string{"Ann: change the dates of works_at Acme (since 2024-03-01) to works_at Acme (since 2024-03-01, until 2027)"},
		ann, "- works_at [[Acme]] (since 2024-03-01, until 2027)", ""},
	{"another beginning", func(w *world) { w.edit(ann, "since 2024-03-01", "since May 2023") },
		[]string{"Ann: change the dates of works_at Acme (since 2024-03-01) to works_at Acme (since 2023-05)"}, ann,
		"- works_at [[Acme]] (since 2023-05)", ""},
	{"another end of what has ended", func(w *world) { w.edit(ann, "until 2024-01-01", "until 2023") },
		[]string{"Ann: change the dates of works_at Globex (since 2020-01-01, until 2024-01-01) to works_at Globex " +
			"(since 2020-01-01, until 2023)"}, ann, "- works_at [[Globex]] (since 2020-01-01, until 2023)", "2024-01-01"},
	{"a line that holds again", func(w *world) {
		w.edit(ann, worksAt, "- works_at [[Globex]] (since 2020-01-01) "+w.cut(ann, workedAt)+"\n"+worksAt)
		w.cut(ann, worksAt)
	}, []string{"Ann: remove the fact works_at Acme (since 2024-03-01), as if it never held",
		"Ann: let the fact works_at Globex (since 2020-01-01) hold again"}, ann,
		"- works_at [[Globex]] (since 2020-01-01) [[", "[[Acme]]"},
	{"another target", func(w *world) { w.edit(ann, "knows [[Bob]]", "knows [[Robert]]") },
		[]string{"Ann: correct the fact knows Bob (since 2021-01-01) to knows Robert (since 2021-01-01)"}, ann,
		"- knows [[Robert]] (since 2021-01-01)", "Bob"},
	{"ended lines of a person", func(w *world) {
		w.edit(ann, workedAt, "- worked_at [[Nokia]]\n- lived_in [[Turku]] (until 2015)\n"+
			"- visited [[Oslo]] (since 2024-03-01, until 2024-03-01)\n- taught_at [[Espoo]] (since 2015, until 2015)\n"+workedAt)
	}, []string{"Ann: add the fact worked_at Nokia (ended)", "Ann: add the fact lived_in Turku (until 2015)",
		"Ann: add the fact visited Oslo (since 2024-03-01, until 2024-03-01)",
		"Ann: add the fact taught_at Espoo (since 2015, until 2015)"}, ann,
		"[[Nokia]] (until 2026-06-01) & [[Turku]] (until 2015) & [[Oslo]] (since 2024-03-01, until 2024-03-01) & [[Espoo]] (",
		""},
	{"observations", func(w *world) { w.edit(ann, "Left-handed", "Right-handed") },
		[]string{`Ann: remove the observation "Left-handed"`, `Ann: add the observation "Right-handed"`}, ann,
		"- Right-handed", "Left"},
	{"a removed page", func(w *world) { w.drop("Entities/Robert.md") },
		[]string{"remove Robert, and end its facts"}, "Memory index.md", "[[Bob]]", "Robert"},
	{"a new page", func(w *world) {
		w.write("Entities/Carol.md", "---\ntype: person\n---\n# Carol\n\nPaints.\n\n## Facts\n- knows [[Ann]]\n")
		w.edit(ann, worksAt, "- knows [[Carol]]\n"+worksAt)
	}, []string{"add Carol as a new entity of type person", "Ann: add the fact knows Carol",
		"Carol: add the fact knows Ann"}, "Entities/Carol.md", "Paints.\n\n## Facts\n\n- knows [[Ann]]", ""},
	{"a merged page", func(w *world) {
		w.drop("Entities/Robert.md")
		w.edit("Entities/Bob.md", "confidence:", "aliases: [Robert]\nconfidence:")
	}, []string{"merge Robert into Bob"}, "Entities/Bob.md", "- likes [[Acme]] (since 2022-01-01)", ""},
	{"a page that names the one it is", func(w *world) {
		w.edit("Entities/Bob.md", "confidence:", "merge: \"[[Robert]]\"\nconfidence:")
	}, []string{"merge Robert into Bob"}, "Entities/Bob.md", "- likes [[Acme]] (since 2022-01-01)", ""},
}

func TestEdits_BecomeChangesOfOneCall(t *testing.T) {
	t.Parallel()
	for _, e := range edits {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.people()
			w.export()
			before := w.pages()
			e.do(w)
			r := w.read()
			var got []string
			for _, c := range r.Changes {
				got = append(got, c.String())
			}
			if diff := cmp.Diff(e.want, got); diff != "" {
				t.Fatal(diff)
			}
			by := w.apply(r)
			for _, c := range r.Changes {
				if c.State != vault.Applied {
					t.Errorf("%s: %s %s", c, c.State, c.Why)
				}
			}
			if len(r.Problems) > 0 {
				t.Errorf("%v", r.Problems)
			}
			if again := w.read(); len(again.Changes)+len(again.Problems) > 0 {
				t.Errorf("the second import finds %v %v", again.Changes, again.Problems)
			}
			w.export()
			after := w.files()
			text := after[e.file]
			for has := range strings.SplitSeq(e.has, " & ") {
				if !strings.Contains(text, has) || e.not != "" && strings.Contains(text, e.not) {
					t.Errorf("no %q: %s:\n%s", has, e.file, text)
				}
			}
			if r := w.read(); len(r.Changes)+len(r.Problems)+r.Edited > 0 {
				t.Errorf("after an export there are changes: %v %v", r.Changes, r.Problems)
			}
			if _, err := w.s.Undo(t.Context(), "n", by.CallID, human); err != nil {
				t.Fatal(err)
			}
			w.export()
			if diff := cmp.Diff(before, w.pages()); diff != "" {
				t.Errorf("after undo: %s", diff)
			}
			faults, err := w.s.CheckGraph(t.Context())
			if err != nil || len(faults) > 0 {
				t.Errorf("%v %v", faults, err)
			}
		})
	}
}

func TestExport_ChangesOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.people()
	w.export()
	old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for name := range w.files() {
		if err := os.Chtimes(filepath.Join(w.dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if r := w.export(); r.Written+r.Removed+r.Renamed > 0 || r.Unchanged != r.Pages {
		t.Errorf("%+v", r)
	}
	w.fact(memory.RelationDraft{Head: "Bob", Relation: "likes", Tail: "Globex", ValidFrom: date("2025-01-01")})
	r := w.export()
	var changed []string
	for name := range w.files() {
		info, err := os.Stat(filepath.Join(w.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !info.ModTime().Equal(old) {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	if diff := cmp.Diff([]string{"Entities/Bob.md", "Sessions/2026-06-01 s.md"}, changed); diff != "" || r.Written != 2 {
		t.Errorf("%s %+v", diff, r)
	}
}
