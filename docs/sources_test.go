package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	quotedCode   = regexp.MustCompile("`([^`]+)`")
	identifier   = regexp.MustCompile(`^[a-z][a-z0-9]*(\.[A-Za-z_]\w*){1,2}$`)
	rowID        = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)+$`)
	commentBreak = regexp.MustCompile(`\n\s*(//|--) ?`)
	citedRow     = regexp.MustCompile(`docs/sources\.md, ([a-z0-9]+(?:-[a-z0-9]+)+)`)
	cited        = regexp.MustCompile(`decisions\.md, "([^"]+)"`)
	stateOfBuilt = regexp.MustCompile(`^(built|(partly|differs): .+)$`)
)

const notBuilt = "not built yet"

func TestSources_RowsNameWhatExists(t *testing.T) {
	t.Parallel()
	tree := readTree(t)
	page := readPage(t, "sources.md")
	headings := headingsOf(readPage(t, "decisions.md"))
	rows := sourceRows(page)
	if len(rows) == 0 {
		t.Fatal("docs/sources.md has no rows")
	}
	seen := map[string]bool{}
	for _, r := range rows {
		if !rowID.MatchString(r.id) || seen[r.id] {
			t.Errorf("%s: a row needs a unique id such as zeph-aliases", r.id)
		}
		seen[r.id] = true
		code, tests := quoted(r.code), quoted(r.tests)
		switch built := stateOfBuilt.MatchString(r.state); {
		case !built && !strings.HasPrefix(r.state, notBuilt):
			t.Errorf("%s: state %q is none of: built, differs: …, partly: …, %s", r.id, r.state, notBuilt)
		case built && (len(code) == 0 || len(tests) == 0):
			t.Errorf("%s: a row of a built feature must name its code and a test", r.id)
		case !built && len(tests) > 0:
			t.Errorf("%s: a feature that is not built cannot have a test", r.id)
		}
		for _, name := range code {
			if !tree.hasCode(name) {
				t.Errorf("%s: the code has no %s", r.id, name)
			}
		}
		for _, name := range tests {
			if !tree.hasTest(name) {
				t.Errorf("%s: test %s does not exist", r.id, name)
			}
		}
		for _, c := range cited.FindAllStringSubmatch(r.state, -1) {
			if !headings[c[1]] {
				t.Errorf("%s: docs/decisions.md has no heading %q", r.id, c[1])
			}
		}
	}
}

func TestPages_NameCodeThatExists(t *testing.T) {
	t.Parallel()
	tree := readTree(t)
	for _, name := range []string{"decisions.md", "glossary.md"} {
		for _, code := range quoted(readPage(t, name)) {
			pkg, _, _ := strings.Cut(code, ".")
			if identifier.MatchString(code) && tree.packages[pkg] && !tree.hasCode(code) {
				t.Errorf("%s names %s, which the code does not have", name, code)
			}
		}
	}
}

// quotedTest matches the quoted name of a test function, also with its script.
var quotedTest = regexp.MustCompile("`(Test[A-Z]\\w*(?:/\\w+)?)`")

func TestPages_NameTestsThatExist(t *testing.T) {
	t.Parallel()
	tree := readTree(t)
	pages, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		if page == "sources.md" {
			continue // TestSources_RowsNameWhatExists reads its rows
		}
		for _, m := range quotedTest.FindAllStringSubmatch(readPage(t, page), -1) {
			if !tree.hasTest(m[1]) {
				t.Errorf("%s names %s, which does not exist", page, m[1])
			}
		}
	}
	_, invariants, ok := strings.Cut(readPage(t, "architecture.md"), "| invariant |")
	invariants, _, end := strings.Cut(invariants, "\n\n")
	if !ok || !end {
		t.Fatal("architecture.md has no table of invariants")
	}
	for _, row := range strings.Split(strings.TrimSpace(invariants), "\n")[2:] {
		if !quotedTest.MatchString(row) {
			t.Errorf("architecture.md names no test for the invariant %s", row)
		}
	}
}

// TestComments_CiteWhatThePagesHave checks that the headings and rows cited in comments exist. A citation may span two
// lines.
func TestComments_CiteWhatThePagesHave(t *testing.T) {
	t.Parallel()
	headings, rows := headingsOf(readPage(t, "decisions.md")), map[string]bool{}
	for _, r := range sourceRows(readPage(t, "sources.md")) {
		rows[r.id] = true
	}
	err := walk(func(path string) error {
		if ext := filepath.Ext(path); ext != ".go" && ext != ".sql" {
			return nil
		}
		text, err := os.ReadFile(path)
		joined := commentBreak.ReplaceAllString(string(text), " ")
		for _, c := range cited.FindAllStringSubmatch(joined, -1) {
			if !headings[c[1]] {
				t.Errorf("%s cites %q, and docs/decisions.md has no such heading", path, c[1])
			}
		}
		for _, c := range citedRow.FindAllStringSubmatch(joined, -1) {
			if !rows[c[1]] {
				t.Errorf("%s cites %s, and docs/sources.md has no such row", path, c[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

type sourceRow struct{ id, feature, code, tests, state string }

// sourceRows returns the rows of the page's table, without its header.
func sourceRows(page string) []sourceRow {
	var rows []sourceRow
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 5 || strings.Contains(line, "---") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if cells[0] != "row" {
			rows = append(rows, sourceRow{cells[0], cells[1], cells[2], cells[3], cells[4]})
		}
	}
	return rows
}

func quoted(s string) (names []string) {
	for _, m := range quotedCode.FindAllStringSubmatch(s, -1) {
		names = append(names, m[1])
	}
	return names
}

func readPage(t *testing.T, name string) string {
	t.Helper()
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

func headingsOf(page string) map[string]bool {
	headings := map[string]bool{}
	for line := range strings.Lines(page) {
		if heading, ok := strings.CutPrefix(line, "### "); ok {
			headings[strings.TrimSpace(heading)] = true
		}
	}
	return headings
}
