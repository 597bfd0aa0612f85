package bench_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/extraction"
	"memory-graph/extraction/rules"
	"memory-graph/internal/bench"
	"memory-graph/internal/memory"
)

func labelled(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "turns.txt")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestReadLabelled_ReadsTurns(t *testing.T) {
	t.Parallel()
	turns, sum, err := bench.ReadLabelled(labelled(t,
		"# a remark\r\n@ user\r\nI left Vim.\r\nE Vim|tool\r\nR User|uses|Vim|end\r\n\r\n@ assistant\n# no remark\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []bench.Labelled{
		{Line: 3, Role: memory.RoleUser, Text: "I left Vim.", Entities: []bench.LabelledEntity{{Name: "Vim", Type: "tool"}},
			Relations: []bench.LabelledRelation{{Head: "User", Relation: "uses", Tail: "Vim", Ended: true}}},
		{Line: 8, Role: memory.RoleAssistant, Text: "# no remark"},
	}
	if diff := cmp.Diff(want, turns); diff != "" {
		t.Errorf("turns (-want +got):\n%s", diff)
	}
	if len(sum) != 64 {
		t.Errorf("sha256 %q", sum)
	}
}

func TestReadLabelled_NamesTheBadLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                   "no turns",
		"hello\n":                            ":1:",
		"@ user\n":                           "no text",
		"@ user\n@ user\nhi\n":               ":2:",
		"@ boss\nhi\n":                       "\"boss\"",
		"@ user\nhi\nE Vim\n":                ":3:",
		"@ user\nhi\nE Vim|gadget\n":         "gadget",
		"@ user\nhi\nR a|b\n":                ":3:",
		"@ user\nhi\nR a|uses|b|never\n":     ":3:",
		"@ user\nhi\nR a|Uses It|b\n":        "snake_case",
		"@ user\nhi\nR |uses|b\n":            ":3:",
		"@ user\nhi\nX something\n":          ":3:",
		"@ user\nhi\nE Vim|tool\nR a|b|c|\n": ":4:",
	} {
		_, _, err := bench.ReadLabelled(labelled(t, text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one that says %q", text, err, want)
		}
	}
	if _, _, err := bench.ReadLabelled(filepath.Join(t.TempDir(), "absent.txt")); err == nil {
		t.Error("no error for a missing file")
	}
}

// finding is an extractor with a fixed result.
type finding memory.Findings

func (f finding) Extract(extraction.Input) memory.Findings { return memory.Findings(f) }

func TestExtraction_Scores(t *testing.T) {
	t.Parallel()
	turns := []bench.Labelled{{
		Line: 2, Role: memory.RoleUser, Text: "…",
		Entities: []bench.LabelledEntity{{Name: "Vim", Type: "tool"}, {Name: "Ghent", Type: "location"},
			{Name: "Rust", Type: "language"}, {Name: "Ana", Type: "person"}},
		Relations: []bench.LabelledRelation{
			{Head: "User", Relation: "uses", Tail: "Vim", Ended: true}, {Head: "the CI", Relation: "uses",
				Tail: "Rust"}, {Head: "User", Relation: "knows", Tail: "Ana"},
		},
	}}
	found := finding{
		Mentions: []memory.Mention{{Name: "Ghent", Type: "organization"}, {Name: "Rust", Type: "tool"},
			{Name: "Maybe", Unsure: true}, {Name: "Junk"}},
		Relations: []memory.RelationDraft{
			{Head: "User", Relation: "uses", Tail: "vim", TailType: "tool"},                     // not marked as ended
			{Head: "CI", Relation: "uses", Tail: "rust"},                                        // right
			{Head: "CI", Relation: "uses", Tail: "Rust", HeadType: "project", TailType: "tool"}, // a duplicate
		},
	}
	got := bench.Extraction(found, turns)
	want := bench.ExtractionResult{
		Relations: bench.PrecisionRecall{Precision: .5, Recall: 1. / 3, Found: 2, Expected: 3},
		Forgiving: bench.PrecisionRecall{Precision: .5, Recall: 1. / 3, Found: 2, Expected: 3},
		// Vim, Rust, Ghent; Junk is wrong.
		Entities:     bench.PrecisionRecall{Precision: .75, Recall: .75, Found: 4, Expected: 4},
		TypeAccuracy: 2. / 3, // Ghent is no organisation
		N:            1,
		Misses: []bench.ExtractionMiss{{
			Line: 2, Text: "…",
			MissedRelations: []bench.LabelledRelation{{Head: "User", Relation: "uses", Tail: "Vim", Ended: true},
				{Head: "User", Relation: "knows", Tail: "Ana"}},
			WrongRelations: []bench.LabelledRelation{{Head: "User", Relation: "uses", Tail: "vim"}},
			MissedEntities: []bench.LabelledEntity{{Name: "Ana", Type: "person"}},
			WrongEntities:  []bench.LabelledEntity{{Name: "Junk", Type: "concept"}},
			WrongTypes:     []bench.LabelledEntity{{Name: "Ghent", Type: "organization"}},
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
}

func TestExtraction_ForgivesArticlesAndBordersOfNames(t *testing.T) {
	t.Parallel()
	for found, want := range map[string]int{
		"booking service|uses|Vim":        1, // the start is missing
		"old booking service|uses|Vim 9":  1,
		"the old booking service|uses|Vi": 0, // not a whole word
		"booking|uses|Vim":                0, // neither start nor end
		"old booking service|owns|Vim":    0,
	} {
		p := strings.Split(found, "|")
		got := bench.Extraction(finding{Relations: []memory.RelationDraft{{Head: p[0], Relation: p[1], Tail: p[2]}}},
			[]bench.Labelled{{Text: "…", Relations: []bench.LabelledRelation{{Head: "old booking service", Relation: "uses",
				Tail: "the Vim"}}}})
		if got.Relations.Precision != 0 || got.Forgiving.Precision != float64(want) {
			t.Errorf("%s: %v, forgiving %v", found, got.Relations, got.Forgiving)
		}
	}
}

// TestExtraction_ReachesItsTargets checks the promised figures of the built-in rules on the development sets, which are
// not part of the repository.
func TestExtraction_ReachesItsTargets(t *testing.T) {
	t.Parallel()
	ex := rules.New()
	for name, recall := range map[string]float64{"extraction-dev.txt": .75, "extraction-notes.txt": .5} {
		turns, _, err := bench.ReadLabelled(external(t, name))
		if err != nil {
			t.Fatal(err)
		}
		r := bench.Extraction(ex, turns)
		t.Log(name)
		hold(t, floor{"relations' precision", r.Relations.Precision, .92},
			floor{"relations' recall", r.Relations.Recall, recall},
			floor{"entities' precision", r.Entities.Precision, .92}, floor{"entities' recall", r.Entities.Recall, .92},
			floor{"types", r.TypeAccuracy, .88})
	}
}
