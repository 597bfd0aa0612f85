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

// tree holds what the packages of the module declare.
type tree struct {
	packages map[string]bool
	code     map[string]bool // package.Name, package.Type.Method, package.Type.Field
	tests    map[string]bool
	scripts  map[string]bool // of testdata directories, without .txtar
	sql      string          // all migrations
}

// hasCode reports whether package.Name, package.Type.Member, or a table or index of the database exists.
func (tr tree) hasCode(name string) bool {
	if strings.HasPrefix(name, "mg_") {
		return regexp.MustCompile(`\b` + name + `\b`).MatchString(tr.sql)
	}
	return tr.code[name]
}

// hasTest reports whether a test function exists, or a test function with its script: TestScripts/facts.
func (tr tree) hasTest(name string) bool {
	function, script, ok := strings.Cut(name, "/")
	return tr.tests[function] && (!ok || tr.scripts[script])
}

func readTree(t *testing.T) tree {
	t.Helper()
	tr := tree{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, ""}
	var sql strings.Builder
	err := walk(func(path string) error {
		switch filepath.Ext(path) {
		case ".go":
			return tr.declare(path)
		case ".txtar":
			tr.scripts[strings.TrimSuffix(filepath.Base(path), ".txtar")] = true
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

// walk calls do for every file of the module outside hidden directories.
func walk(do func(path string) error) error {
	return filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != ".." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		return do(path)
	})
}

// declare records the declarations of a Go file.
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
				if d.Recv == nil && (strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz")) {
					tr.tests[name] = true
				}
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

// receiver returns the name of a method's type.
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
