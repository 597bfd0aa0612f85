package engine_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/transfer"
	"memory-graph/store"
)

// other selects a fixture of another memory.
func other(t *testing.T, name string) func(*engine.ImportRequest) {
	t.Helper()
	path := filepath.Join("..", "transfer", "testdata", name)
	return func(r *engine.ImportRequest) {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			r.Format = transfer.BasicMemory
			r.Read = func(ctx context.Context, to transfer.Sink) error { return transfer.ReadNotes(ctx, path, to) }
			return
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, ".gz") {
			if r.Format, r.From, err = transfer.Detect(bytes.NewReader(text)); err != nil {
				t.Fatal(err)
			}
			return
		}
		z, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if text, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "their.db")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := store.OpenForeign(t.Context(), file, "", slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		if r.Format, err = transfer.DetectTables(db); err != nil {
			t.Fatal(err)
		}
		r.Read = func(ctx context.Context, to transfer.Sink) error {
			return transfer.ReadTables(ctx, r.Format, db, to)
		}
	}
}

func complete(r *engine.ImportRequest) { r.Complete = true }

func TestImport_OfOtherMemoriesTwiceAddsNothing(t *testing.T) {
	t.Parallel()
	for name, turns := range map[string]int{"basic-memory": 2, "basic-memory.db.gz": 2, "mcp-memory-service.db.gz": 2,
		"mcp-memory-service.json": 2, "engram.db.gz": 5, "engram.json": 6, "claude-mem.db.gz": 5, "mem0.json": 3,
		"openmemory.db.gz": 2, "graphiti.json": 7, "letta.af": 4, "cognee.json": 3} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := forImport(t)
			r, problems := imported(t, e, "", other(t, name))
			if r.New["turn"] != turns || r.Failed+r.Lost+r.Known > 0 || problems != nil {
				t.Errorf("%+v: %q", r, problems)
			}
			if all := exported(t, e); strings.Contains(all, `"origin":"user"`) || strings.Contains(all, `"origin":"agent"`) {
				t.Error("it is trusted")
			}
			was := exported(t, e)
			for _, again := range []func(*engine.ImportRequest){func(*engine.ImportRequest) {}, complete} {
				if r, _ = imported(t, e, "", other(t, name), again); len(r.New) > 0 || r.CallID != "" || r.Absent > 0 {
					t.Errorf("a second import: %+v", r)
				}
				if diff := cmp.Diff(was, exported(t, e)); diff != "" {
					t.Error(diff)
				}
			}
			soundGraph(t, e)
		})
	}
}

