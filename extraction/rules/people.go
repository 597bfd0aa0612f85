package rules

import (
	"strings"

	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
)

// mates reads "Hanna and I are friends".
func (r *reader) mates(c *clause, p arg) bool {
	if len(c.subjects) < 2 || p.kind != argNoun || !roles[strings.TrimSuffix(p.head, "s")] {
		return false
	}
	people := r.fitAll(c.s, anyone, c.subjects)
	self := false
	for _, e := range people {
		self = self || e.self
	}
	for _, e := range people {
		if self && !e.self {
			r.emit(c.s, fact{head: r.self(), tail: e, relation: "knows", hedged: c.hedged, conf: fair, a: c.from, b: p.b})
		}
	}
	return self
}

// devotee reads "I'm a Vim user", "Ana is a Go developer", "I'm a big fan of Elixir".
func (r *reader) devotee(c *clause, subject arg, p arg, k int) bool {
	if p.det != "a" {
		return false
	}
	if p.head == "fan" && p.kind == argNoun {
		list, ok := c.behind(k+1, "of", false)
		if !ok || list.args[0].kind != argName {
			return false
		}
		for _, h := range r.fitAll(c.s, anyone, c.subjects) {
			for _, t := range r.fitAll(c.s, software, list.args) {
				if t.typ != "person" {
					r.emit(c.s, fact{head: h, tail: t, relation: "prefers", hedged: c.hedged, conf: fair, a: c.from, b: c.c[list.end-1].b})
				}
			}
		}
		return true
	}
	if p.kind != argName || p.b-p.name != 2 || p.head != "user" && p.head != "developer" && p.head != "dev" && p.head != "programmer" {
		return false
	}
	n := c.s.nameOf(p)
	for _, h := range r.fitAll(c.s, anyone, c.subjects) {
		if n.sort&sortTechnical != 0 {
			e := endpoint{text: n.text, typ: (n.sort & sortTechnical).typ(), stop: n.stop}
			r.emit(c.s, fact{head: h, tail: e, relation: "uses", hedged: c.hedged, conf: fair, a: c.from, b: p.b})
		}
	}
	r.position(c, k, false)
	return true
}

// groupTypes are nouns that name a team or a part of a system with the words before them.
var groupTypes = map[string]string{
	"team": "organization", "squad": "organization", "service": "project", "app": "project", "gateway": "project", "client": "project", "worker": "project", "pipeline": "project",
	"dashboard": "project", "portal": "project", "workflow": "project", "redesign": "project", "rewrite": "project", "migration": "project", "importer": "project", "exporter": "project",
}

// teams notes the teams and the parts of systems that a text names by what they do: "the data platform team".
func (r *reader) teams(s *sentence, chunks []chunk) {
	for _, x := range chunks {
		p := x.p
		typ := groupTypes[p.head]
		if x.kind != phraseChunk || typ == "" || p.b-p.first < 2 || p.kind == argNone || p.det == "a" || p.det == "" || p.called || commonModifiers[s.word(p.first)] || plainAdjectives[s.word(p.first)] || p.role != "" {
			continue
		}
		text := s.phraseText(p)
		if r.types[memory.Canonical(text)] != "" || text != r.turn.Text[s.t[p.first].start:s.t[p.b-1].stop] {
			continue
		}
		r.types[memory.Canonical(text)] = typ
		r.within(text)
		r.found.Mentions = append(r.found.Mentions, memory.Mention{Name: text, Type: typ, Role: mentions.RoleMention, Start: s.t[p.first].start, Stop: s.t[p.b-1].stop})
	}
}

// named states that the user is called so.
func (r *reader) named(c *clause, e endpoint, end int) {
	if demonyms[e.text] || tongue(e.text) {
		return // "I'm German."
	}
	r.emit(c.s, fact{head: r.self(), tail: e, relation: "same_as", hedged: c.hedged, conf: sure, a: c.from, b: end})
}

// demonyms are names of people that "I'm" takes for what somebody is as well.
var demonyms = set(`German Christian Roman Catholic Muslim Jewish Hindu Buddhist Sikh Frank Norman Saxon Israeli Jordanian Berliner Londoner Viennese Parisian Vegan Virgo Leo Gemini Aries Libra Taurus
Aquarius Pisces Scorpio Cancer Capricorn Sagittarius American British Batman Done Team`)

