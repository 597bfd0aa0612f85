package rules

import "strings"

// kinship is what a noun says of whom it belongs to and of what is equated with it: "Lantern's maintainer is Bob", "Bob is the
// maintainer of Lantern".
type kinship struct {
	states       string
	owner, value slot
	flip         bool // what is equated is the head
}

var kinships = func() map[string]kinship {
	m := map[string]kinship{}
	for nouns, k := range map[string]kinship{
		`maintainer lead owner manager pm developer engineer architect coordinator`: {"works_on", project, anyone, true},
		`author creator inventor founder cofounder co-founder writer`:               {"created_by", artefact, anyone, false},
		`assignee`:                     {"assigned_to", task, anyone, false},
		`cause culprit trigger reason`: {"caused_by", thing, thing, false},
		`replacement successor`:        {"replaced_by", needed, needed, false},
		`part component module submodule subsystem piece subproject subpackage submodules`: {"part_of", artefact, artefact, true},
		`dependency`: {"depends_on", component, needed, false},
		`database db datastore backend framework language editor ide shell terminal browser os distro broker queue cache orm bundler linter formatter host platform stack compiler runtime
tracker scheduler storage tool toolkit library provider engine driver go-to choice setup calendar`: {"uses", user, software, false},
	} {
		for n := range strings.FieldsSeq(nouns) {
			m[n] = k
		}
	}
	return m
}()

// relational reads a noun of kinship on either side of "is", and what "is" says with a preposition behind it. done says
// that it was understood.
func (r *reader) relational(c *clause, k int, gone bool) (done bool) {
	g := c.group()
	x := c.c[k]
	if g.past && !g.perfect && !gone && !(x.kind == phraseChunk && c.pastKinship(k)) {
		return false
	}
	if x.kind == wordChunk {
		return r.placed(c, k, gone)
	}
	if x.kind != phraseChunk || gone {
		return false
	}
	subject, p := c.subjects[0], x.p
	if owner, _, ok := c.owner(subject); ok && subject.kind != argName {
		return r.kin(c, subject.head, owner, c.values(k), p.b)
	}
	if owner, end, ok := c.owner(p); ok && (p.kind != argName || p.of != nil) && (p.det != "my" || subject.kind != argSelf) {
		if kinships[p.head].states == "uses" && p.of == nil && p.det != "my" {
			return false // "Redis is the database of choice"
		}
		return r.kin(c, p.head, owner, c.subjects, end)
	}
	if subject.det == "my" && subject.kind == argNoun || subject.head == "home" && subject.det == "" && subject.kind == argNoun {
		return g.copula && r.mine(c, subject, c.values(k), p.b)
	}
	if p.det == "my" && p.kind == argNoun && subject.kind == argName {
		return r.mine(c, p, c.subjects, p.b)
	}
	return r.adjective(c, k) || r.builtWith(c, p)
}

// pastKinship says whether the clause tells a cause or a maker, which are told of what is past.
func (c *clause) pastKinship(k int) bool {
	n, m := kinships[c.c[k].p.head].states, kinships[c.subjects[0].head].states
	return n == "caused_by" || m == "caused_by" || n == "created_by" || m == "created_by"
}

// owner gives whom or what a noun of kinship belongs to: "Lantern's maintainer", "the maintainer of Lantern". end is the token
// behind it.
func (c *clause) owner(p arg) (owner arg, end int, ok bool) {
	if _, known := kinships[p.head]; !known || p.b == 0 || p.det == "vague" && c.s.word(p.a) == "no" {
		return arg{}, 0, false
	}
	if p.of != nil {
		return *p.of, p.b, p.of.kind != argNone && p.of.role == ""
	}
	k := c.chunkFrom(p.b)
	if k+1 >= len(c.c) || c.c[k].kind != wordChunk || !oneOf(c.c[k].w, "of for behind on to") || c.c[k+1].kind != phraseChunk {
		return arg{}, 0, false
	}
	return c.c[k+1].p, c.c[k+1].b, c.c[k+1].p.head != "choice"
}

// values are the phrases of the complement at chunk k.
func (c *clause) values(k int) []arg {
	list, ok := c.list(k)
	if !ok {
		return nil
	}
	return list.args
}

