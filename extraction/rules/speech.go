package rules

import (
	"cmp"
	"slices"

	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
)

// Speech is a parsed text. Callers with facts from elsewhere use it to check whether the text states them. It is
// immutable.
type Speech struct {
	scrubbed  string // what its writer does not say is blank
	names     []name
	sentences [][]token
	user      bool // its writer is the user, else somebody who speaks to the user
	foreign   bool
}

// Manner is how a text says something.
type Manner uint8

// The manners. Of what is not Stated or Unsure nothing is known to hold.
const (
	Stated   Manner = iota
	Unsure          // "I think", "probably"
	Reported        // somebody else says it
	Denied          // it is said not to hold
	Wished          // wishes, plans, possibilities
	Supposed        // conditions, guesses, what is made up
	Asked
	Ordered
)

// Clause is the clause around a name.
type Clause struct {
	// in the text: from the subject to the name; Stop is the name's own, or the end of what was asked about
	Start, Stop int
	// Sentence is where the sentence lies that the clause is of.
	Sentence [2]int
	Manner   Manner
	Self     bool // the user is who it speaks of together with the name
	Over     bool // it says "no longer"
	Side     Side // at which end of the relation the name stands, as far as the words tell
}

// Side is an end of a relation.
type Side uint8

// The sides.
const (
	AnySide  Side = iota
	HeadSide      // "Atlas" of created_by, in "Bob created Atlas"
	TailSide      // "Ben" of reports_to, in "Ann reports to Ben"
)

// Span is a part of a text, in bytes.
type Span struct{ Start, Stop int }

// Hear parses a text. names are further names in it, in any order, in addition to those that Hear finds itself. role is
// the role of the speaker: in an assistant's text, "you" is the user.
func Hear(text string, role memory.Role, names []Span) *Speech {
	s := &Speech{scrubbed: scrub(text, ""), user: role == memory.RoleUser}
	for _, m := range (mentions.Finder{}).FindAll(s.scrubbed, nil) {
		n := Span{m.Start, m.Stop}
		if (!m.Unsure || !everyday(m.Name)) && !slices.ContainsFunc(names,
			func(have Span) bool { return have.Start < n.Stop && n.Start < have.Stop }) {
			names = append(slices.Clip(names), n)
		}
	}
	names = slices.SortedFunc(slices.Values(names), func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start),
			cmp.Compare(b.Stop, a.Stop))
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

// speaksOther says whether a text is of another language than English, as far as its small words tell.
func speaksOther(t []token) bool {
	english, other, strange := 0, 0, false
	for _, x := range t {
		if x.kind != wordToken {
			continue
		}
		isEnglish, isOther := englishWords[x.lower], foreignWords[x.lower]
		switch {
		case isEnglish && !isOther:
			english++
		case isOther && !isEnglish:
			other++
		}
		for i := range len(x.lower) {
			strange = strange || x.lower[i] >= 0x80 && x.lower[i] != 0xe2 // typographic apostrophes are of every language
		}
	}
	return other > 0 && other >= english || english == 0 && strange
}

// Foreign reports whether the text is not English. The Manner of its clauses is then unknown.
func (s *Speech) Foreign() bool { return s.foreign }

// Own reports whether the writer states anything between two offsets. Quotations, code, logs and material to work on
// are not the writer's statements.
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

// Clause returns the clause of a name, read for what it says about the name by relation (snake_case); ok is false if
// the writer states nothing there, or the sentence is too long.
func (s *Speech) Clause(at Span, relation string) (c Clause, ok bool) {
	if at.Start < 0 || at.Stop <= at.Start || at.Stop > len(s.scrubbed) || !s.Own(at.Start, at.Stop) {
		return Clause{}, false
	}
	for _, t := range s.sentences {
		if at.Stop <= t[0].start || at.Start >= t[len(t)-1].stop {
			continue
		}
		if len(t) > maxSentence && !s.foreign {
			return Clause{}, false
		}
		i := 0
		for i < len(t)-1 && t[i].stop <= at.Start {
			i++
		}
		end := i
		for end+1 < len(t) && t[end+1].start < at.Stop {
			end++
		}
		u := newUtterance(s, t, i, end, relation)
		u.attach()
		return Clause{
			Start: t[u.from].start, Stop: max(t[end].stop, at.Stop), Sentence: [2]int{t[0].start, t[len(t)-1].stop},
			Manner: u.manner(), Self: u.self, Over: u.over(), Side: u.side(),
		}, true
	}
	return Clause{}, false
}
