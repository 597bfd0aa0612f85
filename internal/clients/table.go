package clients

import "memory-graph/internal/clients/splice"

// What memory-graph does at a host's events.
const (
	doesStart  = "returns what is known about the project"
	doesPrompt = "returns what is relevant to the message, and stores the message"
	doesStore  = "stores the message"
	doesTool   = "stores what the tool returned"
	doesAnswer = "stores the answer"
)

var stdio = []splice.Member{{Name: "type", Value: "stdio"}}

// table lists every host that setup knows. The source is each host's own documentation as of November 2026.
var table = []Client{
	{
		ID: "claude-code", Name: "Claude Code", Aliases: []string{"claudecode"},
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
				{Name: "Stop", Does: doesAnswer},
			},
		},
		After: "Start a new session of Claude Code. /mcp lists the server and /hooks the hooks.",
		Notes: []string{"Claude Code asks about a project's servers when the project is opened for the first time."},
	},
	{
		ID: "claude-desktop", Name: "Claude Desktop", Aliases: []string{"claudedesktop"},
		Servers: Servers{
			File: File{Format: splice.JSON, User: Path{Base: AppData, Rel: "Claude/claude_desktop_config.json"}, Mode: 0o600},
			Key:  []string{"mcpServers"},
		},
		After: "Quit Claude Desktop and start it again.",
		Notes: []string{
			"It has no hooks. Claude stores and asks through the tools, as the server's instructions say.",
			"If it came from the Microsoft Store, Windows keeps its file in " +
				"`%LOCALAPPDATA%\\Packages\\Claude_…\\LocalCache\\Roaming\\Claude`. Open it with Settings → Developer → Edit Config " +
				"and paste the snippet.",
		},
	},
	{
		ID: "codex", Name: "Codex", Aliases: []string{"codex-cli", "openai-codex"},
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
			},
		},
		After: "Start Codex and type /hooks to trust the new hooks. Codex does not run them before.",
		Notes: []string{
			"Codex reads the files of a project only if it trusts the project.",
			"In versions with hooks off by default, `[features] codex_hooks = true` in config.toml turns them on.",
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
				{Name: "afterAgentResponse", Does: doesAnswer},
			},
		},
		After: "Open Cursor's settings, Tools & MCP, and turn memory-graph on.",
		Notes: []string{
			"Cursor accepts no context before a message. The context comes at the start of a session and through the tools."},
	},
	{
		ID: "devin", Name: "Devin Desktop", Aliases: []string{"devin-desktop", "devin-cli"},
		Servers: Servers{
			File: File{Format: splice.JSON, User: Path{Base: Config, Rel: "devin/mcp_config.json"},
				Project: ".devin/mcp_config.json", Mode: 0o600},
			Key: []string{"mcpServers"},
		},
		After: "Restart Devin Desktop. The MCP section of its agent panel lists the server.",
		Notes: []string{
			"This was Windsurf until June 2026. For earlier versions use `setup windsurf`. The Devin CLI reads the same file.",
			"According to its documentation it runs the hooks of Claude Code, so `setup` writes none for it.",
		},
	},
	{
		ID: "gemini-cli", Name: "Gemini CLI", Aliases: []string{"gemini"},
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
			},
		},
		After: "Start Gemini CLI. /mcp lists the server and /hooks the hooks.",
		Notes: []string{
			"Hooks are on by default from version 0.26. Earlier versions need them turned on in the same file."},
	},
	{
		ID: "vscode", Name: "VS Code", Aliases: []string{"code", "vs-code", "copilot"},
		Servers: Servers{
			File: File{Format: splice.JSON, User: Path{Base: AppData, Rel: "Code/User/mcp.json"}, Project: ".vscode/mcp.json",
				Mode: 0o644},
			Key: []string{"servers"}, Lead: stdio,
		},
		After: `Run "MCP: List Servers" from the command palette and start memory-graph.`,
		Notes: []string{
			"This is the file of the default profile. Another profile has its own (`MCP: Open User Configuration`). " +
				"VS Code Insiders has its own in `Code - Insiders` instead of `Code`.",
			"The hooks of VS Code are a preview and depend on the chosen agent, so `setup` writes none. Agents that run " +
				"the hooks of Claude Code or Codex use those.",
		},
	},
	{
		ID: "windsurf", Name: "Windsurf",
		Servers: Servers{
			File: File{Format: splice.JSON, User: Path{Base: Home, Rel: ".codeium/windsurf/mcp_config.json"}, Mode: 0o600},
			Key:  []string{"mcpServers"},
		},
		After: "Open Windsurf's settings, Cascade, MCP servers, and press refresh. If the program is called Devin Desktop, " +
			"run `memory-graph setup devin` instead.",
		Notes: []string{"Windsurf's hooks cannot pass text to the agent, so `setup` writes none."},
	},
	{
		ID: "zed", Name: "Zed",
		Servers: Servers{
			File: File{Format: splice.JSON, User: Path{Base: Config, Rel: "zed/settings.json", Windows: "Zed/settings.json"},
				Project: ".zed/settings.json", Mode: 0o644},
			Key: []string{"context_servers"}, Lead: []splice.Member{{Name: "source", Value: "custom"}},
		},
		After: "Zed reads the file at once. The settings of the agent panel show the server.",
		Notes: []string{"Zed starts a project's servers once the project is trusted.", "It has no hooks."},
	},
}
