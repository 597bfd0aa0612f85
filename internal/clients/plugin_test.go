package clients

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"memory-graph/internal/clients/splice"
)

func pluginFiles(t *testing.T, o Options) map[string]string {
	t.Helper()
	files, err := Plugin(o, "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, f := range files {
		found[f.Path] = string(f.Data)
		if path.Ext(f.Path) == ".json" {
			if _, err := splice.Read(splice.JSON, f.Data); err != nil {
				t.Errorf("%s: %v", f.Path, err)
			}
		}
	}
	return found
}

// The plugin has the skill of this repository, each event of both hosts, and the settings.
func TestPlugin_HasTheSkillTheEventsAndTheSettings(t *testing.T) {
	t.Parallel()
	o := options()
	o.Flags, o.Env = []string{"--db=/x/my.db"}, splice.Object{{Name: "MEMORY_GRAPH_DB", Value: "/x/my.db"}}
	files := pluginFiles(t, o)
	skill, err := os.ReadFile(filepath.Join("..", "..", "skills", "memory-graph", "SKILL.md"))
	if err != nil {
		t.Fatal(err)
	}
	if files["skills/memory-graph/SKILL.md"] != string(skill) {
		t.Error("the skill is another one than skills/memory-graph/SKILL.md")
	}
	if list := files[".mcp.json"]; !strings.Contains(list, `"MEMORY_GRAPH_DB": "/x/my.db"`) {
		t.Errorf("the server has no settings: %s", list)
	}
	for id, file := range map[string]string{"claude-code": "hooks/hooks.json", "codex": "hooks/codex.json"} {
		h, _ := Find(id)
		root, err := splice.Read(splice.JSON, []byte(files[file]))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range h.Hooks.Events {
			run, _ := splice.At(root, "hooks", e.Name, "0", "hooks", "0")
			entry, _ := run.(splice.Object)
			command, _ := entry.Get("command")
			words, _ := command.(string)
			if args, ok := entry.Get("args"); ok {
				for _, a := range args.([]any) {
					words += " " + a.(string)
				}
			}
			want := strings.TrimSuffix(h.command("linux", o, e.Name), " ") + " --plugin"
			if id == "claude-code" { // without a shell
				want = o.Program + " hook claude-code " + e.Name + " --db=/x/my.db --plugin"
			}
			if words != want {
				t.Errorf("%s %s runs %q, want %q", id, e.Name, words, want)
			}
		}
	}
}

// Hosts keep a copy for each version: another content needs another version.
func TestPlugin_VersionChangesWithTheContent(t *testing.T) {
	t.Parallel()
	version := func(o Options) string {
		root, err := splice.Read(splice.JSON, []byte(pluginFiles(t, o)[claudeManifest]))
		if err != nil {
			t.Fatal(err)
		}
		v, _ := root.Get("version")
		return v.(string)
	}
	o := options()
	first := version(o)
	if version(o) != first || !strings.HasPrefix(first, "1.2.3-h") {
		t.Errorf("%s, then %s", first, version(o))
	}
	if o.Program += "2"; version(o) == first {
		t.Errorf("%s for another program too", first)
	}
}

func TestIsPlugin_TakesNewEmptyAndOwnDirectories(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	check := func(dir string, want bool) {
		t.Helper()
		if got, err := IsPlugin(dir); got != want || err != nil {
			t.Errorf("%v, %v, want %v", got, err, want)
		}
	}
	check(filepath.Join(dir, "new"), true)
	check(dir, true)
	put(t, filepath.Join(dir, "notes.txt"), "mine")
	check(dir, false)
	put(t, filepath.Join(dir, ".claude-plugin", "plugin.json"), `{"name": "other"}`)
	check(dir, false)
	put(t, filepath.Join(dir, ".claude-plugin", "plugin.json"), pluginFiles(t, options())[claudeManifest])
	check(dir, true)
	if _, err := IsPlugin(filepath.Join(dir, "notes.txt")); err == nil {
		t.Error("a file is a directory")
	}
}

// The hooks of the plugin leave an event to those of setup, of the user or of the project.
func TestHooked_SeesWhatSetupHasRegistered(t *testing.T) {
	t.Parallel()
	eachClient(t, func(t *testing.T, h Client) {
		if h.ID != "claude-code" && h.ID != "codex" { // the hosts that read the plugin
			return
		}
		event := h.Hooks.Events[0].Name
		p, dir := home(t)
		if h.Hooked(p, dir, event) {
			t.Error("before setup")
		}
		install(t, h, p, options())
		if !h.Hooked(p, "", event) || h.Hooked(p, "", "Unknown") {
			t.Error("setup for the user is not seen")
		}
		p, _ = home(t)
		o, project := options(), t.TempDir()
		o.Dir = project
		install(t, h, p, o)
		if h.Hooked(p, "", event) || !h.Hooked(p, project, event) {
			t.Error("setup for a project is not seen, or seen elsewhere")
		}
	})
}
