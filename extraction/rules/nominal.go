package rules

import (
	"strings"

	"memory-graph/internal/memory"
)

// is states what the copula says: who somebody is, what something is part of, made with, due to. It also takes "is
// called". done says that it was understood.
func (r *reader) is(c *clause) (done bool) {
	g := c.group()
	if !g.copula && !((g.lemma == "call" || g.lemma == "name") && g.passive) {
		return false
	}
	gone := c.anymore()
	if g.negated && !gone {
		r.unlike(c)
		return true
	}
	k, ok := c.next(c.verb + 1)
	if !ok {
		return true
	}
	subject := c.subjects[0]
	x := c.c[k]
	switch {
	case r.relational(c, k, gone):
	case x.kind == phraseChunk:
		if g.past && !g.perfect && !gone {
			r.cause(c, k)
			return true
		}
		if gone {
			r.position(c, k, true)
		} else {
			r.isPhrase(c, subject, k)
		}
	case x.kind == wordChunk && (x.w == "due" || x.w == "because"):
		r.cause(c, k)
	case x.kind == wordChunk && x.w == "on" && (g.present || g.perfect) && !g.past:
		r.isOn(c, k, gone)
	case x.kind == wordChunk && (x.w == "in" || x.w == "responsible"), x.kind == wordChunk && x.w == "behind":
		r.inCharge(c, k, gone)
	}
	return true
}

// isPhrase reads "X is a phrase".
func (r *reader) isPhrase(c *clause, subject arg, k int) {
	p := c.c[k].p
	s := c.s
	switch {
	case subject.owner != "" && subject.head == "name", subject.det == "my" && subject.head == "name" && subject.kind == argNoun:
		if e, ok := s.fit(anyone, p); ok && !e.self {
			if subject.owner != "" {
				r.emit(s, fact{head: r.self(), tail: e, relation: "knows", hedged: c.hedged, conf: sure, a: c.from, b: p.b})
			} else {
				r.named(c, e, p.b)
			}
		}
	case subject.kind == argSelf && p.kind == argName && p.det == "":
		if n := s.nameOf(p); p.name == p.first && (n.sort&sortPerson != 0 || n.typ == "person" || c.group().passive && n.sort == 0) && n.sort&(sortTechnical|sortPlace) == 0 && subject.pronoun != "we" {
			if e, ok := s.fit(anyone, p); ok && !c.jobBehind(k) {
				r.named(c, e, p.b)
			}
		}
	case subject.kind == argNoun && (subject.role != "" || roles[strings.TrimSuffix(subject.head, "s")]) && subject.det == "my" && p.kind == argName && p.det == "":
		people := r.fitAll(s, anyone, c.values(k))
		for _, e := range people {
			r.emit(s, fact{head: r.self(), tail: e, relation: "knows", hedged: c.hedged, conf: sure, a: c.from, b: p.b})
		}
		if len(people) == 1 {
			r.ousted(c, "knows", []endpoint{r.self()}, people, k+1)
		}
	case subject.kind == argNoun && subject.det != "vague" && projectNouns[subject.head] && c.group().passive && p.kind != argNone:
		r.calledProject(c, subject, p)
	case p.det == "my" && p.role != "" && p.kind == argNoun:
		people := r.fitAll(s, anyone, c.subjects)
		for _, e := range people {
			if !e.self {
				r.emit(s, fact{head: r.self(), tail: e, relation: "knows", hedged: c.hedged, conf: sure, a: c.from, b: p.b})
			}
		}
		if len(people) == 1 {
			r.ousted(c, "knows", []endpoint{r.self()}, people, k+1)
		}
		r.position(c, k, false)
	case p.head == "part" && (p.det == "" || p.det == "a" || p.det == "my"):
		r.partOf(c, k)
	case roles[p.head] && c.c[min(k+1, len(c.c)-1)].w == "of" && s.word(c.c[min(k+1, len(c.c)-1)].b) == "mine":
		for _, e := range r.fitAll(s, anyone, c.subjects) {
			r.emit(s, fact{head: r.self(), tail: e, relation: "knows", hedged: c.hedged, conf: sure, a: c.from, b: p.b})
		}
	case r.mates(c, p), r.devotee(c, subject, p, k):
	default:
		r.position(c, k, false)
		r.describe(c, subject, p, k)
	}
}

// calledProject reads "My side project is called tidepool".
func (r *reader) calledProject(c *clause, subject, p arg) {
	p.kind, p.called, p.head = argName, true, subject.head
	if p.name < 0 {
		if p.b-p.first != 1 || p.det != "" {
			return
		}
		p.name = p.first
	}
	e, ok := c.s.fit(project, p)
	if !ok {
		return
	}
	r.retype(e.text, "project")
	r.found.Mentions = append(r.found.Mentions, r.mentionOf(c.s, p.name, "project"))
	r.talk.topic(e.text, "project", p.name)
	if subject.det == "my" && (subject.head == "project" || subject.head == "app" || subject.head == "game" || subject.head == "startup" || subject.head == "prototype" || subject.head == "library") {
		r.emit(c.s, fact{head: r.self(), tail: e, relation: "works_on", hedged: c.hedged, conf: sure, a: c.from, b: p.b})
	}
}

