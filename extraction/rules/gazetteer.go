package rules

import (
	"embed"
	"strings"
)

//go:embed data/*.txt
var lists embed.FS

// sort is a set of the kinds of thing that a name can stand for.
type sort uint8

const (
	sortTool sort = 1 << iota
	sortLanguage
	sortTechnology
	sortOrganization
	sortPlace
	sortPerson
	sortWord // also an ordinary word: a name only with its exact capitals
)

const sortTechnical = sortTool | sortLanguage | sortTechnology

// sortTypes lists the entity types of sorts, the likeliest first.
var sortTypes = []struct {
	sort
	typ string
}{{sortLanguage, "language"}, {sortTechnology, "technology"}, {sortTool, "tool"}, {sortOrganization, "organization"},
	{sortPlace, "location"}, {sortPerson, "person"}}

// typ returns the entity type of a sort, the likeliest of several; "" for none.
func (k sort) typ() string {
	if k&sortWord != 0 && k&sortPerson != 0 && k&sortTechnical != 0 && k&sortPlace == 0 {
		return "person" // Ada, Julia, Idris: the context must show that a language is meant
	}
	for _, t := range sortTypes {
		if k&t.sort != 0 {
			return t.typ
		}
	}
	return ""
}

// gazetteer holds the names of the word lists.
type gazetteer struct {
	sorts  map[string]sort  // by lower-case name
	exact  map[string]bool  // names that are also words, in their exact spelling
	starts map[string]uint8 // by first word: the length in words of the longest name with it
}

// maxGazetteerWords is the maximum length of a listed name, in words.
const maxGazetteerWords = 4

// loadGazetteer reads the embedded lists.
func loadGazetteer() *gazetteer {
	g := &gazetteer{sorts: make(map[string]sort, 16_000), exact: map[string]bool{}, starts: make(map[string]uint8, 2_000)}
	headings := map[string]sort{"[language]": sortLanguage, "[tool]": sortTool, "[technology]": sortTechnology}
	section := sort(0)
	for line := range listLines("technologies") {
		if s, ok := headings[line]; ok {
			section = s
			continue
		}
		g.addLine(line, section)
	}
	for name, k := range map[string]sort{"organizations": sortOrganization, "more_places": sortPlace, "cities": sortPlace,
		"places": sortPlace, "names": sortPerson} {
		for line := range listLines(name) {
			g.addLine(line, k)
		}
	}
	for line := range listLines("more_names") {
		for name := range strings.FieldsSeq(line) {
			g.add(name, sortPerson)
		}
	}
	return g
}

// listLines returns the lines of a list without empty lines and comments.
func listLines(name string) func(yield func(string) bool) {
	text, _ := lists.ReadFile("data/" + name + ".txt") // embedded, cannot fail
	return func(yield func(string) bool) {
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}

func (g *gazetteer) addLine(line string, k sort) {
	for name := range strings.SplitSeq(line, ",") {
		if name = strings.TrimSpace(name); name != "" {
			g.add(name, k)
		}
	}
}

func (g *gazetteer) add(name string, k sort) {
	if word, ok := strings.CutSuffix(name, "!"); ok {
		name = word
		k |= sortWord
		g.exact[name] = true
	}
	lower := strings.ToLower(name)
	g.sorts[lower] |= k
	words := strings.Fields(lower)
	if n := len(words); n > 1 && n <= maxGazetteerWords {
		g.starts[words[0]] = max(g.starts[words[0]], uint8(n))
	}
}

// of returns the sorts of a name; 0 if no list has it.
func (g *gazetteer) of(name string) sort {
	lower := name
	if hasUpper(name) {
		lower = strings.ToLower(name)
	}
	k := g.sorts[lower]
	if k&sortWord != 0 && !g.exact[name] {
		k &^= sortTechnical | sortOrganization
	}
	return k
}

func hasUpper(s string) bool {
	for i := range len(s) {
		if c := s[i]; 'A' <= c && c <= 'Z' || c >= 0x80 {
			return true
		}
	}
	return false
}
