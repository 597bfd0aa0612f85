// Package docs_test compares the pages of docs/ with the code that they describe.
package docs_test

import (
	"fmt"
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
	reasons, _, _ := strings.Cut(string(page), "\n## ") // a table of pinned versions follows
	listed := []string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (.+) \\| (.+) \\|$").FindAllStringSubmatch(reasons,
		-1) {
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
		t.Errorf(
			"docs/dependencies.md must list go.mod's direct requirements, sorted, each with its reason (-go.mod +page):\n%s",
			diff)
	}
}

// Since Go 1.24, wazero before v1.9.0 can damage memory on some amd64 processors (wazero#2375). These processors are
// rare in CI, so no other test would fail.
func TestDependencies_WazeroSurvivesGosMemmove(t *testing.T) {
	t.Parallel()
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	selected := regexp.MustCompile(`(?m)^(?:require)?\s*github\.com/tetratelabs/wazero (v\S+)`).FindSubmatch(mod)
	if selected == nil {
		t.Fatal("go.mod does not require github.com/tetratelabs/wazero: add the version of the runtime")
	}
	if regexp.MustCompile(`(?m)tetratelabs/wazero.*=>`).Match(mod) {
		t.Fatal("go.mod replaces wazero: this test cannot tell the version in use")
	}
	var major, minor int
	if _, err := fmt.Sscanf(string(selected[1]), "v%d.%d.", &major, &minor); err != nil {
		t.Fatalf("wazero %s: %v", selected[1], err)
	}
	if major == 1 && minor < 9 {
		t.Errorf("go.mod selects wazero %s; v1.9.0 is the first with the fix of wazero#2375", selected[1])
	}
}

// directRequirements returns the modules that go.mod requires without "// indirect".
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
