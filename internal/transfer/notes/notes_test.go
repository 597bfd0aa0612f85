package notes_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/transfer/notes"
	"memory-graph/internal/transfer/vault"
)

var modified = time.Date(2026, 6, 1, 12, 0, 0, 5, time.UTC)

func TestParse_ReadsWhatANoteHas(t *testing.T) {
	t.Parallel()
	n, problems := notes.Parse("sub/guide.md", []byte("\ufeff---\r\ntitle: \"Build\u200b guide\"\r\ndate: 2024-05-06\r\n"+
		"tags: [build, \"#make\"]\r\nalias: how to build\r\ncategory: docs\r\nstatus: draft\r\n---\r\n"+`
Intro with [[Harbour plan|the plan]], [rules](../CLAUDE.md#x) and [web](http://x/y.md).

## Steps

`+"```sh\n# no heading [[no link]] #notag\n```\n`[[code]]` and #quay/nine.\n\n"+`
Setext
------
* item [[guide#Steps]]

### Deep
#### Deeper
text
`), modified)
	if len(problems) > 0 {
		t.Error(problems)
	}
	want := notes.Note{Path: "sub/guide.md", Title: "Build guide", At: time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC),
		Aliases: []string{"how to build"}, Tags: []string{"build", "make", "quay/nine"}, Category: "docs",
		Sections: []notes.Section{
			{Line: 2, Front: true, Text: "alias: how to build\nstatus: draft"},
			{Line: 9, Text: "Intro with [[Harbour plan|the plan]], [rules](../CLAUDE.md#x) and [web](http://x/y.md).",
				Links: []string{"../CLAUDE.md", "Harbour plan"}},
			{Line: 13, Headings: []string{"Steps"},
				Text: "```sh\n# no heading [[no link]] #notag\n```\n`[[code]]` and #quay/nine."},
			{Line: 22, Headings: []string{"Setext"}, Text: "* item [[guide#Steps]]", Links: []string{"guide"}},
			{Line: 25, Headings: []string{"Setext", "Deep"}, Text: "#### Deeper\ntext"},
		}}
	if diff := cmp.Diff(want, n); diff != "" {
		t.Error(diff)
	}
	if got := n.Content(n.Sections[4]); got != "Build guide › Setext › Deep\n\n#### Deeper\ntext" {
		t.Errorf("%q", got)
	}
}

func TestParse_TakesTheTimeOfTheLastChange(t *testing.T) {
	t.Parallel()
	for _, front := range []string{"updated: 2025-04-01\ncreated: 2024-01-01", "created: 2024-01-01\nupdated: 2025-04-01",
		"modified: 2025-04-01\nupdated: 2025-03-01\ndate: 2025-09-01", "date: 2025-04-01\ncreated: 2025-05-01",
		"created: 2025-04-01"} {
		n, problems := notes.Parse("a.md", []byte("---\n"+front+"\n---\nx"), modified)
		if want := time.Date(2025, 4, 1, 0, 0, 0, 0, time.UTC); !n.At.Equal(want) || problems != nil {
			t.Errorf("%q: %v, %v", front, n.At, problems)
		}
	}
}

func TestParse_SaysWhatItCannotRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"\xff":                         "1 the file is not text in UTF-8",
		"a\x00b":                       "1 the file is not text in UTF-8",
		"---\na: [\n---\nx":            "1 the frontmatter is not YAML",
		"---\ndate: soon\n---\nx":      `2 date: "soon" is not a time`,
		"---\n- a\n---\nx":             "1 the frontmatter is not YAML: it has no fields",
		"---\ndate: 2024\nx: {}\n---y": "",
	} {
		_, problems := notes.Parse("a.md", []byte(text), modified)
		var got []string
		for _, p := range problems {
			got = append(got, strings.TrimSpace(string(rune('0'+p.Line))+" "+p.Text))
		}
		if all := strings.Join(got, "; "); !strings.HasPrefix(all, want) || want == "" && all != "" {
			t.Errorf("%q: %q", text, all)
		}
	}
}

func TestParse_OfManyBracketsReadsTheTextAlone(t *testing.T) {
	t.Parallel()
	n, problems := notes.Parse("a.md", []byte("# T\n"+strings.Repeat("[", 4<<20)), modified)
	if len(problems) != 1 || len(n.Sections) != 1 || len(n.Sections[0].Links) > 0 || n.Title != "a" {
		t.Errorf("%v, %d sections", problems, len(n.Sections))
	}
}

func TestIndex_FindsTheNoteThatALinkNames(t *testing.T) {
	t.Parallel()
	x := notes.NewIndex()
	for _, n := range []notes.Note{{Path: "a/Plan.md", Title: "The plan", Aliases: []string{"Scheme"}},
		{Path: "b/README.md", Title: "B"}, {Path: "c/README.md", Title: "C"}, {Path: "v1.2.md", Title: "Version"}} {
		x.Add(n)
	}
	from := notes.Note{Path: "b/x.md"}
	for link, want := range map[string]string{"plan": "The plan", "scheme": "The plan", "a/plan": "The plan",
		"../a/Plan.md": "The plan", "README": "B", "README.md": "B", "/c/README.md": "C", "../../etc/passwd": "",
		"v1.2":    "Version",
		"nothing": "", "": ""} {
		if got := x.Find(from, link); got != want {
			t.Errorf("%q: %q, want %q", link, got, want)
		}
	}
	if got := x.Find(notes.Note{Path: "x.md"}, "README"); got != "" {
		t.Errorf("a name of two notes is %q", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("---\ntitle: x\ntags: a\n---\n# T\n\n[[a]] #b `c`\n\nS\n===\n- [x](y.md)\n"))
	f.Add([]byte("# \n## \n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, _ := notes.Parse("a.md", data, modified)
		x := notes.NewIndex()
		x.Add(n)
		_, body, _, _ := vault.Front(data)
		room := len(data) + 100
		for _, s := range n.Sections {
			if !utf8.ValidString(n.Content(s)) || strings.TrimSpace(s.Text) == "" || s.Line < 1 {
				t.Errorf("%+v of %q", s, data)
			}
			if room -= len(s.Text); room < 0 {
				t.Errorf("the sections are longer than the note: %v from %q", n.Sections, body)
			}
			for _, l := range s.Links {
				_ = x.Find(n, l)
			}
		}
	})
}
