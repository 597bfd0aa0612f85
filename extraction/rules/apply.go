package rules

import (
	"slices"
	"strings"

	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
)

// clauseTemplates emits the relations of the first template that fits the clause.
func (r *reader) clauseTemplates(c *clause) {
	r.verb = c
	defer func() { r.verb = nil }()
	g := c.group()
	t, _ := tableRead()
	for _, d := range t.byVerb[g.lemma] {
		if !c.s.has(d) {
			continue
		}
		verb := &d.parts[1]
		m := match{r: r, s: c.s, clause: c, from: c.from, verb: g.a, last: g.b,
			ended: g.ended || g.negated}
		said := *g
		if m.denied = r.turn.Facts != nil && c.s.user && g.negated && !g.ended && (g.past || g.perfect) &&
			!m.anymore(*g); m.denied {
			said.negated, m.ended = false, false
		}
		if !m.inTense(verb.tense, &said) || c.dropped && verb.tense == 0 && !g.ended && !g.perfect {
			continue
		}
		m.ended = m.ended && verb.tense != '-'
		heads := r.fitAll(c.s, d.parts[0].slot, c.subjects)
		if len(heads) < len(c.subjects) || len(heads) == 0 {
			continue
		}
		m.found = map[byte][]endpoint{d.parts[0].label: heads}
		if stop, ok := m.parts(d.parts[2:], g.b); ok && r.states(&m, d, stop, c.hedged) {
			return
		}
	}
}

// freeTemplates emits the relations of the templates that need no clause. It returns the token ranges they matched.
func (r *reader) freeTemplates(s *sentence, chunks []chunk) (spoken [][2]int) {
	t, _ := tableRead()
	var candidates []*template
	for _, d := range t.free {
		if s.has(d) {
			candidates = append(candidates, d)
		}
	}
	for _, d := range candidates {
		if d.anywhere {
			for at := range s.t {
				r.tryFree(s, chunks, d, at, &spoken)
			}
		}
	}
	spoken = nil // templates that match anywhere block no others
	for i, at := range s.beginnings(chunks) {
		if i >= maxBeginnings || within(spoken, at) {
			continue
		}
		for _, d := range candidates {
			if d.anywhere || d.head && i > 0 && !s.announced(at) {
				continue
			}
			if r.tryFree(s, chunks, d, at, &spoken) {
				break
			}
		}
	}
	return spoken
}

func (r *reader) tryFree(s *sentence, chunks []chunk, d *template, at int, spoken *[][2]int) bool {
	r.steps++
	m := match{r: r, s: s, from: at, verb: -1, last: at}
	stop, ok := m.parts(d.parts, at)
	if !ok {
		return false
	}
	hedged, why := s.statedAt(at, stop)
	if why != "" {
		r.note(Step{Rejected: d.line, Guard: why})
		return false
	}
	if m.verb >= 0 {
		k := slices.IndexFunc(chunks, func(x chunk) bool { return x.a >= m.verb })
		if k >= 0 && chunks[k].kind == verbChunk {
			r.verb = &clause{s: s, c: chunks, verb: k, from: at, hedged: hedged}
			defer func() { r.verb = nil }()
		}
	}
	if !r.states(&m, d, stop, hedged) {
		return false
	}
	*spoken = append(*spoken, [2]int{at, stop})
	return true
}

// maxBeginnings is the maximum number of positions in a sentence at which free templates are tried.
const maxBeginnings = 24

// beginnings returns the tokens at which a statement can begin: the first token, and each one after a sign or a
// conjunction.
func (s *sentence) beginnings(chunks []chunk) []int {
	var out []int
	open := true
	for _, x := range chunks {
		if open && x.kind != commaChunk && x.kind != breakChunk {
			out = append(out, x.a)
		}
		switch {
		case x.kind == commaChunk || x.kind == breakChunk:
			open = true
		case x.kind == wordChunk && conjunctions[x.w] && x.w != "or" && x.w != "nor":
			open = true
		case x.kind == timeChunk, x.kind == wordChunk && (openers[x.w] || adverbs[x.w]):
		default:
			open = false
		}
	}
	return out
}

// announced reports whether only a short announcement precedes token i: "For context:".
func (s *sentence) announced(i int) bool {
	return i > 1 && i < 6 && s.word(i-1) == ":"
}

