package splice_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/clients/splice"
)

var (
	atTOML    = []string{"mcp_servers", "memory-graph"}
	entryTOML = splice.Object{{Name: "command", Value: `/opt/memory-graph`}, {Name: "args", Value: []any{"serve"}},
		{Name: "env", Value: splice.Object{{Name: "A B", Value: `C:\x`}}}}
)

const wantTOML = `[mcp_servers.memory-graph]
command = "/opt/memory-graph"
args = ["serve"]
env = { "A B" = 'C:\x' }
`

func TestSetTOML_KeepsEverythingElse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, before, added string }{
		{"no file", "", wantTOML},
		{"a table of another server",
			"model = \"o5\" # mine\n\n# servers\n[mcp_servers.other]\ncommand = \"x\" # why\nargs = [\n  \"a\", # first\n]\n",
			"\n" + wantTOML},
		{"texts that look like tables", "a = '''\n[mcp_servers.memory-graph]\n'''\nb = \"\"\"x\\\"\"\"\"\"\n",
			"\n" + wantTOML},
		{"dates, numbers and lists of tables",
			"d = 2026-11-22T01:02:03Z\nn = [1, 2.5, { x = 1 }]\n[[p]]\nq = 1\n[[p]]\nq = 2\n", "\n" + wantTOML},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, before := range []string{c.before, strings.ReplaceAll(c.before, "\n", "\r\n"), "\ufeff" + c.before} {
				added := c.added
				if strings.Contains(before, "\r\n") {
					added = strings.ReplaceAll(added, "\n", "\r\n")
				}
				got, err := splice.Set(splice.TOML, []byte(before), atTOML, entryTOML)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(before+added, string(got)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				back, err := splice.Remove(splice.TOML, got, atTOML, never)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(before, string(back)); diff != "" {
					t.Errorf("after removing again (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestSetTOML_ChangesOneValue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, before, after string }{
		{"in a table, with a comment behind", "[mcp_servers.memory-graph]\n  command = \"/old\"   # here\nargs = []\n",
			"[mcp_servers.memory-graph]\n  command = \"/new\"   # here\nargs = []\n"},
		{"by a dotted key", "mcp_servers.memory-graph.command = '/old'\nx = 1\n",
			"mcp_servers.memory-graph.command = \"/new\"\nx = 1\n"},
		{"behind the keys of a table", "[mcp_servers.memory-graph]\nargs = [\n 1,\n] # list\n# end\n[z]\n",
			"[mcp_servers.memory-graph]\nargs = [\n 1,\n] # list\ncommand = \"/new\"\n# end\n[z]\n"},
		{"at the end without a line's end", "[mcp_servers.memory-graph]\nargs = []",
			"[mcp_servers.memory-graph]\nargs = []\ncommand = \"/new\"\n"},
		{"quoted names", "[ mcp_servers . \"memory-graph\" ]\n\"command\" = \"/old\"\n",
			"[ mcp_servers . \"memory-graph\" ]\n\"command\" = \"/new\"\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := splice.Set(splice.TOML, []byte(c.before), append(append([]string{}, atTOML...), "command"), "/new")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.after, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Comments in removed tables stay; subtables are removed.
func TestRemoveTOML_TakesSubtables(t *testing.T) {
	t.Parallel()
	before := "[a]\nx = 1\n\n[mcp_servers.memory-graph]\n# by hand\ncommand = " +
		"\"c\"\n\n[mcp_servers.memory-graph.env]\nA = \"b\"\n\n[z]\ny = 2\n"
	got, err := splice.Remove(splice.TOML, []byte(before), atTOML, never)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("[a]\nx = 1\n# by hand\n\n[z]\ny = 2\n", string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
