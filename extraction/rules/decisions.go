package rules

// decision states what was decided to be used: "decided to use A", "chose A over B", "let's go with A". done says that the
// verb has been understood.
func (r *reader) decision(c *clause) (done bool) {
	g := c.group()
	if g.negated || c.anymore() {
		return false
	}
	happened := (g.past || g.perfect) && !g.ing && !g.passive
	if happened && (g.lemma == "make" || g.lemma == "take" || g.lemma == "reach") {
		return r.madeDecision(c)
	}
	if g.passive && (g.lemma == "choose" || g.lemma == "pick" || g.lemma == "select" || g.lemma == "adopt") && !g.modal {
		return r.chosen(c)
	}
	var list objects
	ok := false
	switch g.lemma {
	case "use", "adopt", "pick", "choose", "select", "take", "embrace":
		if g.lets && g.lemma != "take" || g.decided && !g.modal {
			list, ok = c.object()
			break
		}
		if !happened || g.lemma == "use" || g.lemma == "take" {
			return false
		}
		list, ok = c.object()
	case "go", "stick", "stay":
		// "we're going with A", "went with A", "let's go with A", "going to go with A"
		if !(g.lets || g.decided || happened && g.lemma == "go" || g.ing && g.present && g.lemma == "go") {
			return false
		}
		list, ok = c.behind(c.verb+1, "with", false)
	case "settle", "decide", "agree", "land", "standardize", "standardise":
		if !happened && !g.lets {
			return false
		}
		list, ok = c.behind(c.verb+1, "on for upon", false)
	case "commit", "vote":
		if !happened {
			return false
		}
		list, ok = c.behind(c.verb+1, "to for", false)
	case "opt":
		if !happened {
			return false
		}
		list, ok = c.behind(c.verb+1, "for", false)
	case "switch", "move", "migrate", "change":
		if !g.decided || g.modal {
			return false
		}
		list, ok = c.ends("to")
	default:
		return false
	}
	if !ok || c.soon() && !g.lets && !g.decided {
		return g.decided || g.lets
	}
	r.decided(c, list)
	return true
}

// madeDecision reads "made the decision to use A".
func (r *reader) madeDecision(c *clause) bool {
	list, ok := c.object()
	if !ok || list.args[0].head != "decision" && list.args[0].head != "call" && list.args[0].head != "choice" || list.args[0].kind == argNone {
		return false
	}
	k := list.end
	if k >= len(c.c) || c.c[k].kind != verbChunk || !c.c[k].g.purpose || c.c[k].g.negated {
		return true
	}
	inner := *c
	inner.verb = k
	switch c.c[k].g.lemma {
	case "use", "adopt":
		list, ok = inner.object()
	case "go", "stick":
		list, ok = inner.behind(k+1, "with", false)
	case "switch", "move", "migrate":
		list, ok = inner.ends("to")
	default:
		return true
	}
	if ok {
		r.decided(&inner, list)
	}
	return true
}

// chosen reads "A was chosen over B for the C".
func (r *reader) chosen(c *clause) bool {
	if c.subjects[0].kind != argName {
		return true
	}
	head := r.self()
	if where, ok := c.whole(c.instead(c.verb + 1)); ok {
		head = where
	}
	for _, tail := range r.fitAll(c.s, software, c.subjects) {
		r.emit(c.s, fact{head: head, tail: tail, relation: "decided_to_use", hedged: c.hedged, conf: fair, a: c.from, b: c.c[c.verb].b})
	}
	return true
}

// itIs reads "Postgres it is.".
func (r *reader) itIs(s *sentence) {
	i := 0
	for i < len(s.t) && (s.t[i].kind == signToken || openers[s.t[i].lower]) {
		i++
	}
	if s.kind(i) != nameToken || s.word(i+1) != "it" || s.word(i+2) != "is" || i+3 < len(s.t) && s.t[i+3].kind != signToken && s.word(i+3) != "then" {
		return
	}
	p, ok := s.phraseAt(i)
	if !ok || s.names[s.t[i].name].sort&sortTechnical == 0 {
		return
	}
	if e, ok := s.fit(software, p); ok && e.typ != "person" {
		r.emit(s, fact{head: r.self(), tail: e, relation: "decided_to_use", conf: fair, a: i, b: i + 3})
	}
}

