package sessions

import (
	"cmp"
	"encoding/json"
	"strings"

	"memory-graph/internal/hooks"
)

// claude reads the sessions of Claude Code: ~/.claude/projects/DIRECTORY/SESSION.jsonl. Each line is an entry with its
// working directory. Entries of subagents (isSidechain), of the host (isMeta) and summaries are left out.
type claude struct {
	talk
	turn string // the id of the prompt that is being answered
}

type claudeEntry struct {
	Type      string `json:"type"`
	UUID      string `json:"uuid"`
	Session   string `json:"sessionId"`
	Dir       string `json:"cwd"`
	Timestamp string `json:"timestamp"`
	Prompt    string `json:"promptId"`
	Sidechain bool   `json:"isSidechain"`
	Meta      bool   `json:"isMeta"`
	Summary   bool   `json:"isCompactSummary"`
	Failed    bool   `json:"isApiErrorMessage"`
	Forked    *struct {
		Session string `json:"sessionId"`
		UUID    string `json:"messageUuid"`
	} `json:"forkedFrom"`
	Message struct {
		ID      string          `json:"id"`
		Model   string          `json:"model"`
		Stopped string          `json:"stop_reason"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
	Result     json.RawMessage `json:"toolUseResult"`
	Attachment struct {
		Type   string          `json:"type"`
		Prompt json.RawMessage `json:"prompt"`
	} `json:"attachment"`
}

// claudePart is a part of a message.
type claudePart struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Input   json.RawMessage `json:"input"`
	Use     string          `json:"tool_use_id"`
	Content json.RawMessage `json:"content"`
	Failed  bool            `json:"is_error"`
}

// interrupted begins the line that Claude Code writes in the user's name when the user stops it.
const interrupted = "[Request interrupted by user"

func (c *claude) line(raw []byte) error {
	var e claudeEntry
	if json.Unmarshal(raw, &e) != nil {
		return errBroken
	}
	if e.Sidechain || e.Meta || e.Summary || e.Failed || e.Message.Model == "<synthetic>" {
		return nil
	}
	s := said{Kept: hooks.Kept{Session: e.Session, Dir: e.Dir, ID: cmp.Or(e.Prompt, e.UUID)}, at: parseTime(e.Timestamp),
		id: e.UUID}
	if e.Forked != nil && e.Forked.Session != "" {
		s.Session, s.id = e.Forked.Session, cmp.Or(e.Forked.UUID, e.UUID)
	}
	switch {
	case e.Type == "user":
		c.turn = cmp.Or(e.Prompt, c.turn)
		return c.user(e, s)
	case e.Type == "assistant":
		c.assistant(e, s)
	case e.Attachment.Type == "queued_command": // typed while the assistant was at work
		s.Text = hooks.Text(e.Attachment.Prompt)
		return c.prompt(s)
	}
	return nil
}

// user reads a message of the user, or the results of tools.
func (c *claude) user(e claudeEntry, s said) error {
	parts, results := partsOf(e.Message.Content), 0
	for _, p := range parts {
		if p.Type == "tool_result" {
			results++
		}
	}
	for _, p := range parts {
		if p.Type != "tool_result" {
			continue
		}
		if p.Failed && denied(hooks.Text(p.Content)) {
			c.drop(p.Use)
			continue
		}
		response := p.Content
		if results == 1 && len(e.Result) > 0 && !p.Failed { // the form that the hook gets, too
			response = e.Result
		}
		if err := c.result(p.Use, response, p.Failed, s.at); err != nil {
			return err
		}
	}
	if s.Text = hooks.Text(e.Message.Content); results > 0 || strings.HasPrefix(s.Text, interrupted) {
		return nil
	}
	return c.prompt(s)
}

// denied reports whether a tool was not run, because the user did not allow it. Hooks do not see such uses.
func denied(result string) bool {
	return strings.HasPrefix(result, "Claude requested permissions to ") ||
		strings.HasPrefix(result, "The user doesn't want to proceed with this tool use")
}

// assistant reads a part of a message of the assistant. The id of its turn is that of the prompt before.
func (c *claude) assistant(e claudeEntry, s said) {
	s.ID = cmp.Or(c.turn, s.ID)
	s.Text = strings.TrimSpace(hooks.Text(e.Message.Content))
	c.says(e.Message.ID, s)
	for _, p := range partsOf(e.Message.Content) {
		if p.Type == "tool_use" {
			s.Text, s.ID, s.Use = "", p.ID, hooks.ToolUse{Name: p.Name, Input: p.Input}
			c.uses(p.ID, s)
		}
	}
	if e.Message.Stopped == "tool_use" {
		c.answer = nil
	}
}

// partsOf returns the parts of a message; nil if it is a text.
func partsOf(content json.RawMessage) (parts []claudePart) {
	if len(content) == 0 || content[0] != '[' || json.Unmarshal(content, &parts) != nil {
		return nil
	}
	return parts
}
