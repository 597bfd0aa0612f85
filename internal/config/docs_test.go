package config_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/config"
)

var update = flag.Bool("update", false, "write docs/configuration.md anew")

func TestDocs_AreCurrent(t *testing.T) {
	page := filepath.Join("..", "..", "docs", "configuration.md")
	want := config.Markdown()
	if *update {
		if err := os.MkdirAll(filepath.Dir(page), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("docs/configuration.md is out of date, run go generate ./internal/config (-want +got):\n%s", diff)
	}
}
