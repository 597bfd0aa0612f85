package rules

// clause is a verb with its subject, ready for the templates.
type clause struct {
	s         *sentence
	c         []chunk
	verb      int   // index of the verb's chunk
	subjects  []arg // one, or several joined by "and"
	from      int   // the first token of the subject, or of the verb if there is no subject
	inherited bool  // the subject is that of the preceding verb
	dropped   bool  // the subject was left out: "Switched from Jest to Vitest"
	hedged    bool
}

func (c *clause) group() *group { return &c.c[c.verb].g }

// clauses returns the clauses of a sentence that no guard rejects.
func (r *reader) clauses(s *sentence, chunks []chunk) []clause {
	var out []clause
	var last *clause // the preceding clause, even if a guard rejected it
	for k := range chunks {
		if chunks[k].kind != verbChunk || chunks[k].g.purpose {
			continue
		}
		c := clause{s: s, c: chunks, verb: k}
		left, ok := c.findSubject(last)
		if !ok {
			last = nil
			continue
		}
		last = &c
		why := c.allowed(left)
		if why == "" && c.displaced(left) {
			why = "it is about what stands before"
		}
		if why != "" {
			r.note(Step{Rejected: c.text(), Guard: why})
			continue
		}
		out = append(out, c)
	}
	return out
}

// findSubject sets the subject of the clause: a phrase or a list of phrases. left is the chunk before it.
func (c *clause) findSubject(last *clause) (left int, ok bool) {
	k := c.verb - 1
	for k >= 0 && (c.c[k].kind == timeChunk || c.c[k].kind == wordChunk && adverbs[c.c[k].w]) {
		k--
	}
	g := c.group()
	c.from = c.c[c.verb].a
	if g.lets {
		c.subjects = []arg{{kind: argSelf, plural: true, name: -1, pronoun: "we"}}
		return k, true
	}
	if j, ok := c.participle(k); ok {
		return c.takeSubject(j)
	}
	switch {
	case k < 0:
		return k, c.dropSubject()
	case c.c[k].kind == phraseChunk:
		return c.takeSubject(k)
	case c.c[k].kind == wordChunk && oneOf(c.c[k].w, "who which that"):
		j := k - 1
		if j >= 0 && c.c[j].kind == commaChunk {
			j--
		}
		if j < 0 || c.c[j].kind != phraseChunk {
			return k, false
		}
		// "Meridian is a platform that uses …"
		if c.c[j].p.kind == argNoun && last != nil && last.group().copula && len(last.subjects) == 1 {
			c.subjects, c.from = last.subjects, last.from
			return last.verb - 1, true
		}
		if c.ofWhom(j) {
			c.subjects, c.from = []arg{c.c[j].p}, c.c[j].a
			return j - 1, true
		}
		return c.takeSubject(j)
	case c.c[k].kind == wordChunk && conjunctions[c.c[k].w]:
		if last == nil {
			return k, false
		}
		c.inherit(last)
		return last.verb - 1, true
	case c.c[k].kind == commaChunk:
		if last != nil && last.group().third == g.third {
			c.inherit(last)
			return last.verb - 1, true
		}
		return k, false
	}
	return k, false
}

// participle reports whether the verb is a participle without an auxiliary, right after the phrase that it describes.
// It returns the chunk of that phrase.
func (c *clause) participle(k int) (phrase int, ok bool) {
	g := c.group()
	want, known := participles[g.lemma]
	if !known || g.negated || !oneOf(c.s.word(g.b), want) || k < 0 {
		return 0, false
	}
	if c.c[k].kind == commaChunk {
		k--
	}
	return k, k >= 0 && c.c[k].kind == phraseChunk && c.c[k].p.kind != argSelf && c.c[k].p.kind != argPronoun
}

