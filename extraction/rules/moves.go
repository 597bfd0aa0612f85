package rules

import (
	"strings"
	"unicode"

	"memory-graph/internal/memory"
)

// moved reads "moved from A to B" in any order and with either half alone: of places, employers, tickets' holders or tools,
// as the names tell.
func (r *reader) moved(c *clause) bool {
	g := c.group()
	if w := c.s.word(g.b); w == "her" && prepositions[c.s.word(g.b+1)] { // somebody else has moved
		return true
	}
	heads, ok := r.movers(c)
	if !ok {
		return g.lemma != "go"
	}
	from, hasFrom := c.ends("from")
	away, hasAway := c.ends("away off")
	if hasAway && !hasFrom {
		from, hasFrom = away, true
	}
	to, hasTo := c.ends("to onto into over")
	if g.lemma == "go" && !hasFrom {
		return hasTo && r.wentOn(c, heads, to)
	}
	if hasFrom && hasTo && c.sameName(from.args, to.args) {
		return true // "from Redis 6 to Redis 7": another version
	}
	if g.lemma == "switch" && hasAway && c.s.word(g.b) == "off" { // a switch that is turned
		return true
	}
	if hasFrom && hasTo && c.backAgain(max(from.end, to.end)) {
		return true
	}
	if !hasFrom && !hasTo || hasFrom && !hasTo && (g.lemma == "go" || g.lemma == "change") {
		return true
	}
	want, relation := r.kindOfMove(c, heads[0], from, hasFrom, to, hasTo)
	if relation == "" && hasFrom && hasTo && r.ownMove(c, from, to) {
		want, relation = software, "uses"
	}
	if relation == "" {
		return true
	}
	fit := func(args []arg) []endpoint {
		if relation == "uses" && want == software {
			return r.fitOwn(c, args)
		}
		return r.fitAll(c.s, want, args)
	}
	if hasTo {
		if tails := fit(to.args); len(tails) > 0 {
			r.moves(c, heads, tails, relation, false, c.c[to.end-1].b)
		} else if hasFrom { // what came in its place is not understood: then what ended is not either
			return true
		}
	}
	if hasFrom {
		r.moves(c, heads, fit(from.args), relation, true, c.c[from.end-1].b)
	}
	return true
}

// wentOn reads where those went who have just left an employer: "left Orbea and went to Nokia", "isn't at Orbea any more, he went to
// Nokia". done says that it was one.
func (r *reader) wentOn(c *clause, heads []endpoint, to objects) (done bool) {
	n := c.s.nameOf(to.args[0])
	if n == nil || len(r.found.Relations) == 0 || len(to.args) != 1 || to.args[0].det != "" || n.sort&(sortPlace|sortTechnical|sortPerson) != 0 || n.sort == 0 && n.typ != "" && n.typ != "organization" {
		return false
	}
	last := r.found.Relations[len(r.found.Relations)-1]
	if !last.Ended || last.Relation != "works_at" || memory.Canonical(last.Head) != memory.Canonical(heads[0].text) || len(heads) != 1 || !strings.Contains(r.turn.Text[c.s.t[0].start:c.s.t[len(c.s.t)-1].stop], last.Tail) {
		return false
	}
	tails := r.fitAll(c.s, employer, to.args)
	r.moves(c, heads, tails, "works_at", false, c.c[to.end-1].b)
	return len(tails) > 0
}

// moves states one side of a move for everybody who moved.
func (r *reader) moves(c *clause, heads, tails []endpoint, relation string, ended bool, end int) {
	for _, h := range heads {
		for _, t := range tails {
			r.emit(c.s, fact{head: h, tail: t, relation: relation, ended: ended, hedged: c.hedged, conf: sure, a: c.from, b: end})
		}
	}
}

