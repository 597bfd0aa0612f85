package tools

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"memory-graph/internal/memory"
)

// maxOffset is the highest number of items that a cursor can skip.
const maxOffset = 999_999

// page is the content of a cursor: how many items to skip, and the question that it continues.
type page struct {
	Offset int    `json:"o"`
	Key    string `json:"k"`
}

// question is a short hash of the arguments that decide what is found and in which order. limit, detail, budget_tokens
// and explain are not part of it: they may change from page to page.
type callKey string

// newCallKey hashes the parts of a call, the tool's name first. Parts must encode as JSON.
func newCallKey(tool string, parts ...any) callKey {
	b, err := json.Marshal([]any{tool, parts})
	if err != nil {
		return "" // unreachable: parts are strings, numbers, times and lists of them
	}
	sum := sha256.Sum256(b)
	return callKey(base64.RawURLEncoding.EncodeToString(sum[:9]))
}

// cursor returns the cursor that continues the question at offset.
func (q callKey) cursor(offset int) string {
	b, err := json.Marshal(page{offset, string(q)})
	if err != nil {
		return "" // unreachable: a number and a string always encode
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// leaf is one page of an answer: where it begins, how many rows were requested, found and shown, and whether more rows
// follow.
type leaf struct {
	offset, limit, found, shown int
	more                        bool
}

// next returns the cursor after a page, "" if nothing follows. A page that is shown whole ends at offset + limit, even
// if a list is shorter because items were filtered out.
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

// offset decodes a cursor. It rejects the cursor of another question. "" is offset 0.
func (q callKey) offset(s string) (int, error) {
	if s == "" {
		return 0, nil
	}
	const longest = 200
	var p page
	b, err := base64.RawURLEncoding.DecodeString(s[:min(len(s), longest)])
	if len(s) > longest || err != nil || json.Unmarshal(b, &p) != nil || p.Offset < 1 || p.Offset > maxOffset {
		return 0, memory.Errorf(memory.InvalidArgument, "cursor: %q is not a cursor.", clip(s)).
			WithHint("Send next_cursor of the last answer unchanged, or leave cursor out to start again.")
	}
	if p.Key != string(q) {
		return 0, memory.Errorf(memory.InvalidArgument, "cursor belongs to another question or namespace than this call.").
			WithHint("Repeat the arguments of the call that returned it, or leave cursor out to start again.")
	}
	return p.Offset, nil
}
