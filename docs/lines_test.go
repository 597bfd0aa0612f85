package docs_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var updateLines = flag.Bool("update", false, "lower the counts in testdata/long_lines.txt; never raises or adds one")

const (
	maxRunes      = 120 // per line; a tab counts as one
	longLinesFile = "testdata/long_lines.txt"
)

var (
	structTag = regexp.MustCompile("^\\s*[\\w, ]*\\s[\\w.\\[\\]*{}]+\\s+`\\w+:\".*`( //.*)?$")
	bareLink  = regexp.MustCompile(`^\s*([-*] )?(\[[^\]]+\]: )?<?https?://\S+>?$`)
	codeFence = regexp.MustCompile("^\\s*(```|~~~)")
)

// TestLines_AreShort allows the long lines that testdata/long_lines.txt counts. Those counts may only shrink.
func TestLines_AreShort(t *testing.T) {
	t.Parallel()
	allowed, err := readAllowance(longLinesFile)
	if err != nil {
		t.Fatal(err)
	}
	found, err := longLines("..")
	if err != nil {
		t.Fatal(err)
	}
	if *updateLines {
		allowed = lowered(allowed, found)
		if err := os.WriteFile(longLinesFile, allowanceText(allowed), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, problem := range lineProblems(allowed, found) {
		t.Error(problem)
	}
}

func TestLines_RulesOfEachKindOfFile(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxRunes+1)
	tag := "\tField string `json:\"f\" jsonschema:\"" + long + "\"`\n"
	cases := map[string]struct {
		path, text string
		want       []int
	}{
		"a line of 120 runes":        {"a.go", strings.Repeat("é", maxRunes) + "\n", nil},
		"a line of 121 runes":        {"a.go", "//\n" + strings.Repeat("é", maxRunes+1) + "\n", []int{2}},
		"the last line":              {"a.go", long, []int{1}},
		"a tab counts as one":        {"a.go", "\t" + long[2:] + "\n", nil},
		"a struct tag":               {"a.go", tag, nil},
		"a call with a raw string":   {"a.go", "\tf(`json:\"" + long + "\"`)\n", []int{1}},
		"prose":                      {"a.md", long + "\n", []int{1}},
		"a table row":                {"a.md", "| " + long + " |\n", nil},
		"a code fence":               {"a.md", "```\n" + long + "\n```\n" + long + "\n", []int{4}},
		"a fence of the other kind":  {"a.md", "~~~\n```\n" + long + "\n~~~\n" + long + "\n", []int{5}},
		"a comment over two lines":   {"a.md", "<!-- " + long + "\n" + long + " -->\n" + long + "\n", []int{3}},
		"a bare link":                {"a.md", "- https://example.org/" + long + "\n", nil},
		"the target of a reference":  {"a.md", "[page]: https://example.org/" + long + "\n", nil},
		"prose that contains a link": {"a.md", "see https://example.org/" + long + "\n", []int{1}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, longIn(c.path, c.text)); diff != "" {
				t.Errorf("numbers of the long lines (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLines_ReportsEachDifference(t *testing.T) {
	t.Parallel()
	allowed := map[string]int{"more.go": 1, "fewer.go": 2, "gone.go": 1, "same.go": 1}
	found := map[string][]int{"more.go": {3, 9}, "fewer.go": {4}, "same.go": {1}, "new.go": {7}}
	want := []string{
		"fewer.go has 1 long lines and docs/testdata/long_lines.txt allows 2: " + lowerHint,
		"gone.go has 0 long lines and docs/testdata/long_lines.txt allows 1: " + lowerHint,
		"more.go has 2 lines of more than 120 characters and may have 1: shorten lines [3 9]",
		"new.go has 1 lines of more than 120 characters and may have 0: shorten lines [7]",
	}
	if diff := cmp.Diff(want, lineProblems(allowed, found)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestLines_UpdateOnlyLowers(t *testing.T) {
	t.Parallel()
	allowed := map[string]int{"more.go": 1, "fewer.go": 2, "gone.go": 1}
	found := map[string][]int{"more.go": {3, 9}, "fewer.go": {4}, "new.go": {7}}
	want := "fewer.go 1\nmore.go 1\n"
	if diff := cmp.Diff(want, string(allowanceText(lowered(allowed, found)))); diff != "" {
		t.Errorf("list after -update (-want +got):\n%s", diff)
	}
}

func TestLines_WalkSkipsWhatIsExempt(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxRunes+1)
	root := t.TempDir()
	for _, name := range []string{
		"a.go", "page.md", ".ci/tool.go", "server/instructions.go",
		"note.txt", ".git/a.go", "dist/a.go", "x/node_modules/a.go", "x/testdata/a.md", "classifier/exemplars/a.md",
		"tools/a.md", "tools/reference/a.md", "prompts/a.md", "internal/server/instructions_readonly.md",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(long), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	found, err := longLines(root)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{".ci/tool.go", "a.go", "page.md", "server/instructions.go"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(found))); diff != "" {
		t.Errorf("files that are measured (-want +got):\n%s", diff)
	}
}

const lowerHint = "run `go test ./docs -run TestLines_AreShort -update`"

// lineProblems says how the files differ from the list, sorted by path.
func lineProblems(allowed map[string]int, found map[string][]int) []string {
	paths := slices.AppendSeq(slices.Collect(maps.Keys(allowed)), maps.Keys(found))
	slices.Sort(paths)
	var problems []string
	for _, p := range slices.Compact(paths) {
		switch n := len(found[p]); {
		case n > allowed[p]:
			problems = append(problems, fmt.Sprintf(
				"%s has %d lines of more than %d characters and may have %d: shorten lines %d",
				p, n, maxRunes, allowed[p], found[p]))
		case n < allowed[p]:
			problems = append(problems, fmt.Sprintf("%s has %d long lines and docs/%s allows %d: %s",
				p, n, longLinesFile, allowed[p], lowerHint))
		}
	}
	return problems
}

// longLines returns the numbers of the long lines of each Go and Markdown file below root that has any.
func longLines(root string) (map[string][]int, error) {
	found := map[string][]int{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if exemptDir(rel) {
				return fs.SkipDir
			}
			return nil
		}
		if ext := path.Ext(rel); ext != ".go" && (ext != ".md" || sentToModels(rel)) {
			return nil
		}
		text, err := os.ReadFile(file)
		if lines := longIn(rel, string(text)); len(lines) > 0 {
			found[rel] = lines
		}
		return err
	})
	return found, err
}

// exemptDir reports whether a directory holds no source, or data whose lines are what they are.
func exemptDir(rel string) bool {
	return slices.Contains([]string{".git", "node_modules", "dist", "testdata"}, path.Base(rel)) ||
		rel == "classifier/exemplars"
}

// sentToModels reports whether models read the bytes of a Markdown file, so that its lines must not be broken.
func sentToModels(rel string) bool {
	return strings.HasPrefix(rel, "tools/") || strings.HasPrefix(rel, "prompts/") ||
		strings.HasPrefix(rel, "internal/server/instructions")
}

// longIn returns the numbers of the lines that are too long, counted from 1.
func longIn(file, text string) []int {
	exempt := structTag.MatchString
	if path.Ext(file) == ".md" {
		exempt = proseExemption()
	}
	var long []int
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if !exempt(line) && utf8.RuneCountInString(line) > maxRunes {
			long = append(long, n)
		}
	}
	return long
}

// proseExemption returns a function that takes the lines of a Markdown file in order and reports which may be long.
func proseExemption() func(line string) bool {
	fence, comment := "", false
	return func(line string) bool {
		mark := codeFence.FindStringSubmatch(line)
		switch {
		case fence != "":
			if mark != nil && mark[1] == fence {
				fence = ""
			}
			return true
		case comment:
			comment = !strings.Contains(line, "-->")
			return true
		case mark != nil:
			fence = mark[1]
			return true
		case strings.HasPrefix(strings.TrimSpace(line), "<!--"):
			comment = !strings.Contains(line, "-->")
			return true
		}
		return strings.HasPrefix(strings.TrimSpace(line), "|") || bareLink.MatchString(line)
	}
}

// readAllowance reads lines of the form "path count".
func readAllowance(name string) (map[string]int, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	allowed := map[string]int{}
	for line := range strings.Lines(string(text)) {
		file, count, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%s: %q is not a path and a count of 1 or more", name, line)
		}
		allowed[file] = n
	}
	return allowed, nil
}

// lowered returns the list with each count that is too high set to what the file has. It drops a file without any.
func lowered(allowed map[string]int, found map[string][]int) map[string]int {
	next := map[string]int{}
	for file, n := range allowed {
		if n = min(n, len(found[file])); n > 0 {
			next[file] = n
		}
	}
	return next
}

// allowanceText writes the list sorted by path, so that it is the same on every machine.
func allowanceText(allowed map[string]int) []byte {
	var b bytes.Buffer
	for _, file := range slices.Sorted(maps.Keys(allowed)) {
		fmt.Fprintf(&b, "%s %d\n", file, allowed[file])
	}
	return b.Bytes()
}