// movers gives who or what changed: the object of "migrated the billing service from A to B", else the subject, of which there
// are several only where they are people.
func (r *reader) movers(c *clause) ([]endpoint, bool) {
	if list, ok := c.object(); ok && !oneOf(list.args[0].head, "away off back") {
		if p := list.args[0]; p.kind == argNone && c.s.word(p.b-1) != "mind" && !(p.det == "other" && p.of == nil && p.name < 0 && p.role == "" && oneOf(c.s.word(p.a), "its his her their") && c.subjects[0].kind != argSelf) {
			return nil, false
		}
		if e, ok := c.s.fit(component, list.args[0]); ok && !e.self {
			return []endpoint{e}, true
		}
		if k := list.args[0].head; k != "editor" && kinships[k].states != "uses" && k != "editors" && k != "databases" && k != "providers" && k != "jobs" && !vagueHeads[k] && !collective[k] && !wrapNouns[k] && !projectNouns[k] && list.args[0].kind != argSelf {
			return nil, false
		}
	}
	heads := r.fitAll(c.s, user, c.subjects)
	if len(heads) == 0 || len(heads) < len(c.subjects) {
		return nil, false
	}
	for i, p := range c.subjects {
		if n := c.s.nameOf(p); n != nil && heads[i].typ == "project" && p.det == "" && p.b-p.first == 1 && strings.ContainsRune(n.text, ' ') && c.s.mayBePerson(n) && !softwareWords[lastWord(n.text)] && !projectNouns[lastWord(n.text)] {
			heads[i].typ = "person" // Fatoumata Diarra
		}
		if heads[i].typ != "person" && len(heads) > 1 {
			return nil, false
		}
	}
	return heads, true
}

func lastWord(s string) string { return lowerOf(s[strings.LastIndexByte(s, ' ')+1:]) }

// ends gives the phrases behind one of the prepositions of a move.
func (c *clause) ends(preps string) (objects, bool) {
	for k := c.verb + 1; k < len(c.c); k++ {
		x := c.c[k]
		if x.kind == breakChunk || x.kind == verbChunk && !x.g.purpose {
			break
		}
		if x.kind == wordChunk && (conjunctions[x.w] || subordinators[x.w]) && x.w != "since" && k+1 < len(c.c) && c.startsClause(k+1) {
			break
		}
		if x.kind != wordChunk || !oneOf(x.w, preps) {
			continue
		}
		j := k + 1
		for j < len(c.c) && c.c[j].kind == wordChunk && (c.c[j].w == "to" || c.c[j].w == "from" || c.c[j].w == "using" || adverbs[c.c[j].w]) {
			j++
		}
		if j < len(c.c) && c.c[j].kind == verbChunk && c.c[j].g.form == formIng && c.c[j].g.lemma == "use" {
			j++
		}
		if j >= len(c.c) || c.c[j].kind != phraseChunk {
			continue
		}
		list, ok := c.list(j)
		return list, ok
	}
	return objects{}, false
}

// kindOfMove tells from the names whether somebody moved house, changed employers or changed tools.
func (r *reader) kindOfMove(c *clause, head endpoint, from objects, hasFrom bool, to objects, hasTo bool) (slot, string) {
	var names []*name
	place1, tool, org := 0, 0, 0
	for _, list := range []objects{from, to} {
		for _, p := range list.args {
			if _, ok := c.s.fit(place, p); ok && p.kind == argNoun {
				place1++
			}
			n := c.s.nameOf(p)
			if n == nil {
				continue
			}
			if p.called && typeOfHead(p.head) == "location" { // "a place called Nysa"
				place1++
			}
			names = append(names, n)
			switch {
			case n.sort&sortTechnical != 0 && n.sort&sortPlace == 0:
				tool++
			case n.sort&sortPlace != 0 && n.sort&sortTechnical == 0, n.typ == "location":
				place1++
			case n.sort&sortOrganization != 0, n.typ == "organization":
				org++
			case companyName(n):
				org++
			case (n.shape || camelName(n.text)) && !departments[firstWord(n.text)]:
				tool++
			}
		}
	}
	if len(names) == 0 && place1 == 0 {
		return 0, ""
	}
	person := head.typ == "person"
	lemma := c.group().lemma
	moving := lemma == "move" || lemma == "relocate" || lemma == "emigrate"
	switch {
	case place1 > 0 && tool == 0 && org == 0 && moving:
		return place, "located_in"
	case lemma == "go" && tool == 0 && org > 0:
		return 0, ""
	case lemma == "relocate" || lemma == "emigrate":
		return place, "located_in"
	case org > 0 && tool == 0 && person && (moving || lemma == "jump" || lemma == "switch" && hasFrom):
		return employer, "works_at"
	case tool > 0 || place1 == 0 && !moving:
		return software, "uses"
	case place1 > 0:
		return 0, ""
	case person && c.subjects[0].pronoun != "we" && hasTo && c.placeTime():
		return place, "located_in"
	case person && moving && hasTo && c.subjects[0].kind != argSelf && r.strangeTown(c, to) && (!hasFrom || r.strangeTown(c, from)):
		return place, "located_in"
	case moving && tool == 0 && (c.stranger() || c.subjects[0].pronoun == "we" && hasTo && !hasFrom && r.strangeTown(c, to) && !c.because()):
		return 0, "" // "Xhevdet moved to Peja", "Lantern moved to Kestrix"
	case person && (c.subjects[0].pronoun != "we" || moving):
		return 0, "" // "Bob moved to Kestrel": a team or a tool
	}
	return software, "uses"
}

