package facts_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/embedding"
	"memory-graph/internal/facts"
	"memory-graph/internal/memory"
)

// fakeGraph is the store, the vectors and the embedder of a test.
type fakeGraph struct {
	entities []memory.Entity
	hits     []memory.Hit
	fail     string
	texts    []string // embedded texts
}

var errFake = errors.New("fake")

func (f *fakeGraph) EntitiesByID(_ context.Context, _ string, ids []int64, _ memory.AsOf) (out []memory.Entity,
	err error) {
	if f.fail == "by id" {
		return nil, errFake
	}
	for _, id := range ids {
		for _, e := range f.entities {
			if e.ID == id {
				out = append(out, e)
			}
		}
	}
	return out, nil
}

func (f *fakeGraph) EntitiesNamed(_ context.Context, _ string, canonical []string, _ memory.AsOf) (out []memory.Entity,
	err error) {
	if f.fail == "named" {
		return nil, errFake
	}
	for _, e := range f.entities {
		if memory.Canonical(e.Name) == canonical[0] {
			out = append(out, e)
		}
	}
	return out, nil
}

func (f *fakeGraph) RankEntities(context.Context, []int8, string, int) ([]memory.Hit, error) {
	if f.fail == "rank" {
		return nil, errFake
	}
	return append([]memory.Hit(nil), f.hits...), nil
}

func (f *fakeGraph) Identity() embedding.Identity {
	return embedding.Identity{Provider: "fake", Dimensions: 2}
}

func (f *fakeGraph) Embed(_ context.Context, _ embedding.Mode, texts []string) ([][]float32, error) {
	if f.fail == "embed" {
		return nil, errFake
	}
	f.texts = append(f.texts, texts...)
	return [][]float32{{1, 0}}, nil
}

func resolver(f *fakeGraph) *facts.ByMeaning {
	return &facts.ByMeaning{Entities: f, Nearest: f, Embedder: f, Thresholds: facts.Thresholds{Same: .85, Ambiguous: .7}}
}

func TestByMeaning_MergesFromTheOneThresholdAndProposesFromTheOther(t *testing.T) {
	t.Parallel()
	entities := []memory.Entity{
		{ID: 1, Kind: memory.NodeEntity, Name: "PostgreSQL", Type: "technology"},
		{ID: 2, Kind: memory.NodeEntity, Name: "Postgres", Type: "tool"},
		{ID: 3, Kind: memory.NodeEntity, Name: "Posto", Type: "location"},
		{ID: 4, Kind: memory.NodeMemory, Name: "How we use it", Type: "tool"},
	}
	for _, tc := range []struct {
		name    string
		draft   memory.EntityDraft
		hits    []memory.Hit
		same    int64
		similar []memory.Hit
	}{
		{"nobody near", memory.EntityDraft{Name: "Kafka"}, nil, 0, nil},
		{"below both", memory.EntityDraft{Name: "Kafka"}, []memory.Hit{{ID: 1, Score: .6999}}, 0, nil},
		{"in the band", memory.EntityDraft{Name: "PG", Type: "tool"},
			[]memory.Hit{{ID: 1, Score: .8499}, {ID: 2, Score: .7}, {ID: 3, Score: .7}}, 0, []memory.Hit{{ID: 1, Score: .8499},
				{ID: 2, Score: .7}}},
		{"at the upper border", memory.EntityDraft{Name: "PG", Type: "tool"},
			[]memory.Hit{{ID: 2, Score: .85}, {ID: 1, Score: .84}}, 2, nil},
		{"nearest of another type", memory.EntityDraft{Name: "PG", Type: "tool"},
			[]memory.Hit{{ID: 3, Score: .99}, {ID: 1, Score: .9}}, 1, nil},
		{"of any type without one", memory.EntityDraft{Name: "PG"}, []memory.Hit{{ID: 3, Score: .99}, {ID: 1, Score: .9}}, 3,
			nil},
		{"never a memory", memory.EntityDraft{Name: "PG", Type: "tool"}, []memory.Hit{{ID: 4, Score: .99}}, 0,
			[]memory.Hit{}},
		{"merged or hidden meanwhile", memory.EntityDraft{Name: "PG", Type: "tool"}, []memory.Hit{{ID: 9, Score: .99}}, 0,
			[]memory.Hit{}},
		{"found by name", memory.EntityDraft{Name: "postgres", Type: "language"}, []memory.Hit{{ID: 1, Score: .99}}, 0, nil},
		{"a known name with another word for its type", memory.EntityDraft{Name: "Postgres", Type: "database"},
			[]memory.Hit{{ID: 1, Score: .99}}, 0, nil},
		{"a name of another type is no find", memory.EntityDraft{Name: "Posto", Type: "tool"},
			[]memory.Hit{{ID: 3, Score: 1}, {ID: 1, Score: .86}}, 1, nil},
		{"a memory is itself", memory.EntityDraft{Name: "PG", Kind: memory.NodeMemory}, []memory.Hit{{ID: 1, Score: .99}}, 0,
			nil},
	} {
		same, similar, err := resolver(&fakeGraph{entities: entities, hits: tc.hits}).Resolve(t.Context(), "n", tc.draft)
		if d := cmp.Diff(tc.similar, similar); d != "" || same != tc.same || err != nil {
			t.Errorf("%s: %d, %v\n%s", tc.name, same, err, d)
		}
	}
}