// active returns what a memory shows: its facts and its turns.
func active(t *testing.T, e *engine.Engine) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	st := openStore(t, e)
	if err := st.ReferenceRelations(t.Context(), "n", func(r memory.ReferenceRelation) error {
		out[r.From+" "+r.Type+" "+r.To] = true
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := st.ReferenceEntities(t.Context(), "n", func(r memory.ReferenceEntity) error {
		for _, o := range r.Observations {
			out[r.Name+": "+o] = true
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	turns, err := st.NewestEpisodes(t.Context(), memory.Filter{Namespace: "n"}, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, turn := range turns {
		out[turn.Content] = true
	}
	return out
}

func TestImport_OfANewerFileEndsWhatItsProgramEnded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		older, newer string
		complete     bool
		want         engine.ImportReport // the counts of changes
		in, out      []string
	}{
		"an edge that is invalid now": {older: "graphiti.json", newer: "graphiti-newer.json",
			want: engine.ImportReport{Ended: 1, Absent: 1}, in: []string{"Ada Lind lives_in Lund",
				"Kestrel Works located_in Uppsala", "Ada Lind owns Tower clock", "Ada Lind works at Kestrel Works."},
			out: []string{"Ada Lind works_at Kestrel Works", "Ada Lind lives_in Uppsala"}},
		"an edge that is not there any more": {older: "graphiti.json", newer: "graphiti-newer.json", complete: true,
			want: engine.ImportReport{Ended: 2, Gone: 1}, in: []string{"Ada Lind lives_in Lund"},
			out: []string{"Kestrel Works located_in Uppsala", "Kestrel Works is located in Uppsala."}},
		"a memory with another text": {older: "mem0.json", newer: "mem0-newer.json", complete: true,
			want: engine.ImportReport{Changed: 1, Gone: 1}, in: []string{"Drinks her tea with milk now.", "Comes at eight."},
			out: []string{"Drinks her tea without milk.", "Comes at nine."}},
		"an observation that is deleted": {older: "engram.json", newer: "engram-newer.json",
			want: engine.ImportReport{Changed: 1, Gone: 1, Absent: 1},
			in: []string{"Late strike\n\nThe strike was late by a minute; the fly was loose.",
				"Oil\n\nOne drop of oil is enough."},
			out: []string{"Tea\n\nAda drinks her tea without milk.", "Late strike\n\nThe strike was late by a minute."}},
		"an older file": {older: "engram-newer.json", newer: "engram.json", want: engine.ImportReport{Kept: 1, Absent: 1},
			in:  []string{"Late strike\n\nThe strike was late by a minute; the fly was loose."},
			out: []string{"Late strike\n\nThe strike was late by a minute."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := forImport(t)
			imported(t, e, "", other(t, c.older))
			was, before := exported(t, e), active(t, e)
			r, problems := imported(t, e, "", other(t, c.newer), func(r *engine.ImportRequest) { r.Complete = c.complete })
			got := engine.ImportReport{Changed: r.Changed, Ended: r.Ended, Gone: r.Gone, Absent: r.Absent, Kept: r.Kept}
			if diff := cmp.Diff(c.want, got); diff != "" || problems != nil {
				t.Errorf("%q\n%s", problems, diff)
			}
			has := active(t, e)
			for _, s := range c.in {
				if !has[s] {
					t.Errorf("%q is not there", s)
				}
			}
			for _, s := range c.out {
				if has[s] {
					t.Errorf("%q is still there", s)
				}
			}
			soundGraph(t, e)
			if again, _ := imported(t, e, "", other(t, c.newer), func(r *engine.ImportRequest) {
				r.Complete = c.complete
			}); len(again.New)+again.Changed+again.Ended+again.Gone > 0 || again.CallID != "" {
				t.Errorf("the newer file once more: %+v", again)
			}
			if back := undone(t, e, r.CallID); len(back.Stayed) > 0 {
				t.Errorf("these stay: %v", back.Stayed)
			}
			if diff := cmp.Diff(before, active(t, e)); diff != "" || was == exported(t, e) {
				t.Errorf("undone, it is not as it was:\n%s", diff)
			}
			soundGraph(t, e)
		})
	}
}

func TestImport_EndsOnlyWhatAFileMayEnd(t *testing.T) {
	t.Parallel()
	e := forImport(t)
	imported(t, e, "", other(t, "engram.json"), trusted)
	before := active(t, e)
	r, _ := imported(t, e, "", other(t, "engram-newer.json"), complete)
	for s := range before {
		if !active(t, e)[s] {
			t.Errorf("a file that nobody vouches for ended %q", s)
		}
	}
	if r.Gone+r.Changed+r.Ended > 0 {
		t.Errorf("%+v", r)
	}
	if r, _ = imported(t, e, "", other(t, "engram-newer.json"), trusted, complete); r.Gone != 2 || r.Changed != 1 {
		t.Errorf("vouched for: %+v", r)
	}
	soundGraph(t, e)
}

// A file of one user says nothing about what another user's file had.
func TestImport_CompleteLeavesOtherUsersAlone(t *testing.T) {
	t.Parallel()
	e := forImport(t)
	mem0 := func(r *engine.ImportRequest) { r.Format = transfer.Mem0 }
	imported(t, e, `[{"id":"1","memory":"One","user_id":"ada"},{"id":"2","memory":"Two","user_id":"tomas"}]`, mem0)
	r, _ := imported(t, e, `[{"id":"3","memory":"Three","user_id":"ada"}]`, mem0, complete)
	if has := active(t, e); r.Gone != 1 || has["One"] || !has["Two"] || !has["Three"] {
		t.Errorf("%+v: %v", r, has)
	}
}

func TestImport_VouchesForWhatAGraphStates(t *testing.T) {
	t.Parallel()
	e := forImport(t)
	imported(t, e, "", other(t, "cognee.json"))
	if r, _ := imported(t, e, "", other(t, "cognee.json"), trusted); r.Raised != 3 {
		t.Errorf("%+v", r)
	}
	facts := 0
	for line := range strings.Lines(exported(t, e)) {
		if strings.HasPrefix(line, `{"record":"observation",`) && !strings.Contains(line, `"origin":"agent"`) {
			t.Errorf("it is not trusted: %s", line)
		}
		if strings.HasPrefix(line, `{"record":"relationship",`) && strings.Contains(line, `"relation":"works_at"`) {
			if facts++; !strings.Contains(line, `"origin":"agent"`) {
				t.Errorf("it is not trusted: %s", line)
			}
		}
	}
	if facts != 1 {
		t.Errorf("%d facts", facts)
	}
	soundGraph(t, e)
}

func TestImport_OfAnEditedNoteKeepsWhatItSaysNow(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "notes")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "transfer", "testdata", "basic-memory"))); err != nil {
		t.Fatal(err)
	}
	notes := func(r *engine.ImportRequest) {
		r.Format = transfer.BasicMemory
		r.Read = func(ctx context.Context, to transfer.Sink) error { return transfer.ReadNotes(ctx, dir, to) }
	}
	ada := filepath.Join(dir, "people", "Ada Lind.md")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(ada, old, old); err != nil {
		t.Fatal(err)
	}
	e := forImport(t)
	imported(t, e, "", notes)
	before := active(t, e)
	text, err := os.ReadFile(ada)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.NewReplacer("- [preference] Drinks her tea without milk\n", "", "- lives in [[Lund]]\n", "",
		"(since 2019)", "(since 2018)").Replace(string(text))
	if err := os.WriteFile(ada, []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "places", "Kestrel Works.md")); err != nil {
		t.Fatal(err)
	}
	r, problems := imported(t, e, "", notes, complete)
	if r.Changed != 1 || r.Gone != 1 || problems != nil {
		t.Errorf("%+v: %q", r, problems)
	}
	has := active(t, e)
	for s, want := range map[string]bool{
		"Ada Lind: [craft] Repairs tower clocks #clocks #towers (since 2018)": true,
		"Ada Lind: [craft] Repairs tower clocks #clocks #towers (since 2019)": false,
		"Ada Lind: [preference] Drinks her tea without milk":                  false,
		"Kestrel Works: [fact] Has nine people":                               false,
		"Ada Lind works_at Kestrel Works":                                     true,
		"Ada Lind links_to Tower clock":                                       true,
		"Ada Lind links_to Lund":                                              false,
		"Kestrel Works located_in Uppsala":                                    false,
	} {
		if has[s] != want {
			t.Errorf("%q: %v", s, has[s])
		}
	}
	soundGraph(t, e)
	if back := undone(t, e, r.CallID); len(back.Stayed) > 0 {
		t.Errorf("these stay: %v", back.Stayed)
	}
	if diff := cmp.Diff(before, active(t, e)); diff != "" {
		t.Errorf("undone, it is not as it was:\n%s", diff)
	}
	soundGraph(t, e)
}
