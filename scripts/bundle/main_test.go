package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

func TestRun_NamesEveryProgram(t *testing.T) {
	dist := t.TempDir()
	for _, name := range []string{"memory-graph-v1.2.3-linux-amd64", "memory-graph-v1.2.3-windows-arm64.exe",
		"memory-graph-v1.2.3-darwin-arm64"} {
		if err := os.WriteFile(filepath.Join(dist, name), []byte(name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // a second run finds existing bundles
		if err := run(dist, filepath.Join("..", "..", "server.json"), "v1.2.3", "https://example.org/v1.2.3/"); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := os.ReadFile(filepath.Join(dist, "server.json"))
	if err != nil {
		t.Fatal(err)
	}
	var server struct {
		Packages []struct{ Identifier, FileSHA256 string }
	}
	if err := json.Unmarshal(raw, &server); err != nil {
		t.Fatal(err)
	}
	if len(server.Packages) != 3 {
		t.Fatalf("packages %+v", server.Packages)
	}
	for i, want := range []string{"darwin-arm64", "linux-amd64", "windows-arm64"} {
		if got := server.Packages[i].Identifier; got != "https://example.org/v1.2.3/memory-graph-v1.2.3-"+want+".mcpb" {
			t.Errorf("package %d is %s", i, got)
		}
		if _, err := os.Stat(filepath.Join(dist, filepath.Base(server.Packages[i].Identifier))); err != nil {
			t.Error(err)
		}
	}
	if err := run(t.TempDir(), filepath.Join("..", "..", "server.json"), "v1.2.3", ""); err == nil {
		t.Error("no error without any program")
	}
}
