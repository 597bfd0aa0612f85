package store_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func entity(t testing.TB, s *store.Store, d memory.EntityDraft) memory.Entity {
	t.Helper()
	d.Origin, d.Method = memory.OriginAgent, memory.MethodSupplied
	if d.Type == "" {
		d.Type = "concept"
	}
	made, err := s.CreateEntity(context.Background(), memory.Scope{Namespace: "default"}, d, memory.Caller{Actor: "tool"})
	if err != nil {
		t.Fatal(err)
	}
	return made.Entity
}

func searchNames(t testing.TB, s *store.Store, types []string, k int, words ...string) []int64 {
	t.Helper()
	hits, err := s.SearchEntities(context.Background(), "default", words, types, k)
	if err != nil {
		t.Fatalf("%q: %v", words, err)
	}
	ids := []int64{}
	for i, h := range hits {
		if ids = append(ids, h.ID); h.Score <= 0 || i > 0 && h.Score > hits[i-1].Score {
			t.Errorf("%q: scores %+v", words, hits)
		}
	}
	return ids
}

func TestSearchEntities_RanksNamesBeforeAliasesBeforeDescriptions(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	described := entity(t, s, memory.EntityDraft{Name: "Ferris", Description: "the crab of rust and its mascot"}).ID
	alias := entity(t, s, memory.EntityDraft{Name: "Oxide", Aliases: []string{"rust project"}}).ID
	name := entity(t, s, memory.EntityDraft{Name: "Rust", Type: "language"}).ID
	begins := entity(t, s, memory.EntityDraft{Name: "Rustacean"}).ID
	entity(t, s, memory.EntityDraft{Name: "Trust"})
	for _, tc := range []struct {
		words, types []string
		k            int
		want         []int64
	}{
		{[]string{"rust"}, nil, 10, []int64{name, alias, begins, described}},
		{[]string{"RUST"}, nil, 1, []int64{name}},
		{[]string{"rus"}, nil, 10, []int64{name, begins, alias, described}},
		{[]string{"rust"}, []string{"language", "tool"}, 10, []int64{name}},
		{[]string{"rust", "oxide"}, nil, 1, []int64{alias}},
		{[]string{"rust"}, nil, 0, []int64{}},
		{[]string{"nobody"}, nil, 10, []int64{}},
		{nil, nil, 10, []int64{}},
		{[]string{"", " ", "\"", "*", "---"}, nil, 10, []int64{}},
		{[]string{"r"}, nil, 10, []int64{}},
	} {
		got := searchNames(t, s, tc.types, tc.k, tc.words...)
		want := tc.want
		if len(tc.words) == 1 && tc.words[0] == "rus" { // only prefix matches: BM25 decides their order
			got, want = ascending(got), ascending(want)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q %q\n%s", tc.words, tc.types, d)
		}
	}
}

func TestSearchEntities_FindsWhatPeopleWrite(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	ids := map[string]int64{}
	for _, name := range []string{"Zoë Müller", "C++", "main.go", "北京咖啡馆", "O'Brien", "naïve-bayes", "Ærøskøbing",
		"Москва"} {
		ids[name] = entity(t, s, memory.EntityDraft{Name: name}).ID
	}
	for word, name := range map[string]string{"zoe": "Zoë Müller", "MULLER": "Zoë Müller", "C++": "C++",
		"main.go": "main.go", "main": "main.go", "咖啡": "北京咖啡馆",
		"北京咖啡": "北京咖啡馆", "o'brien": "O'Brien", "brien": "O'Brien", "bayes": "naïve-bayes", "naive": "naïve-bayes",
		"москв": "Москва"} {
		if d := cmp.Diff([]int64{ids[name]}, searchNames(t, s, nil, 10, word)); d != "" {
			t.Errorf("%q should find %q\n%s", word, name, d)
		}
	}
}

func TestSearchEntities_KeepsToShownNodesOfTheNamespace(t *testing.T) {
	t.Parallel()
	g := newSQLGraph(t)
	g.node(1, "Rust", "language")
	g.nodeOf("other", 2, "Rust", "language", "entity")
	g.nodeOf("default", 3, "Rust", "concept", "mention")
	g.node(4, "Rust", "tool")
	g.exec(`UPDATE mg_entities SET merged_into = 1 WHERE id = 4`)
	g.nodeOf("default", 5, "Rust", "concept", "memory")
	if d := cmp.Diff([]int64{1, 5}, searchNames(t, g.s, nil, 10, "rust")); d != "" {
		t.Error(d)
	}
}

// An entity is found by its current name. After a rename its old description does not find it.
func TestSearchEntities_FollowsChanges(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	e := entity(t, s, memory.EntityDraft{Name: "Oxide", Description: "a compiler"})
	name, description := "Ferrum", "a metal"
	if _, _, err := s.UpdateEntity(context.Background(), "default",
		memory.EntityChange{Entity: e.Ref().String(), Name: &name, Description: &description}, memory.Caller{}); err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]int{"ferrum": 1, "metal": 1, "oxide": 1, /* the old name stays an alias */
		"compiler": 0} {
		if got := searchNames(t, s, nil, 10, word); len(got) != want {
			t.Errorf("%q finds %v", word, got)
		}
	}
	// An observation without news keeps the entity findable. A longer description finds it too.
	entity(t, s, memory.EntityDraft{Name: "Ferrum"})
	entity(t, s, memory.EntityDraft{Name: "Ferrum", Description: "a metal that rusts"})
	if got := searchNames(t, s, nil, 10, "rusts"); len(got) != 1 {
		t.Errorf("the longer description finds %v", got)
	}
}

// The words are always searched for, and never parsed as FTS5's query language.
func FuzzSearchEntities(f *testing.F) {
	s := open(f, f.TempDir()+"/memory.db", store.Options{})
	entity(f, s, memory.EntityDraft{Name: "Rust"})
	for _, seed := range []string{`rust`, `"`, `a" OR b`, `name:rust`, `rust*`, `NEAR(a b)`, `^rust`, `{name}: x`, "\x00",
		"北京咖啡", "c++ c#", "ก่อน", "AND OR NOT", "😀", "\xff\xfe"} {
		f.Add(seed, "and")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if _, err := s.SearchEntities(context.Background(), "default", []string{a, b}, []string{b}, 5); err != nil {
			t.Errorf("%q, %q (%s): %v", a, b, store.MatchNames([]string{a, b}), err)
		}
		for _, h := range []string{a, b} {
			prepared := store.IndexedName(h)
			if again := store.IndexedName(prepared); again != prepared && len(h) < 64 {
				t.Logf("%q is fed as %q and that as %q", h, prepared, again)
			}
		}
	})
}
