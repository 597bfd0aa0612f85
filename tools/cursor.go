package tools

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"memory-graph/memory"
	"memory-graph/retrieval"
)

// maxOffset bounds how deep an answer can be paged into.
const maxOffset = 999_999

// page is what a cursor holds: how many items to pass over, and which question it continues.
type page struct {
	Offset int    `json:"o"`
	Key    string `json:"k"`
}

// cursor makes the mark at which the next answer to the same question goes on.
func cursor(req retrieval.Request, offset int) string {
	b, err := json.Marshal(page{offset, questionKey(req)})
	if err != nil {
		return "" // cannot be: a number and a string always encode
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// offset reads a cursor and refuses one that belongs to another question. No cursor is offset 0.
func offset(s string, req retrieval.Request) (int, error) {
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
	if p.Key != questionKey(req) {
		return 0, memory.Errorf(memory.InvalidArgument, "cursor belongs to another question or namespace.").
			WithHint("Repeat the arguments of the call that gave it, or leave the cursor out to begin again.")
	}
	return p.Offset, nil
}

// questionKey is a short hash of everything that decides what is found and in which order. Limit, detail, budget and
// explain may change from page to page.
func questionKey(req retrieval.Request) string {
	ids := make([]string, len(req.IDs))
	for i, id := range req.IDs {
		ids[i] = id.String()
	}
	strategy := req.Strategy
	if strategy == "" {
		strategy = retrieval.Auto
	}
	b, err := json.Marshal([]any{req.Scope, req.Query, ids, strategy, memory.Millis(req.Since), memory.Millis(req.Until), req.Roles})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(b)
	return base64.RawURLEncoding.EncodeToString(sum[:9])
}
