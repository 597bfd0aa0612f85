// Package notes reads Markdown files that people or hosts keep: notes with frontmatter, headings, links and tags.
package notes

import (
	"bytes"
	"path"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"go.yaml.in/yaml/v3"

	"memory-graph/internal/memory"
	"memory-graph/internal/transfer/vault"
)

// Note is a Markdown file.
type Note struct {
	Path     string // with slashes, in its folder
	Title    string // of the frontmatter, else the first heading of the first level, else the name of the file
	At       time.Time
	Aliases  []string
	Tags     []string // each once
	Category string
	Sections []Section
}

// Section is the text under one heading, without that of the headings below it.
type Section struct {
	Line     int      // where it begins, from 1
	Front    bool     // it has the fields of the frontmatter
	Headings []string // from the outermost; without the title
	Text     string   // as it was written
	Links    []string // what it links to: names, or paths from the note's folder; each once
}

// The most levels of headings that begin a section, tags of a note, and brackets in a note. The time to read links
// grows with the square of the number of brackets.
const (
	levels       = 3
	mostTags     = 50
	mostBrackets = 50_000
)

var (
	wikilink = regexp.MustCompile(`\[\[([^\[\]|#^\n]+)(?:[#^][^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\]`)
	tag      = regexp.MustCompile(`(?:^|[\s(])#([\p{L}_][\p{L}\p{N}_/-]*)`)
)

// Parse reads a note. modified is the time of the file's last change, which is used if the frontmatter has no date.
// problems describes what cannot be read, with the line; the rest is read.
func Parse(file string, data []byte, modified time.Time) (n Note, problems []vault.Problem) {
	n = Note{Path: file, At: modified.UTC().Truncate(time.Second)}
	if !utf8.Valid(data) || strings.IndexByte(string(data), 0) >= 0 {
		return n, []vault.Problem{{File: file, Line: 1, Text: "the file is not text in UTF-8"}}
	}
	front, body, line, ok := vault.Front([]byte(strings.TrimPrefix(string(data), "\ufeff")))
	var rest []string
	rank := 0
	if ok {
		if err := vault.Fields(front, func(key string, value *yaml.Node, at int) {
			if why := n.field(key, value, &rest, &rank); why != "" {
				problems = append(problems, vault.Problem{File: file, Line: at, Text: why})
			}
		}); err != nil {
			problems = append(problems, vault.Problem{File: file, Line: 1, Text: "the frontmatter is not YAML: " + err.Error()})
			rest = append(rest, strings.TrimSpace(string(front)))
		}
	}
	p := &parsing{note: &n, src: body, first: line}
	if bytes.Count(body, []byte("["))+bytes.Count(body, []byte("`")) > mostBrackets {
		problems = append(problems, vault.Problem{File: file, Line: line,
			Text: "the note has more brackets than a text has, so its headings and links are not read"})
		p.split()
	} else {
		p.run()
	}
	if len(rest) > 0 { // fields without a place of their own are found as text
		n.Sections = append([]Section{{Line: 2, Front: true, Text: strings.Join(rest, "\n")}}, n.Sections...)
	}
	if n.Title == "" {
		n.Title = strings.TrimSuffix(path.Base(file), path.Ext(file))
	}
	return n, problems
}

// dates are the fields with a time, and their ranks. The field with the highest rank gives the time, because the words
// date from the last change. Of several with the same rank, the latest time is used.
var dates = map[string]int{"created": 1, "date": 2, "updated": 3, "modified": 3}

// field reads a field of the frontmatter. It returns why it cannot. rank is that of the field that gave the time, 0 for
// none.
func (n *Note) field(key string, value *yaml.Node, rest *[]string, rank *int) (why string) {
	list := vault.Strings(value)
	switch strings.ToLower(key) {
	case "title", "name":
		if len(list) > 0 && n.Title == "" {
			n.Title = strings.Join(strings.Fields(memory.Shown(list[0])), " ")
		}
		return ""
	case "aliases", "alias":
		n.Aliases = append(n.Aliases, list...)
	case "tags", "tag", "keywords":
		for _, s := range list {
			for t := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ',' || r == ' ' }) {
				n.tag(t)
			}
		}
		return ""
	case "category":
		if len(list) > 0 {
			n.Category = list[0]
		}
		return ""
	case "date", "updated", "modified", "created":
		if len(list) == 0 {
			return ""
		}
		t, err := memory.ParseTime(key, list[0])
		if err != nil {
			return key + ": " + clipped(list[0]) + " is not a time, so that of the file counts"
		}
		if is := dates[strings.ToLower(key)]; is > *rank || is == *rank && t.After(n.At) {
			n.At, *rank = t, is
		}
		return ""
	}
	if len(list) > 0 {
		*rest = append(*rest, key+": "+strings.Join(list, ", "))
	}
	return ""
}