func (r *reader) kin(c *clause, noun string, owner arg, values []arg, end int) bool {
	rel := kinships[noun]
	if rel.states == "caused_by" && len(values) == 1 && values[0].kind == argNoun && unexplained[values[0].head] {
		return true // nobody knows it
	}
	owners := r.fitAll(c.s, rel.owner, []arg{owner})
	if len(owners) == 0 {
		return false
	}
	said := false
	for _, v := range r.fitAll(c.s, rel.value, values) {
		f := fact{head: owners[0], tail: v, relation: rel.states, hedged: c.hedged, conf: fair, a: c.from, b: end}
		if rel.states == "uses" && (v.typ == "person" || v.typ == "project") {
			continue
		}
		if rel.flip {
			f.head, f.tail = v, owners[0]
		}
		r.emit(c.s, f)
		said = true
	}
	return said
}

// unexplained say of a cause that it is not told.
var unexplained = set(`unknown unclear known mystery mysterious different simple obvious complicated undetermined open easy trivial clear stupid silly great fine interesting`)

// mine reads "my employer is A", "our database is A", "my favourite editor is A", and the same the other way round.
func (r *reader) mine(c *clause, p arg, values []arg, end int) bool {
	want, relation := slot(0), ""
	words := c.s.phraseText(p)
	switch {
	case p.head == "employer" || p.head == "workplace" || p.head == "company" && c.subjects[0].head == "company":
		want, relation = employer, "works_at"
	case p.head == "home" || (p.head == "city" || p.head == "base" || p.head == "town") && strings.HasPrefix(words, "home"):
		want, relation = place, "located_in"
	case strings.HasPrefix(words, "go-to "):
		want, relation = software, "uses"
	case strings.Contains(words, "favourite") || strings.Contains(words, "favorite") || strings.Contains(words, "preferred") || p.head == "preference":
		want, relation = thing, "prefers"
	case p.head == "nickname" || p.head == "handle" || p.head == "username":
		want, relation = anyone, "same_as"
	case p.head == "project" || p.head == "startup" || p.head == "app" || p.head == "game" || p.head == "prototype":
		want, relation = project, "works_on"
	case kinships[p.head].states == "uses":
		want, relation = software, "uses"
	default:
		return false
	}
	said := false
	found := r.fitAll(c.s, want, values)
	if len(found) == 0 && relation == "works_at" && len(values) == 1 && values[0].kind == argName && values[0].det == "" && values[0].b-values[0].first == 1 {
		if n := c.s.nameOf(values[0]); !n.shape { // whatever else is called so
			found = []endpoint{{text: n.text, typ: "organization", stop: n.stop}}
			r.retype(n.text, "organization")
		}
	}
	for _, v := range found {
		if relation == "uses" && v.typ == "person" {
			continue
		}
		r.emit(c.s, fact{head: r.self(), tail: v, relation: relation, hedged: c.hedged, conf: fair, a: c.from, b: end})
		if relation == "works_on" {
			r.talk.topic(v.text, v.typ, c.from)
		}
		said = true
	}
	return said
}

// placed reads "is" with a preposition: "I'm at Acme now", "Bob is on OPS-7".
func (r *reader) placed(c *clause, k int, gone bool) bool {
	x := c.c[k]
	if k+1 >= len(c.c) || c.c[k+1].kind != phraseChunk {
		return false
	}
	p := c.c[k+1].p
	want, relation, flip := slot(0), "", false
	switch x.w {
	case "at", "with":
		if x.w == "with" && r.handed(c, p) {
			return true
		}
		if c.subjects[0].head == "job" && c.subjects[0].det == "my" {
			c.subjects = []arg{{kind: argSelf, name: -1, pronoun: "i"}}
		} else if n := c.s.nameOf(p); n == nil || !gone && !c.lately() || n.sort&sortOrganization == 0 && n.sort != 0 {
			return false
		}
		want, relation = employer, "works_at"
	case "in":
		if !gone && !c.lately() {
			return false
		}
		want, relation = place, "located_in"
	case "on":
		want, relation, flip = task, "assigned_to", true
		if gone {
			return false
		}
		if list, ok := c.behind(k+2, "at", false); ok && (p.head == "team" || p.head == "squad") {
			p, want, relation, flip = list.args[0], employer, "works_at", false
		}
	case "behind":
		want, relation, flip = artefact, "created_by", true
		if gone || p.kind != argName {
			return false
		}
	default:
		return false
	}
	tails := r.fitAll(c.s, want, []arg{p})
	heads := r.fitAll(c.s, anyone, c.subjects)
	if len(tails) == 0 || len(heads) == 0 {
		return false
	}
	for _, h := range heads {
		f := fact{head: h, tail: tails[0], relation: relation, ended: gone, hedged: c.hedged, conf: fair, a: c.from, b: p.b}
		if flip {
			f.head, f.tail = f.tail, f.head
		}
		r.emit(c.s, f)
	}
	if !flip && !gone {
		r.ousted(c, relation, heads, tails, k+2)
	}
	return true
}

