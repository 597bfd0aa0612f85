package rules

import (
	"memory-graph/internal/memory"
)

// replaced reads "replaced A with B in C", "A was replaced by B", "B replaced A".
func (r *reader) replaced(c *clause) bool {
	g := c.group()
	if g.passive {
		list, ok := c.behind(c.verb+1, "by with", true)
		if !ok {
			return true
		}
		if c.sameName(c.subjects, list.args) {
			return true
		}
		olds, news := r.fitAll(c.s, needed, c.subjects), r.fitAll(c.s, needed, list.args)
		r.pairs(c, olds, news, c.c[list.end-1].b)
		return true
	}
	old, ok := c.object()
	if !ok {
		return true
	}
	c.theirs(old.args)
	olds := r.fitAll(c.s, needed, old.args)
	if len(olds) == 0 {
		return true
	}
	if list, ok := c.behind(old.end, "with by", false); ok {
		if c.sameName(old.args, list.args) || c.backAgain(list.end) && c.s.word(c.c[list.end-1].b) != "in" {
			return true
		}
		news := r.fitAll(c.s, needed, list.args)
		heads := r.fitAll(c.s, user, c.subjects)
		if where, ok := c.whole(list.end); ok {
			heads = []endpoint{where}
		} else if c.someOnly(list.end) {
			return true
		}
		if len(news) == 0 || len(heads) == 0 {
			return true
		}
		end := c.c[list.end-1].b
		r.used(c, heads, news, false, end)
		r.used(c, heads, olds, true, end)
		r.pairs(c, olds, news, end)
		return true
	}
	if c.dropped || c.subjects[0].kind == argSelf {
		return true
	}
	if news := r.fitAll(c.s, needed, c.subjects); len(news) > 0 && news[0].typ != "person" {
		r.pairs(c, olds, news, c.c[old.end-1].b)
	}
	return true
}

// someOnly says whether a change was made where it changes nothing for the rest: "in the tests", "for the demo".
func (c *clause) someOnly(k int) bool {
	k, ok := c.next(k)
	return ok && k+1 < len(c.c) && c.c[k].kind == wordChunk && (c.c[k].w == "in" || c.c[k].w == "for" || c.c[k].w == "on") && c.c[k+1].kind == phraseChunk &&
		oneOf(c.c[k+1].p.head, "tests test demo demos ci staging docs slides examples example tutorial dev development laptop")
}

// pairs states that each of the old was replaced by each of the new, where one side is one.
func (r *reader) pairs(c *clause, olds, news []endpoint, end int) {
	if len(olds) != 1 && len(news) != 1 {
		return
	}
	for _, a := range olds {
		for _, b := range news {
			if a.typ != "person" && b.typ != "person" {
				a.typ, b.typ = r.successors(a, b)
				r.emit(c.s, fact{head: a, tail: b, relation: "replaced_by", hedged: c.hedged, conf: sure, a: c.from, b: end})
			}
		}
	}
}

// successors gives the types of two things of which one replaced the other: names that no list knows are rather of projects.
func (r *reader) successors(a, b endpoint) (string, string) {
	if r.rules.lists().of(a.text)|r.rules.lists().of(b.text) != 0 || r.types[memory.Canonical(a.text)] != "" || r.types[memory.Canonical(b.text)] != "" {
		return a.typ, b.typ
	}
	return "project", "project"
}

func (r *reader) used(c *clause, heads, tails []endpoint, ended bool, end int) {
	for _, h := range heads {
		for _, t := range tails {
			r.emit(c.s, fact{head: h, tail: t, relation: "uses", ended: ended, hedged: c.hedged, conf: sure, a: c.from, b: end})
		}
	}
}

// whole gives the component that a change was made in: "in the admin dashboard", "for the rate limiter".
func (c *clause) whole(k int) (endpoint, bool) {
	for n := 0; n < 6; n++ {
		var ok bool
		if k, ok = c.next(k); !ok || c.c[k].kind == verbChunk {
			return endpoint{}, false
		}
		if x := c.c[k]; x.kind == wordChunk && (x.w == "in" || x.w == "for" || x.w == "on") && k+1 < len(c.c) && c.c[k+1].kind == phraseChunk {
			p := c.c[k+1].p
			if e, ok := c.s.fit(component, p); ok && !e.self && (p.kind == argName && (e.typ == "project") || p.det != "" && projectNouns[p.head] && !p.plural) {
				return e, true
			}
		}
		if c.c[k].kind == breakChunk || c.c[k].kind == commaChunk || c.c[k].kind == wordChunk && conjunctions[c.c[k].w] {
			return endpoint{}, false
		}
		k++
	}
	return endpoint{}, false
}

// swapped reads "swapped A for B", "traded A for B".
func (r *reader) swapped(c *clause) bool {
	if c.group().passive {
		return r.favoured(c)
	}
	old, ok := c.object()
	if !ok {
		return true
	}
	list, ok := c.behind(old.end, "for with", false)
	if !ok || c.sameName(old.args, list.args) || c.backAgain(list.end) {
		return true
	}
	c.theirs(old.args)
	heads, olds, news := r.fitAll(c.s, user, c.subjects), r.fitAll(c.s, software, old.args), r.fitAll(c.s, software, list.args)
	if len(heads) == 0 || len(olds) == 0 || len(news) == 0 || list.args[0].kind != argName && old.args[0].kind != argName {
		return true
	}
	r.used(c, heads, news, false, c.c[list.end-1].b)
	r.used(c, heads, olds, true, c.c[list.end-1].b)
	return true
}

