package transfer

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// chatNode is one node of the tree of a ChatGPT conversation. Edited messages and regenerated answers are branches.
type chatNode struct {
	Message *struct {
		ID     string `json:"id"`
		Author struct {
			Role string `json:"role"`
			Name string `json:"name"`
		} `json:"author"`
		CreateTime *float64 `json:"create_time"`
		Content    struct {
			Type  string            `json:"content_type"`
			Parts []json.RawMessage `json:"parts"`
			Text  string            `json:"text"`
		} `json:"content"`
		Metadata struct {
			Hidden bool `json:"is_visually_hidden_from_conversation"`
		} `json:"metadata"`
	} `json:"message"`
	Parent string `json:"parent"`
}

// chatGPTConversation reads one conversation of ChatGPT's conversations.json: the branch with the current message.
func chatGPTConversation(line int, raw json.RawMessage, to Sink) error {
	var c struct {
		ID             string                     `json:"id"`
		CreateTime     any                        `json:"create_time"`
		ConversationID string                     `json:"conversation_id"`
		Title          string                     `json:"title"`
		CurrentNode    string                     `json:"current_node"`
		Mapping        map[string]json.RawMessage `json:"mapping"`
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		to.Problem(line, "the conversation has an unknown form: "+WhyBroken(err))
		return nil
	}
	if c.Mapping == nil {
		to.Problem(line, "not a ChatGPT conversation: it has no mapping")
		return nil
	}
	id := c.ConversationID
	if id == "" {
		id = c.ID
	}
	session := sessionName(c.Title, id)
	where := fmt.Sprintf("conversation %q: ", session)
	nodes := make(map[string]chatNode, len(c.Mapping))
	for _, key := range slices.Sorted(maps.Keys(c.Mapping)) {
		raw := c.Mapping[key]
		var n chatNode
		if err := json.Unmarshal(raw, &n); err != nil {
			to.Problem(line, where+fmt.Sprintf("the message %.40q has an unknown form: %s", key, WhyBroken(err)))
			n = chatNode{Parent: parentOf(raw)}
		}
		nodes[key] = n
	}
	path, why := chatPath(nodes, c.CurrentNode)
	if why != "" {
		to.Note(line, where+why)
	}
	seconds, _ := c.CreateTime.(float64)
	last := chatTime(&seconds)
	for i := 0; last.IsZero() && i < len(path); i++ { // the earliest known time
		if m := nodes[path[i]].Message; m != nil {
			last = chatTime(m.CreateTime)
		}
	}
	for _, key := range path {
		n := nodes[key]
		delete(nodes, key)
		t, why := chatMessage(key, n)
		switch {
		case n.Message == nil:
			continue // the root of the tree, or a message that was already reported
		case t.Role == "":
			to.Problem(line, where+why)
			continue
		case strings.TrimSpace(t.Content) == "":
			to.Passed(line, PassedEmpty)
			continue
		case why != "":
			to.Note(line, where+why)
		}
		if t.At.IsZero() {
			t.At = last
		}
		last = t.At
		t.Line, t.Session, t.Key = line, session, "chatgpt:"+id+":"+t.Key
		if err := to.Turn(t); err != nil {
			return err
		}
	}
	for key, n := range nodes {
		if t, _ := chatMessage(key, n); t.Role != "" && strings.TrimSpace(t.Content) != "" {
			to.Passed(line, PassedBranch)
		}
	}
	return nil
}

// parentOf reads only the parent of a broken node, so the messages before it are found.
func parentOf(raw json.RawMessage) string {
	fields, _ := object(raw)
	parent, _ := stringOf(fields["parent"])
	return parent
}

// chatPath returns the keys from the first message to the current one. If no current node is named, it takes the
// newest. It stops at a cycle. why describes what was wrong, "" for nothing.
func chatPath(nodes map[string]chatNode, current string) (path []string, why string) {
	if len(nodes) == 0 {
		return nil, ""
	}
	if _, ok := nodes[current]; !ok {
		if current != "" {
			why = fmt.Sprintf("the current message %.40q is missing; the newest message is used", current)
		}
		newest := -1.0
		keys := slices.Sorted(maps.Keys(nodes))
		current = keys[0]
		for _, key := range keys {
			if m := nodes[key].Message; m != nil && m.CreateTime != nil && *m.CreateTime > newest {
				newest, current = *m.CreateTime, key
			}
		}
	}
	seen := map[string]bool{}
	for key := current; key != ""; {
		if seen[key] {
			why = strings.TrimPrefix(why+"; its messages form a cycle, which is cut", "; ")
			break
		}
		n, ok := nodes[key]
		if !ok {
			why = strings.TrimPrefix(why+fmt.Sprintf("; the message %.40q is missing, and so are those before it", key),
				"; ")
			break
		}
		seen[key] = true
		path = append(path, key)
		key = n.Parent
	}
	slices.Reverse(path)
	return path, why
}

// chatMessage reads one message. A message without content should be left out. A message without a role is invalid.
func chatMessage(key string, n chatNode) (t Message, why string) {
	m := n.Message
	switch {
	case m == nil:
		return t, ""
	case m.Metadata.Hidden:
		return Message{Role: memory.RoleSystem}, ""
	}
	switch m.Author.Role {
	case "user":
		t.Role = memory.RoleUser
	case "assistant":
		t.Role = memory.RoleAssistant
	case "tool", "function":
		t.Role = memory.RoleTool
	case "system", "developer":
		t.Role = memory.RoleSystem
	default:
		return t, fmt.Sprintf("message %.40q: the role %q is not known", key, m.Author.Role)
	}
	switch m.Content.Type {
	case "text", "multimodal_text", "code", "execution_output", "tether_quote", "":
	case "user_editable_context", "model_editable_context", "thoughts", "reasoning_recap", "tether_browsing_display",
		"system_error":
		return t, "" // internal to ChatGPT, not part of the conversation
	default:
		why = fmt.Sprintf("message %.40q: the content type %q is not known; its text is used", key, m.Content.Type)
	}
	var parts []string
	for _, p := range m.Content.Parts {
		if s, ok := stringOf(p); ok {
			parts = append(parts, s)
			continue
		}
		fields, _ := object(p)
		if s, ok := stringOf(fields["text"]); ok { // a transcript; pictures have no text
			parts = append(parts, s)
		}
	}
	if m.Content.Text != "" {
		parts = append(parts, m.Content.Text)
	}
	t.Content = strings.TrimSpace(strings.Join(parts, "\n\n"))
	t.Key = m.ID
	if t.Key == "" {
		t.Key = key
	}
	t.At = chatTime(m.CreateTime)
	return t, why
}

// chatTime reads seconds since 1970. It returns the zero time if the value is not a valid time.
func chatTime(seconds *float64) (at time.Time) {
	if seconds != nil && *seconds > 0 && *seconds < year10000 {
		whole, part := math.Modf(*seconds)
		at = time.Unix(int64(whole), int64(part*1e9)).UTC()
	}
	return at
}