// states emits the relations of a matched template for the phrases in its slots. It returns false if there are none.
func (r *reader) states(m *match, d *template, stop int, hedged bool) bool {
	news := false // a template that ends or replaces something reports a change
	for _, st := range d.states {
		news = news || st.ended
	}
	if m.sameOnBothSides(d) {
		return false // "from Redis 6 to Redis 7" is a new version of the same thing
	}
	said := false
	for _, st := range d.states {
		if st.changed && !m.s.amends.ok && !hasWord(m.s.t, "now") {
			continue
		}
		if n := len(m.of(st.tail)); n > 1 && oneOf(st.relation, "works_at located_in") && !st.ended && !m.ended {
			r.note(Step{Rejected: d.line, Guard: "two homes or jobs at once"})
			continue
		}
		for _, h := range m.of(st.head) {
			for _, t := range m.of(st.tail) {
				if st.suffix != "" {
					h.text, h.typ = h.text+" "+st.suffix, ""
				}
				conf := fair
				if d.clause {
					conf = sure
				}
				f := fact{head: h, tail: t, relation: st.relation, ended: st.ended || m.ended, news: news,
					hedged: hedged, conf: conf, a: m.from, b: stop, denied: m.denied}
				if m.denied && st.ended != (d.parts[1].tense == '<') {
					continue // "never left Acme"
				}
				f.ended = f.ended || m.denied
				if r.emit(m.s, f) {
					said = true
					r.note(Step{Matched: d.line, Fact: Sentence(h.text, st.relation, t.text, f.ended)})
				}
				if h.typ == "project" {
					r.talk.topic(h.text, h.typ, m.from)
				}
			}
		}
	}
	return said || m.clause == nil
}

// sameOnBothSides reports whether the ended and the new tail of a match are the same thing.
func (m *match) sameOnBothSides(d *template) bool {
	bare := func(e endpoint) string { return strings.TrimRight(memory.Canonical(e.text), "0123456789. v-") }
	for _, a := range d.states {
		for _, b := range d.states {
			if !a.ended || a.tail == b.tail {
				continue
			}
			for _, x := range m.of(a.tail) {
				for _, y := range m.of(b.tail) {
					if bare(x) == bare(y) {
						return true
					}
				}
			}
		}
	}
	return false
}

// fitAll returns the phrases that fit the slot. It returns nil if the first one does not fit.
func (r *reader) fitAll(s *sentence, want slot, args []arg) []endpoint {
	var out []endpoint
	for _, p := range args {
		if p.kind == argPronoun {
			if found, ok := r.talk.resolve(p.pronoun, p.a); ok {
				p.resolved, p.resolvedAs = found.text, found.typ
			}
		}
		e, ok := r.fit(s, want, p)
		if !ok {
			if len(out) == 0 {
				return nil
			}
			continue
		}
		out = append(out, e)
	}
	return out
}

// called records the name given in "a tool called Wren" or "my side project is called tidepool".
func (r *reader) called(s *sentence, p arg) {
	if !p.called {
		return
	}
	if e, ok := s.fit(projectSlot, p); ok {
		r.retype(e.text, e.typ)
		r.talk.topic(e.text, e.typ, p.a)
		t := s.t[p.name]
		r.found.Mentions = append(r.found.Mentions, memory.Mention{Name: r.turn.Text[t.start:t.stop], Type: e.typ,
			Role: mentions.RoleMention, Start: t.start, Stop: t.stop})
	}
}

// retype records the type that the text gives a name. It takes precedence over the word lists.
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

// mayBePerson reports whether a name that is in no list can be a person's.
func (s *sentence) mayBePerson(n *name) bool {
	return n.sort&^sortWord == 0 && n.typ == "" && !n.shape && n.text != "" && (n.text[0] < 'a' || n.text[0] > 'z') &&
		!(n.unsure && everyday(n.text)) && n.text == properCase(n.text) && !camelName(n.text) && !companyName(n) &&
		!generic[n.text] && !timeOf(n.text)
}

// somebody reports whether the name of an endpoint is a person's, whatever type its slot gives it.
func (r *reader) somebody(e endpoint) bool {
	k := r.rules.lists().of(e.text)
	return e.typ == "person" || k&sortPerson != 0 && k&^(sortWord|sortPlace) == sortPerson &&
		r.types[memory.Canonical(e.text)] != "project"
}

// NoPerson reports whether a name in the place of a person's is a role, a department, a day or where somebody is
// from: "my boss is Director", "my boss is Dutch". A first name ("Dean") may be a person's all the same.
func NoPerson(name string) bool {
	ready()
	w := lastWord(name)
	from := demonyms[name] || tongue(name) || name == properCase(name) && !strings.Contains(name, " ") &&
		(strings.HasSuffix(w, "ian") || strings.HasSuffix(w, "nese") || strings.HasSuffix(w, "mese"))
	return from || timeOf(name) || pronouns[w] ||
		!wordyNames[w] && (roles[w] || jobTitles[w] || chiefs[w] || departments[w])
}

// timeOf reports whether a name is a day or a month: "Max works on Sundays".
func timeOf(name string) bool {
	w := lowerOf(name)
	return monthNames[w] && !oneOf(w, "may april june") || timeUnits[w] || dayNames[strings.TrimSuffix(w, "s")]
}
