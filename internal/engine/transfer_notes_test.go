package engine_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
)

// noted imports a folder of notes.
func noted(t *testing.T, e *engine.Engine, dir string, trusted bool) engine.NotesReport {
	t.Helper()
	r, err := e.Notes(t.Context(), engine.NotesRequest{Path: dir, Scope: memory.Scope{Namespace: "n"}, Trusted: trusted})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestNotes_AChangedSectionReplacesTheOldOneWithItsFacts(t *testing.T) {
	t.Parallel()
	e := forImport(t)
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("Plan.md", "The quay is dear. See [[Harbour]].\n\n## Boats\n\nMooring three. See [[Harbour]].\n")
	write("Harbour.md", "# Harbour\n\nMooring nine.\n")
	links := func() []string {
		t.Helper()
		out := []string{}
		if err := openStore(t, e).ReferenceRelations(t.Context(), "n", func(r memory.ReferenceRelation) error {
			out = append(out, r.From+" "+r.Type+" "+r.To)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return out
	}
	if r := noted(t, e, dir, false); r.New != 3 || r.Links != 2 || r.Notes != 2 || r.CallID == "" {
		t.Fatalf("%+v", r)
	}
	if r := noted(t, e, dir, false); r.New+r.Withdrawn != 0 || r.Known != 3 || r.CallID != "" {
		t.Errorf("the second import: %+v", r)
	}
	linked := []string{"Plan links_to Harbour"}
	if diff := cmp.Diff(linked, links()); diff != "" {
		t.Error(diff)
	}
	write("Plan.md", "The quay is dear. See [[Harbour]].\n\n## Boats\n\nMooring four.\n")
	if r := noted(t, e, dir, false); r.New != 1 || r.Withdrawn != 1 || r.Known != 2 {
		t.Errorf("%+v", r)
	}
	if diff := cmp.Diff(linked, links()); diff != "" { // the other section still states it
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"Harbour\n\nMooring nine.", "Plan › Boats\n\nMooring four."},
		contents(t, e, "mooring")); diff != "" {
		t.Error(diff)
	}
	write("Plan.md", "## Boats\n\nMooring four.\n")
	r := noted(t, e, dir, false)
	if r.New != 0 || r.Withdrawn != 1 || r.CallID == "" {
		t.Errorf("%+v", r)
	}
	if diff := cmp.Diff([]string{}, links()); diff != "" {
		t.Error(diff)
	}
	undone(t, e, r.CallID)
	if diff := cmp.Diff(linked, links()); diff != "" {
		t.Error(diff)
	}
	if got := contents(t, e, "quay"); len(got) != 1 {
		t.Errorf("after undo: %q", got)
	}
	soundGraph(t, e)
	if r := noted(t, e, dir, true); r.Raised != 2 || r.New != 0 {
		t.Errorf("vouched for: %+v", r)
	}
}
