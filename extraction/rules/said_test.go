package rules_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
)

// TestExtract_ReadsWaysOfSayingIt holds the language that is read, by what is said: the files of testdata have a
// message a
// line, and what it states. Those that look alike and state nothing stand beside them.
func TestExtract_ReadsWaysOfSayingIt(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("files of testdata: %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
					continue
				}
				said, states, ok := strings.Cut(line, " =>")
				if !ok {
					t.Fatalf("%q has no =>", line)
				}
				role := memory.RoleUser
				if rest, ok := strings.CutPrefix(said, "@ "); ok {
					role, said = memory.RoleAssistant, rest
				}
				want := []string{}
				for f := range strings.SplitSeq(states, ";") {
					if f = strings.TrimSpace(f); f != "" {
						want = append(want, f)
					}
				}
				got := facts(role, said)
				slices.Sort(want)
				slices.Sort(got)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%q states %q, want %q", said, got, want)
				}
			}
		})
	}
}