// dropped reads "dropped A", "ditched A for B", "dropped A in favour of B".
func (r *reader) dropped(c *clause) bool {
	g := c.group()
	if g.passive {
		return r.favoured(c)
	}
	old, ok := c.object()
	k, more := c.next(c.verb + 1)
	particle := more && c.c[k].kind == wordChunk && (c.c[k].w == "out" || c.c[k].w == "up" || c.c[k].w == "off")
	switch {
	case g.lemma == "get": // "got rid of"
		if !ok || old.args[0].head != "rid" {
			return false
		}
		old, ok = c.behind(old.end, "of", false)
	case g.lemma == "sell" && ok && old.args[0].det == "": // firms sell software, people what is theirs
		return false
	case g.lemma == "give" || g.lemma == "throw" || g.lemma == "kick": // "gave up on", "threw out"
		if !particle {
			return false
		}
	}
	if particle {
		if k, more = c.next(k + 1); more && c.c[k].kind == wordChunk && c.c[k].w == "on" {
			k, more = c.next(k + 1)
		}
		if ok = more && c.c[k].kind == phraseChunk; ok {
			old, ok = c.list(k)
		}
	}
	if ok {
		c.theirs(old.args)
	}
	if !ok || old.args[0].kind != argName {
		return g.lemma != "get" && g.lemma != "give" && g.lemma != "sell"
	}
	n := c.s.nameOf(old.args[0])
	heads, olds := r.fitAll(c.s, user, c.subjects), r.fitAll(c.s, software, old.args)
	if n.sort&sortTechnical == 0 && (!retiring[g.lemma] || old.args[0].det == "the") && !camelName(n.text) && !r.thingBy(c, g, old, n) {
		return true // people cancel hotels and throw out chairs
	}
	if n.sort&sortTechnical == 0 && !retiring[g.lemma] { // who throws out and sells a thing is a person
		if people := r.fitAll(c.s, anyone, c.subjects); len(people) == len(heads) {
			heads = people
		}
	}
	if len(heads) == 0 || len(olds) == 0 || n.typ == "person" && n.sort&sortTechnical == 0 || heads[0].typ == "tool" || heads[0].typ == "technology" {
		return true
	}
	end := c.c[old.end-1].b
	if list, ok := c.behind(old.end, "for of", false); ok && list.args[0].kind == argName {
		if news := r.fitAll(c.s, software, list.args); len(news) > 0 {
			r.used(c, heads, news, false, c.c[list.end-1].b)
		}
	} else if k, ok := c.next(old.end); ok && c.c[k].kind == wordChunk && (c.c[k].w == "from" || c.c[k].w == "on" || c.c[k].w == "into") {
		return true // "dropped Redis from the list"
	}
	r.used(c, heads, olds, true, end)
	return true
}

// thingBy says whether a name that no list has is of a thing that somebody had: "got rid of the Brompton", "dropped the Marzocco
// for a Faema".
func (r *reader) thingBy(c *clause, g *group, old objects, n *name) bool {
	p := old.args[0]
	if n.sort&^sortWord != 0 || n.typ != "" || n.unsure || timeOf(n.text) || p.b-1 > p.name && !c.s.made(p) || p.det != "the" && p.det != "my" || everyday(n.text) || pluralNoun(n.text) {
		return false
	}
	if g.lemma == "get" || g.lemma == "throw" && p.b-1 > p.name || g.lemma == "sell" && (old.end >= len(c.c) || c.c[old.end].kind != phraseChunk) {
		return true
	}
	list, ok := c.behind(old.end, "for", false)
	return ok && retiring[g.lemma] && list.args[0].kind == argName && list.args[0].det == "a" && list.args[0].b-1 == list.args[0].name
}

// theirs takes "her old Bernina" for what the subject has.
func (c *clause) theirs(args []arg) {
	for i := range args {
		if p := &args[i]; p.kind == argNone && p.det == "other" && p.of == nil && p.name == p.b-1 && oneOf(c.s.word(p.a), "his her their") && c.subjects[0].kind == argName && p.role == "" {
			p.kind, p.det, p.first = argName, "my", p.name
		}
	}
}

// retiring are verbs that are said of software more than of other things.
var retiring = set(`drop ditch abandon retire dump uninstall sunset decommission deprecate phase`)

// favoured reads "A was dropped in favour of B", "A was swapped out for B".
func (r *reader) favoured(c *clause) bool {
	list, ok := c.behind(c.verb+1, "for of", true)
	if !ok || list.args[0].kind != argName || c.subjects[0].kind != argName || list.prep == "of" && !c.inFavour() {
		return true
	}
	r.pairs(c, r.fitAll(c.s, needed, c.subjects), r.fitAll(c.s, needed, list.args), c.c[list.end-1].b)
	return true
}

func (c *clause) inFavour() bool {
	for _, t := range c.s.t {
		if t.lower == "favor" || t.lower == "favour" {
			return true
		}
	}
	return false
}
