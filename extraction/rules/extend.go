package rules

// extend states what stands behind a template's objects: what is built with what, what else is used.
func (r *reader) extend(c *clause, t *template, subjects, tails []endpoint, list objects, gone bool) {
	k, ok := c.next(list.end)
	if !ok || gone {
		return
	}
	x := c.c[k]
	switch {
	case t.with && (x.kind == wordChunk && oneOf(x.w, "with in on using atop") || x.kind == verbChunk && x.g.lemma == "use" && x.g.form == formIng):
		r.stack(c, k, tails)
	case t.states == "uses" && t.preps == "" && x.kind == wordChunk && x.w == "with":
		r.stack(c, k, subjects)
	}
	if g := c.group(); g.passive && t.states == "uses" && x.kind == wordChunk && x.w == "by" && oneOf(g.lemma, "write build make create develop design code program") {
		r.madeBy(c, k, subjects)
	}
	if t.states == "uses" && t.preps == "" {
		r.elliptic(c, list, subjects)
		r.goal(c, list.end, subjects)
	}
}

// madeBy states who made what is written in something: "is written in OCaml by Jolanta".
func (r *reader) madeBy(c *clause, k int, subjects []endpoint) {
	if k+1 >= len(c.c) || c.c[k+1].kind != phraseChunk {
		return
	}
	list, ok := c.list(k + 1)
	if !ok {
		return
	}
	for _, p := range r.fitAll(c.s, anyone, list.args) {
		for _, head := range subjects {
			if !p.self && !head.self && head.typ != "person" {
				r.emit(c.s, fact{head: head, tail: p, relation: "created_by", hedged: c.hedged, conf: fair, a: c.from, b: c.c[list.end-1].b})
			}
		}
	}
}

// goal reads "to build Scribe" behind what the user uses.
func (r *reader) goal(c *clause, from int, subjects []endpoint) {
	if !subjects[0].self {
		return
	}
	for k := from; k+1 < len(c.c); k++ {
		x := c.c[k]
		if x.kind == breakChunk || x.kind == verbChunk && !x.g.purpose {
			return
		}
		if x.kind != verbChunk || x.g.lemma != "build" && x.g.lemma != "develop" && x.g.lemma != "write" && x.g.lemma != "create" {
			continue
		}
		if p := c.c[k+1].p; c.c[k+1].kind == phraseChunk && p.kind == argName {
			if e, ok := c.s.fit(project, p); ok && e.typ == "project" {
				r.emit(c.s, fact{head: subjects[0], tail: e, relation: "works_on", hedged: c.hedged, conf: fair, a: c.from, b: c.c[k+1].b})
			}
		}
		return
	}
}

// stack states that the heads use the named software that stands behind chunk k.
func (r *reader) stack(c *clause, k int, heads []endpoint) {
	j, ok := c.next(k + 1)
	if !ok || c.c[j].kind != phraseChunk || c.c[j].p.kind != argName {
		return
	}
	list, ok := c.list(j)
	if !ok {
		return
	}
	for _, head := range heads {
		for _, p := range list.args {
			n := c.s.nameOf(p)
			if p.kind != argName || n.typ == "person" && n.sort&sortTechnical == 0 || n.typ == "location" || n.typ == "organization" && n.sort&sortTechnical == 0 && c.c[k].w != "with" {
				continue
			}
			if e, ok := c.s.fit(software, p); ok {
				r.emit(c.s, fact{head: head, tail: e, relation: "uses", hedged: c.hedged, conf: fair, a: c.from, b: c.c[list.end-1].b})
			}
		}
	}
}

// elliptic reads ", for tasks Todoist" behind "For notes I use Logseq".
func (r *reader) elliptic(c *clause, list objects, subjects []endpoint) {
	k := list.end
	for k+3 < len(c.c) && c.c[k].kind == commaChunk && c.c[k+1].kind == wordChunk && c.c[k+1].w == "for" && c.c[k+2].kind == phraseChunk {
		p := c.c[k+2].p
		j := k + 3
		switch {
		case p.kind == argName && p.name == p.b-1 && p.b-p.first > 1: // the use and the name were read as one phrase
		case c.c[j].kind == phraseChunk && c.c[j].p.kind == argName:
			p = c.c[j].p
			j++
		default:
			return
		}
		p.first = p.name
		e, ok := c.s.fit(software, p)
		if !ok {
			return
		}
		for _, head := range subjects {
			r.emit(c.s, fact{head: head, tail: e, relation: "uses", hedged: c.hedged, conf: fair, a: c.from, b: p.b})
		}
		k = j
	}
}
