package rules

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"memory-graph/internal/graph"
)

// template is one line of data/templates.txt: words, verbs and typed slots, and the relations that
// they state. data/README.md describes the form of a line.
type template struct {
	line     string // as in the file
	head     bool   // only at the start of a sentence
	anywhere bool   // at any token
	clause   bool   // a slot and a verb, matched against a clause
	parts    []part
	states   []stated
}

// part is one element of a template.
type part struct {
	kind     partKind
	words    map[string]bool // words, lemmas or nouns
	phrases  [][]string      // alternatives of several words
	optional bool
	special  bool // one of the words is "<number>" or the like
	skips    bool // prepositions and what they govern may stand before it
	objects  bool // and other phrases
	slot     slot
	label    byte // the name of the slot in the states
	mine     bool // of a noun: after "my"
	tense    byte // of a verb: 0, '^', '<', '*', '+', '=', '-', '!'
}

type partKind uint8

const (
	partWord partKind = iota
	partVerb
	partSlot
	partNoun
	partEnd
)

// stated is one relation of a template.
type stated struct {
	head, tail byte // labels, 0 for the user
	relation   string
	ended      bool
	changed    bool   // only if the text reports a change
	suffix     string // added to the head's name: "failure"
}

// table holds all templates in the order of the file.
type table struct {
	templates []template
	free      []*template            // templates that need no clause
	byVerb    map[string][]*template // clause templates by lemma
}

// tableRead loads the table once. A test checks that it has no error.
var tableRead = sync.OnceValues(func() (*table, error) { return readTable("templates.txt", "") })

// readTable reads the templates of a text, or of the embedded file if the text is "".
func readTable(file, text string) (*table, error) {
	t := &table{byVerb: map[string][]*template{}}
	err := eachLine(file, text, func(line string) error {
		d, err := parseTemplate(line)
		if err == nil {
			t.templates = append(t.templates, d)
		}
		return err
	})
	for i := range t.templates {
		d := &t.templates[i]
		if !d.clause {
			t.free = append(t.free, d)
			continue
		}
		for lemma := range d.parts[1].words {
			t.byVerb[lemma] = append(t.byVerb[lemma], d)
		}
	}
	return t, err
}

// parseTemplate reads one line.
func parseTemplate(line string) (template, error) {
	d := template{line: line}
	said, states, ok := strings.Cut(line, " -> ")
	if !ok {
		return d, fmt.Errorf("%q has no ' -> '", line)
	}
	labels := map[byte]bool{0: true}
	words := 0
	for w := range strings.FieldsSeq(said) {
		switch {
		case len(d.parts) == 0 && w == "^":
			d.head = true
		case len(d.parts) == 0 && w == "*":
			d.anywhere = true
		default:
			p, err := parsePart(w)
			if err != nil {
				return d, err
			}
			if p.label != 0 {
				labels[p.label] = true
			}
			if !p.optional && len(p.words)+len(p.phrases) > 0 {
				words++
			}
			d.parts = append(d.parts, p)
		}
	}
	if words == 0 {
		return d, fmt.Errorf("%q has no word or verb that must be there", line)
	}
	d.clause = len(d.parts) > 1 && d.parts[0].kind == partSlot && d.parts[1].kind == partVerb && !d.head && !d.anywhere
	for s := range strings.SplitSeq(states, ";") {
		st, err := parseStated(strings.Fields(s))
		if err != nil {
			return d, err
		}
		if !labels[st.head] || !labels[st.tail] {
			return d, fmt.Errorf("%q names a slot that the template does not have", strings.TrimSpace(s))
		}
		d.states = append(d.states, st)
	}
	return d, nil
}

