package clients

import "memory-graph/internal/clients/splice"

// What memory-graph does at the events of hosts.
const (
	doesStart  = "adds what is known about the project"
	doesPrompt = "adds what is relevant to the message, and stores the message"
	doesStore  = "stores the message"
	doesTool   = "stores what a tool returned"
	doesAnswer = "stores the answer"
	doesRest   = "stores the turns that still wait"
)

// configured ends the clause about who gets a prompt.
const configured = ", or the provider that you have configured there,"

var stdio = []splice.Member{{Name: "type", Value: "stdio"}}

// table holds all hosts. Source: the hosts' own documentation as of November 2026.
var table = []Client{
	{
		ID: "claude-code", Name: "Claude Code", Aliases: []string{"claudecode"},
		Ran: "2.1.197, 2026-11-23",
		Servers: Servers{
			File: File{Format: splice.JSON, User: Path{Base: Home, Rel: ".claude.json", Env: "CLAUDE_CONFIG_DIR",
				EnvRel: ".claude.json"}, Project: ".mcp.json", Mode: 0o600},
			Key: []string{"mcpServers"}, Lead: stdio,
		},
		Hooks: &Hooks{
			File: File{Format: splice.JSON, User: Path{Base: Home, Rel: ".claude/settings.json", Env: "CLAUDE_CONFIG_DIR",
				EnvRel: "settings.json"}, Project: ".claude/settings.json", Mode: 0o600},
			Form: Nested, Timeout: 10,
			Events: []Event{
				{Name: "SessionStart", Does: doesStart},
				{Name: "UserPromptSubmit", Does: doesPrompt},
				{Name: "PostToolUse", Matcher: "*", Does: doesTool},
				{Name: "PostToolUseFailure", Matcher: "*", Does: doesTool},
				{Name: "Stop", Does: doesAnswer},
				{Name: "SubagentStop", Does: doesAnswer},
				{Name: "SessionEnd", Does: doesRest},
			},
		},
		Asks:  &Asks{Command: "claude -p", Vendor: "Anthropic", Other: configured},
		After: "Start a new session of Claude Code; /mcp lists the server and /hooks the hooks.",
		Needs: []string{
			"Claude Code asks about a project's servers when the project is opened for the first time.",
			"Without a person, `claude -p` calls the tools only with `--allowedTools mcp__SERVER`. Hooks need nothing.",
		},
	},
	{
		ID: "claude-desktop", Name: "Claude Desktop", Aliases: []string{"claudedesktop"},
		Servers: Servers{
			File: File{Format: splice.JSON, User: Path{Base: AppData, Rel: "Claude/claude_desktop_config.json"}, Mode: 0o600},
			Key:  []string{"mcpServers"},
		},
		After: "Quit Claude Desktop and start it again.",
		Notes: []string{
			"It has no hooks: Claude stores and asks through the tools, following the server's instructions.",
			`For the Microsoft Store version the file is in %LOCALAPPDATA%\Packages\Claude_…\LocalCache\Roaming\Claude. ` +
				`Open it with Settings → Developer → Edit Config and paste the snippet.`,
		},
	},
	{
		ID: "cline", Name: "Cline", Aliases: []string{"cline-cli"},
		Ran: "3.0.65, 2026-11-23",
		Servers: Servers{
			File: File{Format: splice.JSON, User: Path{Base: Home, Rel: ".cline/data/settings/cline_mcp_settings.json",
				Env: "CLINE_DIR", EnvRel: "data/settings/cline_mcp_settings.json"}, Mode: 0o600},
			Key: []string{"mcpServers"},
		},
		Hooks: &Hooks{
			File: File{User: Path{Base: Home, Rel: ".cline/plugins/memory-graph.js", Env: "CLINE_DIR",
				EnvRel: "plugins/memory-graph.js"}, Project: ".cline/plugins/memory-graph.js", Mode: 0o600},
			Form: Script, Script: cline,
			Events: []Event{
				{Name: "TaskStart", Does: doesStart},
				{Name: "UserPromptSubmit", Does: doesPrompt},
				{Name: "PostToolUse", Does: doesTool},
				{Name: "PostToolUseFailure", Does: doesTool},
				{Name: "TaskComplete", Does: doesAnswer},
			},
		},
		After: "Start a new session of Cline; `cline config` lists the server and the plugin.",
		Notes: []string{
			"The hooks are a [plugin](https://docs.cline.bot/customization/plugins), as of version 3.0.65. Cline's own hook " +
				"files take a context only around the use of a tool. The plugin is a file of its own: setup replaces it, and " +
				"`--uninstall` removes it. A file of that name that memory-graph did not write is left alone, and so are " +
				"your hook files.",
		},
	},
	{
		ID: "codex", Name: "Codex", Aliases: []string{"codex-cli", "openai-codex"},
		Ran: "0.169.0, 2026-11-23",
		Servers: Servers{
			File: File{Format: splice.TOML, User: Path{Base: Home, Rel: ".codex/config.toml", Env: "CODEX_HOME",
				EnvRel: "config.toml"}, Project: ".codex/config.toml", Mode: 0o600},
			Key: []string{"mcp_servers"},
		},
		Hooks: &Hooks{
			File: File{Format: splice.JSON, User: Path{Base: Home, Rel: ".codex/hooks.json", Env: "CODEX_HOME",
				EnvRel: "hooks.json"}, Project: ".codex/hooks.json", Mode: 0o600},
			Form: Nested, Timeout: 10,
			Events: []Event{
				{Name: "SessionStart", Does: doesStart},
				{Name: "UserPromptSubmit", Does: doesPrompt},
				{Name: "PostToolUse", Does: doesTool},
				{Name: "Stop", Does: doesAnswer},
				{Name: "SubagentStop", Does: doesAnswer},
			},
		},
		Asks:  &Asks{Command: "codex exec", Vendor: "OpenAI", Other: ", even if your config.toml names another provider,"},
		After: "Start Codex and type /hooks to trust the new hooks: until then it does not run them.",
		Needs: []string{
			"`codex exec` cannot ask: it skips hooks that nobody trusted, without a message.",
			"A project's files count only if Codex trusts the project.",
		},
		Notes: []string{
			"Older versions, in which hooks are off by default, need `[features] codex_hooks = true` in config.toml.",
		},
	},
	{
		ID: "cursor", Name: "Cursor",
		Servers: Servers{
			File: File{Format: splice.JSON, User: Path{Base: Home, Rel: ".cursor/mcp.json"}, Project: ".cursor/mcp.json",
				Mode: 0o600},
			Key: []string{"mcpServers"},
		},
		Hooks: &Hooks{
			File: File{Format: splice.JSON, User: Path{Base: Home, Rel: ".cursor/hooks.json"}, Project: ".cursor/hooks.json",
				Mode: 0o600},
			Form: Flat, Timeout: 10, Version: &splice.Member{Name: "version", Value: 1},
			Events: []Event{
				{Name: "sessionStart", Does: doesStart},
				{Name: "beforeSubmitPrompt", Does: doesStore},
				{Name: "postToolUse", Does: doesTool},
				{Name: "postToolUseFailure", Does: doesTool},
				{Name: "afterAgentResponse", Does: doesAnswer},
				{Name: "sessionEnd", Does: doesRest},
			},
		},
		After: "Open Cursor's settings, Tools & MCP, and switch SERVER on.",
		Notes: []string{
			"Cursor takes no context before a message, so memories come at the start of a session and through the tools."},
	},
	{
		ID: "devin", Name: "Devin Desktop", Aliases: []string{"devin-desktop", "devin-cli"},
		Servers: Servers{
			File: File{Format: splice.JSON, User: Path{Base: Config, Rel: "devin/mcp_config.json"},
				Project: ".devin/mcp_config.json", Mode: 0o600},
			Key: []string{"mcpServers"},
		},
		After: "Restart Devin Desktop; the MCP section of its agent panel lists the server.",
		Notes: []string{
			"This was Windsurf until June 2026; set up earlier versions with `setup windsurf`. The Devin CLI reads " +
				"the same file.",
			"According to its documentation it runs Claude Code's hooks, so `setup` writes none.",
		},
	},
	{
		ID: "gemini-cli", Name: "Gemini CLI", Aliases: []string{"gemini"},
		Ran: "0.61.0, 2026-11-23",
		Servers: Servers{
			File: File{Format: splice.JSON, User: Path{Base: Home, Rel: ".gemini/settings.json", Env: "GEMINI_CLI_HOME",
				EnvRel: ".gemini/settings.json"}, Project: ".gemini/settings.json", Mode: 0o600},
			Key: []string{"mcpServers"},
		},
		Hooks: &Hooks{
			File: File{Format: splice.JSON, User: Path{Base: Home, Rel: ".gemini/settings.json", Env: "GEMINI_CLI_HOME",
				EnvRel: ".gemini/settings.json"}, Project: ".gemini/settings.json", Mode: 0o600},
			Form: Nested, Timeout: 10_000, // milliseconds
			Events: []Event{
				{Name: "SessionStart", Does: doesStart},
				{Name: "BeforeAgent", Does: doesPrompt},
				{Name: "AfterTool", Matcher: "*", Does: doesTool},
				{Name: "AfterAgent", Does: doesAnswer},
				{Name: "SessionEnd", Does: doesRest},
			},
		},
		Asks:  &Asks{Command: "gemini -p", Vendor: "Google", Other: configured},
		After: "Start Gemini CLI; /mcp lists the server and /hooks the hooks.",
		Needs: []string{
			"Gemini CLI starts servers and hooks only in a folder that you trust: it asks, or set " +
				"GEMINI_CLI_TRUST_WORKSPACE=true.",
			"Without a person, `gemini -p` calls tools only with `-y`. Hooks need nothing.",
		},
		Notes: []string{
			"Hooks are on by default from version 0.26; before that they had to be switched on in the same file."},
	},
	{
		ID: "goose", Name: "goose", Aliases: []string{"codename-goose"},
		Servers: Servers{
			File: File{Format: splice.YAML, User: Path{Base: Config, Rel: "goose/config.yaml",
				Windows: "Block/goose/config/config.yaml"}, Mode: 0o600},
			Key: []string{"extensions"}, Command: "cmd", Env: "envs",
			Lead: []splice.Member{{Name: "enabled", Value: true}, {Name: "type", Value: "stdio"},
				{Name: "name", Value: "SERVER"}, {Name: "timeout", Value: 300}},
		},
		After: "Start a new session of goose; `goose info -v` shows the extension.",
		Notes: []string{
			"From [its documentation](https://block.github.io/goose/docs/guides/config-files), not run. If the extensions do " +
				"not stand on lines of their own, `setup` changes nothing and shows what to add.",
			"`setup` writes no hooks: goose's hooks give the agent no context, and with a message or an answer they do not " +
				"say to which directory it belongs.",
		},
	},
	{
		ID: "opencode", Name: "OpenCode", Aliases: []string{"opencode-ai"},
		Ran: "1.18.33, 2026-11-23",
		Servers: Servers{
			File: File{Format: splice.JSON, User: Path{Base: Home, Rel: ".config/opencode/opencode.json",
				Env: "XDG_CONFIG_HOME", EnvRel: "opencode/opencode.json"}, Project: "opencode.json", Mode: 0o600},
			Key: []string{"mcp"}, Lead: []splice.Member{{Name: "type", Value: "local"}}, Joined: true, Env: "environment",
		},
		Hooks: &Hooks{
			File: File{User: Path{Base: Home, Rel: ".config/opencode/plugins/memory-graph.js", Env: "XDG_CONFIG_HOME",
				EnvRel: "opencode/plugins/memory-graph.js"}, Project: ".opencode/plugins/memory-graph.js", Mode: 0o600},
			Form: Script, Script: openCode,
			Events: []Event{
				{Name: "session.created", Does: doesStart},
				{Name: "chat.message", Does: doesPrompt},
				{Name: "tool.execute.after", Does: doesTool},
				{Name: "session.idle", Does: doesAnswer},
			},
		},
		After: "Start OpenCode again; /status lists the server.",
		Notes: []string{
			"The hooks are a [plugin](https://opencode.ai/v1/docs/plugins/). It is a file of its own: setup replaces it, and " +
				"`--uninstall` removes it. A file of that name that memory-graph did not write is left alone.",
			"These are the forms of version 1 ([servers](https://opencode.ai/v1/docs/mcp-servers/)), run with 1.18.33. " +
				"Version 2 expects servers under [`mcp.servers`](https://opencode.ai/v2/docs/mcp-servers/) and other plugins; " +
				"`setup` does not write those.",
		},
	},
	{
		ID: "vscode", Name: "VS Code", Aliases: []string{"code", "vs-code", "copilot"},
		Servers: Servers{
			File: File{Format: splice.JSON, User: Path{Base: AppData, Rel: "Code/User/mcp.json"}, Project: ".vscode/mcp.json",
				Mode: 0o644},
			Key: []string{"servers"}, Lead: stdio,
		},
		Hooks: &Hooks{
			File: File{Format: splice.JSON, User: Path{Base: Home, Rel: ".copilot/hooks/memory-graph.json"},
				Project: ".github/hooks/memory-graph.json", Mode: 0o600},
			Form: Typed, Timeout: 10,
			Events: []Event{
				{Name: "SessionStart", Does: doesStart},
				{Name: "UserPromptSubmit", Does: doesStore},
				{Name: "PostToolUse", Does: doesTool},
				{Name: "Stop", Does: doesRest},
			},
		},
		After: `Run "MCP: List Servers" from the command palette and start SERVER.`,
		Notes: []string{
			"This is the file of the default profile. Other profiles have their own (`MCP: Open User Configuration`), " +
				"and so does VS Code Insiders, in `Code - Insiders` instead of `Code`.",
			"[Hooks in VS Code](https://code.visualstudio.com/docs/agent-customization/hooks) are a preview. They take a " +
				"context at the start of a session and not before a message, and they do not say what the assistant " +
				"answered. So messages and the use of tools are stored, and answers are not.",
			"VS Code also runs the hooks of Claude Code in `~/.claude/settings.json`. A turn that arrives both ways is stored " +
				"once.",
		},
	},
	{
		ID: "windsurf", Name: "Windsurf",
		Servers: Servers{
			File: File{Format: splice.JSON, User: Path{Base: Home, Rel: ".codeium/windsurf/mcp_config.json"}, Mode: 0o600},
			Key:  []string{"mcpServers"},
		},
		Hooks: &Hooks{
			File: File{Format: splice.JSON, User: Path{Base: Home, Rel: ".codeium/windsurf/hooks.json"},
				Project: ".windsurf/hooks.json", Mode: 0o600},
			Form: Flat,
			Events: []Event{
				{Name: "pre_user_prompt", Does: doesStore},
				{Name: "post_cascade_response", Does: doesAnswer},
			},
		},
		After: "Open Windsurf's settings, Cascade, MCP servers, and press refresh. If it is called Devin Desktop, run " +
			"`memory-graph setup devin` instead.",
		Notes: []string{"[Windsurf's hooks](https://docs.windsurf.com/windsurf/cascade/hooks) store messages and answers. " +
			"They cannot add context, so memories come through the tools."},
	},
	{
		ID: "zed", Name: "Zed",
		Servers: Servers{
			File: File{Format: splice.JSON, User: Path{Base: Config, Rel: "zed/settings.json", Windows: "Zed/settings.json"},
				Project: ".zed/settings.json", Mode: 0o644},
			Key: []string{"context_servers"}, Lead: []splice.Member{{Name: "source", Value: "custom"}},
		},
		After: "Zed reads the file at once; the agent panel's settings show the server.",
		Notes: []string{"A project's servers start once the project is trusted.", "It has no hooks."},
	},
}
