package rules

import "strings"

// tense says in which tenses a template states its relation.
type tense uint8

const (
	now     tense = 1 << iota // it is so: "uses", "is using", "has been using", "started using"
	past                      // it happened: "joined", "has joined"
	was                       // it was so and is not: "worked at"
	passive                   // "was written by", "is hosted on"
)

// template is a verb with what it governs, and the relation that it states.
type template struct {
	verbs   string // lemmas
	tenses  tense
	preps   string // before the object; "" for a direct object
	subject slot
	object  slot
	states  string // the relation
	flip    bool   // the object is the head
	ends    bool   // it says that the relation has ended
	conf    float64
	skips   bool // other phrases may stand before the preposition
	with    bool // "with X", "in X" behind the object says what the object uses
}

// templates in the order in which they are tried: the first that fits a clause speaks for it.
var templates = []template{
	// What somebody or something uses.
	{verbs: "use utilize leverage", tenses: now, subject: user, object: software, states: "uses", conf: sure},
	{verbs: "use utilize", tenses: passive, preps: "by", subject: software, object: user, states: "uses", flip: true, conf: fair},
	{verbs: "stick", tenses: now, preps: "with to", subject: user, object: software, states: "uses", conf: fair},
	{verbs: "run host deploy", tenses: now | passive, preps: "on in at to with under via", subject: component, object: software, states: "uses", conf: sure, skips: true},
	{verbs: "run deploy develop host", tenses: now, preps: "on to", subject: user, object: software, states: "uses", conf: fair},
	{verbs: "run host operate", tenses: now, subject: user, object: software, states: "uses", conf: fair},
	{verbs: "write rewrite rebuild build make develop implement base program code create design power back deploy configure compile bundle test manage handle store render style", tenses: passive,
		preps: "in with on using by atop via", subject: component, object: software, states: "uses", conf: sure},
	{verbs: "write code program script develop", tenses: now, preps: "in", subject: anyone, object: software, states: "uses", conf: fair, skips: true},
	{verbs: "write code speak", tenses: now, subject: anyone, object: software, states: "uses", conf: fair},
	{verbs: "talk integrate connect communicate interact sync interface", tenses: now, preps: "to with into", subject: component, object: software, states: "uses", conf: sure},
	{verbs: "integrate connect", tenses: passive, preps: "with to into", subject: component, object: software, states: "uses", conf: sure},
	{verbs: "call query wrap consume", tenses: now, subject: component, object: software, states: "uses", conf: fair},
	{verbs: "work", tenses: now, preps: "in with", subject: anyone, object: software, states: "uses", conf: fair},

	{verbs: "run", tenses: now, subject: component, object: software, states: "uses", conf: fair},
	{verbs: "make", tenses: now, preps: "of", subject: user, object: software, states: "uses", conf: fair, skips: true}, // "makes use of"
	{verbs: "implement code power back render style host", tenses: passive, preps: "in on with by at", subject: component, object: software, states: "uses", conf: sure},
	{verbs: "store keep cache persist log write publish send push stream read pull fetch load save sync export consume subscribe forward route send sit live", tenses: now,
		preps: "in to into from on through via with behind atop", subject: component, object: software, states: "uses", conf: fair, skips: true},
	{verbs: "keep track take manage plan edit do store deploy ship test monitor draw sketch schedule chat log debug read host", tenses: now,
		preps: "in with on through via to", subject: user, object: software, states: "uses", conf: fair, skips: true},
	{verbs: "swear live", tenses: now, preps: "by in", subject: anyone, object: software, states: "uses", conf: fair},
	{verbs: "power handle back serve", tenses: now, subject: software, object: component, states: "uses", flip: true, conf: fair},
	{verbs: "lean", tenses: now, preps: "on", subject: user, object: software, states: "uses", conf: fair, skips: true},
	{verbs: "embed import incorporate", tenses: now, subject: component, object: needed, states: "depends_on", conf: fair},
	{verbs: "pull", tenses: now, preps: "in", subject: component, object: needed, states: "depends_on", conf: fair},
	{verbs: "build", tenses: now, preps: "on upon", subject: component, object: needed, states: "depends_on", conf: fair},
	{verbs: "require need", tenses: passive, preps: "by", subject: needed, object: component, states: "depends_on", flip: true, conf: fair},

	// What needs what.
	{verbs: "depend rely", tenses: now, preps: "on upon", subject: component, object: needed, states: "depends_on", conf: sure},
	{verbs: "require need", tenses: now, subject: component, object: needed, states: "depends_on", conf: sure},

	// Work.
	{verbs: "work", tenses: now, preps: "on", subject: anyone, object: project, states: "works_on", conf: sure},
	{verbs: "work intern", tenses: now, preps: "at for with", subject: anyone, object: employer, states: "works_at", conf: sure, skips: true},
	{verbs: "work intern", tenses: was, preps: "at for", subject: anyone, object: employer, states: "works_at", ends: true, conf: fair, skips: true},
	{verbs: "employ", tenses: passive, preps: "at by with", subject: anyone, object: employer, states: "works_at", conf: sure},
	{verbs: "hire", tenses: passive, preps: "by at", subject: anyone, object: employer, states: "works_at", conf: sure},
	{verbs: "hire", tenses: past, subject: employer, object: anyone, states: "works_at", flip: true, conf: fair},
	{verbs: "employ", tenses: now, subject: employer, object: anyone, states: "works_at", flip: true, conf: fair},
	{verbs: "join", tenses: past, subject: anyone, object: employer, states: "works_at", conf: sure},
	{verbs: "start begin", tenses: past, preps: "at with", subject: anyone, object: employer, states: "works_at", conf: sure, skips: true},
	{verbs: "get accept land take find", tenses: past, preps: "at with", subject: anyone, object: employer, states: "works_at", conf: fair, skips: true},
	{verbs: "maintain own lead manage oversee supervise head run coordinate co-maintain co-lead co-own", tenses: now, subject: anyone, object: project, states: "works_on", conf: sure},
	{verbs: "build develop write create design make code implement prototype rewrite rebuild", tenses: now, subject: anyone, object: project, states: "works_on", conf: sure, with: true},
	{verbs: "freelance consult intern teach", tenses: now, preps: "at for", subject: anyone, object: employer, states: "works_at", conf: sure, skips: true},
	{verbs: "drive fly deliver report cook write bake translate", tenses: now, preps: "for", subject: anyone, object: employer, states: "works_at", conf: fair},
	{verbs: "code program design cook bake", tenses: now, preps: "at", subject: anyone, object: employer, states: "works_at", conf: fair},
	{verbs: "do", tenses: now, preps: "at for", subject: anyone, object: employer, states: "works_at", conf: fair, skips: true},
	{verbs: "spend earn", tenses: now, preps: "at", subject: anyone, object: employer, states: "works_at", conf: fair, skips: true},
	{verbs: "work", tenses: now, preps: "from in of", subject: anyone, object: place, states: "located_in", conf: fair, skips: true},
	{verbs: "sit", tenses: now, preps: "in", subject: anyone, object: place, states: "located_in", conf: fair},
	{verbs: "look care take", tenses: now, preps: "after for of", subject: anyone, object: project, states: "works_on", conf: sure, skips: true},
	{verbs: "handle drive steward spearhead champion cover", tenses: now, subject: anyone, object: project, states: "works_on", conf: sure},
	{verbs: "refactor debug migrate port fix test rework extend redesign", tenses: now, subject: anyone, object: project, states: "works_on", conf: fair},
	{verbs: "hack tinker focus", tenses: now, preps: "on with", subject: anyone, object: project, states: "works_on", conf: sure, skips: true},
	{verbs: "spend", tenses: now, preps: "on", subject: anyone, object: project, states: "works_on", conf: fair, skips: true},
	{verbs: "handle run drive spearhead oversee supervise head coordinate develop", tenses: passive, preps: "by", subject: project, object: anyone, states: "works_on", flip: true, conf: fair},
	{verbs: "contribute", tenses: now, preps: "to", subject: anyone, object: project, states: "works_on", conf: sure},
	{verbs: "maintain own lead manage", tenses: passive, preps: "by", subject: project, object: anyone, states: "works_on", flip: true, conf: sure},
	{verbs: "assign", tenses: passive, preps: "to", subject: task, object: anyone, states: "assigned_to", conf: sure},
	{verbs: "assign", tenses: passive, subject: anyone, object: task, states: "assigned_to", flip: true, conf: sure},
	{verbs: "assign", tenses: passive, preps: "to", subject: anyone, object: task, states: "assigned_to", flip: true, conf: sure},
	{verbs: "take", tenses: past, preps: "over on", subject: anyone, object: task, states: "assigned_to", flip: true, conf: fair},
	{verbs: "reassign hand pass give transfer", tenses: passive, preps: "to", subject: task, object: anyone, states: "assigned_to", conf: sure, skips: true},
	{verbs: "go belong move", tenses: now | past, preps: "to", subject: task, object: anyone, states: "assigned_to", conf: fair},
	{verbs: "own take handle", tenses: passive, preps: "by", subject: task, object: anyone, states: "assigned_to", conf: fair},
	{verbs: "pick", tenses: past, preps: "up", subject: anyone, object: task, states: "assigned_to", flip: true, conf: fair},
	{verbs: "work", tenses: now, preps: "on", subject: anyone, object: task, states: "assigned_to", flip: true, conf: fair},
	{verbs: "get", tenses: past, subject: anyone, object: task, states: "assigned_to", flip: true, conf: fair},
	{verbs: "own take have handle", tenses: now | past, subject: anyone, object: task, states: "assigned_to", flip: true, conf: fair},
	{verbs: "assign", tenses: passive, preps: "to", subject: anyone, object: project, states: "works_on", conf: fair},

	// Places.
	{verbs: "live reside dwell", tenses: now, preps: "in at near", subject: anyone, object: place, states: "located_in", conf: sure, skips: true},
	{verbs: "live reside", tenses: was, preps: "in", subject: anyone, object: place, states: "located_in", ends: true, conf: fair, skips: true},
	{verbs: "base locate headquarter", tenses: passive, preps: "in at near", subject: user, object: place, states: "located_in", conf: sure},
	{verbs: "settle", tenses: past, preps: "in", subject: anyone, object: place, states: "located_in", conf: sure},

	// Likes.
	{verbs: "prefer favor favour", tenses: now, subject: user, object: thing, states: "prefers", conf: sure},
	{verbs: "dislike hate detest loathe despise abhor", tenses: now, subject: user, object: thing, states: "dislikes", conf: sure},

	{verbs: "want", tenses: now, subject: anyone, object: thing, states: "prefers", conf: fair},
	{verbs: "lean", tenses: now, preps: "toward towards", subject: user, object: thing, states: "prefers", conf: fair},
	{verbs: "avoid", tenses: now, subject: user, object: software, states: "dislikes", conf: fair},

	// What is part of what, who made what, and what came of what.
	{verbs: "belong", tenses: now, preps: "to", subject: artefact, object: artefact, states: "part_of", conf: sure},
	{verbs: "create write build make author design develop invent start found implement code draft compose", tenses: passive, preps: "by", subject: artefact, object: anyone,
		states: "created_by", conf: sure, skips: true},
	{verbs: "create write build make author design develop invent start found implement code", tenses: past, subject: anyone, object: artefact, states: "created_by", flip: true,
		conf: sure, with: true},
	{verbs: "include contain comprise bundle", tenses: now, subject: artefact, object: artefact, states: "part_of", flip: true, conf: fair},
	{verbs: "consist", tenses: now, preps: "of", subject: artefact, object: artefact, states: "part_of", flip: true, conf: fair},
	{verbs: "ship sit fall live reside", tenses: now, preps: "with inside under within in", subject: artefact, object: artefact, states: "part_of", conf: fair},
	{verbs: "include contain bundle embed", tenses: passive, preps: "in within into with", subject: artefact, object: artefact, states: "part_of", conf: fair},
	{verbs: "put", tenses: past, preps: "together", subject: anyone, object: artefact, states: "created_by", flip: true, conf: fair},
	{verbs: "come", tenses: past, preps: "with", subject: anyone, object: artefact, states: "created_by", flip: true, conf: fair},
	{verbs: "stem result come", tenses: now | past, preps: "from", subject: thing, object: thing, states: "caused_by", conf: fair},
	{verbs: "trace", tenses: passive, preps: "to", subject: thing, object: thing, states: "caused_by", conf: fair, skips: true},
	{verbs: "lead", tenses: past, preps: "to", subject: thing, object: thing, states: "caused_by", flip: true, conf: fair},
	{verbs: "cause trigger", tenses: passive, preps: "by", subject: thing, object: thing, states: "caused_by", conf: sure},
	{verbs: "cause trigger", tenses: past, subject: thing, object: thing, states: "caused_by", flip: true, conf: fair},
	{verbs: "go", tenses: now, preps: "by", subject: anyone, object: anyone, states: "same_as", conf: sure},
	{verbs: "report", tenses: now, preps: "to", subject: anyone, object: anyone, states: "knows", conf: fair},
	{verbs: "work", tenses: now, preps: "with", subject: anyone, object: anyone, states: "knows", conf: fair},
	{verbs: "have", tenses: now, subject: anyone, object: anyone, states: "knows", conf: fair},
	{verbs: "have", tenses: now, preps: "on", subject: component, object: needed, states: "depends_on", conf: fair, skips: true},
	{verbs: "stand", tenses: now, preps: "for", subject: thing, object: thing, states: "same_as", conf: fair},
	{verbs: "love adore", tenses: now, subject: user, object: thing, states: "prefers", conf: fair},
	{verbs: "know", tenses: now, subject: anyone, object: anyone, states: "knows", conf: fair},
}

