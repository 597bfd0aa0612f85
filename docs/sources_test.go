package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
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
			t.Errorf("%s: a row needs an id of its own such as zeph-aliases", r.id)
		}
		seen[r.id] = true
		code, tests := quoted(r.code), quoted(r.tests)
		switch built := stateOfBuilt.MatchString(r.state); {
		case !built && !strings.HasPrefix(r.state, notBuilt):
			t.Errorf("%s: state %q is none of: built, differs: …, partly: …, %s", r.id, r.state, notBuilt)
		case built && (len(code) == 0 || len(tests) == 0):
			t.Errorf("%s: what is built names its code and a test", r.id)
		case !built && len(tests) > 0:
			t.Errorf("%s: what is not built has no test", r.id)
		}
		for _, name := range code {
			if !tree.hasCode(name) {
				t.Errorf("%s: the code has no %s", r.id, name)
			}
		}
		for _, name := range tests {
			if !tree.hasTest(name) {
				t.Errorf("%s: there is no test %s", r.id, name)
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

type sourceRow struct{ id, feature, code, tests, state string }

// sourceRows gives the rows of the page's table, without its head.
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

// tree is what the module declares, wherever its packages lie.
type tree struct {
	packages map[string]bool
	code     map[string]bool // package.Name, package.Type.Method, package.Type.Field
	tests    map[string]bool
	scripts  map[string]bool // of testdata directories, without .txtar
	sql      string          // all migrations
}

// hasCode looks for package.Name, package.Type.Member or a table or index of the database.
func (tr tree) hasCode(name string) bool {
	if strings.HasPrefix(name, "mg_") {
		return regexp.MustCompile(`\b` + name + `\b`).MatchString(tr.sql)
	}
	return tr.code[name]
}

// hasTest looks for a test function, or one and the script that it plays: TestScripts/facts.
func (tr tree) hasTest(name string) bool {
	function, script, ok := strings.Cut(name, "/")
	return tr.tests[function] && (!ok || tr.scripts[script])
}

func readTree(t *testing.T) tree {
	t.Helper()
	tr := tree{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, ""}
	var sql strings.Builder
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && path != ".." && strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
			return err
		}
		switch filepath.Ext(path) {
		case ".go":
			return tr.declare(path)
		case ".txtar":
			tr.scripts[strings.TrimSuffix(d.Name(), ".txtar")] = true
		case ".sql":
			text, err := os.ReadFile(path)
			sql.Write(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	tr.sql = sql.String()
	return tr
}

// declare notes what a Go file declares.
func (tr tree) declare(path string) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	test := strings.HasSuffix(path, "_test.go")
	pkg := file.Name.Name
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			switch name := d.Name.Name; {
			case test:
				tr.tests[name] = d.Recv == nil && (strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz")) || tr.tests[name]
			case d.Recv == nil:
				tr.code[pkg+"."+name] = true
			default:
				tr.code[pkg+"."+receiver(d.Recv.List[0].Type)+"."+name] = true
			}
		case *ast.GenDecl:
			if !test {
				tr.packages[pkg] = true
				for _, spec := range d.Specs {
					tr.declareSpec(pkg, spec)
				}
			}
		}
	}
	return nil
}

func (tr tree) declareSpec(pkg string, spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.ValueSpec:
		for _, n := range s.Names {
			tr.code[pkg+"."+n.Name] = true
		}
	case *ast.TypeSpec:
		tr.code[pkg+"."+s.Name.Name] = true
		members := &ast.FieldList{}
		switch typ := s.Type.(type) {
		case *ast.StructType:
			members = typ.Fields
		case *ast.InterfaceType:
			members = typ.Methods
		}
		for _, field := range members.List {
			for _, n := range field.Names {
				tr.code[pkg+"."+s.Name.Name+"."+n.Name] = true
			}
		}
	}
}

// receiver gives the name of a method's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
