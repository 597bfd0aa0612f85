package store_test

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// driverFiles are the files of this package that may import the SQLite driver. Another database needs changes in the
// first three only. The tests read and write files as another program would.
var driverFiles = []string{"backup.go", "conn.go", "errors.go", "runtime.go",
	"counters_test.go", "export_test.go", "foreign_test.go", "inuse.go",
	"open_test.go", "outline_test.go", "upgrade_test.go"}

func TestStore_OnlyAFewFilesKnowTheDriver(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := []string{}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(path, "github.com/ncruces/go-sqlite3") {
				found = append(found, name)
				break
			}
		}
	}
	if diff := cmp.Diff(driverFiles, found, cmpopts.SortSlices(strings.Compare)); diff != "" {
		t.Errorf("these files import the SQLite driver (-allowed +found): read rows through cursor in conn.go\n%s", diff)
	}
}
