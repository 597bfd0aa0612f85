package transfer

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// claudeConversation reads one conversation of Claude's conversations.json.
func claudeConversation(line int, raw json.RawMessage, to Sink) error {
	var c struct {
		UUID      string            `json:"uuid"`
		Name      string            `json:"name"`
		CreatedAt json.RawMessage   `json:"created_at"`
		Messages  []json.RawMessage `json:"chat_messages"`
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		to.Problem(line, "the conversation has an unknown form: "+WhyBroken(err))
		return nil
	}
	if c.Messages == nil {
		to.Problem(line, "not a Claude conversation: it has no chat_messages")
		return nil
	}
	session := sessionName(c.Name, c.UUID)
	said, _ := stringOf(c.CreatedAt)
	last, _ := readTime(said) // an invalid time counts as unknown
	seen := map[string]bool{}
	for i, m := range c.Messages {
		where := fmt.Sprintf("conversation %q, message %d: ", session, i+1)
		t, why := claudeMessage(m)
		switch {
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
		if t.Key == "" {
			t.Key = fmt.Sprint(i + 1)
		}
		if seen[t.Key] {
			to.Problem(line, where+"an earlier message has the same id: left out")
			continue
		}
		seen[t.Key] = true
		t.Line, t.Session, t.Key = line, session, "claude:"+c.UUID+":"+t.Key
		if err := to.Turn(t); err != nil {
			return err
		}
	}
	return nil
}

// claudeMessage reads one message. why says what was wrong with it.
func claudeMessage(raw json.RawMessage) (t Message, why string) {
	var m struct {
		UUID      string `json:"uuid"`
		Sender    string `json:"sender"`
		Text      string `json:"text"`
		CreatedAt string `json:"created_at"`
		Content   []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		Attachments []struct {
			Name string `json:"file_name"`
			Text string `json:"extracted_content"`
		} `json:"attachments"`
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return Message{}, WhyBroken(err)
	}
	switch m.Sender {
	case "human", "user":
		t.Role = memory.RoleUser
	case "assistant":
		t.Role = memory.RoleAssistant
	case "system":
		t.Role = memory.RoleSystem
	default:
		return t, fmt.Sprintf("the sender %q is not known", m.Sender)
	}
	var parts []string
	for _, c := range m.Content {
		if c.Type == "text" && c.Text != "" { // calls and results of tools are left out
			parts = append(parts, c.Text)
		}
	}
	if t.Content = strings.Join(parts, "\n\n"); t.Content == "" {
		t.Content = m.Text
	}
	t.Key = m.UUID
	t.At, why = readTime(m.CreatedAt)
	for _, a := range m.Attachments {
		if strings.TrimSpace(a.Text) != "" {
			t.Content = strings.TrimSpace(t.Content + "\n\n" + a.Name + ":\n" + a.Text)
		}
	}
	return t, why
}

// readTime reads RFC 3339. "" is the zero time; why reports an invalid time.
func readTime(s string) (at time.Time, why string) {
	if s == "" {
		return at, ""
	}
	at, err := memory.ParseTime("created_at", s)
	if err != nil {
		return time.Time{}, fmt.Sprintf("%q is not a time", s)
	}
	return at, ""
}
