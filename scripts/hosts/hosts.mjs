// The hosts: how each is configured to ask the endpoint and nobody else, started without a person, and resumed.
import { join } from "node:path";

const key = "no-key"; // the endpoint does not look at it; the hosts want one

// block returns the context block that a text begins with, or "".
const block = (text = "") => /^<memory_context>.*?<\/memory_context>/s.exec(text)?.[0] ?? "";

// together finds the blocks in one message that has both.
function together({ role, text } = {}) {
  const all = (role === "user" && text.match(/<memory_context>.*?<\/memory_context>/gs)) || [];
  return { start: all.length > 1 ? all[0] : "", prompt: all.at(-1) ?? "" };
}

// hosts is a table. `files` is the configuration that the host has before `setup`, by path below HOME; `added` are
// files that only `setup` makes. `args` makes the command line of one prompt; with `resume` it goes on with the last
// session of the directory. `blocks` finds the contexts of the hooks in a request: `start` of the session, and `prompt`
// before the message. It looks only where this host puts them, so a context at another place counts as missing.
export const hosts = {
  "claude-code": {
    program: (modules) => [join(modules, `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`)],
    env: (port) => ({
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_TELEMETRY: "1",
    }),
    files: () => ({
      ".claude/settings.json": `{\n    "cleanupPeriodDays":90,  "env": {"BENCH": "1"}\n}\n`,
      ".claude.json": `{"hasCompletedOnboarding": true, "theme": "dark",\n\t"mcpServers": {}}`,
    }),
    added: [],
    args: (prompt, resume) => [...(resume ? ["--continue"] : []), "-p", prompt, "--allowedTools", "mcp__memory-graph",
      "mcp__plugin_memory-graph_memory-graph"],
    // Both stand in the system message after the user's.
    blocks(messages, asked) {
      const { role, text } = messages[asked + 1] ?? {};
      const after = (event) => (role === "system" ? block(text.split(`${event} hook additional context: `)[1]) : "");
      return { start: after("SessionStart"), prompt: after("UserPromptSubmit") };
    },
  },
  cline: {
    // Its npm package finds this program, whose plugins need @cline/shared and jiti.
    program: (modules) => [join(modules, `@cline/cli-${process.platform}-${process.arch}/bin/cline`)],
    // No process stays, and a busy machine may take longer than 4 s to load plugins.
    env: () => ({ CLINE_SESSION_BACKEND_MODE: "local", CLINE_PLUGIN_IMPORT_TIMEOUT_MS: "30000" }),
    files: (port) => ({
      ".cline/data/settings/providers.json": JSON.stringify({ version: 1, lastUsedProvider: "anthropic", providers: {
        anthropic: { updatedAt: "2026-11-01T00:00:00.000Z", tokenSource: "manual", settings: { provider: "anthropic",
          apiKey: key, model: "claude-sonnet-4-5", baseUrl: `http://127.0.0.1:${port}/v1` } } } }),
      ".cline/data/settings/global-settings.json": `{"telemetryOptOut": true, "autoUpdateEnabled": false}\n`,
      ".cline/data/settings/cline_mcp_settings.json": `{\n    "mcpServers": {},  "kept": "by hand"\n}\n`,
    }),
    added: [".cline/plugins/memory-graph.js"],
    uninstructed: true, // it gives the model no instructions of servers
    args: (prompt) => [prompt], // without a terminal it resumes no session: a new one must have the words from us
    // They stand in a part of the user's message after the words.
    blocks: (messages, asked) => together(messages[asked + 1]),
  },
  codex: {
    program: (modules) => [process.execPath, join(modules, "@openai/codex/bin/codex.js")],
    env: () => ({ BENCH_KEY: key }),
    files: (port) => ({
      ".codex/config.toml": `# kept by hand
model = "bench"
model_provider = "bench"
approval_policy = "never"
check_for_update_on_startup = false

[model_providers.bench]
name = "bench"   # ours
base_url = "http://127.0.0.1:${port}/v1"
wire_api = "responses"
env_key = "BENCH_KEY"

[analytics]
enabled = false

[otel]
exporter = "none"
`,
    }),
    added: [".codex/hooks.json"],
    args: (prompt, resume) => ["exec", ...(resume ? ["resume", "--last"] : []), "--dangerously-bypass-hook-trust",
      "--skip-git-repo-check", prompt],
    // They stand in developer messages before and after the user's.
    blocks(messages, asked) {
      const developer = ({ role, text } = {}) => (role === "developer" ? block(text) : "");
      return { start: developer(messages[asked - 1]), prompt: developer(messages[asked + 1]) };
    },
  },
  "gemini-cli": {
    program: (modules) => [process.execPath, join(modules, "@google/gemini-cli/bundle/gemini.js")],
    env: (port) => ({
      GEMINI_API_KEY: key,
      GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`,
      GEMINI_CLI_NO_RELAUNCH: "1",
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GEMINI_TELEMETRY_ENABLED: "false",
    }),
    files: () => ({
      ".gemini/settings.json": `{
  // kept by hand
  "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
  "privacy": {"usageStatisticsEnabled": false},
  "security": {"auth": {"selectedType": "gemini-api-key"}}
}
`,
    }),
    added: [],
    args: (prompt, resume) => [...(resume ? ["--resume", "latest"] : []), "-m", "gemini-2.5-flash", "-p", prompt, "-y"],
    // They stand in the user's content, with escaped tags: one before the words of the first message, one after them.
    blocks(messages, asked) {
      const plain = (text = "") => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">");
      const hook = (text) => (text.startsWith("<hook_context><") ? block(text.slice("<hook_context>".length)) : "");
      return { start: hook(plain(messages[asked].text)), prompt: hook(plain(messages[asked + 1]?.text)) };
    },
  },
  opencode: {
    program: (modules) => [join(modules, `opencode-${process.platform}-${process.arch}/bin/opencode`)],
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" }),
    files: (port) => ({
      ".config/opencode/opencode.json": `{
  // kept by hand
  "$schema": "https://opencode.ai/config.json", // OpenCode would add it
  "autoupdate": false, "share": "disabled",
  "model": "bench/bench", "small_model": "bench/bench", "enabled_providers": ["bench"],
  "provider": {"bench": {
    "npm": "@ai-sdk/anthropic", "models": {"bench": {}},
    "options": {"baseURL": "http://127.0.0.1:${port}/v1", "apiKey": "${key}"}
  }}
}
`,
      // Without these two, OpenCode tries for a minute to install a package that plugins of ours do not need.
      ".config/opencode/node_modules/.keep": "",
      ".config/opencode/package-lock.json": `{"packages": {"": {"dependencies": {"@opencode-ai/plugin": "*"}}}}\n`,
    }),
    added: [".config/opencode/plugins/memory-graph.js"],
    args: (prompt, resume) => ["run", ...(resume ? ["--continue"] : [])],
    stdin: (prompt) => prompt, // as an argument, it would get quotes
    // They stand in a part of the user's message after the words.
    blocks: (messages, asked) => together(messages[asked + 1]),
  },
};
