package clients

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write docs/hosts.md anew")

func TestDocs_AreCurrent(t *testing.T) {
	page := filepath.Join("..", "..", "docs", "hosts.md")
	want, err := Markdown()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("docs/hosts.md is out of date, run go generate ./internal/clients (-want +got):\n%s", diff)
	}
}
