package splice_test

import (
	"errors"
	"strings"
	"testing"

	"memory-graph/internal/clients/splice"
)

// Unusable files give an error with a position and no output.
func TestSet_SaysWhereAFileIsBroken(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text   string
		format       splice.Format
		line, column int
		why          string
	}{
		{"cut", "{\n  \"a\": {", splice.JSON, 2, 9, "ends too early"},
		{"a comma too few", "{\n  \"a\": 1\n  \"b\": 2\n}", splice.JSON, 3, 3, "invalid character"},
		{"a list at the root", "[1]", splice.JSON, 1, 1, "begin with {"},
		{"text behind", "{} x", splice.JSON, 1, 4, "invalid character"},
		{"a list in the way", "{\n\"mcpServers\": []}", splice.JSON, 2, 15, "mcpServers must be an object"},
		{"null in the way", "{\"mcpServers\": null}", splice.JSON, 1, 16, "must be an object"},
		{"a name twice", "{\"mcpServers\": {},\n \"mcpServers\": {}}", splice.JSON, 2, 2, "twice"},
		{"UTF-16", "\xff\xfe{\x00}\x00", splice.JSON, 1, 1, "UTF-16"},
		{"bytes that are no UTF-8", "{\n\"é\xff\": 1}", splice.JSON, 2, 3, "not UTF-8"},
		{"very deep", strings.Repeat("[", 100_000), splice.JSON, 1, 1001, "nested"},
		{"a broken table", "a = 1\n[b\n", splice.TOML, 2, 3, ""},
		{"a key twice", "a = 1\na = 2\n", splice.TOML, 0, 0, "a"},
		{"a table on one line", "mcpServers = { other = { command = \"x\" } }\n", splice.TOML, 1, 14,
			"must be a table, [mcpServers]"},
		{"a value in the way", "# a\nmcpServers = 1\n", splice.TOML, 2, 14, "must be a table"},
		{"a list of tables in the way", "[[mcpServers]]\nx = 1\n", splice.TOML, 0, 0, "cannot be changed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := splice.Set(c.format, []byte(c.text), at, entry)
			var e *splice.Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v; want one with a place", err)
			}
			if got != nil {
				t.Errorf("it gave %q", got)
			}
			if c.line > 0 && (e.Line != c.line || e.Column != c.column) {
				t.Errorf("at %d:%d, want %d:%d (%v)", e.Line, e.Column, c.line, c.column, e)
			}
			if !strings.Contains(e.Why, c.why) {
				t.Errorf("it says %q, want %q in it", e.Why, c.why)
			}
		})
	}
}

// A file with only comments is empty.
func TestSet_TakesAFileOfComments(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "\n", "// mine", "/* a */\r\n"} {
		got, err := splice.Set(splice.JSON, []byte(text), []string{"a"}, true)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if !strings.HasPrefix(string(got), text) {
			t.Errorf("%q became %q", text, got)
		}
	}
}
