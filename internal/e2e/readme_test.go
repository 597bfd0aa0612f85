package e2e_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The graph in the README is the one that the demo leaves behind.
func TestReadme_DrawsTheDemosGraph(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, drawn, _ := strings.Cut(string(readme), "```mermaid\n")
	drawn, _, ok := strings.Cut(drawn, "```")
	if !ok {
		t.Fatal("the README draws no graph")
	}
	home := t.TempDir()
	run := func(args ...string) []byte {
		t.Helper()
		c := exec.Command(program, args...)
		c.Env = environment(home, "TMPDIR="+home)
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return out
	}
	var demo struct{ Database string }
	if err := json.Unmarshal(run("demo", "--json"), &demo); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(run("export", "--format", "mermaid", "--db", demo.Database)), drawn); diff != "" {
		t.Errorf("the README's graph is not the demo's (-demo +README):\n%s", diff)
	}
}
