package llm

import (
	"slices"

	"memory-graph/extraction/rules"
	"memory-graph/internal/graph"
)

// third are the words with which a clause may refer to something named before.
var third = words(`he him his himself she her hers herself it its itself they them their theirs themselves this that
	these those who whom whose which
	there here same both one former latter`)

// meaning is what the words around a quote say about a fact.
type meaning struct {
	sentence [2]int
	clause   [2]int
	name     int  // offset of the later of the two names, -1 if the quote has none
	unsure   bool // reported by others or uncertain: not a statement
}

// meant reports what the words at a quote say about the relation between its two ends, which they must name or refer
// to. why is the reason for dropping the fact, or "". The quote is read with its clause, because "joined Hooli" has its
// subject in "I left Acme".
func (t *validation) meant(at rules.Span, verb string, ended bool, head, tail end) (m meaning, why string) {
	anchor, name := t.anchor(at, head, tail)
	if name == nil && (head.here || tail.here) {
		return m, DroppedOther
	}
	c, ok := t.speech.Clause(anchor, verb)
	if !ok {
		return m, DroppedQuoted
	}
	m.sentence, m.clause, m.name = c.Sentence, [2]int{c.Start, c.Stop}, -1
	if name != nil {
		m.name = anchor.Start
	}
	start, stop := c.Start, max(c.Stop, min(at.Stop, c.Sentence[1]))
	if t.speech.Foreign() {
		start, stop = min(at.Start, c.Sentence[0]), max(at.Stop, c.Sentence[1])
	}
	self := head.isSelf || tail.isSelf
	for _, e := range []*end{&head, &tail} {
		switch {
		case name != nil && same(e.name, name.name):
		case e.isSelf:
			if !c.Self && !t.namedIn(*e, start, stop) && !(t.speech.Foreign() && t.alone(start, stop)) {
				return m, DroppedWho
			}
		case !t.namedIn(*e, start, stop) && !t.referred(*e, start, stop):
			return m, DroppedOther
		}
	}
	switch {
	case c.Manner == rules.Reported && !self, c.Manner == rules.Unsure:
		m.unsure = true
	case c.Manner != rules.Stated:
		return m, DroppedManner
	}
	if c.Over && !ended {
		return m, DroppedOver
	}
	if name != nil && !graph.Lookup(verb).Symmetric {
		if c.Side == rules.HeadSide && same(name.name, tail.name) || c.Side == rules.TailSide && same(name.name, head.name) {
			return m, DroppedReversed
		}
	}
	return m, ""
}

// anchor returns the place at which a fact is read: the later of the two names in the quote. If the quote has no name,
// the result is its last word, and nil.
func (t *validation) anchor(at rules.Span, ends ...end) (rules.Span, *end) {
	var last rules.Span
	var name *end
	for i, e := range ends {
		if e.isSelf {
			continue
		}
		for _, s := range t.places(e) {
			if s[0] >= at.Start && s[1] <= at.Stop && s[0] >= last.Start && t.speech.Own(s[0], s[1]) &&
				(name == nil || s[0] > last.Start) {
				last, name = rules.Span{Start: s[0], Stop: s[1]}, &ends[i]
			}
		}
	}
	if name != nil {
		return last, name
	}
	stop := at.Stop
	for stop > at.Start+1 && !isWordByte(t.Text[stop-1]) {
		stop--
	}
	start := stop - 1
	for start > at.Start && isWordByte(t.Text[start-1]) {
		start--
	}
	return rules.Span{Start: start, Stop: stop}, nil
}

func isWordByte(c byte) bool {
	return c >= 0x80 || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// maxPlaces bounds the places of a name: a text that has it more often is data.
const maxPlaces = 100

// places returns the places of a name in the turn.
func (t *validation) places(e end) [][2]int {
	have, ok := t.stands[e.name]
	if !ok {
		have = t.folded.all(e.name, maxPlaces)
		t.stands[e.name] = have
	}
	return have
}

// namedIn reports whether a name occurs between two offsets.
func (t *validation) namedIn(e end, start, stop int) bool {
	return slices.ContainsFunc(t.places(e), func(s [2]int) bool { return s[0] >= start && s[1] <= stop })
}

// referred reports whether a word between two offsets may refer to something named before them, in this turn or an
// earlier one.
func (t *validation) referred(e end, start, stop int) bool {
	before := !e.here || slices.ContainsFunc(t.places(e), func(s [2]int) bool { return s[0] < start })
	return before && (fold(t.speech.Words(start, stop)).hasWord(third) || t.speech.Foreign())
}

// alone reports whether a part of a foreign text may be about its user: it has a first-person word, or names no other
// person.
func (t *validation) alone(start, stop int) bool {
	if fold(t.Text[start:stop]).hasWord(firstElsewhere) {
		return true
	}
	for _, e := range t.ends {
		if !e.isSelf && e.typ == "person" && t.namedIn(e, start, stop) {
			return false
		}
	}
	return true
}

// firstElsewhere are first-person words in other languages.
var firstElsewhere = words(`ich mich mir wir uns mein meine meinem meinen meiner unser unsere je j m moi me nous mon ma
	mes notre nos yo mí mi mis nosotros nuestro nuestra
	io noi mio mia nostro eu nós meu minha nosso ik mij mijn wij we ons onze jag mig min mitt vi vår jeg meg vår minä ja
	mój moja my nasz я мне мы мой моя нас наш`)
