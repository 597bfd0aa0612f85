package clients

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"memory-graph/internal/clients/splice"
)

// anyProgram is the program's path in the snippets.
const anyProgram = "/absolute/path/to/memory-graph"

// Markdown returns docs/hosts.md, made from the table. An error means that an entry of the table is wrong; a test calls
// Markdown.
func Markdown() (string, error) {
	var b strings.Builder
	b.WriteString(ticked(intro))
	b.WriteString("| host | `setup` | MCP | hooks | run with |\n| --- | --- | --- | --- | --- |\n")
	for _, h := range table {
		hooks := "–"
		if h.Hooks != nil {
			hooks = "yes"
		}
		fmt.Fprintf(&b, "| [%s](#%s) | `memory-graph setup %s` | yes | %s | %s |\n", h.Name,
			strings.ToLower(strings.ReplaceAll(h.Name, " ", "-")), h.ID, hooks, cmp.Or(h.Ran, "–"))
	}
	b.WriteString("\n" + wrap("\"Run with\" is the version of the host with which `scripts/hosts.sh` last ran, and the "+
		"date. The other hosts are set up as their documentation says, and were not run."))
	for _, h := range table {
		h = h.Calling(DefaultName)
		if err := h.page(&b); err != nil {
			return "", fmt.Errorf("page of %s: %w", h.ID, err)
		}
	}
	b.WriteString(ticked(others))
	return b.String(), nil
}

// The text around the table. A caret stands for a backtick, which a raw string cannot hold.
const others = `
## Any other host

Most hosts accept the entry of Claude Desktop above: a command (the program's absolute path) with the argument ^serve^,
and settings as ^env^. ^memory-graph config keys^ lists the settings. For hosts that connect to a URL, run
^memory-graph serve --http 127.0.0.1:8765^; the README describes it.

^setup opencode^ writes the form of OpenCode 1. For version 2, ^~/.config/opencode/opencode.json^ contains:

^^^json
{
  "mcp": {
    "servers": {
      "memory-graph": { "type": "local", "command": ["PROGRAM", "serve"] }
    }
  }
}
^^^
`

const intro = `# Hosts

^memory-graph setup HOST^ writes the entries below, with the path of the running program. ^--print^ only shows them.
This page and the command come from one table, ^internal/clients/table.go^ (^go generate ./internal/clients^).

- **Confirmation.** The command shows the change and asks. Without a terminal it writes nothing and exits with code 2,
  unless ^--yes^ is given.
- **Nothing else changes.** The rest of a file keeps its bytes, with comments, order and line ends. A copy of each
  changed file is kept beside it, ^FILE.memory-graph-TIME.bak^. Copies are never overwritten.
- **Running it again** changes nothing. If the program has moved or has another name, running it again corrects the path
  and says what was there before.
- **Which entries are ours.** An entry is ours if its program is called memory-graph, or was built from it; each build
  names its module. If the program no longer exists, an entry with only the argument ^serve^ is ours if it is called
  memory-graph or contains our settings. In the same case a hook is ours if its command contains ^hook HOST EVENT^.
  Another server is never changed, and the message names it.
- **^--uninstall^** removes our entries and nothing else. If nothing was changed since, the file has its earlier bytes.
  [^memory-graph uninstall^](install.md#uninstall) does this for every host, and removes the copies and caches too.
  If one file of a host cannot be changed, the other is still cleaned, and the exit code is 1.
- **Several hosts** may be named at once. Each is set up on its own; a failure of one does not stop the others.
- **The path** is the one by which you called the program, made absolute. If that is a link, such as those of package
  managers, the link is written, so it stays correct after an upgrade. ^--program PATH^ writes another path.
- **Links and broken files.** ^setup^ follows a link and changes its target. It leaves a broken or read-only file and
  anything that is not a regular file unchanged; for a broken file the message names the line and column. ^--print^
  shows what to add by hand in any case.
- **Settings** given as flags, such as ^--db ~/work.db^ or ^--user Ann^, are written into the host's entry and its
  hooks. Hooks that are added later get the settings of the entry. Running it again with other flags changes only these
  settings. Other settings stay, and so does text that somebody put around a hook's command.
- **^--in DIR^** sets up a project instead of the user. **^--name^** gives the server another name. **^--no-hooks^**
  leaves out the hooks. A project's files are often shared with others, but the path in them is a path of this machine.

With hooks, a host passes every message to memory-graph and gives the relevant context to the agent. Without hooks, the
agent stores and asks through the tools. Paths in hooks are quoted for the system's shell: on Windows for Git's bash and
cmd, and for PowerShell too if the path has no spaces. Characters that these shells read differently (^"^, ^$^, a
backtick) are refused.

^memory-graph import --from HOST^ imports the sessions that Claude Code, Codex, Cursor or Gemini CLI have kept so far.
^setup^ offers it once: [commands.md](commands.md#the-sessions-that-a-host-has-kept).

On Linux, ^$XDG_CONFIG_HOME^ replaces ^~/.config^ if it is set.

## Plugin for Claude Code and Codex

^setup --plugin DIR^ writes a directory with the server, the hooks and a skill, which both hosts install as a plugin:

^^^sh
memory-graph setup --plugin ~/memory-graph-plugin
claude plugin marketplace add ~/memory-graph-plugin && claude plugin install memory-graph@memory-graph
codex plugin marketplace add ~/memory-graph-plugin && codex plugin add memory-graph@memory-graph
^^^

- It is an alternative to ^setup claude-code^ and ^setup codex^, and needs no clone of the repository. To try it for one
  session of Claude Code: ^claude --plugin-dir ~/memory-graph-plugin^. The hosts' own commands remove it again.
- The files contain the path of the program and the settings given as flags. Run the command again when the program has
  moved; the plugin then has another version, which the hosts fetch with ^claude plugin update^ or ^codex plugin add^.
- **Together with ^setup^** nothing is stored or said twice: the plugin's hooks do nothing where ^setup^ has registered
  a hook for the event, and Claude Code and Codex start the server once.
- Claude Code's name of the server is ^plugin_memory-graph_memory-graph^. ^claude -p^ calls the tools with
  ^--allowedTools mcp__plugin_memory-graph_memory-graph^. Its hooks have the form with ^args^, which needs no shell.

## The hosts

`

