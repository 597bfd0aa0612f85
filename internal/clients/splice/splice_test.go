package splice_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/clients/splice"
)

var (
	at    = []string{"mcpServers", "memory-graph"}
	entry = splice.Object{{Name: "command", Value: "/opt/memory-graph"}, {Name: "args", Value: []any{"serve"}}}
	never = func([]string) bool { return false }
)

// Each file is listed with the result of adding the entry. Removing the entry restores the file.
func TestSet_KeepsEverythingElse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, before, after string }{
		{"an empty object", "{}\n", `{
  "mcpServers": {
    "memory-graph": {
      "command": "/opt/memory-graph",
      "args": ["serve"]
    }
  }
}
`},
		{"other servers, four blanks", `{
    "mcpServers": {
        "other": {"command": "x"}
    },
    "theme": "dark"
}`, `{
    "mcpServers": {
        "other": {"command": "x"},
        "memory-graph": {
            "command": "/opt/memory-graph",
            "args": ["serve"]
        }
    },
    "theme": "dark"
}`},
		{"comments and a trailing comma", `// mine
{
	"mcpServers": {
		// the other one
		"other": {"command": "x"}, // last
		/* nothing follows */
	},
}
// end`, `// mine
{
	"mcpServers": {
		// the other one
		"other": {"command": "x"}, // last
		/* nothing follows */
		"memory-graph": {
			"command": "/opt/memory-graph",
			"args": ["serve"]
		},
	},
}
// end`},
		{"a comment behind the last member", `{
  "mcpServers": {
    "other": {} // why
  }
}
`, `{
  "mcpServers": {
    "other": {}, // why
    "memory-graph": {
      "command": "/opt/memory-graph",
      "args": ["serve"]
    }
  }
}
`},
		{"on one line", `{"mcpServers": {"other": {"command": "x"}}, "theme": "dark"}`,
			`{"mcpServers": {"other": {"command": "x"}, "memory-graph": {"command": "/opt/memory-graph", "args": ["serve"]}}, "theme": "dark"}`},
		{"close together", `{"theme":"dark","n":1}`,
			`{"theme":"dark","n":1,"mcpServers":{"memory-graph":{"command":"/opt/memory-graph","args":["serve"]}}}`},
		{"only comments inside", "{\n  // nothing yet\n}\n", `{
  // nothing yet
  "mcpServers": {
    "memory-graph": {
      "command": "/opt/memory-graph",
      "args": ["serve"]
    }
  }
}
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, form := range []struct {
				name string
				of   func(string) string
			}{
				{"as it is", func(s string) string { return s }},
				{"with CRLF", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }},
				{"with a byte order mark", func(s string) string { return "\ufeff" + s }},
			} {
				got, err := splice.Set(splice.JSON, []byte(form.of(c.before)), at, entry)
				if err != nil {
					t.Fatalf("%s: %v", form.name, err)
				}
				if form.name == "with CRLF" && !strings.Contains(c.before, "\n") {
					continue
				}
				if diff := cmp.Diff(form.of(c.after), string(got)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", form.name, diff)
				}
				back, err := splice.Remove(splice.JSON, got, at, never)
				if err != nil {
					t.Fatalf("%s: take away: %v", form.name, err)
				}
				if diff := cmp.Diff(form.of(c.before), string(back)); diff != "" {
					t.Errorf("%s: after removing again (-want +got):\n%s", form.name, diff)
				}
			}
		})
	}
}
