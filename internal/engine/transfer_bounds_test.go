package engine_test

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/transfer"
)

// damaged is a file that cannot be read completely.
func damaged(text string) func(*engine.ImportRequest) {
	return func(r *engine.ImportRequest) {
		r.From = io.MultiReader(strings.NewReader(text), iotest.ErrReader(gzip.ErrChecksum))
	}
}

func TestImport_TakesWhatStandsBeforeTheDamageOfAFile(t *testing.T) {
	t.Parallel()
	const (
		graph = `{"type":"entity","name":"Ada","entityType":"person","observations":["keeps bees"]}` + "\n" +
			`{"type":"relation","from":"Ada","to":"Kestrel","relationType":"works_at"}` + "\n"
		memories = `{"memories":[{"id":"1","memory":"likes tea"}],"relations":[{"source":"Ada","relationship":"knows","target":"Bo"}`
	)
	for name, c := range map[string]struct {
		text   string
		format transfer.Format
		items  map[string]int
	}{
		"a graph":                     {graph, transfer.Reference, map[string]int{"entity": 1, "relation": 1}},
		"memories, and what they are": {memories, transfer.Mem0, map[string]int{"turn": 1, "relation": 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := forImport(t)
			req := engine.ImportRequest{Scope: memory.Scope{Namespace: "n"}, Format: c.format}
			damaged(c.text)(&req)
			r, err := e.Import(t.Context(), req)
			if err == nil || memory.AsError(err).Code != memory.InvalidArgument ||
				!strings.Contains(memory.AsError(err).Hint, "Everything before that is imported") {
				t.Errorf("%v", err)
			}
			for kind, n := range c.items {
				if r.New[kind] != n {
					t.Errorf("%d of %s: %+v", n, kind, r)
				}
			}
			if r.CallID == "" {
				t.Error("it cannot be taken back")
			}
			undone(t, e, r.CallID)
		})
	}
}

func TestImport_OfADamagedExportGivesNoIDTwice(t *testing.T) {
	t.Parallel()
	from := lived(t)
	text := exported(t, from, "n")
	lines := strings.SplitAfter(text, "\n")
	e := forImport(t)
	req := engine.ImportRequest{Format: transfer.Own}
	damaged(strings.Join(lines[:6], ""))(&req)
	r, err := e.Import(t.Context(), req)
	if err == nil || r.New["episode"] == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	next := put(t, e, "Something new.").EpisodeID.Num
	last := put(t, from, "The next there.").EpisodeID.Num
	if next < last {
		t.Errorf("%d is given again: the export had come to %d", next, last-1)
	}
}

func TestImport_StopsWhereNobodyWaitsAnyMore(t *testing.T) {
	t.Parallel()
	e := forImport(t)
	ctx, cancel := context.WithCancel(t.Context())
	stop := iotest.ErrReader(context.Canceled)
	from := io.MultiReader(strings.NewReader(`{"type":"entity","name":"Ada","entityType":"person","observations":[]}`+
		"\n"), readerFunc(func(p []byte) (int, error) { cancel(); return stop.Read(p) }))
	r, err := e.Import(ctx, engine.ImportRequest{Scope: memory.Scope{Namespace: "n"}, Format: transfer.Reference,
		From: from})
	if err == nil || len(r.New) > 0 || r.CallID != "" {
		t.Errorf("%+v, %v", r, err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestImport_HoldsNamesAndObservationsToTheLimitsOfTheTools(t *testing.T) {
	t.Parallel()
	cfg := settings(t)
	name, text := strings.Repeat("n", cfg.Limits.NameBytes+1), strings.Repeat("t", cfg.Limits.ContentBytes+1)
	lines := []string{
		fmt.Sprintf(`{"type":"entity","name":%q,"entityType":"x","observations":[]}`, name),
		fmt.Sprintf(`{"type":"entity","name":"a","entityType":%q,"observations":[]}`, text),
		fmt.Sprintf(`{"type":"entity","name":"b","entityType":"x","observations":["ok",%q]}`, text),
		fmt.Sprintf(`{"type":"relation","from":%q,"to":"a","relationType":"x"}`, name),
		fmt.Sprintf(`{"type":"relation","from":"a","to":%q,"relationType":"x"}`, name),
		fmt.Sprintf(`{"type":"relation","from":"a","to":"b","relationType":%q}`, text),
		fmt.Sprintf(`{"type":"entity","name":%q,"entityType":"x","observations":[%q]}`, name[1:], text[1:]),
	}
	e := forImport(t)
	r, problems := imported(t, e, strings.Join(lines, "\n"), reference)
	if r.Failed != 6 || r.New["entity"] != 1 || len(r.New) != 1 {
		t.Errorf("%+v", r)
	}
	for i, p := range problems {
		if !strings.HasPrefix(p, fmt.Sprintf("%d: ", i+1)) || !strings.Contains(p, "bytes long, more than the") ||
			len(p) > 300 {
			t.Errorf("%q", p)
		}
	}
	soundGraph(t, e)
}

func TestImport_LeavesThePastOfANamesakeOutWithoutAWord(t *testing.T) {
	t.Parallel()
	from := forImport(t)
	guide(t, from)
	if _, err := openStore(t, from).Undo(t.Context(), "n", "", human); err != nil { // so that events refer to events
		t.Fatal(err)
	}
	guide(t, from)
	imported(t, from, evilFile, reference)
	text := exported(t, from)
	e := forImport(t)
	put(t, e, "Another life.")
	guide(t, e)
	dry, said := imported(t, e, text, dryRun)
	r, problems := imported(t, e, text)
	if r.Failed > 0 || r.Kept == 0 || problems != nil || dry.Failed > 0 || said != nil {
		t.Errorf("%+v: %q; the dry run %+v: %q", r, problems, dry, said)
	}
	soundGraph(t, e)
	once := exported(t, e)
	if again, problems := imported(t, e, text); len(again.New) > 0 || problems != nil {
		t.Errorf("%+v: %q", again, problems)
	}
	if diff := cmp.Diff(once, exported(t, e)); diff != "" {
		t.Error(diff)
	}
}
