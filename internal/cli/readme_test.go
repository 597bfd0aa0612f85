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

var (
	codeWord     = regexp.MustCompile("`([a-z_]+)`")
	codeSpan     = regexp.MustCompile("`[^`\n]*`")
	markdownLink = regexp.MustCompile(`\]\(([^):]+)\)`) // without a scheme: a file of the repository
	notInAnchor  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// pageTable returns the cells of the table under a header row, without the header.
func pageTable(t *testing.T, page, header string) [][]string {
	t.Helper()
	_, rest, ok := strings.Cut(readFile(t, filepath.Join("..", "..", filepath.FromSlash(page))), "\n"+header+"\n")
	if !ok {
		t.Fatalf("%s has no table %q", page, header)
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

// words returns the names in code style in a cell.
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

func TestPages_NameEveryTool(t *testing.T) {
	t.Parallel()
	var core []string
	for _, row := range pageTable(t, "README.md", "| tool | what it does |") {
		core = append(core, words(row[0])...)
	}
	if diff := cmp.Diff(toolNames(t, "core"), core); diff != "" {
		t.Errorf("tools of the toolset core (-registry +README.md):\n%s", diff)
	}
	told := map[string][]string{}
	for _, row := range pageTable(t, "docs/tools.md", "| toolset | tools |") {
		told[words(row[0])[0]] = words(row[1])
	}
	for _, set := range []string{"temporal", "manage", "context", "hierarchy", "communities", "reference", "single"} {
		if diff := cmp.Diff(toolNames(t, set), told[set]); diff != "" {
			t.Errorf("toolset %s (-registry +docs/tools.md):\n%s", set, diff)
		}
	}
}

func TestPages_NameEveryCommand(t *testing.T) {
	t.Parallel()
	var told, have []string
	for _, row := range pageTable(t, "docs/commands.md", "| command | what it does |") {
		told = append(told, words(row[0])...)
	}
	for _, c := range commands(&app{}) {
		have = append(have, c.Name())
	}
	slices.Sort(told)
	slices.Sort(have)
	if diff := cmp.Diff(have, told); diff != "" {
		t.Errorf("commands (-program +docs/commands.md):\n%s", diff)
	}
}

// Every relative link of a page leads to a file, and to a heading of it if the link names one.
func TestPages_LinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("%d pages in docs, %v", len(pages), err)
	}
	for _, page := range append(pages, filepath.Join(root, "README.md"), filepath.Join(root, "AGENTS.md")) {
		for _, link := range markdownLink.FindAllStringSubmatch(codeSpan.ReplaceAllString(readFile(t, page), ""), -1) {
			file, heading, _ := strings.Cut(link[1], "#")
			target := page
			if file != "" {
				target = filepath.Join(filepath.Dir(page), filepath.FromSlash(file))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", page, link[1], err)
			} else if heading != "" && !slices.Contains(anchors(readFile(t, target)), heading) {
				t.Errorf("%s links to %s, and %s has no such heading", page, link[1], target)
			}
		}
	}
}

// anchors returns the fragments by which links name the headings of a page, in GitHub's form.
func anchors(page string) []string {
	var list []string
	for line := range strings.Lines(page) {
		heading := strings.TrimLeft(line, "#")
		if len(heading) < len(line) && strings.HasPrefix(heading, " ") {
			heading = strings.ToLower(strings.TrimSpace(heading))
			list = append(list, strings.ReplaceAll(notInAnchor.ReplaceAllString(heading, ""), " ", "-"))
		}
	}
	return list
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestCommands_HaveHelpWithExamplesOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, c := range commands(&app{}) {
		if c.Short == "" || !strings.Contains(c.Example, "memory-graph "+c.Name()) {
			t.Errorf("%s: short %q, examples %q", c.Name(), c.Short, c.Example)
		}
	}
}
