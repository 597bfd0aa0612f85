package clients

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"memory-graph/internal/clients/splice"
	"memory-graph/internal/memory"
	"memory-graph/skills"
)

// PluginFile is a file of the plugin.
type PluginFile struct {
	Path string // in the plugin's directory, with slashes
	Data []byte
}

// PluginFlag is the flag of the plugin's hooks. Such a hook does nothing if setup has registered a hook for the event.
const PluginFlag = "plugin"

const pluginAbout = "A memory for agents: turns and a graph of facts with history, kept on your machine"

// claudeManifest is where Claude Code looks for the plugin's manifest. It also tells a directory of ours.
const claudeManifest = ".claude-plugin/plugin.json"

// Plugin returns the files of a directory that Claude Code and Codex load as a plugin, and that is its own marketplace:
// the server, the hooks and the skill. The settings of o are written into it. version is that of the program. The hosts
// keep a copy per version, so a hash of the content is appended.
func Plugin(o Options, version string) ([]PluginFile, error) {
	claude, _ := Find("claude-code")
	codex, _ := Find("codex")
	system := runtime.GOOS
	if err := codex.sayable(system, o); err != nil {
		return nil, err
	}
	server := claude.Servers.entry(o)
	o.Flags = append(slices.Clip(o.Flags), "--"+PluginFlag)
	claudeHooks, err := claude.pluginHooks(func(e Event) splice.Object { return claude.execHook(o, e) })
	if err != nil {
		return nil, err
	}
	codexHooks, err := codex.pluginHooks(func(e Event) splice.Object { return codex.hook(system, o, e) })
	if err != nil {
		return nil, err
	}
	list, err := written(splice.Object{{Name: "mcpServers", Value: splice.Object{{Name: DefaultName, Value: server}}}})
	if err != nil {
		return nil, err
	}
	files := []PluginFile{
		{".mcp.json", list},
		{"hooks/hooks.json", claudeHooks},
		{"hooks/codex.json", codexHooks},
		{"skills/memory-graph/SKILL.md", skills.MemoryGraph},
	}
	about := func(more ...splice.Member) splice.Object {
		return append(splice.Object{
			{Name: "name", Value: DefaultName},
			{Name: "version", Value: cmp.Or(version, "0.0.0") + "-" + sum(files)},
			{Name: "description", Value: pluginAbout},
		}, more...)
	}
	author := splice.Member{Name: "author", Value: splice.Object{{Name: "name", Value: DefaultName}}}
	license := splice.Member{Name: "license", Value: "MIT"}
	for path, content := range map[string]splice.Object{
		claudeManifest: about(author, license),
		// Codex would also read hooks/hooks.json, whose commands are for Claude Code.
		".codex-plugin/plugin.json": about(author, license, splice.Member{Name: "skills", Value: "./skills/"},
			splice.Member{Name: "mcpServers", Value: "./.mcp.json"}, splice.Member{Name: "hooks", Value: "./hooks/codex.json"}),
		".claude-plugin/marketplace.json": {
			{Name: "name", Value: DefaultName},
			{Name: "owner", Value: splice.Object{{Name: "name", Value: DefaultName}}},
			{Name: "metadata", Value: splice.Object{{Name: "description", Value: pluginAbout}}},
			{Name: "plugins", Value: []any{splice.Object{{Name: "name", Value: DefaultName}, {Name: "source", Value: "./"},
				{Name: "description", Value: pluginAbout}}}},
		},
	} {
		text, err := written(content)
		if err != nil {
			return nil, err
		}
		files = append(files, PluginFile{path, text})
	}
	slices.SortFunc(files, func(a, b PluginFile) int { return cmp.Compare(a.Path, b.Path) })
	return files, nil
}

// sum returns the beginning of a hash of the files, which are in a fixed order. A letter comes first: a number with a
// leading zero is not allowed in a version.
func sum(files []PluginFile) string {
	h := sha256.New()
	for _, f := range files {
		_, _ = h.Write(f.Data) // a hash never fails
	}
	return "h" + hex.EncodeToString(h.Sum(nil)[:5])
}

func written(v splice.Object) (text []byte, err error) {
	for _, m := range v {
		if text, err = splice.Set(splice.JSON, text, []string{m.Name}, m.Value); err != nil {
			return nil, err
		}
	}
	return text, nil
}

func (h Client) pluginHooks(element func(Event) splice.Object) (text []byte, err error) {
	for _, e := range h.Hooks.Events {
		if text, err = splice.Append(splice.JSON, text, []string{"hooks", e.Name}, element(e)); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// execHook is hook with the program and its arguments apart, which the host starts without a shell.
func (h Client) execHook(o Options, e Event) splice.Object {
	args := []any{"hook", h.ID, e.Name}
	for _, flag := range o.Flags {
		args = append(args, flag)
	}
	run := splice.Object{{Name: "type", Value: "command"}, {Name: "command", Value: o.Program},
		{Name: "args", Value: args}, {Name: "timeout", Value: h.Hooks.Timeout}}
	group := splice.Object{}
	if e.Matcher != "" {
		group = append(group, splice.Member{Name: "matcher", Value: e.Matcher})
	}
	return append(group, splice.Member{Name: "hooks", Value: []any{run}})
}

// IsPlugin reports whether a directory holds our plugin, or can take it: it is missing or empty.
func IsPlugin(dir string) (bool, error) {
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) || err == nil && len(entries) == 0 {
		return true, nil
	}
	if err != nil {
		return false, memory.AsError(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(claudeManifest)))
	if err != nil {
		return false, nil // whatever it is, it is not ours
	}
	root, err := splice.Read(splice.JSON, text)
	name, _ := root.Get("name")
	return err == nil && name == DefaultName, nil
}

// Hooked reports whether setup has registered our hook for an event, for the user or in the project's directory, which
// may be "". A file that cannot be read has none.
func (h Client) Hooked(p Places, project, event string) bool {
	if h.Hooks == nil {
		return false
	}
	for _, dir := range slices.Compact([]string{"", project}) {
		path, err := h.place(p, h.Hooks.File, dir)
		if err != nil {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		root, err := splice.Read(h.Hooks.Format, text)
		if err == nil && len(h.ourHooks(root, p.system, Options{}, Event{Name: event})) > 0 {
			return true
		}
	}
	return false
}
