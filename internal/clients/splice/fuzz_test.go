package splice_test

import (
	"bytes"
	"testing"
	"unicode"

	"memory-graph/internal/clients/splice"
)

// visibles returns a text without white space, which an insertion must not change.
func visibles(b []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, b)
}

// holdsInOrder reports whether b contains all of a in order, that is, b comes from a by insertions only.
func holdsInOrder(a, b []byte) bool {
	for _, c := range b {
		if len(a) > 0 && a[0] == c {
			a = a[1:]
		}
	}
	return len(a) == 0
}

func fuzzSet(f *testing.F, format splice.Format, path []string, v splice.Object) {
	f.Fuzz(func(t *testing.T, src []byte) {
		before, err := splice.Read(format, src)
		if err != nil {
			return
		}
		if _, there := splice.At(before, path...); there {
			if _, err := splice.Remove(format, src, path, never); err != nil {
				t.Skip(err) // the error names the obstacle
			}
			return
		}
		after, err := splice.Set(format, src, path, v)
		if err != nil {
			return
		}
		if !holdsInOrder(visibles(src), visibles(after)) {
			t.Fatalf("%q became %q", src, after)
		}
		back, err := splice.Remove(format, after, path, func(p []string) bool { _, ok := splice.At(before, p...); return ok })
		if err != nil {
			t.Fatalf("%q became %q, from which Remove fails: %v", src, after, err)
		}
		if a, b := visibles(src), visibles(back); !bytes.Equal(a, b) && !bytes.Equal(append(a, "{}"...), b) {
			t.Fatalf("%q became %q and then %q", src, after, back)
		}
	})
}

func FuzzSetJSON(f *testing.F) {
	for _, s := range []string{"", "{}", `{"a":1}`, "{\n\t\"mcpServers\": { // x\n\t},\n}",
		"// c\n{\"mcpServers\":{\"b\":[1,{}],},}", "{\"a\":/*x*/1/*y*/}", "\ufeff{}\r\n"} {
		f.Add([]byte(s))
	}
	fuzzSet(f, splice.JSON, at, entry)
}

func FuzzSetTOML(f *testing.F) {
	for _, s := range []string{"", "a = 1", "[a]\nb = '''x\n'''\n", "[mcp_servers]\nx = {}\n[[z]]\n",
		"# c\r\n[mcp_servers.x] # y\r\n", "a.'b'.\"c\" = [1,\n2]#x"} {
		f.Add([]byte(s))
	}
	fuzzSet(f, splice.TOML, atTOML, entryTOML)
}

// An element of a list can be added and removed too.
func FuzzAppendJSON(f *testing.F) {
	for _, s := range []string{"{}", `{"hooks":{"Stop":[]}}`, `{"hooks":{"Stop":[1,2,],"b":[]}}`,
		"{\"hooks\":{\"Stop\":[ // x\n{} // y\n]}}"} {
		f.Add([]byte(s))
	}
	path := []string{"hooks", "Stop"}
	f.Fuzz(func(t *testing.T, src []byte) {
		after, err := splice.Append(splice.JSON, src, path, entry)
		if err != nil {
			return
		}
		if !holdsInOrder(visibles(src), visibles(after)) {
			t.Fatalf("%q became %q", src, after)
		}
	})
}
