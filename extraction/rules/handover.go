package rules

// handover reads what passes from one to another: "assigned OPS-12 to Nils", "took over from Webpack", "gave way to Vite". done
// says that it was understood.
func (r *reader) handover(c *clause) (done bool) {
	g := c.group()
	if g.negated || g.modal || g.passive || !(g.past || g.perfect) || g.ing {
		return r.indispensable(c)
	}
	switch g.lemma {
	case "assign", "reassign", "give", "hand", "pass", "delegate", "transfer":
		return r.handedTo(c)
	case "take":
		if list, ok := c.behind(c.verb+1, "from", false); ok && c.s.word(g.b) == "over" {
			r.pairs(c, r.fitAll(c.s, needed, list.args), r.fitAll(c.s, needed, c.subjects), c.c[list.end-1].b)
			return true
		}
	case "make":
		return r.gaveWay(c, "for")
	}
	return g.lemma == "give" && r.gaveWay(c, "to")
}

// handedTo reads "assigned OPS-12 to Nils".
func (r *reader) handedTo(c *clause) bool {
	list, ok := c.object()
	if !ok {
		return false
	}
	tasks := r.fitAll(c.s, task, list.args)
	if len(tasks) == 0 {
		return c.group().lemma == "give" && r.gaveWay(c, "to")
	}
	to, ok := c.behind(list.end, "to", false)
	if !ok {
		return true
	}
	if people := r.fitAll(c.s, anyone, to.args[:1]); len(people) == 1 {
		for _, t := range tasks {
			r.emit(c.s, fact{head: t, tail: people[0], relation: "assigned_to", hedged: c.hedged, conf: sure, a: c.from, b: c.c[to.end-1].b})
		}
	}
	return true
}

// gaveWay reads "Webpack gave way to Vite", "made way for Vite".
func (r *reader) gaveWay(c *clause, prep string) bool {
	list, ok := c.object()
	if !ok || list.args[0].head != "way" {
		return false
	}
	to, ok := c.behind(list.end, prep, false)
	if ok {
		r.pairs(c, r.fitAll(c.s, needed, c.subjects), r.fitAll(c.s, needed, to.args), c.c[to.end-1].b)
	}
	return true
}

// indispensable reads "can't run without Redis".
func (r *reader) indispensable(c *clause) bool {
	if !c.needsIt() {
		return false
	}
	list, ok := c.behind(c.verb+1, "without", false)
	if !ok {
		return true
	}
	for _, h := range r.fitAll(c.s, component, c.subjects) {
		for _, t := range r.fitAll(c.s, needed, list.args) {
			if !h.self && list.args[0].kind == argName {
				r.emit(c.s, fact{head: h, tail: t, relation: "depends_on", hedged: c.hedged, conf: fair, a: c.from, b: c.c[list.end-1].b})
			}
		}
	}
	return true
}

// needsIt says whether the verb is denied of what goes without: "can't run without", "doesn't start without".
func (c *clause) needsIt() bool {
	g := c.group()
	if !g.negated || g.past || g.lemma != "run" && g.lemma != "work" && g.lemma != "start" && g.lemma != "build" && g.lemma != "function" {
		return false
	}
	for i := g.b; i < len(c.s.t) && i < g.b+3; i++ {
		if c.s.t[i].lower == "without" {
			return true
		}
	}
	return false
}

// inTurn reads who does what somebody no longer does: "Eva no longer maintains the app, Tom does".
func (r *reader) inTurn(c *clause, t *template, done []endpoint, list objects) {
	if t.flip || t.states != "works_on" && t.states != "uses" {
		return
	}
	i := c.c[list.end-1].b
	for oneOf(c.s.word(i), "anymore any more longer now") {
		i++
	}
	if w := c.s.word(i); w != "," && w != ";" && w != "but" && w != "and" {
		return
	}
	for oneOf(c.s.word(i), ", ; but and now") {
		i++
	}
	if w := c.s.word(i); (w == "only" || w == "just") && t.states == "uses" { // "no longer use A, only B"
		k := c.chunkFrom(i + 1)
		if k >= len(c.c) || c.c[k].kind != phraseChunk || c.c[k].p.kind != argName || !c.closesAt(k+1) {
			return
		}
		for _, h := range r.fitAll(c.s, t.subject, c.subjects) {
			for _, e := range r.fitAll(c.s, t.object, []arg{c.c[k].p}) {
				r.emit(c.s, fact{head: h, tail: e, relation: t.states, hedged: c.hedged, conf: fair, a: i, b: c.c[k].b})
			}
		}
		return
	}
	k := c.chunkFrom(i)
	if t.subject != anyone || k >= len(c.c) || c.c[k].a != i || c.c[k].kind != phraseChunk || c.c[k].p.kind != argName && c.c[k].p.kind != argSelf {
		return
	}
	p := c.c[k].p
	j := p.b
	for adverbs[c.s.word(j)] {
		j++
	}
	if w := c.s.word(j); w != "does" && w != "do" || !c.s.ends(j+1) || c.s.t[len(c.s.t)-1].lower == "?" {
		return
	}
	for _, h := range r.fitAll(c.s, anyone, []arg{p}) {
		for _, e := range done {
			r.emit(c.s, fact{head: h, tail: e, relation: t.states, news: true, hedged: c.hedged, conf: fair, a: i, b: j + 1})
		}
	}
}
