package cli

import (
	"bytes"
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memory-graph/internal/config"
)

// The host keeps the blocks of a session, so the next one has only what is new, until the host begins it anew.
func TestHook_ShowsASessionNothingTwice(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.DB = filepath.Join(t.TempDir(), "memory.db")
	told := func(event, payload, found string) string {
		t.Helper()
		m := &slowMemory{block: "<memory_context>\nRecent episodes:\n" + found + "</memory_context>\n"}
		var out bytes.Buffer
		h := &hooking{cfg: cfg, log: slog.New(slog.DiscardHandler), now: time.Now, home: "/home/ann",
			client: "claude-code", event: event, max: time.Minute, storeUntil: time.Now().Add(time.Minute),
			until:    time.Now().Add(time.Minute),
			open:     func(string, bool) (hookMemory, error) { return m, nil },
			starting: func() bool { return false }, leave: func() error { return nil }}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		h.run(ctx, strings.NewReader(payload), &out)
		return out.String()
	}
	const begins, asks = `{"session_id":"s1","source":"startup"}`, `{"session_id":"s1","prompt":"Which port does it use?"}`
	for _, step := range []struct{ event, payload, found, want string }{
		{"SessionStart", begins, "- One.\n", "- One.\\n"},
		{"UserPromptSubmit", asks, "- One.\n- Two.\n", ":\\n- Two.\\n"},
		{"UserPromptSubmit", asks, "- One.\n- Two.\n", ""},
		{"UserPromptSubmit", strings.Replace(asks, "s1", "s2", 1), "- One.\n", "- One.\\n"},
		{"SessionStart", strings.Replace(begins, "startup", "compact", 1), "", ""},
		{"UserPromptSubmit", asks, "- One.\n", "- One.\\n"},
	} {
		if got := told(step.event, step.payload, step.found); !strings.Contains(got, step.want) || step.want == "" &&
			strings.Contains(got, "- ") {
			t.Errorf("%s with %q: %q, want %q", step.event, step.found, got, step.want)
		}
	}
}

// Windsurf names no directory, but runs hooks in that of the workspace.
func TestHook_OfAWindsurfWorkspaceTakesItsDirectory(t *testing.T) {
	t.Parallel()
	h := &hooking{log: slog.New(slog.DiscardHandler), client: "windsurf", event: "pre_user_prompt", dir: "/src/shop"}
	if e := h.read(strings.NewReader(`{"tool_info":{"user_prompt":"Hi"}}`)); e.Dir != "/src/shop" {
		t.Errorf("directory %q", e.Dir)
	}
	h.client, h.event = "codex", "UserPromptSubmit"
	if e := h.read(strings.NewReader(`{"prompt":"Hi"}`)); e.Dir != "" {
		t.Errorf("directory %q of a host that names its own", e.Dir)
	}
}
