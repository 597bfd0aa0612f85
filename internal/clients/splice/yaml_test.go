package splice_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/clients/splice"
)

var (
	atYAML    = []string{"extensions", "memory-graph"}
	entryYAML = splice.Object{{Name: "enabled", Value: true}, {Name: "cmd", Value: "/a b"},
		{Name: "args", Value: []any{"serve"}}}
)

const (
	written = "enabled: true\n    cmd: \"/a b\"\n    args: [\"serve\"]\n"
	ours    = "  memory-graph:\n    " + written
)

// An entry comes in, changes and goes, and no other byte changes.
func TestYAML_AnEntryComesAndGoes(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ before, with, left string }{
		"an empty file":  {"", "extensions:\n" + ours, ""},
		"comments only":  {"# mine\n", "# mine\nextensions:\n" + ours, "# mine\n"},
		"no mapping yet": {"a: 1", "a: 1\nextensions:\n" + ours, "a: 1\n"},
		"an empty mapping": {"extensions: {} # none\nb: 2\n", "extensions:  # none\n" + ours + "b: 2\n",
			"extensions: {}  # none\nb: 2\n"},
		"nothing in it": {"extensions:\nb: 2\n", "extensions:\n" + ours + "b: 2\n", "extensions: {}\nb: 2\n"},
		"null":          {"extensions: ~\nb: 2\n", "extensions: \n" + ours + "b: 2\n", "extensions: {} \nb: 2\n"},
		"null, remark":  {"extensions: ~ # ~\n", "extensions:  # ~\n" + ours, "extensions: {}  # ~\n"},
		"null, no line": {"extensions: null", "extensions: \n" + ours, "extensions: {} \n"},
		"other entries": {
			"# mine\nextensions: # ext\n    # the first\n    dev: {x: 1}   # c\n    web:\n        args: [a]\n\n# end\n" +
				"b: |\n  # x\n\n  y\n",
			"# mine\nextensions: # ext\n    memory-graph:\n      enabled: true\n      cmd: \"/a b\"\n      args: [\"serve\"]\n" +
				"    # the first\n    dev: {x: 1}   # c\n    web:\n        args: [a]\n\n# end\nb: |\n  # x\n\n  y\n", ""},
		"the last key": {"b: 2\nextensions:\n  dev: {x: 1}", "b: 2\nextensions:\n" + ours + "  dev: {x: 1}", ""},
		"line ends": {"extensions:\r\n  dev: 1\r\n",
			strings.ReplaceAll("extensions:\n"+ours+"  dev: 1\n", "\n", "\r\n"), ""},
		"after a start": {"---\nextensions:\n  dev: 1\n", "---\nextensions:\n" + ours + "  dev: 1\n", ""},
	} {
		got, err := splice.Set(splice.YAML, []byte(tc.before), atYAML, entryYAML)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(tc.with, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		again, err := splice.Set(splice.YAML, got, append(atYAML, "cmd"), "/a b")
		if err != nil || string(again) != string(got) {
			t.Errorf("%s: the same value changes it to\n%s%v", name, again, err)
		}
		before, _ := splice.Read(splice.YAML, []byte(tc.before))
		was := func(p []string) bool { _, ok := splice.At(before, p...); return ok }
		back, err := splice.Remove(splice.YAML, got, atYAML, was)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if tc.left == "" {
			tc.left = tc.before
		}
		if diff := cmp.Diff(tc.left, string(back)); diff != "" {
			t.Errorf("%s, afterwards (-want +got):\n%s", name, diff)
		}
	}
}

func TestYAML_ChangesAValueOfAnEntry(t *testing.T) {
	t.Parallel()
	src := "extensions:\n  memory-graph:\n    cmd: /old # c\n    enabled: false\n  # of dev\n  dev: 1\n"
	got, err := splice.Set(splice.YAML, []byte(src), append(atYAML, "cmd"), "/new")
	want := "extensions:\n  memory-graph:\n    cmd: \"/new\"\n    enabled: false\n  # of dev\n  dev: 1\n"
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
}

// A form that cannot be changed line by line is refused, and so is a file that is no such YAML.
func TestYAML_RefusesWhatItCannotChange(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"extensions: {dev: 1}\n", "extensions: [1]\n", "extensions: x\n", "- 1\n",
		"a: 1\n---\nb: 2\n",
		"a: 1\na: 2\n", "a: [\n", "{extensions: {}}\n", "extensions: *x\n", "a: 1\n...\n"} {
		if got, err := splice.Set(splice.YAML, []byte(src), atYAML, entryYAML); err == nil {
			t.Errorf("%q became %q", src, got)
		}
	}
}

// FuzzSetYAML: a file that was changed has what it had, byte for byte on its own lines, and an entry more.
func FuzzSetYAML(f *testing.F) {
	for _, s := range []string{"", "a: 1", "extensions:\n  x: |\n    # y\n\nb: 2", "extensions: {}",
		"extensions:\r\n  x: 1\r\n",
		"? extensions\n: x: 1", "\r  ", "'extensions': &0", "'extensions': &a\n  x: *a",
		"extensions:\n- 1\n", "\ufeffextensions:\n  x: 1 # c"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		before, err := splice.Read(splice.YAML, src)
		if err != nil {
			return
		}
		if _, there := splice.At(before, atYAML...); there {
			if _, err := splice.Remove(splice.YAML, src, atYAML, never); err != nil {
				t.Skip(err) // the error names the obstacle
			}
			return
		}
		after, err := splice.Set(splice.YAML, src, atYAML, entryYAML)
		if err != nil {
			return
		}
		kept := visibles(src)
		if v, _ := splice.At(before, "extensions"); v != nil && len(v.(splice.Object)) == 0 {
			return // its braces go
		}
		if !holdsInOrder(kept, visibles(after)) {
			t.Fatalf("%q became %q", src, after)
		}
		if _, err := splice.Remove(splice.YAML, after, atYAML, never); err != nil {
			t.Fatalf("%q became %q, from which Remove fails: %v", src, after, err)
		}
	})
}
