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
		if same(known.Name, name) || slices.ContainsFunc(known.Aliases, func(a string) bool { return same(a, name) }) {
			return known.Name, t.short(known.Name), true
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

// short returns the turn's form of the last word of a name, or "": "ray" for "hip x ray" in "they moved my x ray".
func (t *validation) short(name string) string {
	tokens := textual.Tokens(name)
	if len(tokens) == 0 {
		return ""
	}
	return t.form(tokens[len(tokens)-1])
}

// justSaid returns a name as an earlier turn or line has it, or as the answer gave it to an entity of an earlier turn.
func (t *validation) justSaid(name string) (string, bool) {
	for _, given := range t.given {
		if same(given, name) {
			return given, true
		}
	}
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
	for _, token := range content(name) {
		if said = t.form(token); said == "" {
			return "", false
		}
	}
	return said, said != ""
}

// described returns the turn's form of the first word of a description whose last word is the model's own: "push mower"
// for "he found me a push one", "380 a month" for "it's 380 now". A kind may be added to what was said, but no quality
// and no number, and only to what is no name: a concept, a decision, an event or a tool in small letters.
func (t *validation) described(name, typ string) (said string, ok bool) {
	switch typ {
	case "concept", "decision", "event", "tool":
	default:
		return "", false
	}
	words := content(name)
	if len(words) < 2 || strings.ContainsFunc(name, unicode.IsUpper) ||
		strings.ContainsFunc(words[len(words)-1].Word, unicode.IsDigit) {
		return "", false
	}
	for _, token := range words[:len(words)-1] {
		if t.form(token) == "" {
			return "", false
		}
	}
	return t.form(words[0]), true
}

// content returns the words of a name without stop words.
func content(name string) []textual.Token {
	return slices.DeleteFunc(textual.Tokens(name), func(t textual.Token) bool { return t.Stop() || t.Word == "s" })
}

// form returns the turn's form of a word, or "". Ordinal and cardinal numbers are forms of each other.
func (t *validation) form(token textual.Token) string {
	if t.forms == nil {
		t.forms = map[string]string{}
		for word := range strings.FieldsFuncSeq(t.folded.folded, func(r rune) bool { return !joins(r) }) {
			for _, token := range textual.Tokens(word) {
				t.forms[cardinal(token.Stem)] = word
			}
		}
	}
	return t.forms[cardinal(token.Stem)]
}

// cardinal returns an ordinal number in digits without its ending, and other words unchanged.
func cardinal(word string) string {
	digits := strings.TrimRightFunc(word, unicode.IsLetter)
	switch word[len(digits):] {
	case "st", "nd", "rd", "th":
		if digits != "" && strings.Trim(digits, "0123456789") == "" {
			return digits
		}
	}
	return word
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
