package hooks_test

import (
	"strings"
	"testing"

	"memory-graph/internal/hooks"
)

func TestParse_TakesALongMessageThatIsCutAsFarAsItGoes(t *testing.T) {
	t.Parallel()
	for name, tail := range map[string]string{"a letter": "x", "an escape": `\`, "half an escape": `\u00`,
		"half a character": "\xc3"} {
		text := strings.Repeat("long text ", 1000)
		e, err := hooks.Parse("claude-code", "UserPromptSubmit", []byte(`{"session_id":"s","cwd":"/w","prompt":"`+text+tail))
		if err == nil || !strings.HasPrefix(e.Text, strings.TrimSpace(text)) || len(e.Text) > len(text)+3 {
			t.Errorf("cut behind %s: %d of %d bytes, %v", name, len(e.Text), len(text), err)
		}
	}
	if e, _ := hooks.Parse("claude-code", "UserPromptSubmit",
		[]byte(`{"prompt":"hi","session_id":"4f2`)); e.Session != "" {
		t.Errorf("half an id is accepted: %q", e.Session)
	}
}
