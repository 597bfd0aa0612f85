// Package rules extracts what English chat and notes state explicitly, and nothing else: who works where, what uses
// what, what has ended. It is the rung of the extraction ladder that needs no model (docs/decisions.md, "Extraction
// ladder"). It is synchronous, works in memory, and takes linear time.
//
// A text passes through these stages:
//
//	scrub      what nobody says here and now is blanked; offsets stay    scrub.go
//	names      what the finder of names sees, and the word lists         names.go gazetteer.go
//	tokens     words; a name is one token; sentences that are meant      tokens.go sentences.go unreal.go
//	chunks     noun phrases, verb groups, times                          phrases.go verbgroup.go times.go chunks.go
//	clauses    each verb with its subject                                clauses.go guards.go
//	templates  one table: words, verbs, typed slots                      data/*.txt table.go match.go slots.go apply.go
//	facts      guards by the words around a fact; its time               factguards.go dates.go emit.go
package rules

import (
	"memory-graph/extraction"
	"memory-graph/extraction/dates"
	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
	"slices"
	"sync"
)

// Rules is the extractor. It is immutable and safe for concurrent use.
type Rules struct {
	finder mentions.Finder
	lists  func() *gazetteer
}

// New returns an extractor. The first turn loads the built-in word lists, which takes some milliseconds, so a process
// that extracts nothing does not wait for them.
func New() *Rules { return &Rules{lists: sync.OnceValue(loadGazetteer)} }

// maxRelations is the maximum number of relations of one turn: a longer list is data.
const maxRelations = 64

// maxSentence is the maximum length of a sentence, in tokens. It bounds the work per token.
const maxSentence = 300

// Extract returns what the turn states. Mentions are the names in the whole text, including text without relations. A
// tool turn is read like an assistant turn; the caller decides whether to read it. A system turn returns nothing.
func (r *Rules) Extract(t extraction.Input) memory.Findings { return r.extract(t, nil) }

func (r *Rules) extract(t extraction.Input, trace *[]Explained) memory.Findings {
	if t.Role == memory.RoleSystem {
		return memory.Findings{}
	}
	if t.Self == "" {
		t.Self = extraction.DefaultSelf
	}
	d := newReader(r, t)
	d.trace = trace
	d.read()
	d.mention()
	return d.found
}

func newReader(r *Rules, t extraction.Input) *reader {
	return &reader{rules: r, turn: t, seen: map[string]int{}, types: map[string]string{}, inner: map[string]bool{}}
}

// read extracts the relations of the text.
func (r *reader) read() {
	r.text = scrub(r.turn.Text, r.turn.Self)
	r.targets()
	r.seenNames = r.rules.finder.FindAll(r.text, r.turn.Known)
	r.names = joined(r.text, r.rules.readNames(r.text, r.seenNames))
	r.epithets()
	r.spans = dates.Resolve(r.text, r.turn.OccurredAt)
	tokens := tokenise(r.text, r.names)
	all := cut(tokens)
	if foreign(tokens) {
		r.begin(tokens)
		r.note(Step{Rejected: "the whole text", Guard: "it is in another language"})
		return
	}
	_, unmeant := meant(all)
	for _, t := range all {
		r.begin(t)
		why := unmeant[t[0].start]
		switch {
		case len(r.found.Relations) >= maxRelations:
			return
		case why != "":
			r.note(Step{Rejected: "the sentence", Guard: "it is not meant: " + why})
		case len(t) > maxSentence:
			r.note(Step{Rejected: "the sentence", Guard: "it is too long"})
		default:
			m := amends(t)
			if m.retracts {
				r.talk.turn()
			}
			r.talk.turn()
			r.readSentence(t[m.from:], m)
		}
	}
}

func (r *reader) readSentence(t []token, m amendment) {
	s := &sentence{t: t, amends: m, text: r.text, names: r.names, user: r.turn.Role == memory.RoleUser, self: r.turn.Self,
		lists: r.rules.lists()}
	r.speaksOf(s)
	if at, asked := asks(t); asked {
		r.note(Step{Rejected: r.text[t[at].start:t[len(t)-1].stop], Guard: "it is a question"})
		if at == 0 {
			return
		}
		s.t = t[:at]
	}
	if r.contrastive(s) {
		return
	}
	first := len(r.found.Relations)
	chunks := s.chunks()
	clauses := r.clauses(s, chunks)
	for _, x := range chunks {
		if x.kind == phraseChunk {
			r.called(s, x.p)
		}
	}
	spoken := r.freeTemplates(s, chunks)
	for i := range clauses {
		c := &clauses[i]
		r.steps += len(s.t)
		if !within(spoken, c.c[c.verb].a) {
			r.clauseTemplates(c)
		}
		r.topics(c)
	}
	r.replacePrevious(s, first)
}

// speaksOf records the people in a sentence, for the pronouns that follow.
func (r *reader) speaksOf(s *sentence) {
	for i, x := range s.t {
		if x.kind != nameToken {
			if x.lower == "user" && (x.capital || s.word(i-1) == "the") {
				r.talk.person(s.self, i)
			}
			continue
		}
		n := &r.names[x.name]
		software := n.sort&sortTechnical != 0
		switch {
		case n.typ == "person" || n.sort&sortPerson != 0 && !software || !software && roles[s.word(i-1)] && s.mayBePerson(n):
			r.talk.person(n.text, i)
		case s.mayBePerson(n) && !oneOf(s.word(i-1), "in at of near"):
			r.talk.stranger(n.text, i)
		}
	}
}

// within reports whether token i is in one of the ranges.
func within(spoken [][2]int, i int) bool {
	return slices.ContainsFunc(spoken, func(x [2]int) bool { return x[0] <= i && i < x[1] })
}

// topics records what the clause is about, for an "it" that follows.
func (r *reader) topics(c *clause) {
	for _, p := range c.subjects {
		if p.kind != argNoun && p.kind != argName || c.group().lemma == "call" {
			continue
		}
		if n := c.s.nameOf(p); n != nil && n.typ == "person" || n == nil && !projectNouns[p.head] {
			continue
		}
		if e, ok := c.s.fit(componentSlot, p); ok && e.typ != "person" {
			r.talk.topic(e.text, e.typ, p.a)
		}
	}
}
