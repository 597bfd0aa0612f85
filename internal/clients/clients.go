// Package clients knows the programs that start memory-graph: where each keeps its list of MCP servers and its hooks,
// in which form, and how an entry is put there and taken away again without touching anything else. One table
// (table.go) drives the command `setup`, docs/hosts.md and the tests.
package clients

//go:generate go test -run TestDocs_AreCurrent -update .

import (
	"io/fs"
	"slices"

	"memory-graph/internal/clients/splice"
)

// Client is one program that speaks MCP.
type Client struct {
	ID      string   // what people type: "claude-code"
	Name    string   // "Claude Code"
	Aliases []string // what else they may type
	Servers Servers
	Hooks   *Hooks   // nil where the host has none, or none that are known for sure
	After   string   // what the person does then, as a sentence
	Notes   []string // for docs/hosts.md: sentences
}

// File is a file of settings.
type File struct {
	Format  splice.Format
	User    Path
	Project string      // from a project's directory, with slashes; "" where the host has none
	Mode    fs.FileMode // of a file that is made
}

// Servers is the list of MCP servers.
type Servers struct {
	File
	Key  []string        // where the entries are
	Lead []splice.Member // what an entry has before its command
}

// Form is how a host writes a hook.
type Form string

// The forms: `{"hooks": [{"type": "command", "command": …}]}` for each event, or `{"command": …}` alone.
const (
	Nested Form = "nested"
	Flat   Form = "flat"
)

// Hooks is the list of commands that the host runs at events.
type Hooks struct {
	File
	Form    Form
	Events  []Event
	Timeout int            // in the host's unit; 0 writes none
	Version *splice.Member // what the file has to say beside its hooks
}

// Event is one that memory-graph wants to hear of.
type Event struct {
	Name    string // as the host has it, and as `hook HOST EVENT` takes it
	Matcher string // "" for none
	Does    string // what memory-graph does then, for docs/hosts.md
}

// All lists the hosts by name.
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

// Names lists all that Find knows, ids and aliases.
func Names() []string {
	var names []string
	for _, h := range table {
		names = append(append(names, h.ID), h.Aliases...)
	}
	return names
}

// IDs lists what Find knows, without aliases.
func IDs() []string {
	ids := make([]string, len(table))
	for i, h := range table {
		ids[i] = h.ID
	}
	return ids
}
