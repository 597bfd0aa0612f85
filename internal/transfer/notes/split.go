package notes

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// split cuts the body into sections at its headings.
func (p *parsing) split() {
	slices.SortStableFunc(p.links, func(a, b found) int { return cmp.Compare(a.at, b.at) })
	var above []mark // the headings above a section
	add := func(from, to int) {
		raw := p.src[from:to]
		textOf := strings.TrimRight(strings.Trim(string(raw), "\r\n"), " \t\r\n")
		if strings.TrimSpace(textOf) == "" {
			return
		}
		s := Section{Line: p.first + bytes.Count(p.src[:from], []byte("\n")), Text: textOf}
		for _, m := range above {
			s.Headings = append(s.Headings, m.title)
		}
		for _, l := range p.links {
			if l.at >= from && l.at < to && !slices.Contains(s.Links, l.target) {
				s.Links = append(s.Links, l.target)
			}
		}
		p.note.Sections = append(p.note.Sections, s)
	}
	from := 0
	for i, m := range p.marks {
		add(min(from, m.at), m.at)
		from = m.end
		if i == 0 && m.level == 1 && (p.note.Title == "" || p.note.Title == m.title) && m.title != "" {
			p.note.Title = m.title // it is the title of the note, not one of its headings
			continue
		}
		for len(above) > 0 && above[len(above)-1].level >= m.level {
			above = above[:len(above)-1]
		}
		above = append(above, m)
	}
	add(min(from, len(p.src)), len(p.src))
}

// Content returns the text to store for a section: the title and headings above it, and its own text.
func (n Note) Content(s Section) string {
	return strings.Join(append([]string{n.Title}, s.Headings...), " › ") + "\n\n" + s.Text
}

var folding = cases.Fold()

func fold(s string) string { return norm.NFC.String(folding.String(norm.NFC.String(s))) }

// Index finds notes by what links name.
type Index struct {
	byPath map[string]string // titles by folded path without extension
	byName map[string]string // titles by folded name, title or alias; "" if several have it
}

// NewIndex returns an empty index.
func NewIndex() *Index { return &Index{map[string]string{}, map[string]string{}} }

// Add adds a note.
func (x *Index) Add(n Note) {
	file := strings.TrimSuffix(n.Path, path.Ext(n.Path))
	x.byPath[fold(file)] = n.Title
	names := map[string]bool{}
	for _, name := range append([]string{path.Base(file), n.Title}, n.Aliases...) {
		names[fold(name)] = true
	}
	for name := range names {
		if other, ok := x.byName[name]; ok && other != n.Title {
			x.byName[name] = ""
		} else {
			x.byName[name] = n.Title
		}
	}
}

// Find returns the title of the note that a link of another note names, "" if it is none.
func (x *Index) Find(from Note, target string) string {
	if strings.HasSuffix(strings.ToLower(target), ".md") {
		target = target[:len(target)-len(".md")]
	}
	for _, file := range []string{path.Join(path.Dir(from.Path), target), path.Clean(strings.TrimPrefix(target, "/"))} {
		if title, ok := x.byPath[fold(file)]; ok {
			return title
		}
	}
	return x.byName[fold(target)]
}
