package engine_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/waitfor"
)

// angles embeds a text that begins with a number as the unit vector at that angle in degrees, so the cosine of two
// texts is the cosine of the difference. It counts those texts. All other texts are orthogonal to them.
func angles(t *testing.T) (url string, embedded *atomic.Int64) {
	t.Helper()
	embedded = new(atomic.Int64)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct {
			Input json.RawMessage `json:"input"`
		}
		_ = json.NewDecoder(r.Body).Decode(&req)
		var inputs []string
		if json.Unmarshal(req.Input, &inputs) != nil {
			inputs = []string{strings.Trim(string(req.Input), `"`)}
		}
		type item struct {
			Index     int       `json:"index"`
			Embedding []float64 `json:"embedding"`
		}
		var out []item
		for i, text := range inputs {
			v := []float64{0, 0, 1}
			var degrees float64
			if _, err := fmt.Sscanf(text, "%f", &degrees); err == nil && !math.IsInf(degrees, 0) {
				embedded.Add(1)
				v = []float64{math.Cos(degrees * math.Pi / 180), math.Sin(degrees * math.Pi / 180), 0}
			}
			out = append(out, item{i, v})
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"data": out, "model": "angles"})
	}))
	t.Cleanup(srv.Close)
	return srv.URL, embedded
}

// onAngles starts an engine with the angles embedder.
func onAngles(t *testing.T, change ...func(*config.Config)) (*engine.Engine, *atomic.Int64) {
	t.Helper()
	s := settings(t)
	url, embedded := angles(t)
	s.Embedder, s.EmbeddingBaseURL, s.EmbeddingModel, s.EmbeddingDimensions = "openai", url, "angles", 3
	for _, c := range change {
		c(s)
	}
	return start(t, s), embedded
}

// noteAt stores a memory at an angle.
func noteAt(t *testing.T, e *engine.Engine, degrees float64, words string) memory.Entity {
	t.Helper()
	return make1(t, e, memory.EntityDraft{Name: fmt.Sprintf("%v %s", degrees, words), Type: "concept",
		Kind: memory.NodeMemory}).Entity
}