// byVerb gives the templates of a verb, in their order.
var byVerb = func() map[string][]*template {
	m := map[string][]*template{}
	for i := range templates {
		for v := range strings.FieldsSeq(templates[i].verbs) {
			m[v] = append(m[v], &templates[i])
		}
	}
	return m
}()

// inTense says whether the verb stands in a tense of the template.
func (t *template) inTense(c *clause) bool {
	g := c.group()
	if g.passive {
		return t.tenses&passive != 0 && !(g.past && t.states != "created_by" && t.states != "caused_by" && t.states != "works_at" && t.states != "assigned_to" && t.states != "uses")
	}
	switch {
	case t.tenses&now != 0 && (g.present && !g.past && (!g.perfect || g.ing) || g.perfect && g.ing && !g.past || g.ended && !g.past || g.begun):
		return true
	case t.tenses&now != 0 && g.perfect && !g.past && c.since():
		return true
	case t.tenses&past != 0 && !g.ing && (g.past || g.perfect) && !g.modal:
		return true
	case t.tenses&was != 0 && g.past && !g.perfect && !g.ing:
		return true
	}
	return false
}

// since says whether "since" or "for" behind a perfect makes it go on: "I've worked at Acme since 2020".
func (c *clause) since() bool {
	for k := c.verb + 1; k < len(c.c); k++ {
		if x := c.c[k]; x.kind == timeChunk && (x.w == "since" || x.w == "for") {
			return true
		}
	}
	return false
}

