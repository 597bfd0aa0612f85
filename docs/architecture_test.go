package docs_test

import (
	"errors"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// The program that people run holds no test support and none of the programs that made its models.
func TestArchitecture_TheBinaryHasNoTestSupportAndNoTrainers(t *testing.T) {
	t.Parallel()
	linked := goList(t, "-deps", ".")
	if !slices.Contains(linked, "memory-graph/store") {
		t.Fatalf("go list -deps names %d packages and not memory-graph/store", len(linked))
	}
	all := goList(t, "./...")
	for _, name := range []string{"llmtest", "factmodel", "train", "convert"} {
		named := func(pkg string) bool { return strings.HasPrefix(pkg, "memory-graph/") && path.Base(pkg) == name }
		if !slices.ContainsFunc(all, named) {
			t.Errorf("no package is named %s any more: take it off this test's list", name)
		}
		if i := slices.IndexFunc(linked, named); i >= 0 {
			t.Errorf("the binary contains %s: import it from tests only", linked[i])
		}
	}
	if slices.Contains(linked, "testing") {
		t.Error("the binary contains package testing: move what uses it into a test file")
	}
}

// goList runs go list in the module's root. It reads sources and builds nothing.
func goList(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list"}, args...)...)
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		if failed, ok := errors.AsType[*exec.ExitError](err); ok {
			t.Fatalf("go list: %v\n%s", err, failed.Stderr)
		}
		t.Fatalf("go list: %v", err)
	}
	return strings.Fields(string(out))
}
