package llm

import (
	"slices"
	"strings"
	"unicode"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
	textual "memory-graph/internal/text"
)

// spelled returns a name of the turn as the graph spells it if the turn's spelling is the poorer one: in small letters,
// or shouted.
func (t *validation) spelled(name string) string {
	for _, known := range t.Names {
		if same(known.Name, name) && memory.Poorer(name, known.Name) {
			return known.Name
		}
	}
	return name
}

// elsewhere returns the entity that a turn means by other words than its name: one that is named in an earlier turn or
// line, that the graph knows, or that is named after another ("Ann's brother", in "I met Ann. her brother ..."). said
// are the words for it in the turn, "" if they are unknown.
func (t *validation) elsewhere(name string) (is, said string, ok bool) {
	if before, ok := t.justSaid(name); ok {
		return t.spelled(before), "", true
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
	if t.isDay(name) {
		return name, "", true
	}
	if said, ok := t.composed(name); ok {
		return name, said, true
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

// recall returns a name as an active fact of the graph has it: the old value that a turn replaces without naming it.
func (t *validation) recall(name string) (string, bool) {
	if t.Facts == nil {
		return "", false
	}
	for _, as := range []memory.Direction{memory.In, memory.Out} {
		for _, f := range t.Facts(name, as) {
			for _, known := range []string{f.Tail, f.Head} {
				if same(known, name) {
					return known, true
				}
			}
		}
	}
	return "", false
}

// justSaid returns a name as an earlier turn or line has it.
func (t *validation) justSaid(name string) (string, bool) {
	for _, f := range t.before {
		if start, stop, ok := f.find(name, 0); ok {
			text, _, _ := f.span(start, stop)
			return text, true
		}
	}
	return "", false
}

// composed reports whether all words of a name are in the turn in some form and order: "panels" in "60 words on a
// panel", "allotment key" in "the key for the allotment". said is the turn's form of its last word.
func (t *validation) composed(name string) (said string, ok bool) {
	forms := map[string]string{} // by stem
	for word := range strings.FieldsFuncSeq(t.folded.folded, func(r rune) bool { return !joins(r) }) {
		for _, token := range textual.Tokens(word) {
			forms[token.Stem] = word
		}
	}
	for _, token := range textual.Tokens(name) {
		if token.Stop() || token.Word == "s" {
			continue
		}
		if said, ok = forms[token.Stem]; !ok {
			return "", false
		}
	}
	return said, said != ""
}

// isDay reports whether a text consists of numbers and words for times, and the turn names a time: "24 April" for
// "friday".
func (t *validation) isDay(name string) bool {
	for word := range strings.FieldsSeq(fold(name).folded) {
		if !timed[word] && !unicode.IsDigit(rune(word[0])) {
			return false
		}
	}
	return t.dated(moment{})
}

// known reports whether the prompt listed an entity of the graph under this name.
func (t *validation) known(name string) bool {
	key := memory.Canonical(name)
	return slices.ContainsFunc(t.Names, func(n extraction.Name) bool {
		return memory.Canonical(n.Name) == key || slices.Contains(n.Aliases, key)
	})
}

// alias takes "same_as" between a person of the graph and a name that is new as another name of that person ("she's
// Ana", after "my mother"), so that both are one entity. Only the user's own statement counts.
func (t *validation) alias(verb string, r relationAnswer, head, tail end) bool {
	if verb != "same_as" || r.Ended || r.Basis != "stated" || t.Role != memory.RoleUser || head.isSelf || tail.isSelf ||
		head.typ != "person" || tail.typ != "person" || t.known(head.name) == t.known(tail.name) {
		return false
	}
	if t.known(tail.name) {
		head, tail = tail, head
	}
	t.found.Entities = append(t.found.Entities, memory.EntityDraft{
		Name: head.name, Type: head.typ, Aliases: []string{tail.name}, Method: memory.MethodModelStated,
	})
	return true
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