// relate tries the templates of the clause's verb.
func (r *reader) relate(c *clause) bool {
	g := c.group()
	gone := c.anymore()
	if g.negated && !gone {
		return r.unlike(c)
	}
	if g.ing && c.soon() || g.decided {
		return false
	}
	for _, t := range byVerb[g.lemma] {
		if !t.inTense(c) || c.dropped && t.tenses&past == 0 {
			continue
		}
		if r.apply(c, t, gone) {
			return true
		}
	}
	return false
}

// apply states what the template says of each subject and object; false where it does not fit.
func (r *reader) apply(c *clause, t *template, gone bool) bool {
	var list objects
	ok := false
	if t.preps == "" {
		list, ok = c.object()
	} else {
		list, ok = c.behind(c.verb+1, t.preps, t.skips)
	}
	if !ok {
		return false
	}
	subjects := r.fitAll(c.s, t.subject, c.subjects)
	if t.states == "prefers" || t.states == "dislikes" { // who likes is a person, whatever the name
		if people := r.fitAll(c.s, anyone, c.subjects); len(people) > 0 {
			subjects = people
		}
	}
	tails := r.fitAll(c.s, t.object, list.args)
	if c.group().lemma == "use" && t.states == "uses" && !t.flip {
		tails = r.fitOwn(c, list.args)
	}
	if t.flip && t.states == "uses" && len(tails) == 0 && list.args[0].det == "my" && list.args[0].kind == argNoun && list.args[0].role == "" {
		tails = []endpoint{r.self()} // "Stripe handles our payments"
	}
	if len(subjects) < len(c.subjects) {
		return false
	}
	if e, ok := c.acted(t); ok { // "we deploy billing with Argo CD": it is billing's
		subjects = []endpoint{e}
	}
	if len(subjects) == 0 || len(tails) == 0 || !r.fits(fitted{c, t, subjects, tails, list}) {
		return false
	}
	if t.states == "prefers" || t.states == "dislikes" {
		for i, p := range list.args[:min(len(tails), len(list.args))] {
			if len(tails) == len(list.args) && c.s.made(p) { // who prefers Butterfly rubbers prefers Butterfly
				n := c.s.nameOf(p)
				tails[i] = endpoint{text: n.text, typ: "tool", stop: n.stop}
			}
		}
	}
	if t.object == thing || t.object == project || t.object == artefact {
		tails = c.wholeThing(t, list, tails)
	}
	conf := t.conf
	for _, head := range subjects {
		for _, tail := range tails {
			f := fact{head: head, tail: tail, relation: t.states, ended: t.ends || gone, hedged: c.hedged, conf: conf, a: c.from, b: c.c[list.end-1].b}
			if t.flip {
				f.head, f.tail = tail, head
			}
			r.emit(c.s, f)
		}
	}
	r.extend(c, t, subjects, tails, list, gone)
	if gone {
		r.inTurn(c, t, tails, list)
	} else if !t.flip {
		r.ousted(c, t.states, subjects, tails, list.end)
	}
	return true
}