func TestByMeaning_AModelDecidesBetweenTheThresholds(t *testing.T) {
	t.Parallel()
	entities := []memory.Entity{{ID: 1, Kind: memory.NodeEntity, Name: "PostgreSQL", Type: "technology"},
		{ID: 2, Kind: memory.NodeEntity, Name: "Postgrex", Type: "tool"}}
	hits := []memory.Hit{{ID: 1, Score: .8}, {ID: 2, Score: .75}}
	for name, tc := range map[string]struct {
		says    int
		asked   bool
		err     error
		same    int64
		similar []memory.Hit
	}{
		"the second":   {1, true, nil, 2, nil},
		"none of them": {-1, true, nil, 0, nil},
		"fails":        {0, true, errFake, 0, hits},
		"is not asked": {0, false, nil, 0, hits},
	} {
		r := resolver(&fakeGraph{entities: entities, hits: hits})
		r.Decide = func(_ context.Context, d memory.EntityDraft, of []memory.Entity) (int, bool, error) {
			if d.Name != "PG" || len(of) != 2 || of[1].ID != 2 {
				t.Errorf("%s: asked about %+v among %+v", name, d, of)
			}
			return tc.says, tc.asked, tc.err
		}
		same, similar, err := r.Resolve(t.Context(), "n", memory.EntityDraft{Name: "PG", Type: "tool"})
		if d := cmp.Diff(tc.similar, similar); d != "" || same != tc.same || err != nil {
			t.Errorf("%s: %d, %v\n%s", name, same, err, d)
		}
		r.Entities = &fakeGraph{entities: entities, hits: hits}
		r.Nearest = &fakeGraph{entities: entities, hits: []memory.Hit{{ID: 1, Score: .9}}}
		r.Decide = func(context.Context, memory.EntityDraft, []memory.Entity) (int, bool, error) {
			t.Errorf("%s: asked although it is certain", name)
			return -1, true, nil
		}
		if same, _, _ := r.Resolve(t.Context(), "n", memory.EntityDraft{Name: "PG", Type: "tool"}); same != 1 {
			t.Errorf("%s: from the upper threshold on it is %d", name, same)
		}
	}
}

func TestWriter_ComparesTheEndsOfAFact(t *testing.T) {
	t.Parallel()
	f := &fakeGraph{entities: []memory.Entity{{ID: 1, Kind: memory.NodeEntity, Name: "PostgreSQL", Type: "technology"}},
		hits: []memory.Hit{{ID: 1, Score: .9}}}
	w := facts.New(nil, facts.Options{Resolver: resolver(f)})
	for tail, want := range map[string]int64{"Postgres": 1, "e7": 0, "24 April": 0, "postgresql": 0} {
		d := w.Ends(t.Context(), "n", memory.RelationDraft{Head: "m2", Relation: "uses", Tail: tail})
		if got := d.Near[tail].Same; got != want {
			t.Errorf("%q is %d; want %d", tail, got, want)
		}
	}
}

func TestByMeaning_ComparesNameAndDescription(t *testing.T) {
	t.Parallel()
	f := &fakeGraph{}
	for _, d := range []memory.EntityDraft{{Name: "Rust", Description: "a language"}, {Name: "Go"}} {
		if _, _, err := resolver(f).Resolve(t.Context(), "n", d); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff([]string{"Rust: a language", "Go"}, f.texts); d != "" {
		t.Error(d)
	}
}

// Whatever fails, the entity is stored and matched by its name.
func TestWriter_MatchesExactlyWhereComparingFails(t *testing.T) {
	t.Parallel()
	for _, fail := range []string{"named", "embed", "rank", "by id"} {
		f := &fakeGraph{fail: fail, hits: []memory.Hit{{ID: 1, Score: .99}}}
		if _, _, err := resolver(f).Resolve(t.Context(), "n", memory.EntityDraft{Name: "Rust"}); !errors.Is(err, errFake) {
			t.Errorf("%s: %v", fail, err)
		}
		w := facts.New(nil, facts.Options{Resolver: resolver(f)})
		d, err := w.Entity(t.Context(), "n", memory.EntityDraft{Name: "Rust"}, memory.Caller{Actor: "tool"})
		if err != nil || d.SameAs != 0 || d.Similar != nil || d.Name != "Rust" {
			t.Errorf("%s: %+v, %v", fail, d, err)
		}
	}
}

func TestWriter_RefusesWhatIsBelowTheMinimum(t *testing.T) {
	t.Parallel()
	w := facts.New(nil, facts.Options{MinConfidence: .4})
	for confidence, want := range map[float64]memory.Code{.1: memory.InvalidArgument, .4: ""} {
		_, entity := w.Entity(t.Context(), "n", memory.EntityDraft{Name: "Rust", Confidence: &confidence},
			memory.Caller{Actor: "tool"})
		_, fact := w.Relation(memory.RelationDraft{Head: "Ann", Relation: "uses", Tail: "Rust", Confidence: &confidence},
			memory.Caller{Actor: "tool"})
		for what, err := range map[string]error{"entity": entity, "fact": fact} {
			var got memory.Code
			if e := (*memory.Error)(nil); errors.As(err, &e) {
				got = e.Code
			}
			if got != want {
				t.Errorf("an %s of %v: %v; want code %q", what, confidence, err, want)
			}
		}
	}
}
