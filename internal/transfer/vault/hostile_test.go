package vault_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"memory-graph/internal/memory"
	"memory-graph/internal/transfer/vault"
	"memory-graph/store"
)

// hostile are texts that would mean something to an editor, or to a file system.
var hostile = []string{
	"---\nid: e1\n---", "# Facts", "\n## Facts\n\n- owns [[Bank]] ^r1", "[[Acme]]",
	"]] ^r7 [[x", "a|b#c^d", "%% hidden %%",
	"<script>alert(1)</script>", "<!-- ", "&lt;b&gt; &#35;", "```\ncode", "~~~", "$$x$$", "^t1", "#tag", "- item", "* * *",
	"___", "===", "1. one", "2) two", "> quote", "\tcode", "    code", `\[\[x\]\]`, `\`, `"quoted": 'x'`, "null", "yes",
	"![x](http://evil/x.png)", "[a]: http://evil", "http://evil/?q=[x]", "key:: value",
	"a\u2028## Facts\u2029b", "a\rb\x0bc",
	"\u202eevil\u202c", "|a|b|\n|-|-|", "==mark==", "CON",
	"aux.md", "../../etc/passwd", "C:\\Windows", ".hidden", "trailing. ",
	strings.Repeat("ä", 300), "👨‍👩‍👧‍👦", "e\u0301 and é", "STRASSE",
	"straße", "<% tp.x %>", "{{x}}", "@@", "|", "", "^", "::",
}

// texts draws a stored text: one or several hostile texts, or any text.
func texts(t *rapid.T, label string) string {
	part := rapid.OneOf(rapid.SampledFrom(hostile), rapid.String(), rapid.SampledFrom([]string{"Ann", "bees", " ", "\n"}))
	return strings.Join(rapid.SliceOfN(part, 1, 3).Draw(t, label), rapid.SampledFrom([]string{"", " ", "\n"}).Draw(t,
		label+" between"))
}

// Each check opens a database, so 25 are enough unless -rapid.checks says otherwise.
func init() {
	if f := flag.Lookup("rapid.checks"); f != nil {
		_ = f.Value.Set("25")
	}
}

func TestVault_OfAnythingHasNoDifferences(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		w := newWorldIn(t)
		defer w.close()
		var ids []string
		for range rapid.IntRange(1, 8).Draw(r, "entities") {
			d := memory.EntityDraft{Name: texts(r, "name"), Type: rapid.SampledFrom([]string{"person", "tool", "null",
				"true"}).Draw(r, "type"), Description: texts(r, "description"),
				Aliases: []string{texts(r, "alias")}, Notes: []string{texts(r, "note"), texts(r, "note")}}
			if rapid.IntRange(0, 3).Draw(r, "memory") == 0 {
				d.Kind, d.Type = memory.NodeMemory, "memory"
			}
			out, err := w.w.CreateEntity(t.Context(), scope, d, human)
			if err != nil {
				continue // no visible character
			}
			ids = append(ids, out.Entity.Ref().String())
			if _, err := w.s.RecordEpisode(t.Context(), store.NewEpisode{Episode: memory.Episode{
				Scope: memory.Scope{Namespace: "n", SessionID: rapid.SampledFrom([]string{"", "../s", "S", "s"}).Draw(r,
					"session")}, Role: memory.RoleUser, Speaker: d.Name, Content: d.Description, Origin: memory.OriginUser,
				Status: memory.StatusDone}, Caller: human}); err != nil {
				r.Fatal(err)
			}
		}
		for range rapid.IntRange(0, 12).Draw(r, "facts") {
			if len(ids) < 2 {
				break
			}
			d := memory.RelationDraft{Head: rapid.SampledFrom(ids).Draw(r, "head"), Tail: rapid.SampledFrom(ids).Draw(r, "tail"),
				Relation: rapid.SampledFrom([]string{"knows", "works at", "likes", "Lives-In", "größer als"}).Draw(r, "relation"),
				Ended:    rapid.Bool().Draw(r, "ended")}
			if rapid.Bool().Draw(r, "dated") {
				d.ValidFrom, d.FromUnit = date("2019"), memory.Year
			}
			_, _ = w.w.CreateRelation(t.Context(), scope, d, 0, human) // a fact about itself is refused
		}
		w.export()
		if again := w.export(); again.Written+again.Removed > 0 {
			r.Fatalf("the second export changed something: %+v", again)
		}
		for file, content := range w.files() { // so that it is parsed
			if !strings.HasPrefix(file, "Sessions/") && file != "Memory index.md" {
				w.write(file, strings.ReplaceAll(content, "\n", "\r\n")+"\r\n")
			}
		}
		got := w.read()
		if len(got.Changes)+len(got.Problems) > 0 || got.Edited != len(unique(ids)) {
			r.Fatalf("%d edited: %v %v\n%v", got.Edited, got.Changes, got.Problems, w.files())
		}
		for file, content := range w.files() {
			plain(r, file, content)
		}
	})
}

func unique(list []string) map[string]bool {
	out := map[string]bool{}
	for _, s := range list {
		out[s] = true
	}
	return out
}

// plain checks that nothing stored has become a part of the page that it should not be.
func plain(r *rapid.T, file, content string) {
	_, body, _, ok := vault.Front([]byte(strings.ReplaceAll(content, "\r\n", "\n")))
	if !ok {
		r.Fatalf("%s has no frontmatter:\n%s", file, content)
	}
	if strings.Contains(string(body), "%%") || strings.Contains(string(body), "<%") {
		r.Fatalf("%s has a comment:\n%s", file, content)
	}
	doc := goldmark.New().Parser().Parse(text.NewReader(body))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n.(type) {
		case *ast.RawHTML, *ast.HTMLBlock, *ast.CodeBlock, *ast.FencedCodeBlock, *ast.CodeSpan, *ast.Link, *ast.Image,
			*ast.AutoLink, *ast.ThematicBreak:
			r.Fatalf("%s has a %s:\n%s", file, n.Kind(), content)
		case *ast.Heading:
			if n.Parent().Kind() != ast.KindDocument {
				r.Fatalf("%s has a heading inside of a %s:\n%s", file, n.Parent().Kind(), content)
			}
		}
		return ast.WalkContinue, nil
	})
}

func TestExport_NamesFilesThatEverySystemTakes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, name := range append(hostile, "Acme", "ACME ", "acme (e1)") {
		_, _ = w.w.CreateEntity(t.Context(), scope, memory.EntityDraft{Name: name, Type: "tool"}, human)
		_, _ = w.w.CreateEntity(t.Context(), scope, memory.EntityDraft{Name: name, Type: "person"}, human)
	}
	w.export()
	seen := map[string]string{}
	for file := range w.files() {
		if strings.HasSuffix(file, ".md.md") {
			t.Errorf("a link to %q would leave out an extension", file)
		}
		name := filepath.Base(file)
		if strings.ContainsAny(name, "\\/:*?\"<>|#^[]") || strings.HasPrefix(name, ".") || len(name) > 150 ||
			strings.TrimRight(strings.TrimSuffix(name, ".md"), " .") != strings.TrimSuffix(name, ".md") {
			t.Errorf("%q", name)
		}
		for _, device := range []string{"con", "aux", "nul"} {
			if base, _, _ := strings.Cut(strings.ToLower(name), "."); base == device {
				t.Errorf("%q is a device", name)
			}
		}
		low := strings.ToLower(name)
		if other, ok := seen[low]; ok {
			t.Errorf("%q and %q differ in case alone", file, other)
		}
		seen[low] = file
	}
	if r := w.read(); len(r.Changes)+len(r.Problems)+r.Edited > 0 {
		t.Errorf("%v %v", r.Changes, r.Problems)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range hostile {
		f.Add([]byte(s))
	}
	f.Add([]byte("---\nid: e1\ntitle: Ann\naliases: [a, b]\nconfidence: 0.5\nmerge: x\n---\n\n# Ann\n\nText.\n\n" +
		"## Facts\n\n- knows [[Bob]] (since 2020, until 2021) [[x#^t1|source]] ^r1\n* likes [x](a%20b.md)\n\n" +
		"## Observations\n- x\n  y\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		page, _ := vault.Parse(data)
		page.Name = page.Title
		if page.Name == "" {
			page.Name, page.Title, page.Heading = "x", "x", "x"
		}
		page.Heading = page.Title
		for i := range page.Facts {
			page.Facts[i].Target = strings.NewReplacer("[", "", "]", "", "|", "", "#", "", "^", "").Replace(page.Facts[i].Target)
		}
		again, problems := vault.Parse(vault.Render(page))
		if len(problems) > 0 {
			t.Fatalf("what was read is written so that it cannot be read: %v\n%s", problems, vault.Render(page))
		}
		if diff := cmp.Diff(page, again, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(vault.Page{}, "Name", "Lines", "Merge",
			"Unread", "Unsure", "Kind", "Facts"), cmpopts.IgnoreFields(vault.Fact{}, "Line")); diff != "" {
			t.Fatalf("%s\n%s", diff, vault.Render(page))
		}
		if len(page.Facts) != len(again.Facts) {
			t.Fatalf("%v\n%v", page.Facts, again.Facts)
		}
	})
}

// newWorldIn is newWorld for a check that makes many: it is closed by the caller.
func newWorldIn(t *testing.T) *world {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "world")
	if err != nil {
		t.Fatal(err)
	}
	return openWorld(t, dir)
}
