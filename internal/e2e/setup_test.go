package e2e_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v3"

	"memory-graph/internal/clients"
	"memory-graph/internal/clients/splice"
	"memory-graph/internal/hooks"
	"memory-graph/internal/waitfor"
)

// setUp runs `memory-graph setup` in a home and gives its answer.
func setUp(t *testing.T, home string, args ...string) (answer struct {
	Status  string
	Program string
	Changes []struct {
		Path, Action, Diff, Backup string
		Before                     []string
	}
}) {
	t.Helper()
	cmd := exec.Command(program, append([]string{"setup", "--json", "--yes"}, args...)...)
	cmd.Env = environment(home, "USERPROFILE="+home)
	cmd.Dir = t.TempDir()
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("setup %s: %v\n%s", args, err, stderr.String())
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return answer
}

// startsWith is what a host's list says of our server.
type startsWith struct {
	Command string
	Args    []string
	Env     map[string]string
}

// listed reads a host's list as the host does.
func listed(t *testing.T, h clients.Client, path string) map[string]startsWith {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	switch h.Servers.Format {
	case splice.TOML:
		err = toml.Unmarshal(raw, &all)
	case splice.YAML:
		err = yaml.Unmarshal(raw, &all)
	default:
		err = json.Unmarshal(raw, &all)
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s", path, err, raw)
	}
	list := map[string]startsWith{}
	entries, _ := all[h.Servers.Key[0]].(map[string]any)
	for name, v := range entries {
		entry, _ := v.(map[string]any)
		command := entry[cmp.Or(h.Servers.Command, "command")]
		words, joined := command.([]any)
		if !joined {
			args, _ := entry["args"].([]any)
			words = append([]any{command}, args...)
		}
		s := startsWith{Env: map[string]string{}}
		for i, word := range words {
			text, _ := word.(string)
			if i == 0 {
				s.Command = text
			} else {
				s.Args = append(s.Args, text)
			}
		}
		env, _ := entry[cmp.Or(h.Servers.Env, "env")].(map[string]any)
		for variable, value := range env {
			s.Env[variable], _ = value.(string)
		}
		list[name] = s
	}
	return list
}

// From an empty home every host gets a configuration whose command, run exactly as it is written, is a server.
func TestSetup_StartsInEveryHost(t *testing.T) {
	t.Parallel()
	for _, h := range clients.All() {
		t.Run(h.ID, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			a := setUp(t, home, h.ID, "--user", "Ann O'Neil")
			if a.Status != "set_up" || len(a.Changes) == 0 {
				t.Fatalf("it says %+v", a)
			}
			list := listed(t, h, a.Changes[0].Path)
			if names := slices.Collect(maps.Keys(list)); !slices.Equal(names, []string{clients.DefaultName}) {
				t.Fatalf("servers %q", names)
			}
			s := list[clients.DefaultName]
			if !filepath.IsAbs(s.Command) || s.Command != a.Program {
				t.Errorf("command %q, program %q", s.Command, a.Program)
			}
			cmd := exec.Command(s.Command, s.Args...)
			cmd.Env = environment(home, "USERPROFILE="+home)
			for name, value := range s.Env {
				cmd.Env = append(cmd.Env, name+"="+value)
			}
			server := run(t, cmd)
			server.initialize()
			server.store(arguments{"content": "I moved to Ghent."})
			server.stop()

			if h.Hooks != nil && h.Hooks.Form != clients.Script && runtime.GOOS != "windows" {
				runHook(t, home, h, a.Changes[len(a.Changes)-1].Path)
			}

			if again := setUp(t, home, h.ID, "--user", "Ann O'Neil"); again.Status != "already_set_up" {
				t.Errorf("a second time it says %+v", again)
			}
			if plain := setUp(t, home, h.ID); plain.Status != "already_set_up" {
				t.Errorf("without the settings it says %+v", plain)
			}
			if gone := setUp(t, home, h.ID, "--uninstall"); gone.Status != "removed" {
				t.Errorf("taken out it says %+v", gone)
			}
			for _, c := range a.Changes {
				if _, err := os.Stat(c.Path); !os.IsNotExist(err) {
					t.Errorf("%s is left: %v", c.Path, err)
				}
			}
		})
	}
}

