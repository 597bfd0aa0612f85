package episodes_test

import (
	"go/build"
	"strings"
	"testing"
)

// Recording depends on what extractors do, not on which ones there are: internal/engine hands them in.
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
