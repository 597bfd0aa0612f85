package episodes_test

import (
	"go/build"
	"strings"
	"testing"
)

// The recorder depends on interfaces of extractors, not on the extractors. internal/engine supplies them.
func TestEpisodes_ImportNoExtractor(t *testing.T) {
	t.Parallel()
	pkg, err := build.ImportDir(".", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range pkg.Imports {
		if strings.HasPrefix(path, "memory-graph/extraction/") {
			t.Errorf("episodes imports %s: take it through an interface of ReaderOptions", path)
		}
	}
}