// runHook runs the hook of a message as the host does, by the shell, and expects that it stores the message.
func runHook(t *testing.T, home string, h clients.Client, path string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	root, err := splice.Read(h.Hooks.Format, raw)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(h.Hooks.Events, func(e clients.Event) bool { return hooks.KindOf(h.ID, e.Name) == hooks.Prompt })
	at := []string{"hooks", h.Hooks.Events[i].Name, "0", "command"}
	if h.Hooks.Form == clients.Nested {
		at = []string{"hooks", h.Hooks.Events[i].Name, "0", "hooks", "0", "command"}
	}
	line, _ := splice.At(root, at...)
	text, ok := line.(string)
	if !ok {
		t.Fatalf("no command at %q of\n%s", at, raw)
	}
	cmd := exec.Command("/bin/sh", "-c", text)
	cmd.Env = environment(home, "USERPROFILE="+home)
	cmd.Stdin = strings.NewReader(`{"session_id": "s1", "conversation_id": "s1", "cwd": "/src/shop",
		"workspace_roots": ["/src/shop"], "prompt": "The shop listens on port 8443.",
		"tool_info": {"user_prompt": "The shop listens on port 8443."}}`)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", text, err, out)
	}
	server := start(t, filepath.Join(home, ".local", "share", "memory-graph", "memory.db"), "HOME="+home,
		"MEMORY_GRAPH_USER=Ann O'Neil")
	server.initialize()
	waitfor.Until(t, h.ID+": what the hook was given is found", func() bool { // on a slow machine the server stores it
		a := server.retrieve(arguments{"query": "port of the shop"})
		return slices.ContainsFunc(a.Episodes, func(e episode) bool { return strings.Contains(e.Content, "8443") })
	})
	server.stop()
}

// What was there before is there after, comments too, and taking ours out gives every byte back.
func TestSetup_KeepsAndGivesBack(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	files := map[string]string{
		"claude-code": "// by hand\n{\n\t\"numStartups\": 4, // so far\n\t\"mcpServers\": {\n\t\t\"other\": { \"command\": " +
			"\"x\" }\n\t}\n}\n",
		"codex":      "model = \"gpt\" # mine\n\n[mcp_servers.other]\ncommand = \"x\"\n",
		"gemini-cli": "{\"theme\":\"dark\",\"mcpServers\":{\"other\":{\"command\":\"x\"}}}",
	}
	for id, before := range files {
		h, _ := clients.Find(id)
		path, _, err := h.FilesOf(clients.UserPlaces([]string{"HOME=" + home, "USERPROFILE=" + home}), "")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		shown := setUp(t, home, id, "--print")
		if raw, err := os.ReadFile(path); err != nil || string(raw) != before || shown.Status != "shown" {
			t.Errorf("%s: --print wrote %q (%v), and says %s", id, raw, err, shown.Status)
		}
		a := setUp(t, home, id)
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{"// by hand", "// so far", "# mine"} {
			if strings.Contains(before, part) && !strings.Contains(string(raw), part) {
				t.Errorf("%s lost %q:\n%s", id, part, raw)
			}
		}
		if kept, err := os.ReadFile(a.Changes[0].Backup); err != nil || string(kept) != before {
			t.Errorf("%s: the copy is %q, %v", id, kept, err)
		}
		setUp(t, home, id, "--uninstall")
		if raw, err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(before, string(raw)); diff != "" {
			t.Errorf("%s is not what it was (-before +after):\n%s", id, diff)
		}
	}
}

// A copy of the program under another name is known by what it was built from, and its path is corrected.
func TestSetup_KnowsACopyOfAnotherName(t *testing.T) {
	t.Parallel()
	home, bin := t.TempDir(), t.TempDir()
	raw, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(bin, "my memory"+filepath.Ext(program))
	if err := os.WriteFile(other, raw, 0o755); err != nil {
		t.Fatal(err)
	}
	setUp(t, home, "claude-code", "--program", other, "--name", "notes")
	a := setUp(t, home, "claude-code")
	if a.Status != "set_up" || len(a.Changes) != 2 {
		t.Fatalf("it says %+v", a)
	}
	for _, c := range a.Changes {
		if !slices.Equal(c.Before, []string{other}) && runtime.GOOS != "windows" { // where a line of the shell has slashes
			t.Errorf("%s: before %q, want %q", c.Path, c.Before, other)
		}
		if raw, err := os.ReadFile(c.Path); err != nil || strings.Contains(string(raw), "my memory") {
			t.Errorf("%s has the old path: %v\n%s", c.Path, err, raw)
		}
	}
	h, _ := clients.Find("claude-code")
	if s := listed(t, h, a.Changes[0].Path)["notes"]; s.Command != a.Program {
		t.Errorf("notes starts %q, want %q", s.Command, a.Program)
	}
}

// A link to the program, such as a package manager makes, is what hosts are given: it outlives what it leads to.
func TestSetup_WritesTheLinkByWhichItWasFound(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege on Windows")
	}
	home, bin := t.TempDir(), t.TempDir()
	link := filepath.Join(bin, "memory-graph")
	if err := os.Symlink(program, link); err != nil {
		t.Fatal(err)
	}
	for _, how := range []struct{ name, call string }{{"by its path", link}, {"by PATH", "memory-graph"}} {
		cmd := exec.Command(link, "setup", "zed", "--print", "--json")
		cmd.Args[0] = how.call
		cmd.Env = environment(home, "PATH="+bin)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var a struct{ Program string }
		if err := json.Unmarshal(out, &a); err != nil || a.Program != link {
			t.Errorf("%s it is %q, want %q (%v)", how.name, a.Program, link, err)
		}
	}
}