// handed reads "OPS-12 is with Nils".
func (r *reader) handed(c *clause, p arg) bool {
	heads, tails := r.fitAll(c.s, task, c.subjects), r.fitAll(c.s, anyone, []arg{p})
	if len(heads) == 0 || len(tails) == 0 {
		return false
	}
	r.emit(c.s, fact{head: heads[0], tail: tails[0], relation: "assigned_to", hedged: c.hedged, conf: fair, a: c.from, b: p.b})
	return true
}

// lately says whether the clause says that something is so these days, and not just at this hour.
func (c *clause) lately() bool {
	for i := c.group().a; i < len(c.s.t); i++ {
		switch c.s.t[i].lower {
		case "now":
			if c.s.word(i-1) != "right" {
				return true
			}
		case "currently", "since", "nowadays", "permanently", "as":
			return true
		case "these":
			return c.s.word(i+1) == "days"
		}
	}
	return false
}

// adjectives of "is" that state a relation with what stands behind their preposition.
var adjectives = map[string]struct {
	preps    string
	object   slot
	relation string
	ends     bool
}{
	"done":     {"with", software, "uses", true},
	"finished": {"with", software, "uses", true},
	"through":  {"with", software, "uses", true},
	"fed":      {"with", thing, "dislikes", false},
	"sick":     {"of", thing, "dislikes", false},
	"tired":    {"of", thing, "dislikes", false},
	"busy":     {"with", project, "works_on", false},
	"friends":  {"with", anyone, "knows", false},
	"married":  {"to", anyone, "knows", false},
	"employed": {"at by with", employer, "works_at", false},
}

// adjective reads "I'm done with Slack", "I'm tired of YAML", "I'm friends with Bob".
func (r *reader) adjective(c *clause, k int) bool {
	a, ok := adjectives[c.c[k].p.head]
	if !ok || c.c[k].p.b-c.c[k].p.first > 1 || c.c[k].p.kind != argNoun {
		return false
	}
	list, ok := c.behind(k+1, a.preps, false)
	if !ok {
		return false
	}
	for _, h := range r.fitAll(c.s, anyone, c.subjects) {
		for _, t := range r.fitAll(c.s, a.object, list.args) {
			if t.typ == "person" && a.relation != "knows" || a.ends && r.rules.lists().of(t.text)&sortTechnical == 0 && !camelName(t.text) {
				continue
			}
			r.emit(c.s, fact{head: h, tail: t, relation: a.relation, ended: a.ends, hedged: c.hedged, conf: fair, a: c.from, b: c.c[list.end-1].b})
		}
	}
	return true
}

// builtWith reads "is a Django app": what it is made with. It leaves the rest of the phrase to others.
func (r *reader) builtWith(c *clause, p arg) bool {
	if p.kind != argName || p.det != "a" || p.called || !projectNouns[p.head] || p.b-p.name != 2 {
		return false
	}
	n := c.s.nameOf(p)
	if n.sort&sortTechnical == 0 {
		return false
	}
	p.b, p.head = p.name+1, ""
	p.first = p.name
	for _, h := range r.fitAll(c.s, component, c.subjects) {
		if e, ok := c.s.fit(software, p); ok && !h.self {
			r.emit(c.s, fact{head: h, tail: e, relation: "uses", hedged: c.hedged, conf: fair, a: c.from, b: p.b + 1})
		}
	}
	return false
}
