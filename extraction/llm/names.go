package llm

import (
	"strings"
	"unicode"

	"memory-graph/extraction/dates"
	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
)

// spelled returns a name of the turn as the graph spells it if the turn writes it in lower case and the graph does not.
func (t *validation) spelled(name string) string {
	if !strings.ContainsFunc(name, unicode.IsUpper) {
		for _, known := range t.Names {
			if same(known.Name, name) {
				return known.Name
			}
		}
	}
	return name
}

// elsewhere returns the entity that a turn means by other words than its name: one that is named in an earlier turn or
// line, that the graph knows, or that is named after another ("Ann's brother", in "I met Ann. her brother ..."). said
// are the words for it in the turn, "" if they are unknown.
func (t *validation) elsewhere(name string) (is, said string, ok bool) {
	for _, f := range t.before {
		if start, stop, ok := f.find(name, 0); ok {
			text, _, _ := f.span(start, stop)
			return t.spelled(text), "", true
		}
	}
	for _, known := range t.Names {
		if same(known.Name, name) {
			return known.Name, "", true
		}
		for _, alias := range known.Aliases {
			if same(alias, name) {
				return known.Name, "", true
			}
		}
	}
	for _, f := range t.Held {
		for _, known := range []string{f.Head, f.Tail} {
			if same(known, name) {
				return known, "", true
			}
		}
	}
	if t.knows(name) || t.isDay(name) {
		return name, "", true
	}
	owner, thing, ok := strings.Cut(strings.NewReplacer("’", "'").Replace(name), "'s ")
	if !ok {
		return "", "", false
	}
	m, here := t.locate(thing)
	if !here {
		return "", "", false
	}
	if _, there := t.locate(owner); !there && !t.isSelf(memory.Canonical(owner)) {
		if _, _, there = t.elsewhere(owner); !there {
			return "", "", false
		}
	}
	return name, m.Name, true
}

// isDay reports whether a text is nothing but a date, and the turn names a time: "24 April" for "friday".
func (t *validation) isDay(name string) bool {
	found := dates.Resolve(name, t.OccurredAt)
	return len(found) == 1 && found[0].Start == 0 && found[0].Stop == len(name) && t.dated(moment{})
}

// knows reports whether a text is the name of an entity of the graph.
func (t *validation) knows(name string) bool {
	if t.Known.Len() == 0 {
		return false
	}
	for _, m := range (mentions.Finder{}).Find(name, t.Known) {
		if m.Known && m.Start == 0 && m.Stop == len(name) {
			return true
		}
	}
	return false
}

// maxPlaces bounds the places of a name: a text that has it more often is data.
const maxPlaces = 100

// places returns the places in the turn of the words that stand for an end.
func (t *validation) places(e end) [][2]int {
	if e.said == "" {
		return nil
	}
	have, ok := t.stands[e.said]
	if !ok {
		have = t.folded.all(e.said, maxPlaces)
		t.stands[e.said] = have
	}
	return have
}
