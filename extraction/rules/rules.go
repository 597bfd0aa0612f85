// Package rules extracts what English chat and notes state explicitly, and nothing else: who works where, what uses
// what, what has ended. It is the rung of the extraction ladder that needs no model (docs/decisions.md, "Extraction
// ladder"). It is synchronous, works in memory, and takes linear time.
//
// A text passes through these stages, one or two files each:
//
//	scrub      code, logs, quotations and what is only to be worked on are blanked; offsets stay   scrub.go material.go speakers.go
//	names      what the finder of names sees, bettered by word lists                               names.go companies.go gazetteer.go
//	tokens     words with contractions spelled out; a name is one token; sentences that are meant  tokens.go sentences.go unreal.go
//	chunks     noun phrases, verb groups, times, the words between                                 phrases.go verbgroup.go times.go chunks.go
//	clauses    each verb with its subject, also where "and" or "who" hands it on                   clauses.go discourse.go
//	idioms     ways of saying it that no verb has by itself, written as their words                 idiom.go idiomcatalogue.go idiommatch.go idioms_*.go
//	guards     questions, wishes, conditions, orders, hearsay, plans state nothing                 guards.go
//	templates  changes and ends first, then decisions, what is called what, and the table          changes.go handover.go decisions.go nominal.go relational.go labels.go templates.go
//	slots      what may stand where, and how it is called                                          slots.go checks.go
//	facts      what around them narrows or dates them, confidence, the words that say it           emit.go believable.go dates.go
package rules

import (
	"memory-graph/extraction"
	"memory-graph/extraction/dates"
	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
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

// maxRelations is how many relations one turn gives at most: a longer list is data.
const maxRelations = 64

// maxSentence is the longest sentence in tokens that is read: nobody says more in one, and the work per token stays bounded.
const maxSentence = 300

// Extract returns what the turn states. Mentions are the names in the whole text, including parts and turns without
// relations. A tool's turn is read like an assistant's; the caller decides whether to read it. A system turn returns
// nothing.
func (r *Rules) Extract(t extraction.Input) memory.Findings {
	if t.Role == memory.RoleSystem {
		return memory.Findings{}
	}
	if t.Self == "" {
		t.Self = extraction.DefaultSelf
	}
	d := &reader{rules: r, turn: t, seen: map[string]int{}, types: map[string]string{}, inner: map[string]bool{}, lastOne: placedFact{at: -1}}
	d.read()
	d.clear()
	d.mention()
	return d.found
}

// read takes the relations of the text.
func (r *reader) read() {
	r.text = scrubFor(r.turn.Text, speaker{r.turn.Self, r.rules.lists()})
	r.targets()
	r.seenNames = r.rules.finder.FindAll(r.text, r.turn.Known)
	r.names = joined(r.text, r.rules.readNames(r.text, r.seenNames))
	r.spans = dates.Resolve(r.text, r.turn.OccurredAt)
	tokens := tokenise(r.text, r.names)
	if foreign(tokens) || mocking(tokens) {
		return
	}
	all := cut(tokens)
	for _, t := range meant(all) {
		if len(r.found.Relations) >= maxRelations {
			return
		}
		if len(t) > maxSentence {
			continue
		}
		if tales(t) {
			return
		}
		m := amends(t)
		if m.retracts {
			r.talk.turn()
			r.retracted(all, t)
		}
		r.talk.turn()
		r.readSentence(reasoned(t[m.from:]), m)
	}
}

func (r *reader) readSentence(t []token, m amendment) {
	s := &sentence{t: t, amends: m, text: r.text, names: r.names, user: r.turn.Role == memory.RoleUser, self: r.turn.Self, lists: r.rules.lists()}
	for i, x := range t {
		if x.kind == nameToken {
			if n := r.names[x.name]; n.typ == "person" || n.sort&sortPerson != 0 && n.sort&sortTechnical == 0 || i > 0 && n.sort&sortTechnical == 0 && roles[t[i-1].lower] && s.mayBePerson(&n) {
				r.talk.person(n.text, i)
			} else if s.mayBePerson(&n) && !(i > 0 && oneOf(t[i-1].lower, "in at of near")) {
				r.talk.stranger(n.text, i)
			}
		} else if x.lower == "user" && (x.capital || i > 0 && t[i-1].lower == "the") {
			r.talk.person(s.self, i)
		}
	}
	if at, asked := asks(t); asked {
		if at == 0 {
			return
		}
		s.t = t[:at]
	}
	if r.setsRight(s) {
		r.sentenceBefore = t[0].start
		return
	}
	first := len(r.found.Relations)
	chunks := s.chunks()
	clauses := s.clauses(chunks)
	spoken := r.idioms(s, chunks, clauses, false)
	if !within(spoken, 0) {
		r.minuted(s, chunks)
		r.itIs(s)
		r.labelled(s, chunks)
	}
	r.wish(s)
	r.introductions(s)
	r.acquaintances(s, chunks)
	r.teams(s, chunks)
	for _, c := range clauses {
		r.steps += len(s.t)
		if within(spoken, c.c[c.verb].a) {
			continue
		}
		r.readClause(&c)
	}
	r.idioms(s, chunks, clauses, true)
	r.successions(s)
	r.instead(s, first)
	r.sentenceBefore = t[0].start
}

// within says whether token i is in one of the stretches.
func within(spoken [][2]int, i int) bool {
	for _, x := range spoken {
		if x[0] <= i && i < x[1] {
			return true
		}
	}
	return false
}

// readClause states what one verb says: what changed first, then what was decided, what is what, and the table.
func (r *reader) readClause(c *clause) {
	r.verb = c
	defer func() {
		r.verb = nil
		r.topics(c)
	}()
	switch {
	case r.handover(c), r.change(c), r.decision(c), r.is(c), r.failed(c), r.rather(c):
	default:
		r.relate(c)
	}
}

// topics notes what the clause speaks about, for an "it" that follows.
func (r *reader) topics(c *clause) {
	for _, p := range c.subjects {
		if g := c.group(); p.kind == argNoun && !g.copula && g.lemma != "call" && g.lemma != "name" && (projectNouns[p.head] && (p.det == "the" || p.det == "my") || coined(p.head) || p.det == "" && p.b-p.a == 1 && !p.plural && c.s.unheardOf(p.head)) {
			if e, ok := c.s.fit(component, p); ok && e.typ == "project" {
				r.talk.topic(e.text, e.typ, p.a)
			}
		}
		if p.kind != argName {
			continue
		}
		n := c.s.nameOf(p)
		if n.typ != "person" {
			if e, ok := c.s.fit(component, p); ok && e.typ != "person" {
				r.talk.topic(e.text, e.typ, p.a)
			}
		}
	}
	for k := c.verb + 1; k < len(c.c); k++ {
		if c.c[k].kind == phraseChunk && c.c[k].p.called {
			if e, ok := c.s.fit(project, c.c[k].p); ok {
				r.talk.topic(e.text, e.typ, c.c[k].a)
			}
		}
	}
}
