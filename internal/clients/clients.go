// Package clients describes the programs that start memory-graph: the paths and formats of their lists of MCP servers
// and of their hooks. It adds and removes our entries without touching anything else. One table (table.go) drives the
// command `setup`, docs/hosts.md and the tests.
package clients

//go:generate go test -run TestDocs_AreCurrent -update .

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"memory-graph/internal/clients/splice"
)

// Client is a host: a program that speaks MCP.
type Client struct {
	ID      string   // what people type: "claude-code"
	Name    string   // "Claude Code"
	Aliases []string // other names that users may type
	Servers Servers
	Hooks   *Hooks   // nil if the host has no hooks, or none with reliable documentation
	Asks    *Asks    // its command that answers a prompt; nil if it has none
	Ran     string   // version and date of the last run of the bench with the real host; "" if there was none
	After   string   // what the user must do after setup, as a sentence; SERVER stands for the server's name
	Needs   []string // what the host asks the user for before it does everything, as sentences; setup prints them
	Notes   []string // for docs/hosts.md: sentences
}

// Asks is a host's command that reads a prompt on stdin and prints its model's answer, for the setting llm_command.
type Asks struct {
	Command string // "claude -p"
	Vendor  string // who gets the prompt
	// Other says who gets it instead if the user has configured another provider, as the end of a clause.
	Other string
}

// File is a settings file.
type File struct {
	Format  splice.Format
	User    Path
	Project string      // path in a project's directory, with slashes; "" if the host has none
	Mode    fs.FileMode // mode of a new file
}

// Servers describes the list of MCP servers.
type Servers struct {
	File
	Key    []string        // path of the list of entries
	Lead   []splice.Member // members of an entry before its command; the value SERVER stands for the server's name
	Joined bool            // "command" is a list that holds the arguments too
	Env    string          // member with the settings; "" for "env"

	Command string // member with the program; "" for "command"
}

// Form is the format of a hook.
type Form string

// The forms. Nested is `{"hooks": [{"type": "command", "command": …}]}` per event, Typed only what stands in the list,
// and Flat only `{"command": …}`. A Script is a file of its own, which runs the commands.
const (
	Nested Form = "nested"
	Typed  Form = "typed"
	Flat   Form = "flat"
	Script Form = "script"
)

// Hooks describes the list of commands that the host runs at events.
type Hooks struct {
	File
	Form    Form
	Events  []Event
	Timeout int            // in the host's unit; 0 for none
	Version *splice.Member // a member that the file needs besides its hooks
	Script  string         // the part of a Script that is this host's own
}

// Event is an event that memory-graph handles.
type Event struct {
	Name    string // the host's name for it, also in `hook HOST EVENT`
	Matcher string // "" for none
	Does    string // what memory-graph does at the event, for docs/hosts.md
}

// All returns the hosts, sorted by id.
func All() []Client { return slices.Clone(table) }

// Find gives the host of an id or an alias.
func Find(name string) (Client, bool) {
	for _, h := range table {
		if h.ID == name || slices.Contains(h.Aliases, name) {
			return h, true
		}
	}
	return Client{}, false
}

// notInTools matches what hosts replace in a server's name when they put it before the names of its tools.
var notInTools = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// Calling returns the host with the server's name in its sentences.
func (h Client) Calling(server string) Client {
	name := strings.NewReplacer("mcp__SERVER", "mcp__"+notInTools.ReplaceAllString(server, "_"), "SERVER", server)
	h.After, h.Needs = name.Replace(h.After), slices.Clone(h.Needs)
	for i, need := range h.Needs {
		h.Needs[i] = name.Replace(need)
	}
	return h
}

// Names lists all ids and aliases that Find accepts.
func Names() []string {
	var names []string
	for _, h := range table {
		names = append(append(names, h.ID), h.Aliases...)
	}
	return names
}

// IDs lists the ids that Find accepts, without aliases.
func IDs() []string {
	ids := make([]string, len(table))
	for i, h := range table {
		ids[i] = h.ID
	}
	return ids
}
