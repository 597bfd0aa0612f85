// Package docs_test holds the pages against what they describe.
package docs_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDependencies_PageListsWhatGoModRequires(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := []string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (.+) \\| (.+) \\|$").FindAllStringSubmatch(string(page), -1) {
		listed = append(listed, row[1])
	}
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	direct := directRequirements(string(mod))
	slices.Sort(direct)
	if len(direct) == 0 {
		t.Fatal("go.mod names no direct dependency: run go mod tidy")
	}
	if diff := cmp.Diff(direct, listed); diff != "" {
		t.Errorf("docs/dependencies.md must list go.mod's direct requirements, sorted, each with its reason (-go.mod +page):\n%s", diff)
	}
}

// directRequirements lists the modules that go.mod requires without the mark "// indirect".
func directRequirements(mod string) []string {
	var direct []string
	block := false
	for line := range strings.Lines(mod) {
		line = strings.TrimSpace(line)
		switch {
		case line == "require (":
			block = true
			continue
		case line == ")":
			block = false
			continue
		}
		rest, single := strings.CutPrefix(line, "require ")
		if (block || single) && rest != "" && !strings.HasPrefix(rest, "//") && !strings.HasSuffix(rest, "// indirect") {
			direct = append(direct, strings.Fields(rest)[0])
		}
	}
	return direct
}
