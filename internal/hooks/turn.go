package hooks

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// Spoken reports whether a prompt has words of the user. A prompt to a subagent has none.
func (e Event) Spoken() bool { return e.Kind == Prompt && !e.inner && strings.TrimSpace(e.Text) != "" }

// Keeping configures what is remembered of events.
type Keeping struct {
	MaxBytes int    // maximal size of a turn
	AllTools bool   // also of tools that only read files
	Server   string // the host's name for our MCP server; "" for the default
}

// Turn returns the turn to remember of the event; false if there is none, for example for our own tools.
func (e Event) Turn(now time.Time, k Keeping) (Capture, bool) {
	t := Capture{At: now, Speaker: e.Speaker}
	switch e.Kind {
	case Prompt:
		if !e.Spoken() {
			return Capture{}, false
		}
		t.Role, t.Text = memory.RoleUser, e.Text
	case Answer:
		t.Role, t.Text = memory.RoleAssistant, e.Text
	case Tool:
		if e.Use.ours(k.Server) || !k.AllTools && e.Use.onlyLooks() {
			return Capture{}, false
		}
		t.Role, t.Text = memory.RoleTool, e.Use.Compact()
	}
	t.Text = strings.TrimSpace(t.Text)
	if t.Text == "" {
		return Capture{}, false
	}
	if e.id != "" {
		t.Key = key(e.Client, e.Session, string(e.Kind), e.id, t.Text)
	}
	t.Text = middleOut(t.Text, k.MaxBytes)
	return t, true
}

// key derives a turn's key from the host's ids.
func key(client string, parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return memory.HookSource + client + ":" + hex.EncodeToString(h.Sum(nil)[:16])
}

// middleOut shortens a text to at most most bytes. It keeps the beginning and the end and says in between how many
// bytes are missing.
func middleOut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	const room = 64
	half := max(0, most-room) / 2
	head, tail := strings.ToValidUTF8(s[:half], ""), strings.ToValidUTF8(s[len(s)-half:], "")
	return fmt.Sprintf("%s\n[… %d bytes are left out here …]\n%s", head, len(s)-len(head)-len(tail), tail)
}
