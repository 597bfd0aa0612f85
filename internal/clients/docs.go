package clients

import (
	"fmt"
	"strings"

	"memory-graph/internal/clients/splice"
)

// anyProgram stands for the program's path in the snippets.
const anyProgram = "/absolute/path/to/memory-graph"

// Markdown is docs/hosts.md, made from the table. The error is one of the table's own making, and a test looks for it.
func Markdown() (string, error) {
	var b strings.Builder
	b.WriteString(intro)
	b.WriteString("| host | `setup` | MCP | hooks |\n| --- | --- | --- | --- |\n")
	for _, h := range table {
		hooks := "–"
		if h.Hooks != nil {
			hooks = "yes"
		}
		fmt.Fprintf(&b, "| [%s](#%s) | `memory-graph setup %s` | yes | %s |\n", h.Name,
			strings.ToLower(strings.ReplaceAll(h.Name, " ", "-")), h.ID, hooks)
	}
	for _, h := range table {
		if err := h.page(&b); err != nil {
			return "", fmt.Errorf("page of %s: %w", h.ID, err)
		}
	}
	b.WriteString(others)
	return b.String(), nil
}

const others = `
## Any other host

Most hosts take the entry of Claude Desktop above: a command, the program's absolute path, with the argument ` + "`serve`" + `, and
settings as ` + "`env`" + `. ` + "`memory-graph config keys`" + ` lists them. Hosts that connect to a URL are served by
` + "`memory-graph serve --http 127.0.0.1:8765`" + `, as the README says.

OpenCode writes its servers in one way up to version 1 and in another from version 2 on, and its hooks are plugins inside it and no
commands, so ` + "`setup`" + ` leaves it alone. In ` + "`~/.config/opencode/opencode.json`" + ` of version 2:

` + "```json" + `
{
  "mcp": {
    "servers": {
      "memory-graph": { "type": "local", "command": ["` + anyProgram + `", "serve"] }
    }
  }
}
` + "```" + `
`

const intro = `# Hosts

` + "`memory-graph setup HOST`" + ` writes what stands below, with the path of the program that runs it; ` + "`--print`" + ` only shows it. This
page and the command are made from one table, ` + "`internal/clients/table.go`" + ` (` + "`go generate ./internal/clients`" + `).

- The change is shown first, and you are asked. Without a terminal nothing is written unless ` + "`--yes`" + ` is given; the exit
  code is 2 then. Everything else in a file stays as it is, comments, order and line ends too. A copy of each changed file is kept beside it, ` + "`FILE.memory-graph-TIME.bak`" + `; copies are never overwritten.
- Doing it again changes nothing. After the program has moved or has another name, doing it again corrects its path and says
  what was there. An entry is ours where its program is called memory-graph or was built from it, which every build says of
  itself. Where the program is gone, it is the entry called memory-graph with the argument ` + "`serve`" + ` alone, or with
  settings of ours, and in hooks a command with ` + "`hook HOST EVENT`" + `. A server of somebody else is left, and named.
- ` + "`--uninstall`" + ` takes out our entries and nothing else. Where nothing was changed since, the file is what it was, byte for byte.
  Where one file of a host cannot be changed, the other is cleaned all the same, and the exit code is 1.
- Several hosts may be named at once: each is done by itself, and one that fails stops no other.
- The path that is written is the one by which you called the program, made absolute. Where that is a link, such as those of
  package managers, the link is written, so that it stays right after an upgrade. ` + "`--program PATH`" + ` writes another one.
- Files that are links are written through. A file that is broken, read-only or no file at all is left alone, and the message
  has its line and column. ` + "`--print`" + ` shows what to add by hand, whatever state the file is in.
- Settings given as flags, such as ` + "`--db ~/work.db`" + ` or ` + "`--user Ann`" + `, go into the host's entry and its hooks; hooks
  that come later get those of the entry. Doing it again with other flags changes these alone: other settings stay, and so does
  what somebody put around a hook's command.
- ` + "`--in DIR`" + ` sets a project up instead of the user, ` + "`--name`" + ` gives the server another name, ` + "`--no-hooks`" + ` leaves hooks out. A
  project's files are often shared with others: the path in them is that of this machine.

With hooks a host tells memory-graph of every message by itself, and puts what is known before the agent; without them the
agent stores and asks by the tools. Paths in hooks are quoted for the system's shell: on Windows for Git's bash and cmd, and
where the path has no blanks for PowerShell too. What these would each read in another way (` + "`\"`, `$`, a backtick" + `) is refused.

On Linux ` + "`$XDG_CONFIG_HOME`" + ` takes the place of ` + "`~/.config`" + ` where it is set.

`

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
	for _, note := range append([]string{h.After}, h.Notes...) {
		fmt.Fprintf(b, "\n%s\n", note)
	}
	return nil
}

// moves says where the files are when a variable of the host's own is set.
func (h Client) moves(b *strings.Builder) {
	servers := h.Servers.User
	if servers.Env == "" {
		return
	}
	at := func(p Path) string { return "`$" + p.Env + "/" + p.EnvRel + "`" }
	places := at(servers) + " has the servers"
	switch {
	case h.Hooks == nil:
	case h.Hooks.User == servers:
		places += " and the hooks"
	case h.Hooks.User.Env == servers.Env:
		places += " and " + at(h.Hooks.User) + " the hooks"
	}
	fmt.Fprintf(b, "\nWhere `%s` is set, %s of the user.\n", servers.Env, places)
}

func (h Client) hooksPage(b *strings.Builder, o Options) error {
	b.WriteString("\n| event | what memory-graph does |\n| --- | --- |\n")
	for _, e := range h.Hooks.Events {
		fmt.Fprintf(b, "| `%s` | %s |\n", e.Name, e.Does)
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
