package e2e_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"memory-graph/internal/clients"
	"memory-graph/internal/clients/splice"
)

// tree returns what is below a directory: the mode and content of files, and "dir" for directories.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil || d.IsDir() {
			found[rel] = "dir"
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		raw, err := os.ReadFile(path)
		found[rel] = info.Mode().String() + " " + string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// uninstall runs `memory-graph uninstall --json` in a home and returns its answer and its messages.
func uninstall(home string, args ...string) (answer struct {
	Status string
	Left   []struct{ Path, Why string }
	Memory *struct {
		Episodes int
		InUse    bool `json:"in_use"`
		Deleted  bool
	}
}, messages string, err error) {
	cmd := exec.Command(program, append([]string{"uninstall", "--json", "--yes"}, args...)...)
	cmd.Env = ownHome(home)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &answer)
	}
	return answer, stderr.String(), err
}

// ownHome is an environment in which even the cache is below home.
func ownHome(home string) []string {
	return environment(home, "USERPROFILE="+home, "APPDATA="+filepath.Join(home, "AppData", "Roaming"),
		"XDG_CACHE_HOME="+filepath.Join(home, ".cache"))
}

// After setup of every host, use of the memory and uninstall with the memory, a home is what it was before: every file
// and every directory, byte for byte, also where the hosts had settings in their own style.
func TestUninstall_LeavesTheHomeAsItWas(t *testing.T) {
	t.Parallel()
	for _, used := range []bool{false, true} {
		name := "a home without hosts"
		if used {
			name = "a home with every host"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			if used {
				settings(t, home)
			}
			before := tree(t, home)
			run := func(args ...string) {
				t.Helper()
				cmd := exec.Command(program, args...)
				cmd.Env, cmd.Dir = ownHome(home), t.TempDir()
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", args, err, out)
				}
			}
			run(append([]string{"setup", "--yes"}, clients.IDs()...)...)
			run(append([]string{"setup", "--yes", "--user", "Ann"}, clients.IDs()...)...) // keeps second copies
			run("remember", "Ann works at Acme.")
			if gocmp.Equal(before, tree(t, home)) {
				t.Fatal("setup changed nothing")
			}
			a, messages, err := uninstall(home, "--data", "--lose", "1")
			if err != nil || a.Status != "removed" || len(a.Left) > 0 || a.Memory == nil || !a.Memory.Deleted {
				t.Fatalf("%+v, %v\n%s", a, err, messages)
			}
			if diff := gocmp.Diff(before, tree(t, home)); diff != "" {
				t.Errorf("the home (-before +after):\n%s", diff)
			}
			if a, messages, err = uninstall(home); err != nil || a.Status != "not_there" {
				t.Errorf("again: %+v, %v\n%s", a, err, messages)
			}
		})
	}
}

// settings writes files of every host, in a style that no program would write.
func settings(t *testing.T, home string) {
	t.Helper()
	texts := map[splice.Format]string{
		splice.JSON: "{ \"theme\":\t\"dark\",\r\n   \"more\": [1,2,\n3] }",
		splice.TOML: "# mine\nmodel   = \"x\" # and this\n\n\n[tools]\nweb = true",
		splice.YAML: "# mine\nGOOSE_MODEL:   x # and this\n\nextensions:\n    developer:\n        enabled: true\n",
	}
	for _, h := range clients.All() {
		servers, hooks, err := h.FilesOf(clients.UserPlaces(ownHome(home)), "")
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]splice.Format{servers: h.Servers.Format}
		if h.Hooks != nil && h.Hooks.Form != clients.Script {
			files[hooks] = h.Hooks.Format
		}
		for path, format := range files {
			text, ok := texts[format]
			if !ok {
				text = texts[splice.JSON]
			}
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A memory that a server has open is not deleted, and nothing else is removed either.
func TestUninstall_DeletesNoMemoryThatIsInUse(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	setUp(t, home, "cursor")
	db := filepath.Join(home, "memory.db")
	h := start(t, db)
	h.initialize()
	h.store(arguments{"role": "user", "content": "Ann works at Acme."})
	before := tree(t, filepath.Join(home, ".cursor"))
	if a, messages, err := uninstall(home, "--db", db, "--data", "--lose", "1"); err == nil ||
		!strings.Contains(messages, "Another process uses the memory") {
		t.Errorf("with a server: %+v, %v\n%s", a, err, messages)
	}
	if diff := gocmp.Diff(before, tree(t, filepath.Join(home, ".cursor"))); diff != "" {
		t.Errorf("the host's files (-before +after):\n%s", diff)
	}
	if a, messages, err := uninstall(home, "--db", db); err != nil || a.Memory == nil || !a.Memory.InUse {
		t.Errorf("without --data: %+v, %v\n%s", a, err, messages)
	}
	h.stop()
	a, messages, err := uninstall(home, "--db", db, "--data", "--lose", "1")
	if err != nil || a.Memory == nil || !a.Memory.Deleted {
		t.Errorf("without a server: %+v, %v\n%s", a, err, messages)
	}
	if left, _ := filepath.Glob(db + "*"); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}
