package hierarchy_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/embedding"
	"memory-graph/internal/facts"
	"memory-graph/internal/facts/hierarchy"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

// concepts stands in for a model: two texts are similar if they share a concept.
type concepts struct{ s *store.Store }

var conceptWords = [][]string{
	{"haskell", "erlang", "functional", "programming", "skills", "monads", "ocaml"},
	{"berlin", "lisbon", "lives", "location"},
	{"sourdough", "bread", "baking"},
}

func (concepts) Identity() embedding.Identity {
	return embedding.Identity{Provider: "test", Model: "concepts", Dimensions: 8}
}

func (concepts) Embed(_ context.Context, _ embedding.Mode, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = make([]float32, 8)
		for j, list := range conceptWords {
			for _, w := range list {
				if strings.Contains(strings.ToLower(t), w) {
					out[i][j] = 1
				}
			}
		}
	}
	return out, nil
}

// RankEntities compares with every memory, as the index in memory would.
func (c concepts) RankEntities(ctx context.Context, vec []int8, namespace string, k int) ([]memory.Hit, error) {
	var hits []memory.Hit
	for id := int64(1); id <= 40; id++ {
		list, err := c.s.EntitiesByID(ctx, namespace, []int64{id}, memory.AsOf{})
		if err != nil || len(list) == 0 {
			continue
		}
		vecs, _ := c.Embed(ctx, embedding.Document, []string{list[0].Name + ": " + list[0].Description})
		same := 0.
		for j, v := range embedding.Quantize(vecs[0]) {
			if v > 0 && vec[j] > 0 {
				same = 1
			}
		}
		hits = append(hits, memory.Hit{ID: id, Score: same})
	}
	return hits, nil
}

var (
	scope = memory.Scope{Namespace: "alice"}
	agent = memory.Caller{Actor: "tool"}
)