// actedOn are verbs whose object is what uses the thing behind their preposition.
var actedOn = set(`deploy host run ship release publish serve monitor test`)

// acted gives the object of a verb that is done to something with something.
func (c *clause) acted(t *template) (endpoint, bool) {
	if g := c.group(); t.states != "uses" || t.preps == "" || t.flip || g.passive || !actedOn[g.lemma] {
		return endpoint{}, false
	}
	list, ok := c.object()
	if !ok || len(list.args) != 1 || list.args[0].kind == argSelf || list.args[0].kind == argPronoun {
		return endpoint{}, false
	}
	p := list.args[0]
	e, ok := c.s.fit(component, p)
	return e, ok && (p.det != "my" || projectNouns[p.head]) && e.typ != "tool" && e.typ != "technology" && e.typ != "language" && e.typ != "person"
}

// fitAll gives those of the phrases that fit; after one that does not, a list goes on with other things.
func (r *reader) fitAll(s *sentence, want slot, args []arg) []endpoint {
	var out []endpoint
	for _, p := range args {
		if p.kind == argPronoun {
			if found, ok := r.talk.resolve(p.pronoun, p.a); ok {
				p.resolved, p.resolvedAs = found.text, found.typ
			}
		}
		e, ok := s.fit(want, p)
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
