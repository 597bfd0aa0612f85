package rules

import (
	"cmp"
	"slices"
	"strings"

	"memory-graph/extraction/mentions"
)

// Speech is a parsed text. Callers with facts from elsewhere use it to check whether the text states them. It is
// immutable.
type Speech struct {
	scrubbed  string // with blanks for what the writer does not state
	names     []name
	sentences [][]token
	foreign   bool
}

// Clause is what a text states around a name.
type Clause struct {
	// offsets in the text, from the subject to the name
	Start, Stop int
	// Sentence is the range of the clause's sentence.
	Sentence [2]int
	Denied   bool // the clause is denied
	Self     bool // the clause relates the user to the name
	Over     bool // the clause says "no longer"
}

// Span is a part of a text, in bytes.
type Span struct{ Start, Stop int }

// Hear parses a text. names are names in it, in any order, in addition to those that Hear finds.
func Hear(text string, names []Span) *Speech { return hear(text, scrub(text, ""), names) }

// HearMaterial parses a text like Hear, but blanks only code, data and quotations. The caller judges the rest.
func HearMaterial(text string) *Speech {
	s := scrubber{in: text, out: []byte(text), res: scrubbing()}
	s.lines()
	s.spans()
	return hear(text, string(s.out), nil)
}

func hear(text, scrubbed string, names []Span) *Speech {
	s := &Speech{scrubbed: scrubbed}
	for _, m := range (mentions.Finder{}).FindAll(s.scrubbed, nil) {
		n := Span{m.Start, m.Stop}
		if (!m.Unsure || !everyday(m.Name)) && !slices.ContainsFunc(names,
			func(have Span) bool { return have.Start < n.Stop && n.Start < have.Stop }) {
			names = append(slices.Clip(names), n)
		}
	}
	names = slices.SortedFunc(slices.Values(names), func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.Stop, a.Stop))
	})
	last := 0
	for _, n := range names {
		if n.Start < last || n.Stop <= n.Start || n.Stop > len(text) || !s.Own(n.Start, n.Stop) {
			continue
		}
		s.names = append(s.names, name{start: n.Start, stop: n.Stop, text: text[n.Start:n.Stop]})
		last = n.Stop
	}
	tokens := tokenise(s.scrubbed, s.names)
	s.foreign = speaksOther(tokens)
	s.sentences = sentences(tokens)
	return s
}

// speaksOther reports whether a text is not English, judging by function words and letters.
func speaksOther(t []token) bool {
	strange := func(r rune) bool { return r >= 0x80 && r != '’' && r != '‘' }
	return foreign(t) || slices.ContainsFunc(t, func(x token) bool {
		return x.kind == wordToken && strings.ContainsFunc(x.lower, strange)
	}) && !slices.ContainsFunc(t, func(x token) bool { return englishWords[x.lower] })
}

// Foreign reports whether the text is not English. What its clauses state is then unknown.
func (s *Speech) Foreign() bool { return s.foreign }

// Own reports whether the writer states anything between two offsets. Quotations, code, logs and text to work on are
// not statements of the writer.
func (s *Speech) Own(start, stop int) bool {
	for i := start; i < stop; i++ {
		if c := s.scrubbed[i]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return true
		}
	}
	return false
}

// Words returns the writer's own words between two offsets; the rest is blank.
func (s *Speech) Words(start, stop int) string { return s.scrubbed[start:stop] }

// Clause returns the clause of a name. ok is false if the writer states nothing there: questions, conditions, wishes,
// orders, guesses and reports. relation (snake_case) is the relation in question: "I don't like Java" states
// "dislikes". For text that is not English only the sentence is known.
func (s *Speech) Clause(at Span, relation string) (c Clause, ok bool) {
	if at.Start < 0 || at.Stop <= at.Start || at.Stop > len(s.scrubbed) || !s.Own(at.Start, at.Stop) {
		return Clause{}, false
	}
	n := slices.IndexFunc(s.sentences, func(t []token) bool {
		return at.Stop > t[0].start && at.Start < t[len(t)-1].stop
	})
	if n < 0 {
		return Clause{}, false
	}
	t := s.sentences[n]
	i := slices.IndexFunc(t, func(x token) bool { return x.stop > at.Start })
	c = Clause{Start: t[0].start, Stop: at.Stop, Sentence: [2]int{t[0].start, t[len(t)-1].stop}}
	if s.foreign {
		return c, true
	}
	if from, asked := asks(t); len(t) > maxSentence || asked && i >= from {
		return Clause{}, false
	}
	x := &sentence{t: t, text: s.scrubbed, names: s.names, user: true, lists: &gazetteer{}}
	said, left := x.clauseOf(i)
	if said == nil || said.allowed(left) != "" || said.hedged {
		return Clause{}, false
	}
	g := said.group()
	if g.decided && !strings.HasPrefix(relation, "decided") { // "I'm going to join Hooli"
		return Clause{}, false
	}
	c.Start = min(t[said.from].start, at.Start)
	c.Over = g.ended || g.negated && (hasWord(t, "more") || hasWord(t, "anymore"))
	c.Denied = !c.Over && !oneOf(relation, "dislikes decided_against") && (g.negated || x.excludes(said, i))
	c.Self = x.ofSelf(said, i)
	return c, true
}

// clauseOf returns the clause of token i: the last one whose verb precedes it, or the one whose subject it is; nil if
// there is none. left is the chunk before its subject.
func (s *sentence) clauseOf(i int) (found *clause, left int) {
	chunks := s.chunks()
	var last *clause
	for k := range chunks {
		if chunks[k].kind != verbChunk || chunks[k].g.purpose {
			continue
		}
		c := &clause{s: s, c: chunks, verb: k}
		before, ok := c.findSubject(last)
		if !ok {
			last = nil
		} else {
			last = c
		}
		if chunks[k].a > i && (found != nil || !ok || c.from > i) {
			break
		}
		found, left = c, before
	}
	return found, left
}

// excludes reports whether a word between the verb and token i excludes it: "I use Vim, not Emacs".
func (s *sentence) excludes(c *clause, i int) bool {
	for k := c.group().b; k < i; k++ {
		if oneOf(s.word(k), "not no without except") {
			return true
		}
	}
	return false
}

// ofSelf reports whether the clause is about the user, or about something of the user's, in addition to token i.
func (s *sentence) ofSelf(c *clause, i int) bool {
	behind := func(from int) bool {
		for k := from; k < len(s.t) && s.word(k) != ";"; k++ {
			if oneOf(s.word(k), "i me we us") {
				return true
			}
		}
		return false
	}
	for _, x := range c.c {
		if x.kind == phraseChunk && x.a <= i && i < x.b && x.p.det == "my" && x.p.of == nil && x.p.name == i {
			return true // "my sister Ines"
		}
	}
	if c.c[c.verb].a > i {
		g := c.group() // "Acme hired me", "Ann is my manager"
		return behind(i+1) || g.copula && oneOf(s.word(g.b), "my our")
	}
	return slices.ContainsFunc(c.subjects, func(p arg) bool {
		return p.kind == argSelf || p.det == "my" && p.of == nil && p.kind != argName && (!roles[p.head] ||
			c.group().copula && c.group().b == i) // "my manager is Ann", but not "my brother is at Hooli"
	})
}