// jobBehind says whether "from", "at" or the like stands behind chunk k: "I'm Bob's" and "I'm Python at heart" give no
// name.
func (c *clause) jobBehind(k int) bool {
	return k+1 < len(c.c) && c.c[k+1].kind == wordChunk && c.c[k+1].w == "at"
}

// position reads "a nurse at Karolinska", "the tech lead of Meridian".
func (r *reader) position(c *clause, k int, gone bool) {
	p := c.c[k].p
	if k+2 >= len(c.c) || c.c[k+1].kind != wordChunk || c.c[k+2].kind != phraseChunk || c.group().past && !gone {
		return
	}
	prep, target := c.c[k+1].w, c.c[k+2].p
	heads := r.fitAll(c.s, anyone, c.subjects)
	if len(heads) == 0 || p.kind == argNone || p.det == "" && strings.HasSuffix(p.head, "ing") || p.kind == argName && p.name == p.b-1 {
		return
	}
	lead := leadRoles[p.head] || p.head == "reviewer"
	var want slot
	relation := ""
	switch {
	case prep == "of" && chiefs[p.head] && target.kind == argName:
		want, relation = employer, "works_at"
	case (prep == "at" || prep == "with" && jobTitle(p.head) || prep == "for" && jobTitle(p.head) && p.det == "a") && target.kind == argName:
		want, relation = employer, "works_at"
	case (prep == "of" || prep == "on" || prep == "for" || prep == "behind") && (p.head == "author" || p.head == "creator" || p.head == "inventor" || p.head == "founder" || p.head == "co-founder" || p.head == "cofounder") && target.kind != argNone:
		want, relation = artefact, "created_by"
	case (prep == "of" || prep == "on" || prep == "for") && lead:
		want, relation = project, "works_on"
	default:
		return
	}
	for _, head := range heads {
		for _, tail := range r.fitAll(c.s, want, []arg{target}) {
			f := fact{head: head, tail: tail, relation: relation, ended: gone, hedged: c.hedged, conf: sure, a: c.from, b: target.b}
			if relation == "created_by" {
				f.head, f.tail = tail, head
			}
			r.emit(c.s, f)
		}
	}
}

// chiefs are of a company as a whole.
var chiefs = set(`ceo cto cfo coo cio ciso vp chief chairman chairwoman chair president director principal dean`)

// jobTitle says whether a noun names what people work as.
func jobTitle(w string) bool {
	if roles[w] || leadRoles[w] || w == "dev" || w == "sre" || w == "chef" || w == "scientist" || w == "writer" || w == "driver" || w == "clerk" || w == "guard" || w == "pilot" || w == "postdoc" || w == "freelancer" || w == "consultant" || w == "researcher" || w == "lecturer" || w == "librarian" || w == "cook" || w == "barista" || w == "waiter" || w == "journalist" || w == "editor" || w == "photographer" || w == "musician" || w == "actor" || w == "physicist" || w == "chemist" || w == "biologist" {
		return true
	}
	return len(w) > 4 && (strings.HasSuffix(w, "ist") || strings.HasSuffix(w, "eer") || strings.HasSuffix(w, "yst"))
}

// partOf reads "is part of the storage layer".
func (r *reader) partOf(c *clause, k int) {
	if k+2 >= len(c.c) || c.c[k+1].w != "of" || c.c[k+2].kind != phraseChunk {
		return
	}
	p := c.c[k+2].p
	for _, head := range r.fitAll(c.s, artefact, c.subjects) {
		if e, ok := c.s.fit(artefact, p); ok && !head.self && head.typ != "person" {
			r.emit(c.s, fact{head: head, tail: e, relation: "part_of", hedged: c.hedged, conf: sure, a: c.from, b: p.b})
		}
	}
}

// cause reads "was due to", "was because of", and "was the result of".
func (r *reader) cause(c *clause, k int) {
	x := c.c[k]
	j := k + 1
	switch {
	case x.kind == wordChunk && j < len(c.c) && c.c[j].kind == wordChunk && (x.w == "due" && c.c[j].w == "to" || x.w == "because" && c.c[j].w == "of"):
	case x.kind == phraseChunk && (x.p.head == "result" || x.p.head == "consequence") && j < len(c.c) && c.c[j].w == "of":
	default:
		return
	}
	if j+1 >= len(c.c) || c.c[j+1].kind != phraseChunk {
		return
	}
	p := c.c[j+1].p
	head, ok := c.s.fit(thing, c.subjects[0])
	tail, ok2 := c.s.fit(thing, p)
	if ok && ok2 && !head.self && head.typ != "person" {
		r.emit(c.s, fact{head: head, tail: tail, relation: "caused_by", hedged: c.hedged, conf: sure, a: c.from, b: p.b})
	}
}