// takeSubject makes the phrase at chunk k the subject, with the phrases that "and" joins to it.
func (c *clause) takeSubject(k int) (left int, ok bool) {
	if c.deniedBefore(k) || k > 0 && c.c[k-1].kind == wordChunk && c.c[k-1].w == "or" && k > 1 &&
		c.c[k-2].kind == phraseChunk {
		return k - 1, false
	}
	c.subjects, c.from = []arg{c.c[k].p}, c.c[k].a
	first := k
	for j := k; j >= 2; {
		sep := c.c[j-1]
		and := sep.kind == wordChunk && sep.w == "and"
		comma := sep.kind == commaChunk && first < k
		if and && j >= 3 && c.c[j-2].kind == commaChunk {
			j--
		} else if !and && !comma {
			break
		}
		if c.c[j-2].kind != phraseChunk {
			break
		}
		j -= 2
		first = j
	}
	if first < k {
		// The object of a verb or preposition is not a subject: "Lukas prefers tabs and I prefer spaces".
		if first == 0 || c.c[first-1].kind == breakChunk ||
			c.c[first-1].kind == wordChunk && !prepositions[c.c[first-1].w] {
			var all []arg
			for j := first; j <= k; j++ {
				if c.c[j].kind == phraseChunk {
					all = append(all, c.c[j].p)
				}
			}
			c.subjects, c.from = all, c.c[first].a
			return first - 1, true
		}
	}
	// In "the owner of Lantern uses Vim" the subject is the owner.
	for k >= 2 && c.c[k-1].kind == wordChunk && prepositions[c.c[k-1].w] && c.c[k-1].w != "than" &&
		c.c[k-2].kind == phraseChunk && !stages[c.c[k-2].p.head] {
		k -= 2
		c.subjects, c.from = []arg{c.c[k].p}, c.c[k].a
		if oneOf(c.c[k].p.pronoun, "me us him them") {
			return k - 1, false // "introduced me to Bob"
		}
	}
	if k >= 1 && c.c[k-1].kind == wordChunk && prepositions[c.c[k-1].w] && !subordinators[c.c[k-1].w] && !(k >= 2 &&
		stages[c.c[max(k-2, 0)].p.head]) {
		return k - 1, false
	}
	return k - 1, true
}

// deniedBefore reports whether a negation before chunk k denies the verb of it or of a neighbour: "neither Ann nor
// Bob", "Ann and not Bob", "Nor do I".
func (c *clause) deniedBefore(k int) bool {
	for j := k - 1; j >= 0; j-- {
		x := c.c[j]
		if x.kind == verbChunk || x.kind == wordChunk && x.w == "that" {
			return false
		}
		if x.kind == wordChunk && (x.w == "nor" || x.w == "not") && c.s.word(x.b) != "only" && c.s.word(x.b) != "long" &&
			c.s.word(x.b) != "surprisingly" {
			return true
		}
	}
	return false
}

// carried are verbs of which a person or a thing is the object or the subject: "moved to Oslo", "moved the server".
var carried = set(`move relocate transfer switch migrate port convert`)

// displaced reports whether the object of the verb stands before its subject, which follows chunk k: "the server that
// we moved to Oslo".
func (c *clause) displaced(k int) bool {
	governed := k > 0 && prepositions[c.c[k-1].w]
	if k > 0 && oneOf(c.c[k].w, "that which whom") {
		k, governed = k-1, false
		if k > 0 && c.c[k].kind == commaChunk {
			k--
		}
	}
	return k >= 0 && carried[c.group().lemma] && c.c[k].kind == phraseChunk && !governed &&
		(c.c[k].p.kind == argName || c.c[k].p.det != "")
}

// inherit takes the subject of the preceding verb: "left A and joined B". A verb without an auxiliary of its own also
// takes that of the preceding one: "might move to A and use B".
func (c *clause) inherit(last *clause) {
	c.subjects, c.from, c.dropped, c.inherited = last.subjects, last.from, last.dropped, true
	g, before := c.group(), last.group()
	if !g.plain || g.third || g.ended {
		return
	}
	switch {
	case g.bare && (before.modal || before.decided && before.form == formBase || before.purpose || before.lets):
		g.modal, g.decided, g.lets = before.modal, before.decided, before.lets
	case g.form == formIng && (before.ing || before.copula):
		g.present, g.perfect = before.present, before.perfect
		g.modal = before.modal
	}
}

// dropSubject reports whether "I" may be left out before the verb at the start of a sentence: "Moved to Oslo".
func (c *clause) dropSubject() bool {
	g := c.group()
	// "Working at Klarna as a tester."
	if c.s.user && g.form == formIng && g.plain && oneOf(g.lemma, "work live") {
		g.present, g.plain = true, false
		c.subjects = []arg{{kind: argSelf, name: -1, pronoun: "i"}}
		return true
	}
	if !c.s.user || g.form != formPast {
		return false
	}
	c.subjects = []arg{{kind: argSelf, name: -1, pronoun: "i"}}
	c.dropped = true
	return true
}

// stages are nouns for a stage of a work. Whoever made "the first version of" something made the thing.
var stages = class("stages")

// ofWhom reports whether the clause after "who" is about the person at chunk j, although a preposition governs the
// name: "introduced me to Bob, who works at Acme".
func (c *clause) ofWhom(j int) bool {
	p := c.c[j].p
	if p.kind != argName || j == 0 || c.c[j-1].kind != wordChunk || !prepositions[c.c[j-1].w] {
		return false
	}
	n := c.s.nameOf(p)
	return (n.typ == "person" || n.sort&sortPerson != 0 || p.role != "" || c.s.mayBePerson(n)) &&
		n.sort&(sortOrganization|sortTechnical|sortPlace) == 0
}