func begin(t *testing.T, byMeaning bool) (*hierarchy.Hierarchy, *store.Store) {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"),
		store.Options{CacheDir: filepath.Join(os.TempDir(), "memory-graph-test-cache")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	h := &hierarchy.Hierarchy{Store: s, Links: &retrieval.Retriever{Graph: s, Episodes: s},
		Drafts: facts.New(s, facts.Options{}), Embedder: embedding.None{}}
	if byMeaning {
		h.Embedder, h.Nearest = concepts{s}, concepts{s}
	}
	return h, s
}

func retain(t *testing.T, h *hierarchy.Hierarchy, in hierarchy.Memory) store.Retained {
	t.Helper()
	out, err := h.Retain(t.Context(), scope, in, agent)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func layer(n int) *int { return &n }

// alice is an example: technical skills on their layers, and a location that changed.
func alice(t *testing.T, h *hierarchy.Hierarchy) map[string]memory.Entity {
	t.Helper()
	out := map[string]memory.Entity{}
	note := func(m hierarchy.Memory) { r := retain(t, h, m); out[r.Memory.Name] = r.Memory }
	half := .5
	note(hierarchy.Memory{Content: "Programming", Layer: layer(0)})
	note(hierarchy.Memory{Content: "Functional Programming", Parent: "Programming"})
	note(hierarchy.Memory{Content: "experienced with Haskell", Parent: "Functional Programming",
		Relations: []hierarchy.Relation{{Target: "Alice", Type: "is_about"},
			{Target: "Type theory", Type: "supported by", Strength: &half}}})
	note(hierarchy.Memory{Content: "has used Erlang", Parent: "Functional Programming"})
	note(hierarchy.Memory{Content: "gave a talk on monads", Parent: "experienced with Haskell"})
	note(hierarchy.Memory{Content: "bakes bread", Layer: layer(2)})
	return out
}

func TestRecall_FindsByMeaningAndShowsWhatStandsAround(t *testing.T) {
	t.Parallel()
	h, _ := begin(t, true)
	known := alice(t, h)
	for name, want := range map[string]int{"Programming": 0, "Functional Programming": 1, "experienced with Haskell": 2,
		"has used Erlang": 2, "gave a talk on monads": 3} {
		if l := known[name].Layer; l == nil || *l != want {
			t.Errorf("%s is on layer %v; want %d", name, l, want)
		}
	}
	got, err := h.Recall(t.Context(), hierarchy.RecallQuery{Scope: scope, Query: "technical skills", Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	var haskell *hierarchy.Recalled
	for i, r := range got.Memories {
		if r.Memory.Name == "bakes bread" {
			t.Errorf("baking is no technical skill: %+v", r)
		}
		if r.Memory.Name == "experienced with Haskell" {
			haskell = &got.Memories[i]
		}
	}
	if haskell == nil {
		t.Fatalf("Haskell is not recalled: %+v", got.Memories)
	}
	if haskell.Parent == nil || haskell.Parent.Name != "Functional Programming" {
		t.Errorf("parent %+v", haskell.Parent)
	}
	if f := haskell.Siblings; f.Total != 1 || f.Nodes[0].Name != "has used Erlang" {
		t.Errorf("siblings %+v", f)
	}
	if f := haskell.Children; f.Total != 1 || f.Nodes[0].Name != "gave a talk on monads" {
		t.Errorf("children %+v", f)
	}
	links := map[string]float64{}
	for _, l := range haskell.Links {
		r := l.Relationship
		links[r.Head.Name+" "+r.Relation+" "+r.Tail.Name] = r.Strength
	}
	want := map[string]float64{ // supported_by is stored as its inverse
		"experienced with Haskell is_about Alice":       1,
		"Type theory supports experienced with Haskell": .5,
	}
	if diff := cmp.Diff(want, links); diff != "" {
		t.Errorf("relationships: %s", diff)
	}
	if diff := cmp.Diff([]string{"vector"}, haskell.MatchedBy); diff != "" {
		t.Error(diff)
	}
}

func TestRecall_GivesWhatStandsUnderADomain(t *testing.T) {
	t.Parallel()
	h, _ := begin(t, false)
	alice(t, h)
	for query, want := range map[string][]string{
		// the limit cuts the fourth
		"":                        {"Functional Programming", "experienced with Haskell", "has used Erlang"},
		"bread, monads or Erlang": {"gave a talk on monads", "has used Erlang"},
	} {
		got, err := h.Recall(t.Context(), hierarchy.RecallQuery{Scope: scope, Query: query, Under: "Programming", Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, m := range got.Memories {
			names = append(names, m.Memory.Name)
		}
		slices.Sort(names)
		slices.Sort(want)
		if diff := cmp.Diff(want, names); diff != "" || got.More != (query == "") {
			t.Errorf("%q: more %v %s", query, got.More, diff)
		}
	}
	if _, err := h.Recall(t.Context(), hierarchy.RecallQuery{Scope: scope, Under: "nowhere",
		Limit: 3}); memory.AsError(err).Code != memory.NotFound {
		t.Errorf("%v", err)
	}
}

func TestRecall_FindsByWordsWithoutAModel(t *testing.T) {
	t.Parallel()
	h, _ := begin(t, false)
	alice(t, h)
	got, err := h.Recall(t.Context(),
		hierarchy.RecallQuery{Scope: scope, Query: "What has she used of Erlang?", Limit: 1})
	if err != nil || len(got.Memories) != 1 || got.Memories[0].Memory.Name != "has used Erlang" {
		t.Fatalf("%+v, %v", got, err)
	}
	if diff := cmp.Diff(memory.State{Degraded: []string{}}, got.State); diff != "" {
		t.Error(diff)
	}
	for _, q := range []hierarchy.RecallQuery{{Scope: scope, Query: "", Limit: 3},
		{Scope: scope, Query: "of the", Limit: 3},
		{Scope: memory.Scope{Namespace: "bob"}, Query: "Erlang", Limit: 3}} {
		if got, err := h.Recall(t.Context(), q); err != nil || got.Memories == nil || len(got.Memories) != 0 {
			t.Errorf("%+v recalls %+v, %v", q, got, err)
		}
	}
}

// away is a model that does not answer.
type away struct{ concepts }

func (away) RankEntities(context.Context, []int8, string, int) ([]memory.Hit, error) {
	return nil, memory.Errorf(memory.Unavailable, "not yet")
}

func TestRecall_SaysThatItComparedNoMeanings(t *testing.T) {
	t.Parallel()
	h, s := begin(t, true)
	alice(t, h)
	h.Nearest = away{concepts{s}}
	got, err := h.Recall(t.Context(), hierarchy.RecallQuery{Scope: scope, Query: "erlang", Limit: 1})
	if err != nil || len(got.Memories) != 1 || cmp.Diff([]string{hierarchy.CodeNoVectors}, got.State.Degraded) != "" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestRecall_GivesWhatWasSaidThen(t *testing.T) {
	t.Parallel()
	h, _ := begin(t, false)
	at := func(day string) time.Time { v, _ := memory.ParseTime("test", day); return v }
	first := retain(t, h, hierarchy.Memory{Title: "alice-location", Content: "Alice lives in Berlin",
		ValidFrom: at("2024-01-01")})
	second := retain(t, h, hierarchy.Memory{Updates: first.Memory.Ref().String(), Content: "Alice lives in Lisbon",
		ValidFrom: at("2025-06-01")})
	if second.Memory.ID != first.Memory.ID || second.Memory.Name != "alice-location" || !second.Changed ||
		second.Version != 2 {
		t.Fatalf("%+v", second)
	}
	for day, want := range map[string]string{"": "Alice lives in Lisbon", "2024-06-01": "Alice lives in Berlin",
		"2023-01-01": ""} {
		q := hierarchy.RecallQuery{Scope: scope, Query: "alice location", Limit: 1}
		if day != "" {
			q.At.ValidAt = at(day)
		}
		got, err := h.Recall(t.Context(), q)
		if err != nil || (want == "") != (len(got.Memories) == 0) ||
			want != "" && got.Memories[0].Memory.Description != want {
			t.Errorf("at %q: %+v, %v", day, got.Memories, err)
		}
	}
}

func TestReflect_ProposesParentsAndPutsMemoriesUnderThem(t *testing.T) {
	t.Parallel()
	h, _ := begin(t, true)
	known := alice(t, h)
	ocaml := retain(t, h, hierarchy.Memory{Content: "reads OCaml"}).Memory
	got, err := h.Reflect(t.Context(), hierarchy.Reflection{Scope: scope, Limit: 10}, agent)
	if err != nil {
		t.Fatal(err)
	}
	proposed := map[string][]string{}
	for _, o := range got.Orphans {
		proposed[o.Memory.Name] = []string{}
		for _, c := range o.Candidates {
			proposed[o.Memory.Name] = append(proposed[o.Memory.Name], c.Entity.Name)
		}
	}
	if diff := cmp.Diff(map[string][]string{"bakes bread": {}, "reads OCaml": {"Functional Programming"}},
		proposed); diff != "" {
		t.Errorf("orphans and their candidates: %s", diff)
	}
	got, err = h.Reflect(t.Context(), hierarchy.Reflection{Scope: scope, Limit: 10, Assign: []store.Assignment{
		{Memory: ocaml.Ref().String(), Parent: "Functional Programming"}, {Memory: "nothing", Parent: "Programming"}}}, agent)
	if err != nil || len(got.Assigned) != 1 || got.Assigned[0].Memory.ParentID != known["Functional Programming"].ID ||
		len(got.Errors) != 1 || len(got.Orphans) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestRetain_MasksAndNamesWhatItStores(t *testing.T) {
	t.Parallel()
	h, _ := begin(t, false)
	got := retain(t, h,
		hierarchy.Memory{Content: "The key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH.\nMore."})
	if strings.Contains(got.Memory.Description+got.Memory.Name, "abcdefghijkl") {
		t.Errorf("%+v", got.Memory)
	}
	for in, want := range map[string]string{
		" One line. \nAnother.":     "One line.",
		strings.Repeat("word ", 30): strings.TrimSpace(strings.Repeat("word ", 16)) + "…",
		strings.Repeat("x", 100):    strings.Repeat("x", 80) + "…",
		"":                          "",
	} {
		if got := hierarchy.Title(in); got != want {
			t.Errorf("%q is called %q; want %q", in, got, want)
		}
	}
	if _, err := h.Retain(t.Context(), scope, hierarchy.Memory{Content: "  "},
		agent); memory.AsError(err).Code != memory.InvalidArgument {
		t.Errorf("%v", err)
	}
}
