package hooks_test

import (
	"strings"
	"testing"

	"memory-graph/internal/hooks"
)

func TestCompact_GivesTheEssentialPart(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ tool, in, out, want string }{
		"a command": {"Bash", `{"command":"make"}`, `{"stdout":"built","stderr":"warn: x"}`,
			"Bash: make\n→ built\nwarn: x"},
		"an edit": {"Edit", `{"file_path":"/a.go","old_string":"x","new_string":"y"}`,
			`{"filePath":"/a.go","oldString":"x","newString":"y","originalFile":"…","structuredPatch":[{"lines":["-x"]}]}`,
			"Edit: /a.go — y"},
		"a page": {"WebFetch", `{"url":"https://go.dev","prompt":"what is new?"}`, `{"result":"Go 1.26"}`,
			"WebFetch: https://go.dev — what is new?\n→ Go 1.26"},
		"a server's tool": {"mcp__issues__get", `{"id":7}`, `[{"type":"text","text":"Issue 7 is open"}]`,
			"mcp__issues__get: {\"id\":7}\n→ Issue 7 is open"},
		"of another shape": {"x", `{"a":{"b":1}}`, `{"rows":[1,2]}`, "x: {\"a\":{\"b\":1}}\n→ {\"rows\":[1,2]}"},
		"a tag of the host": {"web_fetch", `{"prompt":"x"}`,
			`{"llmContent":"<untrusted_context source=\"web\">\nGo 1.26\n</untrusted_context>"}`, "web_fetch: x\n→ Go 1.26"},
		"nothing": {"x", `{}`, `null`, "x"},
		"no name": {"", `{"command":"ls"}`, `"x"`, ""},
	} {
		if got := (hooks.ToolUse{Name: tc.tool, Input: []byte(tc.in), Response: []byte(tc.out)}).Compact(); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
	long := hooks.ToolUse{Name: "Bash", Input: []byte(`{"command":"` + strings.Repeat("x", 9000) + `"}`),
		Response: []byte(`"` + strings.Repeat("ü", 9000) + `"`)}.Compact()
	if len(long) > 2000 || strings.Count(long, "bytes more)") != 2 {
		t.Errorf("a long tool use has %d bytes: %s", len(long), long)
	}
}

func TestTurn_LeavesOutToolsThatOnlyLookAndOurOwn(t *testing.T) {
	t.Parallel()
	for tool, want := range map[string]struct{ usual, all bool }{
		"Bash": {true, true}, "Edit": {true, true}, "run_shell_command": {true, true}, "WebSearch": {true,
			true}, "mcp__db__query": {true, true},
		"Read": {false, true}, "Glob": {false, true}, "Grep": {false, true}, "LS": {false, true}, "TodoWrite": {false,
			true}, "read_file": {false, true}, "list_directory": {false, true},
		"mcp__memory-graph__store_episode": {}, "memory_graph": {}, "MCP:retrieve_linked": {}, "MCP:undo": {},
		"mcp__memory_graph__retrieve": {}, "mcp_memory-graph_retrieve": {}, "MCP:store_episode": {},
	} {
		e, err := hooks.Parse("claude-code", "PostToolUse",
			[]byte(`{"session_id":"s","tool_name":"`+tool+`","tool_input":{"command":"x"},"tool_response":"y"}`))
		if err != nil {
			t.Fatal(err)
		}
		_, usual := e.Turn(when, hooks.Keeping{MaxBytes: 4000})
		_, all := e.Turn(when, hooks.Keeping{MaxBytes: 4000, AllTools: true})
		if usual != want.usual || all != want.all {
			t.Errorf("%s: %v and with all tools %v, want %v", tool, usual, all, want)
		}
	}
}

// Our server under another name is recognised by that name, in the hosts' forms.
func TestTurn_KnowsOurServerByTheNameThatItsHostGivesIt(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		tool, server string
		kept         bool
	}{
		{"mcp__mem__retrieve", "mem", false},
		{"mcp__mem__retrieve", "", true},
		{"mcp__mem__retrieve", "memory-graph", true},
		{"mcp__Our_Mem__search_graph", "our mem", false},
		{"mcp_our-mem_edges_at", "our-mem", false},
		{"our-mem__status", "our-mem", false},
		{"mcp__記憶__list", "記憶", false},
		{"mcp____list", "記憶", false},
		{"mcp__git__status", "mem", true},
		{"mcp__mem-git__status", "mem", true},
		{"mcp__mem__fetch", "mem", true},
		{"status", "mem", true},
		{"status", "記憶", true},
		{"mcp__memory-graph__list", "mem", false},
	} {
		e, err := hooks.Parse("claude-code", "PostToolUse",
			[]byte(`{"session_id":"s","tool_name":"`+tc.tool+`","tool_input":{"command":"x"},"tool_response":"y"}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, kept := e.Turn(when, hooks.Keeping{MaxBytes: 4000, AllTools: true, Server: tc.server}); kept != tc.kept {
			t.Errorf("%s where ours is %q: stored %v, want %v", tc.tool, tc.server, kept, tc.kept)
		}
	}
}
