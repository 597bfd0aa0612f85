package rules

// What takes the place of something: "I use Kopia instead of Restic now", "runs on Postgres now, not MySQL". That the old one
// has ended is said only where the words tell of a change; without one it may never have been.

// ousted ends what stands behind "instead of" or "not" as what the fact before it has ended, in the clause or in the idiom:
// heads and relation are those of the fact, made is what its heads are at or use, k the chunk behind it.
func (r *reader) ousted(c *clause, relation string, heads, made []endpoint, k int) {
	want, ok := oustable[relation]
	if !ok && relation != "knows" || len(heads) == 0 || !c.changed() {
		return
	}
	old, contrast, ok := c.insteadOf(k)
	if !ok || c.onlyThere(old.end) {
		return
	}
	state := func(heads, tails []endpoint) {
		for _, h := range heads {
			for _, e := range tails {
				r.emit(c.s, fact{head: h, tail: e, relation: relation, ended: true, news: true, hedged: c.hedged, conf: fair, a: c.from, b: c.c[old.end-1].b})
			}
		}
	}
	n := c.s.nameOf(old.args[0])
	somebody := n != nil && (n.typ == "person" || n.sort&sortPerson != 0) && n.sort&(sortTechnical|sortOrganization|sortPlace) == 0
	switch {
	case relation == "knows": // "my manager is Petra now, not Ruben"
		if contrast && old.args[0].kind == argName && (somebody || n.sort == 0 && !n.shape) {
			state(heads, r.fitAll(c.s, anyone, old.args[:1]))
		}
	case relation == "works_on":
		if somebody && !contrast && heads[0].typ == "person" { // "Tom maintains it now instead of Eva"
			state(r.fitAll(c.s, anyone, old.args), made)
		}
	case somebody, contrast && old.args[0].kind != argName: // "Petra uses it now, not Ove"
	case relation == "uses" && (heads[0].self || c.verb > 0 && c.group().lemma == "use"):
		state(heads, r.fitOwn(c, old.args))
	default:
		state(heads, r.fitAll(c.s, want, old.args))
	}
}

// oustable are the relations of which the old one ends so, with what stands in its place.
var oustable = map[string]slot{"uses": software, "works_at": employer, "located_in": place, "works_on": project}

// insteadOf finds the phrases behind "instead of", "rather than", "in place of", ", not", ", no longer" from chunk k on.
func (c *clause) insteadOf(k int) (old objects, contrast, ok bool) {
	for n := 0; n < 5; n++ {
		j, more := c.next(k)
		if !more || j >= len(c.c) {
			return objects{}, false, false
		}
		at := c.c[j].a
		switch w, next := c.s.word(at), c.s.word(at+1); {
		case w == "rather" && next == "than", w == "instead" && next == "of":
			j = c.chunkFrom(at + 2)
		case w == "of" && c.s.word(at-1) == "instead", w == "than" && c.s.word(at-1) == "rather": // the first word was skipped as an adverb
			j = c.chunkFrom(at + 1)
		case w == "in" && next == "place" && c.s.word(at+2) == "of":
			j = c.chunkFrom(at + 3)
		case c.c[j].kind == commaChunk:
			i := at + 1
			switch {
			case c.s.word(i) == "not":
				i++
			case c.s.word(i) == "no" && c.s.word(i+1) == "longer":
				i += 2
			default:
				return objects{}, false, false
			}
			if oneOf(c.s.word(i), "in at on with for") {
				i++
			}
			p, ok := c.s.phraseAt(i)
			j = c.chunkFrom(p.b)
			return objects{args: []arg{p}, end: j}, true, ok && c.closesAt(j)
		case c.c[j].kind == wordChunk && prepositions[w] && j+1 < len(c.c) && c.c[j+1].kind == phraseChunk: // "for the photos"
			k = j + 2
			continue
		default:
			return objects{}, false, false
		}
		if j >= len(c.c) || c.c[j].kind != phraseChunk {
			return objects{}, false, false
		}
		old, ok = c.list(j)
		return old, false, ok
	}
	return objects{}, false, false
}

// closesAt says whether what is said ends at chunk k, but for times.
func (c *clause) closesAt(k int) bool {
	for k < len(c.c) && (c.c[k].kind == timeChunk || c.c[k].kind == wordChunk && (adverbs[c.c[k].w] || tails[c.c[k].w])) {
		k++
	}
	return k >= len(c.c) || c.c[k].kind == breakChunk || c.c[k].kind == commaChunk || c.c[k].kind == wordChunk && (conjunctions[c.c[k].w] && c.c[k].w != "or" || c.c[k].w == "because")
}

// changed says whether the clause tells of a change: "now", "these days", "since …", "started using".
func (c *clause) changed() bool {
	if c.c[c.verb].kind == verbChunk && (c.group().begun || c.group().present && c.s.amends.ok) {
		return true
	}
	for i, t := range c.s.t {
		switch t.lower {
		case "now", "nowadays", "lately":
			return true
		case "these":
			if c.s.word(i+1) == "days" {
				return true
			}
		case "since":
			if next, _ := c.s.timeAt(i); next > i {
				return true
			}
		}
	}
	return false
}

// onlyThere says whether what stands from chunk k on limits the change to a place or a purpose: "on my laptop", "for the photos".
func (c *clause) onlyThere(k int) bool {
	for ; k < len(c.c); k++ {
		switch x := c.c[k]; {
		case x.kind == timeChunk, x.kind == wordChunk && (adverbs[x.w] || tails[x.w]):
		case x.kind == wordChunk && (x.w == "for" || x.w == "on" || x.w == "in" || x.w == "at" || x.w == "or"):
			return true
		default:
			return false
		}
	}
	return false
}
