package clients

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v3"

	"memory-graph/internal/clients/splice"
	"memory-graph/internal/memory"
)

var (
	now     = time.Date(2026, 11, 22, 9, 30, 0, 0, time.UTC)
	program = filepath.Join(string(filepath.Separator)+"opt", "memory graph", "memory-graph")
)

func home(t *testing.T) (Places, string) {
	t.Helper()
	dir := t.TempDir()
	return UserPlaces([]string{"HOME=" + dir, "USERPROFILE=" + dir}), dir
}

func options() Options { return Options{Program: program, Hooks: true} }

// carryOut writes all changes and returns how many there were.
func carryOut(t *testing.T, changes []Change, err error) int {
	t.Helper()
	if err = problem(changes, err); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, c := range changes {
		if c.Empty() {
			continue
		}
		n++
		if _, err := c.Write(now); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

func install(t *testing.T, h Client, p Places, o Options) int {
	t.Helper()
	changes, err := h.Install(p, o)
	return carryOut(t, changes, err)
}

func uninstall(t *testing.T, h Client, p Places, o Options) int {
	t.Helper()
	changes, err := h.Uninstall(p, o)
	return carryOut(t, changes, err)
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// parsed parses a file like the host, with an independent parser.
func parsed(t *testing.T, f File, path string) map[string]any {
	t.Helper()
	var m map[string]any
	var err error
	switch f.Format {
	case splice.TOML:
		err = toml.Unmarshal([]byte(text(t, path)), &m)
	case splice.YAML:
		err = yaml.Unmarshal([]byte(text(t, path)), &m)
	default:
		err = json.Unmarshal([]byte(text(t, path)), &m)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return m
}

func eachClient(t *testing.T, f func(t *testing.T, h Client)) {
	t.Helper()
	for _, h := range All() {
		t.Run(h.ID, func(t *testing.T) {
			t.Parallel()
			f(t, h)
		})
	}
}

func TestInstall_FromNothing(t *testing.T) {
	t.Parallel()
	eachClient(t, func(t *testing.T, h Client) {
		p, dir := home(t)
		o := options()
		o.Env = []splice.Member{{Name: "MEMORY_GRAPH_USER", Value: `A "n" \ n`}}
		if install(t, h, p, o) == 0 {
			t.Fatal("nothing was written")
		}
		servers, hooks, err := h.FilesOf(p, "")
		if err != nil {
			t.Fatal(err)
		}
		list, _ := parsed(t, h.Servers.File, servers)[h.Servers.Key[0]].(map[string]any)
		entry, _ := list[DefaultName].(map[string]any)
		want := map[string]any{h.Servers.command(): program, "args": []any{"serve"}}
		if h.Servers.Joined {
			want = map[string]any{"command": []any{program, "serve"}}
		}
		want[h.Servers.env()] = map[string]any{"MEMORY_GRAPH_USER": `A "n" \ n`}
		for _, m := range h.Servers.Lead {
			want[m.Name] = m.Value
			if m.Value == "SERVER" {
				want[m.Name] = DefaultName
			}
		}
		if diff := cmp.Diff(want, entry); diff != "" {
			t.Errorf("the entry (-want +got):\n%s", diff)
		}
		if info, err := os.Stat(servers); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != h.Servers.Mode {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
		if listsHooks(h) {
			events, _ := parsed(t, h.Hooks.File, hooks)["hooks"].(map[string]any)
			if len(events) != len(h.Hooks.Events) {
				t.Errorf("hooks for %d events, want %d", len(events), len(h.Hooks.Events))
			}
		}
		if n := install(t, h, p, o); n != 0 {
			t.Errorf("a second time wrote %d files", n)
		}
		if uninstall(t, h, p, o) == 0 {
			t.Error("nothing was removed")
		}
		if _, err := os.Stat(servers); !os.IsNotExist(err) {
			t.Errorf("%s did not exist before and is left: %v", servers, err)
		}
		if n := uninstall(t, h, p, o); n != 0 {
			t.Errorf("a second time changed %d files", n)
		}
		leftovers(t, dir)
	})
}

// listsHooks reports whether a file of the host lists commands at events.
func listsHooks(h Client) bool { return h.Hooks != nil && h.Hooks.Form != Script }

// leftovers fails for unexpected files that are not backups.
func leftovers(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !strings.HasSuffix(path, ".bak") {
			t.Errorf("%s is left", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// existing is a configuration of a user for each host, with comments if the format allows them.
func existing(h Client) (servers, hooks string) {
	switch {
	case h.Servers.Format == splice.TOML:
		servers = "# mine\nmodel = \"o5\"\n\n[mcp_servers.other] # keep\ncommand = \"x\"\n\n[tui]\ntheme = \"dark\"\n# end\n"
	case h.Servers.Format == splice.YAML:
		servers = "# mine\n" + h.Servers.Key[0] + ":\n    # keep\n    other:\n        cmd: x # too\n\n    # end of them\n" +
			"theme: |\n  # dark\n"
	default:
		servers = "// mine\n{\n   \"" + h.Servers.Key[0] +
			"\": {\n      // keep\n      \"other\": {\"command\": \"x\", \"env\": {\"TOKEN\": " +
			"\"ghp_0123456789abcdefghijklmnopqrstuvwxyzAB\"}}, /* keep too */\n   },\n   \"theme\": \"dark\", // end\n}\n"
	}
	if !listsHooks(h) {
		return servers, ""
	}
	e := h.Hooks.Events[1].Name
	hooks = "{\n\t\"hooks\": {\n\t\t// keep\n\t\t\"" + e +
		"\": [\n\t\t\t{\"command\": \"mine\", \"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]}\n\t\t\t// " +
		"keep\n\t\t],\n\t\t\"Other\": []\n\t}\n}"
	return servers, hooks
}

func TestInstall_KeepsWhatOthersWrote(t *testing.T) {
	t.Parallel()
	eachClient(t, func(t *testing.T, h Client) {
		for _, crlf := range []bool{false, true} {
			p, _ := home(t)
			servers, hooks, err := h.FilesOf(p, "")
			if err != nil {
				t.Fatal(err)
			}
			listed, hooked := existing(h)
			if crlf {
				listed, hooked = strings.ReplaceAll(listed, "\n", "\r\n"), strings.ReplaceAll(hooked, "\n", "\r\n")
			}
			before := map[string]string{servers: listed}
			if listsHooks(h) && hooks != servers {
				before[hooks] = hooked
			}
			for path, text := range before {
				put(t, path, text)
			}
			install(t, h, p, options())
			for path, was := range before {
				got := text(t, path)
				if got == was {
					t.Errorf("%s has not changed", path)
				}
				for line := range strings.Lines(was) {
					if bare := strings.TrimRight(strings.TrimSpace(line), "},]"); !strings.Contains(got, bare) {
						t.Errorf("%s lost %q", path, bare)
					}
				}
				if crlf && strings.Contains(strings.ReplaceAll(got, "\r\n", ""), "\n") {
					t.Errorf("%s has lines that end in LF", path)
				}
			}
			if n := install(t, h, p, options()); n != 0 {
				t.Errorf("a second time wrote %d files", n)
			}
			uninstall(t, h, p, options())
			for path, was := range before {
				if diff := cmp.Diff(was, text(t, path)); diff != "" {
					t.Errorf("%s has changed (-before +after):\n%s", path, diff)
				}
			}
		}
	})
}

// Changes that users made after setup survive uninstalling.
func TestUninstall_TakesOnlyOurs(t *testing.T) {
	t.Parallel()
	eachClient(t, func(t *testing.T, h Client) {
		p, _ := home(t)
		servers, _, err := h.FilesOf(p, "")
		if err != nil {
			t.Fatal(err)
		}
		listed, _ := existing(h)
		put(t, servers, listed)
		install(t, h, p, options())
		later := strings.Replace(text(t, servers), "dark", "light", 1)
		put(t, servers, later)
		uninstall(t, h, p, options())
		got := text(t, servers)
		if diff := cmp.Diff(strings.Replace(listed, "dark", "light", 1), got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// A moved program is found by its name, and its new path replaces the old one. Additions to the entry stay.
func TestInstall_FollowsAProgramThatMoved(t *testing.T) {
	t.Parallel()
	eachClient(t, func(t *testing.T, h Client) {
		p, _ := home(t)
		old := options()
		old.Program = filepath.Join(string(filepath.Separator)+"old", "memory-graph-v1.exe")
		old.Flags = []string{"--user=Ann B"}
		install(t, h, p, old)
		if install(t, h, p, options()) == 0 {
			t.Fatal("nothing was written")
		}
		servers, hooks, err := h.FilesOf(p, "")
		if err != nil {
			t.Fatal(err)
		}
		all := text(t, servers)
		if hooks != "" && hooks != servers {
			all += text(t, hooks)
		}
		if listsHooks(h) && strings.Count(all, "--user=Ann B") != len(h.Hooks.Events) {
			t.Errorf("the settings of the hooks are lost:\n%s", all)
		}
		if strings.Contains(all, "v1.exe") || strings.Count(all, "memory graph") == 0 {
			t.Errorf("the old path is left:\n%s", all)
		}
		if listsHooks(h) && strings.Count(all, "hook "+h.ID) != len(h.Hooks.Events) {
			t.Errorf("hooks are duplicated:\n%s", all)
		}
	})
}

func TestInstall_LeavesAnotherProgramOfThatName(t *testing.T) {
	t.Parallel()
	eachClient(t, func(t *testing.T, h Client) {
		p, _ := home(t)
		other := options()
		other.Program = filepath.Join(t.TempDir(), "something-else")
		put(t, other.Program, "#!/bin/sh\nexec a-server-of-somebody \"$@\"\n")
		other.Hooks = false
		install(t, h, p, other)
		err := problem(h.Install(p, options()))
		if e := memory.AsError(err); e == nil || e.Code != memory.Conflict || !strings.Contains(e.Hint, "--name") {
			t.Errorf("error %v, want a conflict that names --name", err)
		}
		changes, err := h.Uninstall(p, options())
		if err != nil || !changes[0].Empty() || changes[0].Other != other.Program {
			t.Errorf("it would be removed: %+v, %v", changes, err)
		}
		o := options()
		o.Name = "mine"
		if install(t, h, p, o) == 0 {
			t.Error("under another name nothing was written")
		}
		o.Name = ""
		if uninstall(t, h, p, o) == 0 {
			t.Error("under its own name it was not found")
		}
	})
}

// Uninstall removes every entry that starts memory-graph, or only the named one.
func TestUninstall_AFileWithoutOurNameNeedsNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"null", "{", "[1]", `{"mcpServers": 3}`} {
		h, p, servers, _ := cursor(t)
		put(t, servers, text)
		changes, err := h.Uninstall(p, options())
		for _, c := range changes {
			if err != nil || c.Problem != nil || !c.Empty() {
				t.Errorf("%s: %+v, %v", text, c.Problem, err)
			}
		}
	}
	h, p, servers, _ := cursor(t)
	put(t, servers, `{"mcpServers": {"memory-graph": `)
	if err := problem(h.Uninstall(p, options())); err == nil {
		t.Error("a broken file with our name is no problem")
	}
}

func TestUninstall_FindsEveryName(t *testing.T) {
	t.Parallel()
	eachClient(t, func(t *testing.T, h Client) {
		for _, name := range []string{"", "second"} {
			p, _ := home(t)
			o := options()
			install(t, h, p, o)
			o.Name = "second"
			install(t, h, p, o)
			o.Name = name
			if uninstall(t, h, p, o) == 0 {
				t.Fatal("nothing was removed")
			}
			left, err := h.Starts(p, options())
			if err != nil || (left != "") != (name != "") {
				t.Errorf("--name %q: left is %q, %v", name, left, err)
			}
		}
	})
}

func TestInstall_InAProject(t *testing.T) {
	t.Parallel()
	eachClient(t, func(t *testing.T, h Client) {
		p, dir := home(t)
		o := options()
		o.Dir = filepath.Join(dir, "work")
		if h.Servers.Project == "" {
			if _, err := h.Install(p, o); err == nil {
				t.Error("a host without project settings accepted a project")
			}
			return
		}
		install(t, h, p, o)
		if _, err := os.Stat(filepath.Join(o.Dir, filepath.FromSlash(h.Servers.Project))); err != nil {
			t.Error(err)
		}
	})
}
