package hooks_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memory-graph/internal/hooks"
)

func TestLastAnswer_ReadsTheEnd(t *testing.T) {
	t.Parallel()
	const (
		asked    = `{"type":"user","message":{"role":"user","content":"Which port?"}}` + "\n"
		answered = `{"type":"assistant","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"It is 8443."}]}}` + "\n"
		used     = `{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","name":"Bash","input":{}}]}}` + "\n"
		returned = `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"ok"}]}}` + "\n"
		subagent = `{"type":"assistant","isSidechain":true,"message":{"role":"assistant","content":"I looked into it."}}` +
			"\n"
		meta = `{"type":"user","isMeta":true,"message":{"role":"user","content":"reminder"}}` + "\n"
	)
	for name, tc := range map[string]struct{ lines, want string }{
		"the last":             {asked + answered, "It is 8443."},
		"before a tool":        {asked + answered + used + returned, "It is 8443."},
		"before a reminder":    {asked + answered + meta, "It is 8443."},
		"before a subagent's":  {asked + answered + subagent, "It is 8443."},
		"none yet":             {asked + answered + asked + used, ""},
		"a line being written": {asked + answered + `{"type":"assis`, "It is 8443."},
		"a long way back":      {strings.Repeat(asked, 50000) + answered, "It is 8443."},
		"empty":                {"", ""},
		"no JSON":              {"hello\nworld", ""},
	} {
		home := t.TempDir()
		if err := os.WriteFile(filepath.Join(home, "t.jsonl"), []byte(tc.lines), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := hooks.LastAnswer("~/t.jsonl", home); err != nil || got != tc.want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, tc.want)
		}
	}
	for _, path := range []string{filepath.Join(t.TempDir(), "none"), t.TempDir()} {
		if _, err := hooks.LastAnswer(path, ""); err == nil {
			t.Errorf("%s can be read", path)
		}
	}
}