func clipped(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return `"` + s + `"`
}

func (n *Note) tag(t string) {
	t = strings.TrimPrefix(strings.TrimSpace(t), "#")
	if t == "" || len(n.Tags) >= mostTags || len(t) > 100 {
		return
	}
	for _, known := range n.Tags {
		if strings.EqualFold(known, t) {
			return
		}
	}
	n.Tags = append(n.Tags, t)
}

// parsing is the state of reading the body of a note.
type parsing struct {
	note  *Note
	src   []byte
	first int // the line of the file where src begins
	marks []mark
	links []found
}

// mark is a heading that begins a section.
type mark struct {
	at, end int // of its lines in src
	level   int
	title   string
}

// found is a link and its place in src.
type found struct {
	at     int
	target string
}

var markdown = goldmark.New()

func (p *parsing) run() {
	doc := markdown.Parser().Parse(text.NewReader(p.src))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the visitor returns no error
		if entering {
			return p.visit(n), nil
		}
		return ast.WalkContinue, nil
	})
	p.split()
}

// visit records headings, links and tags. It ignores code.
func (p *parsing) visit(n ast.Node) ast.WalkStatus {
	switch n := n.(type) {
	case *ast.CodeBlock, *ast.FencedCodeBlock, *ast.HTMLBlock:
		return ast.WalkSkipChildren
	case *ast.Heading:
		if n.Level <= levels && n.Parent() != nil && n.Parent().Kind() == ast.KindDocument && n.Lines().Len() > 0 {
			p.heading(n)
		}
	case *ast.Link:
		target := string(n.Destination)
		if at, _, anchored := strings.Cut(target, "#"); anchored {
			target = at
		}
		if strings.HasSuffix(strings.ToLower(target), ".md") && !strings.Contains(target, "://") {
			p.links = append(p.links, found{p.place(n), strings.ReplaceAll(target, "%20", " ")})
		}
	}
	if n.Type() == ast.TypeBlock && n.Lines() != nil && n.Kind() != ast.KindHeading {
		p.block(n)
	} else if n.Kind() == ast.KindHeading {
		p.block(n)
	}
	return ast.WalkContinue
}

// place returns the position of an inline node: the beginning of its block's text.
func (p *parsing) place(n ast.Node) int {
	for ; n != nil; n = n.Parent() {
		if n.Type() == ast.TypeBlock && n.Lines() != nil && n.Lines().Len() > 0 {
			return n.Lines().At(0).Start
		}
	}
	return 0
}

// block finds the wikilinks and tags of a block's own lines.
func (p *parsing) block(n ast.Node) {
	lines := n.Lines()
	if lines.Len() == 0 {
		return
	}
	var code []text.Segment
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Kind() == ast.KindCodeSpan {
			for s := c.FirstChild(); s != nil; s = s.NextSibling() {
				if t, ok := s.(*ast.Text); ok {
					code = append(code, t.Segment)
				}
			}
		}
	}
	inCode := func(at int) bool {
		for _, s := range code {
			if at >= s.Start-2 && at < s.Stop {
				return true
			}
		}
		return false
	}
	for i := range lines.Len() {
		line := lines.At(i)
		value := line.Value(p.src)
		for _, m := range wikilink.FindAllSubmatchIndex(value, -1) {
			if at := line.Start + m[0]; !inCode(at) {
				p.links = append(p.links, found{at, strings.TrimSpace(string(value[m[2]:m[3]]))})
			}
		}
		for _, m := range tag.FindAllSubmatchIndex(value, -1) {
			if !inCode(line.Start + m[2]) {
				p.note.tag(string(value[m[2]:m[3]]))
			}
		}
	}
}

func (p *parsing) heading(n *ast.Heading) {
	first, last := n.Lines().At(0), n.Lines().At(n.Lines().Len()-1)
	begin := first.Start
	for begin > 0 && p.src[begin-1] != '\n' {
		begin--
	}
	end := last.Stop
	for end < len(p.src) && p.src[end] != '\n' {
		end++
	}
	next := min(end+1, len(p.src))
	if !strings.Contains(string(p.src[begin:first.Start]), "#") { // the line under it
		for next < len(p.src) && p.src[next] != '\n' {
			next++
		}
		next = min(next+1, len(p.src))
	}
	title := strings.Join(strings.Fields(memory.Shown(string(first.Value(p.src)))), " ")
	p.marks = append(p.marks, mark{begin, next, n.Level, title})
}
