package command

import (
	"slices"
	"strings"
)

// known are programs whose tools, MCP servers and hooks can be switched off, with the arguments that do it.
var known = map[string]func(args []string) []string{
	"claude": func(args []string) []string {
		args = with(args, "-p", "--print")
		args = with(args, "--tools", "", "--tools=")
		args = with(args, "--strict-mcp-config")
		args = with(args, "--settings", `{"disableAllHooks":true}`, "--settings=")
		return with(args, "--no-session-persistence")
	},
	"codex": func(args []string) []string {
		if !slices.Contains(args, "exec") && !slices.Contains(args, "e") {
			return args
		}
		// Only without the user's file does Codex start no MCP server: an empty table in -c is merged with it.
		for _, flag := range []string{"--ignore-user-config", "--ephemeral", "--skip-git-repo-check"} {
			args = with(args, flag)
		}
		return with(args, "--sandbox", "read-only", "-s", "--sandbox=")
	},
	"gemini": func(args []string) []string {
		args = with(args, "--allowed-mcp-server-names", "none", "--allowed-mcp-server-names=")
		args = with(args, "--extensions", "none", "-e", "--extensions=")
		// -p needs a text, which Gemini CLI appends to what it read from stdin.
		const text = "Answer as the text above asks."
		at := slices.IndexFunc(args, func(a string) bool { return a == "-p" || a == "--prompt" })
		switch {
		case at >= 0 && (at+1 == len(args) || strings.HasPrefix(args[at+1], "-")):
			return slices.Insert(args, at+1, text)
		case at >= 0 || slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--prompt=") }):
			return args
		}
		return append(args, "-p", text)
	},
}

// with appends a flag, and its value if the first of the others is one, unless a flag of that name is already there.
// The others are further spellings of the flag; one that ends in = is a prefix.
func with(args []string, flag string, others ...string) []string {
	var value []string
	if len(others) > 0 && !strings.HasPrefix(others[0], "-") {
		value, others = others[:1], others[1:]
	}
	for _, a := range args {
		if a == flag || slices.ContainsFunc(others, func(o string) bool {
			return a == o || strings.HasSuffix(o, "=") && strings.HasPrefix(a, o)
		}) {
			return args
		}
	}
	return append(append(args, flag), value...)
}

// Quiet returns the command with the arguments that switch off the tools, MCP servers and hooks of a known program:
// claude, codex exec, gemini. Arguments that the user gave stay. Other programs get no arguments.
func Quiet(args []string) []string {
	if len(args) == 0 {
		return args
	}
	if add := known[Name(args[0])]; add != nil {
		return append(args[:1:1], add(slices.Clone(args[1:]))...)
	}
	return args
}
