package graph_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// Relations that the registry must have: those of the source systems (docs/sources.md).
var named = strings.Fields(`works_on uses decides mentions related_to depends_on decided_to_use assigned_to part_of created_by knows
	is_about contradicts supports caused_by supersedes similar_to prefers_over specializes conditional_on shared_node
	works_at located_in lives_in prefers dislikes switched_to replaced_by same_as is_a born_in married_to`)

func TestLookup_KnowsTheRelationsOfTheSources(t *testing.T) {
	t.Parallel()
	known := graph.Known()
	for _, name := range named {
		if !slices.Contains(known, name) {
			t.Errorf("%s is not registered", name)
		}
	}
}

func TestLookup_HoldsTogether(t *testing.T) {
	t.Parallel()
	for _, name := range graph.Known() {
		r := graph.Lookup(name)
		if r.Name != name || graph.Snake(name) != name {
			t.Errorf("%s is registered as %q", name, r.Name)
		}
		if !slices.Contains(memory.EdgeClasses, r.Class) {
			t.Errorf("%s has class %q", name, r.Class)
		}
		if r.Weight < .25 || r.Weight > 1.5 || r.Weight != graph.Weight(name, r.Class) {
			t.Errorf("%s weighs %v", name, r.Weight)
		}
		if r.Rate < 0 || r.Rate > graph.DefaultRate {
			t.Errorf("%s has rate %v", name, r.Rate)
		}
		if r.Symmetric && r.Inverse != "" {
			t.Errorf("%s is symmetric and has the inverse %s", name, r.Inverse)
		}
		for _, other := range append([]string{r.Inverse}, r.Excludes...) {
			if other != "" && (other == name || !slices.Contains(graph.Known(), other)) {
				t.Errorf("%s names %s", name, other)
			}
		}
		if i := r.Inverse; i != "" {
			inverse := graph.Lookup(i)
			if inverse.Inverse != name {
				t.Errorf("the inverse of %s is %s, whose inverse is %q", name, i, inverse.Inverse)
			}
			if inverse.Class != r.Class || inverse.Rate != r.Rate {
				t.Errorf("%s and its inverse %s have different classes or rates", name, i)
			}
		}
		for _, x := range r.Excludes {
			if !slices.Contains(graph.Lookup(x).Excludes, name) {
				t.Errorf("%s excludes %s, which excludes %q", name, x, graph.Lookup(x).Excludes)
			}
		}
		if r.One && r.Symmetric {
			t.Errorf("%s has one tail for each head, but is symmetric", name)
		}
	}
}

// A wrong entry here ends true facts.
func TestLookup_HasOneTailOnlyWhereTwoWouldContradict(t *testing.T) {
	t.Parallel()
	var one []string
	for _, name := range graph.Known() {
		if graph.Lookup(name).One {
			one = append(one, name)
		}
	}
	want := []string{"assigned_to", "has_age", "has_status", "lives_in", "located_in", "works_at"}
	if diff := cmp.Diff(want, one); diff != "" {
		t.Errorf("relations with one tail (-want +got):\n%s", diff)
	}
	for _, c := range []struct {
		relation, head string
		want           bool
	}{
		{"assigned_to", "concept", true}, {"assigned_to", "event", true}, {"assigned_to", "person", false},
		{"works_at", "person", true}, {"uses", "project", false}, {"owns", "person", false}, {"never_heard_of", "person",
			false},
	} {
		if got := graph.Lookup(c.relation).OneTail(c.head); got != c.want {
			t.Errorf("%s of a %s has one tail: %v", c.relation, c.head, got)
		}
	}
}

func TestWeight_IsTheRelationsOwnElseItsClasses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		relation, class string
		want            float64
	}{
		{"caused_by", memory.Causal, 1.5}, {"contradicts", memory.Semantic, 1.3}, {"supersedes", memory.Temporal, 1.2},
		{"similar_to", memory.Semantic, 1}, {"depends_on", memory.Semantic, .9}, {"prefers_over", memory.Semantic, .8},
		{"specializes", memory.Hierarchical, .7}, {"conditional_on", memory.Causal, .6}, {"shared_node", memory.CoOccurrence,
			.25},
		{"caused_by", memory.CoOccurrence, 1.5}, // the relation's own weight overrides the class of the caller
		{"uses", memory.Semantic, 1}, {"uses", memory.Causal, 1.2}, {"blocks", memory.Causal, 1.2}, {"precedes",
			memory.Temporal, .9},
		{"is_a", memory.Hierarchical, .8}, {"mentions", memory.CoOccurrence, .5},
		{"never_heard_of", memory.Causal, 1.2}, {"never_heard_of", memory.Semantic, 1}, {"never_heard_of", "",
			.5}, {"never_heard_of", "odd", .5},
	} {
		if got := graph.Weight(c.relation, c.class); got != c.want {
			t.Errorf("%s of class %q weighs %v, want %v", c.relation, c.class, got, c.want)
		}
	}
}

func TestRates_AreSetElseRegisteredElseTheDefault(t *testing.T) {
	t.Parallel()
	rates := graph.Rates{Default: .05, Set: map[string]float64{"uses": .5, "is_a": .1, "knows": 0}}
	for relation, want := range map[string]float64{
		"uses": .5, "is_a": .1, "knows": 0, // set
		"part_of": 0, "created_by": 0, "born_in": 0, "same_as": 0, "replaced_by": 0, "decided_to_use": 0, // lasting
		"prefers": .002, "dislikes": .002, "works_at": .002, "lives_in": .002, // slow
		"works_on": .05, "never_heard_of": .05,
	} {
		if got := rates.Of(relation); got != want {
			t.Errorf("%s has rate %v, want %v", relation, got, want)
		}
	}
}

func TestSnake_IsOneNameForOneRelation(t *testing.T) {
	t.Parallel()
	for label, want := range map[string]string{
		"worksAt": "works_at", "works at": "works_at", "WORKS_AT": "works_at", " -works--at! ": "works_at",
		"Works At": "works_at",
		"uses":     "uses", "usesHTTP2": "uses_http2", "v2Of": "v2_of", "": "", "→": "", "работает в": "работает_в",
		"使用":     "使用",
		"a\x00b": "a_b",
	} {
		if got := graph.Snake(label); got != want {
			t.Errorf("Snake(%q) = %q, want %q", label, got, want)
		}
	}
}

func FuzzSnake(f *testing.F) {
	for _, s := range []string{"worksAt", "İstanbul'da", "ǅ", "e\u0301B", "\xff\xfe", "__", "a__b", "𝐀𝐀",
		strings.Repeat("aB", 300)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, label string) {
		got := graph.Snake(label)
		if again := graph.Snake(got); again != got {
			t.Errorf("Snake(%q) = %q, and Snake of that is %q", label, got, again)
		}
		if strings.HasPrefix(got, "_") || strings.HasSuffix(got, "_") || strings.Contains(got, "__") {
			t.Errorf("Snake(%q) = %q", label, got)
		}
		for _, r := range got {
			if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
				t.Errorf("Snake(%q) = %q has %U", label, got, r)
			}
		}
	})
}