// decided states the decision for each of the phrases; "for the X" and "in the X" say what it was made for.
func (r *reader) decided(c *clause, list objects) {
	heads := r.fitAll(c.s, user, c.subjects)
	if len(heads) != 1 {
		return
	}
	if where, ok := c.whole(c.instead(list.end)); ok {
		heads[0] = where
	}
	for _, tail := range r.fitAll(c.s, method, list.args) {
		r.emit(c.s, fact{head: heads[0], tail: tail, relation: "decided_to_use", hedged: c.hedged, conf: sure, a: c.from, b: c.c[list.end-1].b})
	}
}

// instead skips what was not chosen: "instead of REST", "over Pulumi", "rather than npm".
func (c *clause) instead(k int) int {
	for k+1 < len(c.c) && c.c[k].kind == wordChunk && (c.c[k].w == "instead" || c.c[k].w == "over" || c.c[k].w == "rather" || c.c[k].w == "of" || c.c[k].w == "than") {
		if c.c[k+1].kind == phraseChunk {
			return k + 2
		}
		k++
	}
	return k
}

// minuted reads a decision as notes have it: "Decision (2026-03-18): use A instead of B", "The decision is to use A".
func (r *reader) minuted(s *sentence, chunks []chunk) {
	k := 0
	for k < len(chunks) && (chunks[k].kind == breakChunk || chunks[k].kind == wordChunk && chunks[k].w != "let") {
		k++
	}
	if k >= len(chunks) || chunks[k].kind != phraseChunk || chunks[k].p.head != "decision" || chunks[k].p.kind == argNone {
		return
	}
	marked := false
	for k++; k < len(chunks); k++ {
		x := chunks[k]
		switch {
		case x.kind == breakChunk && x.w == ":", x.kind == breakChunk && (x.w == "—" || x.w == "–" || x.w == "-"), x.kind == verbChunk && x.g.copula && !x.g.negated && !x.g.modal && !x.g.past:
			marked = true
			continue
		case x.kind == breakChunk || x.kind == timeChunk || x.kind == wordChunk || x.kind == commaChunk:
			continue
		case x.kind == phraseChunk && x.p.kind == argSelf && marked:
			return // "Decision: we use …" is a clause of its own
		}
		break
	}
	if !marked || k >= len(chunks) {
		return
	}
	if x := chunks[k]; x.kind == phraseChunk && x.p.kind == argName { // "Decision: Terraform for the network"
		c := &clause{s: s, c: chunks, verb: k - 1, subjects: []arg{{kind: argSelf, name: -1, plural: true, pronoun: "we"}}, from: chunks[0].a}
		if n := s.nameOf(x.p); n.sort&sortTechnical != 0 && !c.startsClause(k) {
			if list, ok := c.list(k); ok {
				r.decided(c, list)
			}
		}
		return
	}
	if chunks[k].kind != verbChunk {
		return
	}
	g := chunks[k].g
	if g.negated || g.modal || !(g.bare || g.purpose) {
		return
	}
	c := &clause{s: s, c: chunks, verb: k, subjects: []arg{{kind: argSelf, name: -1, plural: true, pronoun: "we"}}, from: chunks[0].a}
	var list objects
	ok := false
	switch g.lemma {
	case "use", "adopt", "pick", "choose":
		list, ok = c.object()
	case "go", "stick", "stay":
		list, ok = c.behind(k+1, "with", false)
	case "switch", "move", "migrate":
		list, ok = c.ends("to")
	}
	if ok {
		r.decided(c, list)
	}
}
