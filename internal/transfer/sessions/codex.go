package sessions

import (
	"cmp"
	"encoding/json"
	"strings"

	"memory-graph/internal/hooks"
)

// codex reads the sessions of Codex: ~/.codex/sessions/YEAR/MONTH/DAY/rollout-TIME-SESSION.jsonl. The first line
// describes the session; sessions of subagents are left out.
type codex struct {
	talk
	session, dir, turn string
	subagent           bool
}

type codexEntry struct {
	Timestamp string       `json:"timestamp"`
	Type      string       `json:"type"`
	Payload   codexPayload `json:"payload"`
}

type codexPayload struct {
	Type    string          `json:"type"`
	ID      string          `json:"id"`
	Dir     string          `json:"cwd"`
	Source  json.RawMessage `json:"source"` // a name, or an object for a subagent
	Thread  string          `json:"thread_source"`
	Turn    string          `json:"turn_id"`
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`

	Call      string          `json:"call_id"`
	Name      string          `json:"name"`
	Namespace string          `json:"namespace"`
	Arguments json.RawMessage `json:"arguments"`
	Input     json.RawMessage `json:"input"` // of a custom tool
	Output    json.RawMessage `json:"output"`

	Passed struct {
		Turn  string   `json:"turn_id"`
		Kinds []string `json:"content_item_kinds"`
	} `json:"internal_chat_message_metadata_passthrough"`
}

func (c *codex) line(raw []byte) error {
	var e codexEntry
	if json.Unmarshal(raw, &e) != nil {
		return errBroken
	}
	p := e.Payload
	switch e.Type {
	case "session_meta":
		if c.session == "" { // a fork repeats that of its origin
			c.session = p.ID
		}
		c.dir = cmp.Or(p.Dir, c.dir)
		c.subagent = c.subagent || p.Thread == "subagent" || len(p.Source) > 0 && p.Source[0] == '{'
	case "turn_context", "event_msg":
		c.turn, c.dir = cmp.Or(p.Turn, c.turn), cmp.Or(p.Dir, c.dir)
	case "response_item":
		if c.session == "" {
			return errBroken
		}
		if !c.subagent {
			return c.item(p, said{Kept: hooks.Kept{Session: c.session, Dir: c.dir, ID: cmp.Or(p.Passed.Turn, c.turn)},
				at: parseTime(e.Timestamp), id: p.ID})
		}
	}
	return nil
}

// item reads a message, a tool use or its result.
func (c *codex) item(p codexPayload, s said) error {
	switch p.Type {
	case "message":
		s.Text = strings.TrimSpace(hooks.Text(p.Content))
		if p.Role == "user" && users(p.Passed.Kinds) {
			return c.prompt(s)
		}
		if p.Role == "assistant" {
			c.says(p.ID, s)
		}
	case "function_call", "custom_tool_call":
		s.ID, s.Use = p.Call, hooks.ToolUse{Name: codexTool(p.Namespace, p.Name), Input: p.Arguments}
		if p.Input != nil {
			s.Use.Input = p.Input
		}
		c.uses(p.Call, s)
	case "function_call_output", "custom_tool_call_output":
		if output, ran := codexOutput(p.Output); ran {
			return c.result(p.Call, output, false, s.at)
		}
		c.drop(p.Call)
	}
	return nil
}

// codexOutput returns the output of a tool as the hook gets it, without the lines that Codex puts before it for the
// model. ran is false if there is no such tool.
func codexOutput(raw json.RawMessage) (output json.RawMessage, ran bool) {
	text := hooks.Text(raw)
	if strings.HasPrefix(text, "unsupported call: ") {
		return nil, false
	}
	for _, head := range []string{"Chunk ID: ", "Wall time: ", "Exit code: "} {
		if _, rest, ok := strings.Cut(text, "\nOutput:\n"); ok && strings.HasPrefix(text, head) {
			quoted, err := json.Marshal(rest)
			return quoted, err == nil
		}
	}
	return raw, true
}

// codexTool returns the name under which Codex's hooks know a tool.
func codexTool(namespace, name string) string {
	switch {
	case namespace != "":
		return namespace + "__" + name
	case name == "exec_command", name == "shell", name == "shell_command", name == "local_shell":
		return "Bash"
	}
	return name
}

// users reports whether a message is the user's. Older versions do not record who wrote its parts; then the host's
// parts are recognised by their tags.
func users(kinds []string) bool {
	for _, k := range kinds {
		if strings.HasPrefix(k, "user.") {
			return true
		}
	}
	return len(kinds) == 0
}
