package rules

// unlike reads what a negation makes a dislike: "can't stand Jira", "don't like tabs", "not a fan of Scrum".
func (r *reader) unlike(c *clause) bool {
	g := c.group()
	var list objects
	ok := false
	switch {
	case (g.lemma == "stand" || g.lemma == "bear") && g.negated && c.s.user:
		list, ok = c.object()
	case (g.lemma == "like" || g.lemma == "enjoy" || g.lemma == "love") && g.negated && !g.modal && g.present && !g.past:
		list, ok = c.object()
	case g.copula && g.negated && !g.past && !g.modal:
		if k, found := c.next(c.verb + 1); found && c.c[k].kind == phraseChunk && c.c[k].p.head == "fan" && k+2 < len(c.c) && c.c[k+1].w == "of" && c.c[k+2].kind == phraseChunk {
			list, ok = c.list(k + 2)
		}
	}
	if !ok {
		return false
	}
	for _, head := range r.fitAll(c.s, anyone, c.subjects) {
		for _, tail := range r.fitAll(c.s, thing, list.args) {
			if tail.typ != "person" {
				r.emit(c.s, fact{head: head, tail: tail, relation: "dislikes", hedged: c.hedged, conf: fair, a: c.from, b: c.c[list.end-1].b})
			}
		}
	}
	return true
}

// rather reads "I'd rather have A than B" and "likes A more than B", which prefer A.
func (r *reader) rather(c *clause) bool {
	g := c.group()
	like := g.lemma == "like" && g.present && !g.negated && !g.modal
	if !like && !(g.modal && c.saysRather()) || g.past {
		return false
	}
	list, ok := c.object()
	if !ok || g.negated {
		return false
	}
	if like {
		k, ok := c.next(list.end)
		if !ok || c.c[k].kind != wordChunk && c.c[k].kind != phraseChunk || c.s.word(c.c[k].a) != "more" && c.s.word(c.c[k].a) != "better" {
			return false
		}
	}
	args := list.args[:1]
	if args[0].kind == argPronoun && args[0].pronoun == "it" { // "is learning Zig and likes it more than Rust"
		n, ok := c.onlyName(args[0].a)
		if !ok {
			return false
		}
		args[0].resolved, args[0].resolvedAs = n.text, n.typ
		for _, head := range r.fitAll(c.s, anyone, c.subjects) {
			tail := endpoint{text: n.text, typ: n.typ, stop: n.stop}
			r.emit(c.s, fact{head: head, tail: tail, relation: "prefers", hedged: c.hedged, conf: fair, a: c.from, b: c.c[list.end-1].b})
		}
		return true
	}
	for _, head := range r.fitAll(c.s, anyone, c.subjects) {
		for _, tail := range r.fitAll(c.s, thing, args) {
			r.emit(c.s, fact{head: head, tail: tail, relation: "prefers", hedged: c.hedged, conf: fair, a: c.from, b: c.c[list.end-1].b})
		}
	}
	return true
}

func (c *clause) saysRather() bool {
	g := c.group()
	if g.lemma == "take" || g.lemma == "pick" || g.lemma == "choose" { // "I'd take Postgres over MySQL"
		list, ok := c.object()
		return ok && g.modal && !g.will && c.subjects[0].kind == argSelf && list.end < len(c.c) && c.c[list.end].w == "over"
	}
	for i := g.a; i < g.b; i++ {
		if c.s.t[i].lower == "rather" {
			return g.lemma == "have" || g.lemma == "use" || g.lemma == "get" || g.lemma == "see" || g.lemma == "read" || g.lemma == "take"
		}
	}
	return false
}

// onlyName gives the one name that is no person's before token i.
func (c *clause) onlyName(i int) (*name, bool) {
	var found *name
	for j := range i {
		if c.s.t[j].kind != nameToken {
			continue
		}
		n := &c.s.names[c.s.t[j].name]
		if n.typ == "person" {
			continue
		}
		if found != nil {
			return nil, false
		}
		found = n
	}
	return found, found != nil
}
