package clients

import "memory-graph/internal/clients/splice"

// What memory-graph does at the events of hosts.
const (
	doesStart  = "gives what is known of the project at the start"
	doesPrompt = "gives what is relevant to the message, and stores it"
	doesStore  = "stores the message"
	doesTool   = "stores what a tool returned"
	doesAnswer = "stores the answer"
)

var stdio = []splice.Member{{Name: "type", Value: "stdio"}}

// table is everything that is known of hosts. Sources: the hosts' own documentation as of November 2026.
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
		After: "Start a new session of Claude Code; /mcp lists the server and /hooks the hooks.",
		Notes: []string{"A project's servers are asked about by Claude Code when it is opened for the first time."},
	},
	{
		ID: "claude-desktop", Name: "Claude Desktop", Aliases: []string{"claudedesktop"},
		Servers: Servers{
			File: File{Format: splice.JSON, User: Path{Base: AppData, Rel: "Claude/claude_desktop_config.json"}, Mode: 0o600},
			Key:  []string{"mcpServers"},
		},
		After: "Quit Claude Desktop and start it again.",
		Notes: []string{
			"It has no hooks: Claude stores and asks by the tools, as the server's instructions say.",
			`Where it came from the Microsoft Store, Windows keeps its file at %LOCALAPPDATA%\Packages\Claude_…\LocalCache\Roaming\Claude instead; open it with Settings → Developer → Edit Config and paste the snippet.`,
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
		After: "Start Codex and type /hooks to trust the new hooks: until then it does not run them.",
		Notes: []string{
			"Files of a project count only where Codex trusts the project.",
			"Versions in which hooks were not on by default run them with `[features] codex_hooks = true` in config.toml.",
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
		After: "Open Cursor's settings, Tools & MCP, and switch memory-graph on.",
		Notes: []string{
			"Cursor takes no context before a message, so what is relevant comes at the start of a session and by the tools."},
	},
	{
		ID: "devin", Name: "Devin Desktop", Aliases: []string{"devin-desktop", "devin-cli"},
		Servers: Servers{
			File: File{Format: splice.JSON, User: Path{Base: Config, Rel: "devin/mcp_config.json"},
				Project: ".devin/mcp_config.json", Mode: 0o600},
			Key: []string{"mcpServers"},
		},
		After: "Start Devin Desktop anew; the MCP section of its agent panel lists the server.",
		Notes: []string{
			"This was Windsurf until June 2026; versions before that are set up with `setup windsurf`. The Devin CLI reads " +
				"the same file.",
			"Its documentation says that it runs hooks which are set up for Claude Code, so `setup` writes none of its own.",
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
		After: "Start Gemini CLI; /mcp lists the server and /hooks the hooks.",
		Notes: []string{
			"Hooks are on by default from version 0.26; before that they had to be switched on in the same file."},
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
			"The file is that of the default profile; another profile has one of its own (`MCP: Open User Configuration`), " +
				"and so has VS Code Insiders, in `Code - Insiders` instead of `Code`.",
			"Hooks of VS Code are in preview and differ by the agent that is chosen, so `setup` writes none; agents that run " +
				"Claude Code's or Codex's hooks have those.",
		},
	},
	{
		ID: "windsurf", Name: "Windsurf",
		Servers: Servers{
			File: File{Format: splice.JSON, User: Path{Base: Home, Rel: ".codeium/windsurf/mcp_config.json"}, Mode: 0o600},
			Key:  []string{"mcpServers"},
		},
		After: "Open Windsurf's settings, Cascade, MCP servers, and press refresh. Where it is called Devin Desktop, run " +
			"`memory-graph setup devin` instead.",
		Notes: []string{"Hooks of Windsurf give an agent nothing to read, so `setup` writes none."},
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