// linksOf returns the similar_to links of a node: the names of the tails, with the cosines.
func linksOf(t *testing.T, e *engine.Engine, of memory.Entity, relations ...string) []string {
	t.Helper()
	got, err := e.Links(t.Context(), retrieval.LinksRequest{Scope: memory.Scope{Namespace: "n"}, Entity: of.Ref().String(),
		Direction: memory.Out, Relations: relations, Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, l := range got.Links {
		out = append(out, fmt.Sprintf("%s %s %.2f", l.Relationship.Relation, l.Relationship.Tail.Name,
			l.Relationship.Strength))
	}
	slices.Sort(out)
	return out
}

func expect(t *testing.T, e *engine.Engine, of memory.Entity, want ...string) {
	t.Helper()
	if d := cmp.Diff(want, linksOf(t, e, of),
		cmp.Transformer("empty", func(s []string) []string { return append([]string{}, s...) })); d != "" {
		t.Errorf("links of %s (-want +got):\n%s", of.Name, d)
	}
}

func TestLinks_JoinMemoriesThatAreAlike(t *testing.T) {
	t.Parallel()
	e, embedded := onAngles(t)
	a, b, c := noteAt(t, e, 0, "a"), noteAt(t, e, 20, "b"), noteAt(t, e, 40, "c") // cos 20° = .94, cos 40° = .77
	person := make1(t, e, memory.EntityDraft{Name: "1 x", Type: "person"}).Entity
	waitSettled(t, e)
	expect(t, e, a, "similar_to 20 b 0.94")
	expect(t, e, b, "similar_to 0 a 0.94", "similar_to 40 c 0.94")
	expect(t, e, c, "similar_to 20 b 0.94")
	expect(t, e, person)

	// After an edit of the text, links to nodes that are no longer similar end, and new ones are added.
	before := embedded.Load()
	name := "42 b"
	if _, _, err := openWriter(t, e).UpdateEntity(t.Context(), memory.Scope{Namespace: "n"},
		memory.EntityChange{Entity: b.Ref().String(), Name: &name}, memory.Caller{Actor: "tool"}); err != nil {
		t.Fatal(err)
	}
	waitSettled(t, e)
	expect(t, e, a)
	expect(t, e, c, "similar_to 42 b 1.00")
	if n := embedded.Load() - before; n != 1 {
		t.Errorf("%d texts were embedded for one that changed", n)
	}
	links, err := e.Links(t.Context(),
		retrieval.LinksRequest{Scope: memory.Scope{Namespace: "n", Project: "p", SessionID: "other"},
			Entity: c.Ref().String(), Limit: 9})
	if err != nil || len(links.Links) != 2 || len(links.Links[0].Relationship.Evidence) != 0 {
		t.Errorf("in a project: %+v, %v", links.Links, err)
	}
	if r := links.Links[0].Relationship; r.Origin != memory.OriginAgent || r.Method != memory.MethodSimilarity ||
		r.Confidence != .9 || r.EdgeClass != memory.Semantic {
		t.Errorf("a link is %+v", r)
	}
}

func TestLinks_JoinEntitiesOfOneFamilyWhereThatIsOn(t *testing.T) {
	t.Parallel()
	e, _ := onAngles(t, func(s *config.Config) { s.NoteLinking.Enabled = true })
	tool := make1(t, e, memory.EntityDraft{Name: "0 hammer", Type: "tool"}).Entity
	language := make1(t, e, memory.EntityDraft{Name: "5 hammers", Type: "language"}).Entity
	person := make1(t, e, memory.EntityDraft{Name: "3 Hammer", Type: "person"}).Entity
	memo := noteAt(t, e, 2, "on hammers")
	waitSettled(t, e)
	expect(t, e, tool, "similar_to 5 hammers 1.00")
	expect(t, e, language, "similar_to 0 hammer 1.00")
	expect(t, e, person)
	expect(t, e, memo)
}

func TestLinks_NoneHasMoreThanFive(t *testing.T) {
	t.Parallel()
	e, _ := onAngles(t)
	var notes []memory.Entity
	for i := range 12 {
		notes = append(notes, noteAt(t, e, float64(i), "n"))
	}
	waitSettled(t, e)
	n := 0
	for _, note := range notes {
		got := linksOf(t, e, note)
		if len(got) > 5 {
			t.Errorf("%s has %v", note.Name, got)
		}
		n += len(got)
	}
	if n < 50 {
		t.Errorf("%d links among 12 notes with places for 60", n)
	}
}

// Opening a file that was written without an embedder, or with another model, links its nodes.
func TestLinks_AreCaughtUpWithAFileThatHasNone(t *testing.T) {
	t.Parallel()
	url, _ := angles(t)
	path := filepath.Join(t.TempDir(), "memory.db")
	open := func(embedder string) *engine.Engine {
		cfg := settings(t)
		cfg.DB, cfg.Embedder = path, embedder
		if embedder == "openai" {
			cfg.EmbeddingBaseURL, cfg.EmbeddingModel, cfg.EmbeddingDimensions = url, "angles", 3
		}
		e, err := engine.Start(cfg, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	plain := open("none")
	a, b, c := noteAt(t, plain, 0, "my daughter plays the violin"), noteAt(t, plain, 90,
		"my daughter plays the violin"), noteAt(t, plain, 10, "the weather is bad")
	plain.Close()
	e := open("openai")
	waitfor.Until(t, "0 is linked to 10", func() bool { return len(linksOf(t, e, a)) > 0 })
	waitSettled(t, e)
	expect(t, e, a, "similar_to 10 the weather is bad 0.98")
	expect(t, e, b)
	e.Close()
	e = open("builtin")
	defer e.Close()
	waitfor.Until(t, "0 is linked to 90", func() bool { return len(linksOf(t, e, b)) > 0 })
	waitSettled(t, e)
	expect(t, e, c)
}

func TestLinks_KeepToTheSettings(t *testing.T) {
	t.Parallel()
	e, _ := onAngles(t, func(c *config.Config) { c.NoteLinking.MemoryLinks, c.NoteLinking.MemoryCandidates = 2, 3 })
	var notes []memory.Entity
	for i := range 6 {
		notes = append(notes, noteAt(t, e, float64(i), "n"))
	}
	waitSettled(t, e)
	n := 0
	for _, note := range notes {
		got := linksOf(t, e, note)
		n += len(got)
		if len(got) > 2 {
			t.Errorf("%s has %v", note.Name, got)
		}
	}
	if n == 0 {
		t.Error("no links")
	}
}
