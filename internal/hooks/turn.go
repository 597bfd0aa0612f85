package hooks

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// Spoken says whether there are words of the user's in a prompt. What an agent tells one that works for it is none.
func (e Event) Spoken() bool { return e.Kind == Prompt && !e.inner && strings.TrimSpace(e.Text) != "" }

// Keeping says what of events is remembered.
type Keeping struct {
	MaxBytes int    // of a turn
	AllTools bool   // of tools that only look at files too
	Server   string // what the host calls our MCP server; "" for the usual name
}

// Turn gives what is to be remembered of the event; false where nothing is, as of our own tools.
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

// key names a turn by what its host tells it by.
func key(client string, parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return memory.HookSource + client + ":" + hex.EncodeToString(h.Sum(nil)[:16])
}

// middleOut gives a text of at most most bytes: of a longer one the beginning and the end, and between them how much is
// missing.
func middleOut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	const room = 64
	half := max(0, most-room) / 2
	head, tail := strings.ToValidUTF8(s[:half], ""), strings.ToValidUTF8(s[len(s)-half:], "")
	return fmt.Sprintf("%s\n[… %d bytes are left out here …]\n%s", head, len(s)-len(head)-len(tail), tail)
}
