package store_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// plantedBugs are likely mistakes in this code, as replacements in its files. The random histories must find each of
// them.
var plantedBugs = []struct{ name, file, is, becomes string }{
	{"trust is compared the wrong way round", "facts_row.go",
		`newcomer.saidBy.Trust()) >= old.origin.Trust()`, `newcomer.saidBy.Trust()) <= old.origin.Trust()`},
	{"sureness is not asked for", "facts_row.go",
		`(newcomer.confidence >= memory.StrongConfidence || newcomer.confidence >= old.confidence)`,
		`newcomer.confidence >= 0`},
	{"the ended fact ends now, not where the new one begins", "facts_write.go",
		`w.endAt(ctx, f, a.beginsFor(f).after(f.begin()), out.Relationship.ID, causeSuperseded)`,
		`w.endAt(ctx, f, moment{at: memory.Seconds(w.now)}, out.Relationship.ID, causeSuperseded)`},
	{"reinforcing takes the lower confidence", "facts_write.go",
		`confidence = max(confidence, ?2), origin`, `confidence = min(confidence, ?2), origin`},
	{"reinforcing takes the later beginning", "facts_write.go",
		`a.validFrom < from.at && !a.begin().covers(from)`, `a.validFrom > from.at`},
	{"a version is not closed", "versions.go",
		"SET expired_at = ? WHERE `+column+` = ? AND expired_at IS NULL`", "SET expired_at = ? WHERE `+column+` = ? AND " +
			"expired_at IS NOT NULL`"},
	{"a relation of many tails is treated as one of one", "facts_row.go",
		`if known.OneTail(headType) ||`, `if known.OneTail(headType) || f.relation == "uses" ||`},
	{"the head's type is not looked at", "facts_row.go",
		`known.OneTail(headType)`, `known.OneTail("")`},
	{"an end that has come is not one when the fact is given again", "facts_row.go",
		`if f.expiresAt == "" || f.expiresAt > memory.Seconds(w.now) {`, `if true {`},
	{"a fact that begins earlier ends the live one", "facts_write.go",
		`if (yielding[f.id] || a.beginsFor(f).at >= f.validFrom) && mayEnd(a.fact, f) {`, `if mayEnd(a.fact, f) {`},
	{"a fact that begins earlier is past, whoever says what came later", "facts_write.go",
		`a.beginsFor(f).at < f.validFrom && mayEnd(f, a.fact)`, `a.beginsFor(f).at < f.validFrom`},
	{"what begins at the same time does not end the other", "facts_write.go",
		`if (yielding[f.id] || a.beginsFor(f).at >= f.validFrom) && mayEnd(a.fact, f) {`,
		`if a.beginsFor(f).at > f.validFrom && mayEnd(a.fact, f) {`},
	{"undo does not look at what changed since", "undo.go",
		`if err != nil || later == "" {`, `if err != nil || later != "x" {`},
	{"of two facts that a merge makes one the younger row stays", "merge_facts.go",
		`if twins[0].id < f.id {`, `if twins[0].id > f.id {`},
	{"what was believed until an instant is believed at it", "relationships_read.go",
		`r.expired_at > ?) AND`, `r.expired_at >= ?) AND`},
	{"a fact that ends at an instant still holds at it", "relationships_read.go",
		`(r.valid_until IS NULL OR r.valid_until > ?)`, `(r.valid_until IS NULL OR r.valid_until >= ?)`},
}

func TestFacts_EveryPlantedBugFitsTheCode(t *testing.T) {
	t.Parallel()
	for _, bug := range plantedBugs {
		source, err := os.ReadFile(bug.file)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(source), bug.is); n != 1 {
			t.Errorf("%s: %s has %q %d times: the bug can no longer be planted", bug.name, bug.file, bug.is, n)
		}
	}
}

// MEMORY_GRAPH_MUTATIONS=1 plants each bug separately and plays the random histories. It takes some minutes.
func TestFacts_ModelFindsPlantedBugs(t *testing.T) {
	if os.Getenv("MEMORY_GRAPH_MUTATIONS") == "" {
		t.Skip("set MEMORY_GRAPH_MUTATIONS=1: compiles this package once for each bug")
	}
	t.Parallel()
	for _, bug := range plantedBugs {
		t.Run(bug.name, func(t *testing.T) {
			path, err := filepath.Abs(bug.file)
			if err != nil {
				t.Fatal(err)
			}
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			planted, overlay := filepath.Join(dir, bug.file), filepath.Join(dir, "overlay.json")
			replace, err := json.Marshal(map[string]any{"Replace": map[string]string{path: planted}})
			if err != nil {
				t.Fatal(err)
			}
			for name, content := range map[string][]byte{
				planted: []byte(strings.Replace(string(source), bug.is, bug.becomes, 1)), overlay: replace} {
				if err := os.WriteFile(name, content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-overlay", overlay, "-run",
				"TestFacts_AgreeWithTheModelOnRandomHistories", ".")
			cmd.Env = append(os.Environ(), "MEMORY_GRAPH_HISTORIES=300", "MEMORY_GRAPH_SEED=", "MEMORY_GRAPH_MUTATIONS=")
			out, err := cmd.CombinedOutput()
			if err == nil || !strings.Contains(string(out), "MEMORY_GRAPH_SEED=") {
				t.Fatalf("was not found: %v\n%s", err, out)
			}
			found, _, _ := strings.Cut(string(out[strings.Index(string(out), "MEMORY_GRAPH_SEED="):]), "\n")
			t.Log(found)
		})
	}
}