// parseStated reads "[not] HEAD[+suffix] relation TAIL [if changed]".
func parseStated(f []string) (st stated, err error) {
	if len(f) > 0 && f[0] == "not" {
		st.ended, f = true, f[1:]
	}
	if len(f) == 5 && f[3] == "if" && f[4] == "changed" {
		st.changed, f = true, f[:3]
	}
	if len(f) != 3 {
		return st, fmt.Errorf("%q is not \"head relation tail\"", strings.Join(f, " "))
	}
	if !graph.IsKnown(f[1]) {
		return st, fmt.Errorf("the relation %q is not in the registry", f[1])
	}
	head, suffix, _ := strings.Cut(f[0], "+")
	st.relation, st.suffix = f[1], suffix
	if st.head, err = label(head); err != nil {
		return st, err
	}
	st.tail, err = label(f[2])
	return st, err
}

func label(s string) (byte, error) {
	if s == "self" {
		return 0, nil
	}
	if len(s) != 1 || s[0] < 'a' || s[0] > 'z' {
		return 0, fmt.Errorf("%q is neither \"self\" nor the letter of a slot", s)
	}
	return s[0], nil
}

// parseParts reads the elements of a line.
func parseParts(words string) (out []part, err error) {
	for w := range strings.FieldsSeq(words) {
		p, err := parsePart(w)
		if err != nil {
			return out, err
		}
		out = append(out, p)
	}
	return out, nil
}

// parsePart reads one element of a template.
func parsePart(w string) (p part, err error) {
	if rest, ok := strings.CutPrefix(w, ".."); ok && rest != "" {
		p.skips, p.objects, w = true, true, rest
	} else if rest, ok := strings.CutPrefix(w, ">"); ok && rest != "" {
		p.skips, w = true, rest
	}
	if rest, ok := strings.CutSuffix(w, "?"); ok && rest != "" {
		p.optional, w = true, rest
	}
	switch {
	case w == "$":
		p.kind = partEnd
		return p, nil
	case w[0] == '~':
		p.kind, w = partVerb, w[1:]
		if last := w[len(w)-1]; strings.IndexByte("^<*+=-!", last) >= 0 {
			p.tense, w = last, w[:len(w)-1]
		}
	case len(w) > 2 && w[1] == ':':
		p.kind, p.label, w = partSlot, w[0], w[2:]
		if p.slot = slotNames[w]; p.slot == 0 {
			return p, fmt.Errorf("there is no slot %q", w)
		}
		return p, nil
	case strings.HasPrefix(w, "my#"):
		p.kind, p.mine, w = partNoun, true, w[3:]
	case len(w) > 1 && w[0] == '#':
		p.kind, w = partNoun, w[1:]
	}
	p.words = map[string]bool{}
	for x := range strings.SplitSeq(w, "|") {
		switch {
		case len(x) > 1 && x[0] == '@':
			class, ok := wordClasses[x[1:]]
			if !ok {
				return p, fmt.Errorf("there is no class of words %q", x)
			}
			for member := range class {
				p.words[member] = true
			}
		case p.kind == partVerb && !oneOf(x, "be do found") && verbForms[x].lemma != x:
			return p, fmt.Errorf("%q is not in verbs.txt", x)
		case p.kind == partWord && strings.Contains(x, "_") && len(x) > 1:
			several := strings.Split(x, "_")
			p.phrases = append(p.phrases, several)
		case x == "":
			return p, fmt.Errorf("%q has an empty alternative", w)
		default:
			p.words[x] = true
			p.special = p.special || x[0] == '<'
		}
	}
	return p, nil
}

// has reports whether the sentence has a word of each mandatory part of the template.
func (s *sentence) has(d *template) bool {
	if s.words == nil {
		s.words = map[string]bool{}
		for _, x := range s.t {
			s.words[x.lower] = true
			if x.kind == wordToken && (auxiliaries[x.lower] || x.lower == "'s") {
				s.words["be"], s.words["have"], s.words["do"] = true, true, true
			}
			if v, ok := verbForms[x.lower]; ok {
				s.words[v.lemma] = true
			}
		}
	}
	for i := range d.parts {
		p := &d.parts[i]
		found := p.optional || p.words["$"] || len(p.words)+len(p.phrases) == 0 ||
			slices.ContainsFunc(p.phrases, func(several []string) bool { return s.words[several[0]] })
		for w := range p.words {
			found = found || s.words[w]
		}
		if !found {
			return false
		}
	}
	return true
}
