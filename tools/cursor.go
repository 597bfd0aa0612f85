package tools

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"memory-graph/internal/memory"
)

// maxOffset bounds how deep an answer can be paged into.
const maxOffset = 999_999

// page is what a cursor holds: how many items to pass over, and which question it continues.
type page struct {
	Offset int    `json:"o"`
	Key    string `json:"k"`
}

// callKey is a short hash of a call: everything that decides what is found and in which order, and nothing else, so
// that limit, detail, budget and explain may change from page to page.
type callKey string

// newCallKey hashes the parts of a call, the tool's name first. Parts must encode as JSON.
func newCallKey(tool string, parts ...any) callKey {
	b, err := json.Marshal([]any{tool, parts})
	if err != nil {
		return "" // cannot be: parts are strings, numbers, times and lists of them
	}
	sum := sha256.Sum256(b)
	return callKey(base64.RawURLEncoding.EncodeToString(sum[:9]))
}

// cursor makes the mark at which the next answer to the same question goes on.
func (q callKey) cursor(offset int) string {
	b, err := json.Marshal(page{offset, string(q)})
	if err != nil {
		return "" // cannot be: a number and a string always encode
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// leaf is one page of an answer: where it began, how many rows were asked for, found and shown, and whether more
// follow.
type leaf struct {
	offset, limit, found, shown int
	more                        bool
}

// next is the cursor behind a page; "" where nothing follows. A page that is shown whole ends where it was asked to
// end, even where a list came shorter because something was left out of it.
func (q callKey) next(p leaf) string {
	at := p.offset + p.limit
	if p.shown < p.found {
		at = p.offset + p.shown
	} else if !p.more {
		return ""
	}
	if at >= maxOffset {
		return ""
	}
	return q.cursor(at)
}

// offset reads a cursor and refuses one that belongs to another question. No cursor is offset 0.
func (q callKey) offset(s string) (int, error) {
	if s == "" {
		return 0, nil
	}
	const longest = 200
	var p page
	b, err := base64.RawURLEncoding.DecodeString(s[:min(len(s), longest)])
	if len(s) > longest || err != nil || json.Unmarshal(b, &p) != nil || p.Offset < 1 || p.Offset > maxOffset {
		return 0, memory.Errorf(memory.InvalidArgument, "cursor: %q is not a cursor.", clip(s)).
			WithHint("Send next_cursor of the last answer unchanged, or none to begin again.")
	}
	if p.Key != string(q) {
		return 0, memory.Errorf(memory.InvalidArgument, "cursor belongs to another question or namespace.").
			WithHint("Repeat the arguments of the call that gave it, or leave the cursor out to begin again.")
	}
	return p.Offset, nil
}
