package transfer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// readLetta reads an agent file of Letta (.af): memory blocks, messages and passages. The ids in an agent file count
// from 0 in each file, so keys are derived from names and contents.
func readLetta(ctx context.Context, from Tables, to Sink) error {
	blocks := map[string]record{}
	if err := each(ctx, from, "blocks", func(r record) error { blocks[r.text("id")] = r; return nil }); err != nil {
		return err
	}
	doc, _ := from.(document)
	at := record(doc.own).time("created_at", "updated_at")
	agents := doc.lists["agents"]
	if len(agents) == 0 && doc.own["name"] != nil { // the first version: the file is the agent
		agents = append(agents, doc.own)
	}
	taken := map[string]bool{}
	for _, raw := range agents {
		r := record(raw)
		agent := r.name("name", "id")
		for _, id := range r.list("block_ids") {
			if b := blocks[id]; b != nil {
				taken[id] = true
				if err := to.lettaBlock(b, agent, at); err != nil {
					return err
				}
			}
		}
		for _, b := range r.objects("core_memory") {
			b[lineKey] = r.line()
			if err := to.lettaBlock(b, agent, at); err != nil {
				return err
			}
		}
		for _, m := range r.objects("messages") {
			m[lineKey] = r.line()
			if err := to.lettaMessage(m, agent); err != nil {
				return err
			}
		}
		for _, p := range slices.Concat(r.objects("passages"), r.objects("archival_memory")) {
			p[lineKey] = r.line()
			if err := to.lettaPassage(p, agent); err != nil {
				return err
			}
		}
		to.left(len(r.objects("tools"))+len(r.list("tool_ids")), PassedTools)
	}
	for _, id := range slices.Sorted(maps.Keys(blocks)) {
		if !taken[id] {
			if err := to.lettaBlock(blocks[id], "", at); err != nil {
				return err
			}
		}
	}
	return each(ctx, from, "passages", func(r record) error { return to.lettaPassage(r, r.name("agent_id")) })
}

func (to Sink) lettaBlock(r record, agent string, at time.Time) error {
	label := r.name("label")
	if r.text("value") == "" {
		to.Passed(r.line(), PassedEmpty)
		return nil
	}
	if t := r.time("updated_at", "created_at"); !t.IsZero() {
		at = t
	}
	return to.turn(Message{Line: r.line(), Kind: "block", Role: memory.RoleAssistant, Content: r.text("value"), At: at,
		Key: "letta:b:" + agent + ":" + label, Labels: labels(memory.LabelCategory, []string{label})})
}

func (to Sink) lettaMessage(r record, agent string) error {
	text := lettaText(r)
	m := Message{Line: r.line(), Kind: "message", Session: agent, Content: text, At: r.time("created_at")}
	switch r.text("role") {
	case "user":
		m.Role = memory.RoleUser
	case "assistant":
		m.Role = memory.RoleAssistant
	case "tool", "function":
		to.Passed(m.Line, PassedTools)
		return nil
	default: // the system prompt, approvals
		to.Passed(m.Line, PassedEmpty)
		return nil
	}
	m.Key = "letta:m:" + agent + ":" + digest(string(m.Role), m.At.Format(time.RFC3339Nano), text)
	return to.turn(m)
}

func (to Sink) lettaPassage(r record, agent string) error {
	text := r.text("text")
	return to.turn(Message{Line: r.line(), Kind: "passage", Role: memory.RoleAssistant, Content: text,
		At: r.time("created_at"), Key: "letta:p:" + agent + ":" + digest(text), Labels: labels(memory.LabelTopic,
			r.list("tags"))})
}

// lettaText returns what was said in a message: its text, or what the agent sent with the tool send_message. Older
// programs wrap what the user said into JSON.
func lettaText(r record) string {
	var parts []string
	for _, c := range append(r.objects("content"), r.objects("tool_calls")...) {
		call := c.object("function")
		switch {
		case c.text("type") == "text":
			parts = append(parts, c.text("text"))
		case call.text("name") == "send_message":
			parts = append(parts, call.object("arguments").text("message"))
		}
	}
	text := paragraphs(append(parts, r.text("content", "text"))...)
	var packed struct{ Type, Message string }
	if strings.HasPrefix(text, `{"type":`) || strings.HasPrefix(text, `{"type" :`) {
		if json.Unmarshal([]byte(text), &packed) == nil && packed.Type != "" {
			if packed.Type != "user_message" { // heartbeats and logins
				return ""
			}
			return packed.Message
		}
	}
	return text
}

// digest returns a short hash of texts.
func digest(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:8])
}