// unbroken matches a word, or code in backticks with its spaces.
var unbroken = regexp.MustCompile("(`[^`]*`|[^ `])+")

// wrap breaks a paragraph into lines of at most 120 characters, and never inside code.
func wrap(paragraph string) string {
	const most = 120
	var b strings.Builder
	length := 0
	for i, word := range unbroken.FindAllString(paragraph, -1) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case length+1+n > most:
			b.WriteByte('\n')
			length = 0
		default:
			b.WriteByte(' ')
			length++
		}
		b.WriteString(word)
		length += n
	}
	return b.String() + "\n"
}

// ticked puts the backticks into a text, and the path of the program.
func ticked(text string) string {
	return strings.NewReplacer("^", "`", "PROGRAM", anyProgram).Replace(text)
}

func (h Client) page(b *strings.Builder) error {
	fmt.Fprintf(b, "\n## %s\n\n```sh\nmemory-graph setup %s\n```\n\n", h.Name, h.ID)
	b.WriteString("| | Linux | macOS | Windows | project |\n| --- | --- | --- | --- | --- |\n")
	row(b, "servers", h.Servers.File)
	if h.Hooks != nil {
		row(b, "hooks", h.Hooks.File)
	}
	h.moves(b)
	o := Options{Program: anyProgram}
	path := below(h.Servers.Key, DefaultName)
	text, err := splice.Set(h.Servers.Format, nil, path, h.Servers.entry(o))
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "\n```%s\n%s```\n", h.Servers.Format, text)
	if h.Hooks != nil {
		if err := h.hooksPage(b, o); err != nil {
			return err
		}
	}
	for _, note := range slices.Concat([]string{h.After}, h.Needs, h.Notes) {
		b.WriteString("\n" + wrap(note))
	}
	return nil
}

// moves writes where the files are if an environment variable of the host is set.
func (h Client) moves(b *strings.Builder) {
	servers := h.Servers.User
	if servers.Env == "" {
		return
	}
	at := func(p Path) string { return "`$" + p.Env + "/" + p.EnvRel + "`" }
	places := at(servers) + " contains the servers"
	switch {
	case h.Hooks == nil:
	case h.Hooks.User == servers:
		places += " and the hooks"
	case h.Hooks.User.Env == servers.Env:
		places += " and " + at(h.Hooks.User) + " the hooks"
	}
	b.WriteString("\n" + wrap(fmt.Sprintf("If `%s` is set, %s of the user.", servers.Env, places)))
}

func (h Client) hooksPage(b *strings.Builder, o Options) error {
	b.WriteString("\n| event | what memory-graph does |\n| --- | --- |\n")
	for _, e := range h.Hooks.Events {
		fmt.Fprintf(b, "| `%s` | %s |\n", e.Name, e.Does)
	}
	if h.Hooks.Form == Script {
		fmt.Fprintf(b, "\n```js\n%s```\n", h.script(o.Program, nil))
		return nil
	}
	d := &draft{snapshot: &snapshot{}, format: h.Hooks.Format}
	if err := h.addHooks(d, "linux", o); err != nil {
		return err
	}
	fmt.Fprintf(b, "\n```%s\n%s```\n", h.Hooks.Format, d.text)
	return nil
}

func row(b *strings.Builder, what string, f File) {
	project := "–"
	if f.Project != "" {
		project = "`" + f.Project + "`"
	}
	fmt.Fprintf(b, "| %s", what)
	for _, system := range Systems {
		fmt.Fprintf(b, " | `%s`", f.User.shown(system))
	}
	fmt.Fprintf(b, " | %s |\n", project)
}
