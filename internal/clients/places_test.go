package clients

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The paths of each host on each system, from the hosts' documentation.
func TestPlaces_OfEverySystem(t *testing.T) {
	t.Parallel()
	want := map[string]map[string][2]string{
		"linux": {
			"cline":       {"/h/.cline/data/settings/cline_mcp_settings.json", "/h/.cline/plugins/memory-graph.js"},
			"goose":       {"/h/.config/goose/config.yaml", ""},
			"opencode":    {"/h/.config/opencode/opencode.json", "/h/.config/opencode/plugins/memory-graph.js"},
			"claude-code": {"/h/.claude.json", "/h/.claude/settings.json"}, "claude-desktop": {
				"/h/.config/Claude/claude_desktop_config.json", ""},
			"codex": {"/h/.codex/config.toml", "/h/.codex/hooks.json"}, "cursor": {"/h/.cursor/mcp.json",
				"/h/.cursor/hooks.json"},
			"gemini-cli": {"/h/.gemini/settings.json", "/h/.gemini/settings.json"}, "vscode": {"/h/.config/Code/User/mcp.json",
				"/h/.copilot/hooks/memory-graph.json"},
			"devin": {"/h/.config/devin/mcp_config.json", ""}, "windsurf": {
				"/h/.codeium/windsurf/mcp_config.json", "/h/.codeium/windsurf/hooks.json"},
			"zed": {"/h/.config/zed/settings.json", ""},
		},
		"darwin": {
			"cline":       {"/h/.cline/data/settings/cline_mcp_settings.json", "/h/.cline/plugins/memory-graph.js"},
			"goose":       {"/h/.config/goose/config.yaml", ""},
			"opencode":    {"/h/.config/opencode/opencode.json", "/h/.config/opencode/plugins/memory-graph.js"},
			"claude-code": {"/h/.claude.json", "/h/.claude/settings.json"}, "claude-desktop": {
				"/h/Library/Application Support/Claude/claude_desktop_config.json", ""},
			"codex": {"/h/.codex/config.toml", "/h/.codex/hooks.json"}, "cursor": {"/h/.cursor/mcp.json",
				"/h/.cursor/hooks.json"},
			"gemini-cli": {"/h/.gemini/settings.json", "/h/.gemini/settings.json"}, "vscode": {
				"/h/Library/Application Support/Code/User/mcp.json", "/h/.copilot/hooks/memory-graph.json"},
			"devin": {"/h/.config/devin/mcp_config.json", ""}, "windsurf": {
				"/h/.codeium/windsurf/mcp_config.json", "/h/.codeium/windsurf/hooks.json"},
			"zed": {"/h/.config/zed/settings.json", ""},
		},
		"windows": {
			"cline":       {`C:\U\.cline\data\settings\cline_mcp_settings.json`, `C:\U\.cline\plugins\memory-graph.js`},
			"goose":       {`C:\R\Block\goose\config\config.yaml`, ""},
			"opencode":    {`C:\U\.config\opencode\opencode.json`, `C:\U\.config\opencode\plugins\memory-graph.js`},
			"claude-code": {`C:\U\.claude.json`, `C:\U\.claude\settings.json`}, "claude-desktop": {
				`C:\R\Claude\claude_desktop_config.json`, ""},
			"codex": {`C:\U\.codex\config.toml`, `C:\U\.codex\hooks.json`}, "cursor": {`C:\U\.cursor\mcp.json`,
				`C:\U\.cursor\hooks.json`},
			"gemini-cli": {`C:\U\.gemini\settings.json`, `C:\U\.gemini\settings.json`}, "vscode": {
				`C:\R\Code\User\mcp.json`, `C:\U\.copilot\hooks\memory-graph.json`},
			"devin": {`C:\R\devin\mcp_config.json`, ""}, "windsurf": {
				`C:\U\.codeium\windsurf\mcp_config.json`, `C:\U\.codeium\windsurf\hooks.json`},
			"zed": {`C:\R\Zed\settings.json`, ""},
		},
	}
	for _, system := range Systems {
		p := placesOn(system, []string{"HOME=/h", `UserProfile=C:\U`, `APPDATA=C:\R`})
		got := map[string][2]string{}
		for _, h := range All() {
			servers, hooks, err := h.FilesOf(p, "")
			if err != nil {
				t.Fatal(err)
			}
			got[h.ID] = [2]string{servers, hooks}
		}
		if diff := cmp.Diff(want[system], got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", system, diff)
		}
	}
}

func TestPlaces_FollowTheEnvironment(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ host, variable, want string }{
		{"claude-code", "CLAUDE_CONFIG_DIR=/c", "/c/.claude.json"},
		{"codex", "CODEX_HOME=/c", "/c/config.toml"},
		{"gemini-cli", "GEMINI_CLI_HOME=/c", "/c/.gemini/settings.json"},
		{"devin", "XDG_CONFIG_HOME=/c", "/c/devin/mcp_config.json"},
		{"zed", "XDG_CONFIG_HOME=/c", "/c/zed/settings.json"},
		{"vscode", "XDG_CONFIG_HOME=/c", "/c/Code/User/mcp.json"},
	} {
		h, ok := Find(c.host)
		if !ok {
			t.Fatal(c.host)
		}
		got, _, err := h.FilesOf(placesOn("linux", []string{"HOME=/h", c.variable}), "")
		if err != nil || got != c.want {
			t.Errorf("%s with %s: %s, %v; want %s", c.host, c.variable, got, err, c.want)
		}
	}
	zed, _ := Find("zed")
	if _, _, err := zed.FilesOf(placesOn("linux", nil), ""); err == nil {
		t.Error("there is a path without a home directory")
	}
}

func TestQuote_GivesTheShellOneWord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ system, word, want string }{
		{"linux", "/opt/memory-graph", "/opt/memory-graph"},
		{"linux", "/opt/my dir/it's", `'/opt/my dir/it'\''s'`},
		{"linux", "$(rm -rf ~)", "'$(rm -rf ~)'"},
		{"linux", "/home/jürgen/mg", "/home/jürgen/mg"},
		{"linux", "", "''"},
		{"windows", "C:/Tools/memory-graph.exe", "C:/Tools/memory-graph.exe"},
		{"windows", "C:/Program Files/memory-graph.exe", `"C:/Program Files/memory-graph.exe"`},
		{"windows", `--user=CORP\ann`, `"--user=CORP\ann"`},
	} {
		if got := quote(c.system, c.word); got != c.want {
			t.Errorf("%s: %q became %s, want %s", c.system, c.word, got, c.want)
		}
	}
}

// The table is consistent: ids are unique, and every host is complete.
func TestTable_IsWhole(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, h := range All() {
		for _, name := range append([]string{h.ID}, h.Aliases...) {
			if seen[name] {
				t.Errorf("%s is duplicated", name)
			}
			seen[name] = true
		}
		if h.Name == "" || h.After == "" || len(h.Servers.Key) == 0 || h.Servers.Mode == 0 ||
			h.Hooks != nil && (len(h.Hooks.Events) < 2 || h.Hooks.Form == "") {
			t.Errorf("%s is incomplete: %+v", h.ID, h)
		}
	}
}
