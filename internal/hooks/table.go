package hooks

import "strings"

// form is the format of the answer that a host expects.
type form int

const (
	silent    form = iota // no answer
	nested                // {"hookSpecificOutput": {"hookEventName": …, "additionalContext": …}}
	flat                  // {"additional_context": …}
	goAhead               // {"continue": true}: the host takes no context here
	afterward             // no answer; the event is not in the table, and its kind is guessed
)

// event is a row of the table: one event of a host.
type event struct {
	name string
	kind Kind
	text []string // the fields that may have the text; the first nonempty one counts
	form form
}

// client is a program with hooks. The field names are those of its payloads.
type client struct {
	id      string
	aliases []string
	session []string
	prompt  []string // the id of the prompt or turn
	within  string   // the member that holds the fields of the event, besides those of the payload; "" for none
	heading string   // stands before each part of an answer, of which only the last is kept; "" for none
	inside  bool     // the host runs hooks in the project's directory, which the payload does not name
	result  []string // output or error of a tool
	events  []event

	blocks   []block // blocks that the host adds to the user's message
	commands string  // the host's own commands, which it handles without the agent
}

// table holds the hooks of all hosts, by their documentation and schemas as of November 2026. The payloads of
// Cline and OpenCode are those of our own plugins (internal/clients/cline.js, opencode.js), and their events are named
// after those of the host.
var table = []client{
	{
		id: "claude-code", aliases: []string{"claude"}, // https://code.claude.com/docs/en/hooks
		// VS Code runs these hooks too, and writes sessionId and hookEventName
		session: []string{"session_id", "sessionId"}, prompt: []string{"prompt_id"},
		result: []string{"tool_response", "error"},
		events: []event{
			{name: "SessionStart", kind: Start, form: nested},
			{name: "UserPromptSubmit", kind: Prompt, text: []string{"prompt"}, form: nested},
			{name: "PostToolUse", kind: Tool},
			{name: "PostToolUseFailure", kind: Tool},
			{name: "Stop", kind: Answer, text: []string{"last_assistant_message"}},
			{name: "SubagentStop", kind: Answer, text: []string{"last_assistant_message"}},
			{name: "StopFailure", kind: Rest}, // its last message is an error of the host
			{name: "PreCompact", kind: Rest},
			{name: "SessionEnd", kind: Rest},
		},
		blocks: append(tags(`system-reminder task-notification ide_opened_file ide_selection ide_diagnostics new-diagnostics
			local-command-caveat local-command-stdout local-command-stderr bash-input bash-stdout bash-stderr command-message
			user-prompt-submit-hook teammate-message`), said("command-name"), said("command-args"), said("user-memory-input")),
		commands: `add-dir agents bashes bug clear color compact config context copy cost desktop diff doctor effort exit export
			extra-usage fast feedback fork help hooks ide install-github-app install-slack-app keybindings login logout mcp memory
			mobile model new output-style passes permissions plugin plugins privacy-settings quit release-notes reload-plugins
			remote-control remote-env rename reset resume rewind sandbox settings skills stats status stickers tasks teleport
			terminal-setup theme todos upgrade usage vim voice`,
	},
	{
		id: "cline", aliases: []string{"cline-cli"}, // https://docs.cline.bot/customization/plugins
		session: []string{"session_id"}, prompt: []string{"message_id"}, result: []string{"tool_response", "error"},
		events: []event{
			{name: "TaskStart", kind: Start, form: nested},
			{name: "UserPromptSubmit", kind: Prompt, text: []string{"prompt"}, form: nested},
			{name: "PostToolUse", kind: Tool},
			{name: "PostToolUseFailure", kind: Tool},
			{name: "TaskComplete", kind: Answer, text: []string{"last_assistant_message"}},
		},
		blocks:   append(tags("mode_notice hook_context file_content user_command"), said("user_input")),
		commands: `account clear compact config exit fork help history mcp model new quit settings skills undo`,
	},
	{
		// https://developers.openai.com/codex/hooks and its JSON schemas
		id: "codex", aliases: []string{"codex-cli", "openai-codex"},
		session: []string{"session_id"}, prompt: []string{"turn_id"}, result: []string{"tool_response", "error"},
		events: []event{
			{name: "SessionStart", kind: Start, form: nested},
			{name: "UserPromptSubmit", kind: Prompt, text: []string{"prompt"}, form: nested},
			{name: "PostToolUse", kind: Tool},
			{name: "Stop", kind: Answer, text: []string{"last_assistant_message"}},
			{name: "SubagentStop", kind: Answer, text: []string{"last_assistant_message"}},
			{name: "PreCompact", kind: Rest},
		},
		blocks: append(tags(`environment_context user_instructions user_shell_command turn_aborted subagent_notification collaboration_mode
			personality_spec model_switch`), block{from: "# AGENTS.md instructions for ", to: "</INSTRUCTIONS>"},
			block{from: "# Context from my IDE setup:", to: "## My request for Codex:"}),
		commands: `agent approvals apps clear compact copy debug-config diff exit experimental feedback fork logout mcp mention model new
			permissions personality plugins ps quit rename resume rollout settings skills status statusline theme undo`,
	},
	{
		id: "cursor", aliases: []string{"cursor-agent"}, // https://cursor.com/docs/hooks
		session: []string{"conversation_id", "session_id"}, prompt: []string{"generation_id"}, result: []string{"tool_output",
			"result_json", "error_message"},
		events: []event{
			{name: "sessionStart", kind: Start, form: flat},
			{name: "beforeSubmitPrompt", kind: Prompt, text: []string{"prompt"}, form: goAhead},
			{name: "postToolUse", kind: Tool},
			{name: "postToolUseFailure", kind: Tool},
			{name: "afterAgentResponse", kind: Answer, text: []string{"text"}},
			{name: "stop", kind: Rest},
			{name: "preCompact", kind: Rest},
			{name: "sessionEnd", kind: Rest},
		},
		blocks: append(tags(`additional_data open_and_recently_viewed_files attached_files user_info project_layout system_reminder
			system_notification current_file linter_errors edit_history agent_skills manually_attached_skills agent_transcripts
			mcp_file_system image_files always_applied_workspace_rules`), said("user_query")),
		commands: "clear compress config exit help login logout max-mode mcp model new-chat quit resume rules summarize " +
			"usage vim",
	},
	{
		id: "gemini-cli", aliases: []string{"gemini"}, // https://geminicli.com/docs/hooks/reference
		session: []string{"session_id"}, prompt: []string{"timestamp"}, result: []string{"tool_response", "error"},
		events: []event{
			{name: "SessionStart", kind: Start, form: nested},
			{name: "BeforeAgent", kind: Prompt, text: []string{"prompt"}, form: nested},
			{name: "AfterTool", kind: Tool},
			{name: "AfterAgent", kind: Answer, text: []string{"prompt_response"}},
			{name: "PreCompress", kind: Rest},
			{name: "SessionEnd", kind: Rest},
		},
		blocks: append(tags("session_context hook_context"),
			block{from: "--- Content from referenced files ---", to: "--- End of content ---"}),
		commands: `about agents auth bug chat clear compress copy directory docs editor exit extensions help hooks ide init mcp memory
			model permissions policies privacy quit restore resume rewind settings setup-github shells skills stats
			terminal-setup theme tools upgrade vim`,
	},
	{
		id:      "opencode", // https://opencode.ai/v1/docs/plugins/
		session: []string{"session_id"}, prompt: []string{"message_id"}, result: []string{"tool_response"},
		events: []event{
			{name: "session.created", kind: Start, form: nested},
			{name: "chat.message", kind: Prompt, text: []string{"prompt"}, form: nested},
			{name: "tool.execute.after", kind: Tool},
			{name: "session.idle", kind: Answer, text: []string{"last_assistant_message"}},
		},
		blocks: tags("system-reminder"),
		commands: `agents clear commands compact connect details editor exit export fork help init mcps models new quit redo
			rename resume sessions share skills status summarize themes timeline undo unshare`,
	},
	{
		// https://code.visualstudio.com/docs/agent-customization/hooks
		id: "vscode", aliases: []string{"code", "vs-code", "copilot"},
		session: []string{"sessionId", "session_id"}, result: []string{"tool_response"},
		events: []event{
			{name: "SessionStart", kind: Start, form: nested},
			{name: "UserPromptSubmit", kind: Prompt, text: []string{"prompt"}},
			{name: "PostToolUse", kind: Tool},
			{name: "SubagentStop", kind: Rest},
			{name: "PreCompact", kind: Rest},
			{name: "Stop", kind: Rest}, // without the answer
		},
	},
	{
		// https://docs.windsurf.com/windsurf/cascade/hooks
		id: "windsurf", aliases: []string{"cascade"}, session: []string{"trajectory_id"}, prompt: []string{"execution_id"},
		within: "tool_info", heading: "### Planner Response", inside: true,
		events: []event{
			{name: "pre_user_prompt", kind: Prompt, text: []string{"user_prompt"}},
			{name: "post_cascade_response", kind: Answer, text: []string{"response"}},
		},
	},
}

// find returns the host with an id or alias.
func find(name string) (client, bool) {
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
	return client{}, false
}

// event returns the event with a name, ignoring case and dashes.
func (h client) event(name string) (event, bool) {
	name = fold(name)
	for _, e := range h.events {
		if fold(e.name) == name {
			return e, true
		}
	}
	return event{}, false
}

// means returns the host's own event of a kind, except Rest.
func (h client) means(k Kind) (event, bool) {
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

// Clients lists the ids of the known hosts.
func Clients() []string {
	ids := make([]string, len(table))
	for i, h := range table {
		ids[i] = h.id
	}
	return ids
}

// Events lists the events of a host in the host's spelling; nil for an unknown host.
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

// KindOf returns the kind of a host's event by the table; Other if it is unknown.
func KindOf(client, event string) Kind {
	h, _ := find(client)
	e, _ := h.event(event)
	return e.kind
}
