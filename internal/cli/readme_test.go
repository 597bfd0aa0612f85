package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/tools"
)

var codeWord = regexp.MustCompile("`([a-z_]+)`")

// readmeTable gives the rows of the README's table below a heading row, as their cells.
func readmeTable(t *testing.T, heading string) [][]string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(raw), "\n"+heading+"\n")
	if !ok {
		t.Fatalf("the README has no table %q", heading)
	}
	var rows [][]string
	for line := range strings.Lines(rest) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			break
		}
		if !strings.HasPrefix(line, "| ---") {
			rows = append(rows, strings.Split(strings.Trim(line, "| "), " | "))
		}
	}
	return rows
}

// words are the names in code style of a cell.
func words(cell string) []string {
	var out []string
	for _, m := range codeWord.FindAllStringSubmatch(cell, -1) {
		out = append(out, m[1])
	}
	return out
}

func toolNames(t *testing.T, toolset string) []string {
	t.Helper()
	o := tools.Defaults()
	o.Toolsets = []string{toolset}
	list, err := tools.All(nil, o)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list {
		names = append(names, tool.Definition.Name)
	}
	return names
}

func TestReadme_NamesEveryTool(t *testing.T) {
	t.Parallel()
	var core []string
	for _, row := range readmeTable(t, "| tool | what it does |") {
		core = append(core, words(row[0])...)
	}
	if diff := cmp.Diff(toolNames(t, "core"), core); diff != "" {
		t.Errorf("the table of tools (-registry +README):\n%s", diff)
	}
	told := map[string][]string{}
	for _, row := range readmeTable(t, "| toolset | tools |") {
		told[words(row[0])[0]] = words(row[1])
	}
	for _, set := range []string{"temporal", "manage", "context", "hierarchy", "communities", "reference", "single"} {
		if len(tools.Without([]string{set})) > 0 {
			if _, ok := told[set]; ok {
				t.Errorf("the README offers the toolset %s, which has no tools", set)
			}
			continue
		}
		if diff := cmp.Diff(toolNames(t, set), told[set]); diff != "" {
			t.Errorf("toolset %s (-registry +README):\n%s", set, diff)
		}
	}
}

func TestReadme_NamesEveryCommand(t *testing.T) {
	t.Parallel()
	var told, have []string
	for _, row := range readmeTable(t, "| command | what it does |") {
		told = append(told, words(row[0])...)
	}
	for _, c := range commands(&app{}) {
		have = append(have, c.Name())
	}
	slices.Sort(told)
	slices.Sort(have)
	if diff := cmp.Diff(have, told); diff != "" {
		t.Errorf("-commands +README:\n%s", diff)
	}
}

func TestCommands_HaveHelpWithExamplesOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, c := range commands(&app{}) {
		if c.Short == "" || !strings.Contains(c.Example, "memory-graph "+c.Name()) {
			t.Errorf("%s: short %q, examples %q", c.Name(), c.Short, c.Example)
		}
	}
}