// failed reads "The deploy failed because of a missing permission": what came of it is the failure of the deploy.
func (r *reader) failed(c *clause) bool {
	g := c.group()
	outcome, ok := map[string]string{"fail": " failure", "crash": " crash", "happen": "", "occur": ""}[g.lemma]
	if !ok || g.negated || g.modal || !(g.past || g.present || g.perfect) {
		return false
	}
	for k := c.verb + 1; k+2 < len(c.c) && c.c[k].kind != verbChunk && c.c[k].kind != breakChunk; k++ {
		if !(c.c[k].w == "because" && c.c[k+1].w == "of" || c.c[k].w == "due" && c.c[k+1].w == "to") || c.c[k+2].kind != phraseChunk {
			continue
		}
		head, ok := c.s.fit(thing, c.subjects[0])
		tail, ok2 := c.s.fit(thing, c.c[k+2].p)
		if ok && ok2 && !head.self && head.typ != "person" {
			head.text += outcome
			head.typ = ""
			r.emit(c.s, fact{head: head, tail: tail, relation: "caused_by", hedged: c.hedged, conf: sure, a: c.from, b: c.c[k+2].b})
		}
		return true
	}
	return false
}

// isOn reads "I've been on Arch Linux": of systems and tools by their known names.
func (r *reader) isOn(c *clause, k int, gone bool) {
	if k+1 >= len(c.c) || c.c[k+1].kind != phraseChunk {
		return
	}
	p := c.c[k+1].p
	n := c.s.nameOf(p)
	if n == nil || n.sort&sortTechnical == 0 || meetingPlaces[strings.ToLower(n.text)] {
		return
	}
	for _, head := range r.fitAll(c.s, user, c.subjects) {
		if e, ok := c.s.fit(software, p); ok {
			r.emit(c.s, fact{head: head, tail: e, relation: "uses", ended: gone, hedged: c.hedged, conf: fair, a: c.from, b: p.b})
		}
	}
}

// inCharge reads "is in charge of" and "is responsible for".
func (r *reader) inCharge(c *clause, k int, gone bool) {
	j := k
	switch {
	case c.c[k].w == "in" && k+2 < len(c.c) && c.c[k+1].kind == phraseChunk && c.c[k+1].p.head == "charge" && c.c[k+2].w == "of":
		j = k + 3
	case c.c[k].w == "responsible" && k+1 < len(c.c) && c.c[k+1].w == "for":
		j = k + 2
	default:
		return
	}
	if j >= len(c.c) || c.c[j].kind != phraseChunk {
		return
	}
	list, ok := c.list(j)
	if !ok {
		return
	}
	for _, head := range r.fitAll(c.s, anyone, c.subjects) {
		for _, tail := range r.fitAll(c.s, project, list.args) {
			r.emit(c.s, fact{head: head, tail: tail, relation: "works_on", ended: gone, hedged: c.hedged, conf: sure, a: c.from, b: c.c[list.end-1].b})
		}
	}
}

// maxDescribed is how many descriptions one turn gives at most.
const maxDescribed = 16

// describe keeps what something is said to be: "Meridian is a billing platform".
func (r *reader) describe(c *clause, subject arg, p arg, k int) {
	if len(r.found.Entities) >= maxDescribed || subject.kind != argName || p.kind != argNoun || p.det != "a" || !productNouns[p.head] || len(c.subjects) != 1 {
		return
	}
	n := c.s.nameOf(subject)
	if n.sort&(sortTechnical|sortPerson) != 0 || n.typ == "person" || subject.b-subject.first != 1 {
		return
	}
	e := endpoint{text: n.text, typ: "project"}
	r.retype(n.text, "project")
	r.talk.topic(e.text, e.typ, subject.a)
	conf := sure
	r.found.Entities = append(r.found.Entities, memory.EntityDraft{Name: n.text, Type: "project", Description: c.s.phraseText(p), Confidence: &conf, Method: memory.MethodRule})
}

// retype keeps what the text says that a name is of: it counts more than the lists.
func (r *reader) retype(name, typ string) {
	k := memory.Canonical(name)
	r.types[k] = typ
	for i := range r.names {
		if memory.Canonical(r.names[i].text) == k {
			r.names[i].typ, r.names[i].sort = typ, 0
		}
	}
}

func (r *reader) self() endpoint { return endpoint{text: r.turn.Self, typ: "person", self: true} }