// introductions read "Call me Dee" and "Omar here", which have no subject.
func (r *reader) introductions(s *sentence) {
	if !s.user {
		return
	}
	i := 0
	for i < len(s.t) && (s.t[i].kind == signToken || openers[s.t[i].lower] || callers[s.t[i].lower]) {
		i++
	}
	at := -1
	switch {
	case (s.word(i) == "call" || s.word(i) == "calls") && s.word(i+1) == "me" && s.kind(i+2) == nameToken:
		at = i + 2
	case s.kind(i) == nameToken && s.word(i+1) == "here" && (i+2 == len(s.t) || s.t[i+2].kind == signToken || s.word(i+2) == "again"):
		at = i
	default:
		return
	}
	n := s.names[s.t[at].name]
	if s.word(at+1) == "'s" || demonyms[n.text] {
		return
	}
	if n.shape || n.sort&(sortTechnical|sortPlace|sortOrganization) != 0 && n.sort&sortPerson == 0 || n.typ != "" && n.typ != "person" {
		return
	}
	e := endpoint{text: n.text, typ: "person", stop: n.stop}
	r.emit(s, fact{head: r.self(), tail: e, relation: "same_as", conf: sure, a: i, b: max(at+1, i+2)})
}

// callers may stand before "call me".
var callers = set(`just you can everyone everybody friends people folks my most all colleagues they usually always simply colleague team i your or but`)

// acquaintances states whom the user knows: "my colleague Ines", wherever it stands in a statement.
func (r *reader) acquaintances(s *sentence, chunks []chunk) {
	for k, x := range chunks {
		if x.kind != phraseChunk {
			continue
		}
		p := x.p
		if p.kind == argName && p.det == "my" && !p.called && p.name == p.b-1 && p.name-1 > p.first && (ownProject[s.word(p.name-1)] && ownProject[s.word(p.first)]) && !doubtBefore(s, x.a) {
			if e, ok := s.fit(project, p); ok && e.typ == "project" { // "my side project Skylark"
				r.emit(s, fact{head: r.self(), tail: e, relation: "works_on", conf: fair, a: p.a, b: p.b})
			}
		}
		if p.kind != argName || p.det != "my" || p.role == "" || p.called && roles[p.head] {
			if !(p.kind == argName && p.called && p.det == "my" && roles[p.head]) {
				// "Idris, my brother, …"
				if c := (&clause{s: s, c: chunks}); p.kind == argNoun && p.det == "my" && p.role != "" && c.oneBetween(k) { // "My ex, Thanasis, moved"
					p = chunks[k+2].p
				} else if p.kind == argNoun && p.det == "my" && p.role != "" && k >= 2 && chunks[k-1].kind == commaChunk && chunks[k-2].kind == phraseChunk && chunks[k-2].p.kind == argName && chunks[k-2].p.det == "" && (k+1 == len(chunks) || chunks[k+1].kind == commaChunk) {
					p = chunks[k-2].p
				} else {
					continue
				}
			}
		}
		if doubtBefore(s, x.a) {
			return
		}
		if n := s.nameOf(p); n != nil && n.sort&sortTechnical != 0 && n.sort&sortPerson == 0 {
			continue // "I use Vim and my colleague Emacs"
		}
		people := []arg{p}
		if several[p.role] {
			people = (&clause{s: s, c: chunks}).named(k)
		}
		for _, p := range people {
			if e, ok := s.fit(anyone, p); ok && !e.self {
				r.emit(s, fact{head: r.self(), tail: e, relation: "knows", conf: fair, a: min(p.a, x.a), b: max(p.b, x.b)})
			}
		}
	}
}

// oneBetween says whether one name between commas says who is meant by the phrase at chunk k: "My ex, Thanasis, moved".
func (c *clause) oneBetween(k int) bool {
	return k+4 < len(c.c) && c.c[k+1].kind == commaChunk && c.c[k+2].kind == phraseChunk && c.c[k+2].p.kind == argName && c.c[k+2].p.det == "" && c.c[k+3].kind == commaChunk &&
		(c.c[k+4].kind == verbChunk || c.c[k+4].kind == timeChunk || c.c[k+4].kind == wordChunk && adverbs[c.c[k+4].w])
}

// named gives the names that "and" and commas join from chunk k on: "my parents Doina and Ion".
func (c *clause) named(k int) []arg {
	out := []arg{c.c[k].p}
	for j := k + 1; j+1 < len(c.c) && len(out) < maxList; j += 2 {
		if x := c.c[j]; x.kind == commaChunk && j+2 < len(c.c) && c.c[j+1].w == "and" {
			j++
		} else if x.kind != commaChunk && (x.kind != wordChunk || x.w != "and") {
			break
		}
		if p := c.c[j+1].p; c.c[j+1].kind != phraseChunk || p.kind != argName || p.b-p.a != 1 {
			break
		}
		out = append(out, c.c[j+1].p)
	}
	return out
}

// ownProject are words of what people make of their own accord.
var ownProject = set(`side hobby pet weekend thesis own little current project app game tool library bot site website startup blog plugin package`)

func doubtBefore(s *sentence, i int) bool {
	c := clause{s: s}
	for j := range i {
		if s.t[j].kind == wordToken && c.doubtful(j) || negations[s.t[j].lower] {
			return true
		}
	}
	return false
}
