package hooks

import "strings"

// form is how a host takes an answer.
type form int

const (
	silent    form = iota // nothing is answered
	nested                // {"hookSpecificOutput": {"hookEventName": …, "additionalContext": …}}
	flat                  // {"additional_context": …}
	goAhead               // {"continue": true}, whatever there is to say: the host takes no context here
	afterward             // nothing, and the event is none that is listed: what can be taken is taken
)

// event is a row of the table: an event of a host.
type event struct {
	name string
	kind Kind
	text []string // the fields that may have the text, the first that is there
	form form
}

// host is a program with hooks. The names of fields are those of its payloads.
type host struct {
	id      string
	aliases []string
	session []string
	prompt  []string // the id of the prompt or turn
	result  []string // what a tool answered
	events  []event
}

// table is everything that is known of hosts' hooks: their own documentation and schemas as of November 2026. OpenCode has
// none: its plugins are JavaScript inside it and no commands with a payload. Windsurf's hooks and VS Code's preview are left
// out with it until their forms can be checked.
var table = []host{
	{
		id: "claude-code", aliases: []string{"claude", "claudecode"}, // https://code.claude.com/docs/en/hooks
		session: []string{"session_id"}, prompt: []string{"prompt_id"}, result: []string{"tool_response"},
		events: []event{
			{name: "SessionStart", kind: Start, form: nested},
			{name: "UserPromptSubmit", kind: Prompt, text: []string{"prompt"}, form: nested},
			{name: "PostToolUse", kind: Tool},
			{name: "Stop", kind: Answer, text: []string{"last_assistant_message"}},
			{name: "SubagentStop", kind: Answer, text: []string{"last_assistant_message"}},
			{name: "PreCompact", kind: Rest},
			{name: "SessionEnd", kind: Rest},
		},
	},
	{
		id: "codex", aliases: []string{"codex-cli", "openai-codex"}, // https://developers.openai.com/codex/hooks and its JSON schemas
		session: []string{"session_id"}, prompt: []string{"turn_id"}, result: []string{"tool_response"},
		events: []event{
			{name: "SessionStart", kind: Start, form: nested},
			{name: "UserPromptSubmit", kind: Prompt, text: []string{"prompt"}, form: nested},
			{name: "PostToolUse", kind: Tool},
			{name: "Stop", kind: Answer, text: []string{"last_assistant_message"}},
			{name: "SubagentStop", kind: Answer, text: []string{"last_assistant_message"}},
			{name: "PreCompact", kind: Rest},
		},
	},
	{
		id: "cursor", aliases: []string{"cursor-agent"}, // https://cursor.com/docs/hooks
		session: []string{"conversation_id", "session_id"}, prompt: []string{"generation_id"}, result: []string{"tool_output", "result_json"},
		events: []event{
			{name: "sessionStart", kind: Start, form: flat},
			{name: "beforeSubmitPrompt", kind: Prompt, text: []string{"prompt"}, form: goAhead},
			{name: "postToolUse", kind: Tool},
			{name: "afterAgentResponse", kind: Answer, text: []string{"text"}},
			{name: "stop", kind: Rest},
			{name: "preCompact", kind: Rest},
			{name: "sessionEnd", kind: Rest},
		},
	},
	{
		id: "gemini-cli", aliases: []string{"gemini"}, // https://geminicli.com/docs/hooks/reference
		session: []string{"session_id"}, prompt: []string{"timestamp"}, result: []string{"tool_response"},
		events: []event{
			{name: "SessionStart", kind: Start, form: nested},
			{name: "BeforeAgent", kind: Prompt, text: []string{"prompt"}, form: nested},
			{name: "AfterTool", kind: Tool},
			{name: "AfterAgent", kind: Answer, text: []string{"prompt_response"}},
			{name: "PreCompress", kind: Rest},
			{name: "SessionEnd", kind: Rest},
		},
	},
}

// find gives the host of an id or an alias.
func find(name string) (host, bool) {
	name = fold(name)
	for _, h := range table {
		if fold(h.id) == name {
			return h, true
		}
		for _, alias := range h.aliases {
			if fold(alias) == name {
				return h, true
			}
		}
	}
	return host{}, false
}

// event gives the event of a name, whatever its case and dashes.
func (h host) event(name string) (event, bool) {
	name = fold(name)
	for _, e := range h.events {
		if fold(e.name) == name {
			return e, true
		}
	}
	return event{}, false
}

// means gives the host's own event of a kind.
func (h host) means(k Kind) (event, bool) {
	for _, e := range h.events {
		if e.kind == k && k != Rest {
			return e, true
		}
	}
	return event{}, false
}

func fold(s string) string {
	return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(s))
}

// Hosts lists the ids of the hosts whose hooks are known.
func Hosts() []string {
	ids := make([]string, len(table))
	for i, h := range table {
		ids[i] = h.id
	}
	return ids
}

// Events lists the events of a host as it spells them; nil for an unknown one.
func Events(name string) []string {
	h, ok := find(name)
	if !ok {
		return nil
	}
	names := make([]string, len(h.events))
	for i, e := range h.events {
		names[i] = e.name
	}
	return names
}