// stranger says whether the subject is nothing but a name that may be a person's, and that no list has.
func (c *clause) stranger() bool {
	p := c.subjects[0]
	n := c.s.nameOf(p)
	return n != nil && p.b-p.a == 1 && c.s.mayBePerson(n)
}

// because says whether a reason follows, as people give for tools.
func (c *clause) because() bool {
	for i := c.group().b; i < len(c.s.t); i++ {
		if w := c.s.t[i].lower; w == "because" || w == "for" || w == "as" {
			return true
		}
	}
	return false
}

// placeTime says whether the words of moving house stand in the sentence.
func (c *clause) placeTime() bool {
	for _, t := range c.s.t {
		if houseWords[t.lower] {
			return true
		}
	}
	return false
}

var houseWords = set(`flat apartment house home city town village country live living street neighbourhood neighborhood landlord boxes suburb island abroad sea seaside coast mountains
countryside holidays timezone rent rents address parcels weather neighbours neighbors garden grandmother sun kettle`)

// strangeTown says whether what somebody moved to is a town that no list has: one name alone that nothing else is called, in a
// text that speaks neither of work nor of software, which people move to as well.
func (r *reader) strangeTown(c *clause, to objects) bool {
	if len(to.args) != 1 || r.worldly() {
		return false
	}
	p := to.args[0]
	n := c.s.nameOf(p)
	if p.kind != argName || p.b-p.a != 1 || n.sort != 0 || n.typ != "" && n.typ != "location" || n.shape || n.text != properCase(n.text) || camelName(n.text) || generic[n.text] || tongue(n.text) ||
		timeOf(n.text) || r.types[memory.Canonical(n.text)] != "" && r.types[memory.Canonical(n.text)] != "location" {
		return false
	}
	w := firstWord(n.text)
	if strings.ContainsRune(n.text, ' ') && townWords[w] {
		return true
	}
	return !everyday(w) && !departments[w] && !commonModifiers[w] && !ordinaryWords[w+"s"] && c.s.kind(p.b) != numberToken
}

func firstWord(s string) string {
	first, _, _ := strings.Cut(s, " ")
	return lowerOf(first)
}

// worldly says whether the text speaks of work or software.
func (r *reader) worldly() bool {
	for w := range strings.FieldsFuncSeq(lowerOf(r.text), func(x rune) bool { return !unicode.IsLetter(x) && x != '-' }) {
		if workWords[w] {
			return true
		}
	}
	return false
}

var (
	workWords = set(`project projects team teams squad role position department ticket tickets sprint backlog app apps tool tools editor editors browser browsers notes ci database databases framework language hosting repo
code codebase company employer firm startup job gig cto ceo engineer engineering manager developer devs colleague colleagues software plan plans subscription provider stack deploy deployment server servers board
column release desk config laptop terminal shell keyboard linux client clients group chat`)
	// departments are capitalised like towns.
	departments = set(`marketing sales product engineering finance legal support operations procurement logistics compliance recruiting design research infrastructure platform security growth data backend frontend
level room floor phase stage step plan chapter page part section building gate lane track row table tier grade class group team`)
	// townWords begin names of towns of several words.
	townWords = set(`new old bad san santa saint st sankt port puerto villa nova novo nowy nový stara stary mount lake fort le la los las el north south east west upper lower great little den the de da al ras tel`)
)

// companyName says whether a name that no list has is of a company by its last word: "Orlovac Robotics".
func companyName(n *name) bool {
	i := strings.LastIndexByte(n.text, ' ')
	return n.sort == 0 && i > 0 && companyWords[lowerOf(n.text[i+1:])]
}

var companyWords = set(`robotics systems labs lab inc ltd gmbh ag bv oy ab llc plc group holding holdings bank university institute studio studios software technologies technology solutions consulting partners media
press foundation hospital clinic college academy airlines motors energy foods brewery works industries logistics pharma biotech analytics security ventures capital insurance associates services electronics dynamics
instruments materials networks games interactive design architects publishing aerospace maritime shipping optics sensors diagnostics therapeutics genomics`)
