package rules

import (
	"strings"

	"memory-graph/extraction"
	"memory-graph/extraction/dates"
	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
)

// fact is a relation before it is emitted.
type fact struct {
	head, tail endpoint
	relation   string
	ended      bool
	news       bool // it is reported as a change
	since      bool // it continues until now: "has lived in"
	hedged     bool
	denied     bool // the text says that it never held
	conf       float64
	a, b       int // token range of the statement in its sentence
}

// reader reads one turn.
type reader struct {
	rules *Rules
	turn  extraction.Input
	text  string // scrubbed
	names []name
	// the mentions of the finder in the scrubbed text
	seenNames []memory.Mention
	spans     []dates.Span // times in the text
	found     memory.Findings
	seen      map[string]int    // index in found, by relation key
	types     map[string]string // types from the relations of the text, by canonical name
	inner     map[string]bool   // names that are part of a longer name in a fact
	talk      discourse
	steps     int          // tokens that were examined: a measure of work without a clock
	verb      *clause      // the current clause; nil between clauses
	trace     *[]Explained // nil unless Explain is running
	asked     int          // graph look-ups so far
}

// Confidences of extracted relations, before the caps of origin and method.
const (
	sure     = .9
	fair     = .8
	denial   = .7  // enough to end a fact
	guess    = .66 // factor of hedged statements: too low to end a fact
	reported = .85 // factor of an assistant's statements
)

// emit adds a fact of a sentence, unless a guard rejects it.
func (r *reader) emit(s *sentence, f fact) bool {
	f.head, f.tail = r.inFull(f.head), r.inFull(f.tail)
	head, tail := tidy(f.head.text), tidy(f.tail.text)
	hk, tk := memory.Canonical(head), memory.Canonical(tail)
	for _, e := range []*endpoint{&f.head, &f.tail} { // the first type that the text gives an unknown name stays
		if typ := r.types[memory.Canonical(tidy(e.text))]; typ != "" && !e.self && r.rules.lists().of(e.text) == 0 {
			e.typ = typ
		}
	}
	if hk == "" || tk == "" || hk == tk || len(head) > maxName || len(tail) > maxName {
		return false
	}
	reject := func(guard, word string) bool {
		if word != "" {
			guard += ": " + word
		}
		r.note(Step{Rejected: Sentence(head, f.worded(), tail, f.ended), Guard: guard})
		return false
	}
	if from := f.tail.stop - len(tail); f.tail.typ == "person" && oneOf(f.relation, "prefers dislikes") && from >= 0 &&
		r.text[from:f.tail.stop] == lowerOf(tail) { // "I dislike rosemary"
		tail, f.tail.typ = lowerOf(tail), ""
		r.retype(tail, "")
	}
	f.since = r.goesOn() && r.verb.group().perfect
	if guard, word := r.stopped(s, &f); guard != "" {
		return reject(guard, word)
	}
	from, until, ok := r.times(s, f)
	if !ok {
		return reject("the time is not understood, or ahead", "")
	}
	conf, method := f.conf, memory.MethodRule
	switch {
	case f.denied && f.hedged:
		return false
	case f.denied:
		conf, method = denial, memory.MethodRuleHedged
	case f.hedged:
		conf, method = conf*guess, memory.MethodRuleHedged
	}
	if r.turn.Role != memory.RoleUser {
		conf *= reported
	}
	news := (f.news || r.isNews(f)) && !r.dated(from, until) || f.timely() && !f.ended && r.goesOn() && !from.IsZero()
	key := hk + "\x00" + f.relation + "\x00" + tk
	if i, ok := r.seen[key]; ok {
		have := &r.found.Relations[i]
		if have.Ended != f.ended { // "left and came back", "joined and left": the last statement holds
			have.Ended, have.ValidUntil = f.ended, until
			if from.IsZero() {
				from = have.ValidFrom
			}
			have.ValidFrom, have.News = from, have.News || news
			have.Fact = Sentence(head, f.worded(), tail, f.ended)
		}
		return true
	}
	r.seen[key] = len(r.found.Relations)
	quote := strings.TrimSpace(r.turn.Text[s.t[f.a].start:max(s.t[min(f.b, len(s.t))-1].stop, f.tail.stop)])
	r.found.Relations = append(r.found.Relations, memory.RelationDraft{
		Head: head, HeadType: f.head.given(f.relation), Relation: f.relation,
		Tail: tail, TailType: f.tail.given(f.relation),
		Fact: Sentence(head, f.worded(), tail, f.ended), Quote: quote, Confidence: &conf, Method: method,
		Ended: f.ended, ValidFrom: from, ValidUntil: until, CreateMissing: true,
		News: news, Denied: f.denied, Still: !f.ended && hasWord(s.t[f.a:min(f.b, len(s.t))], "still"),
	})
	r.spoken(f)
	return true
}

// spoken records what a fact is about, for the names and pronouns that follow.
func (r *reader) spoken(f fact) {
	if f.head.typ == "person" && !f.head.self { // "she" in the next sentence is this person
		r.talk.person(tidy(f.head.text), f.a)
	}
	for _, e := range []endpoint{f.head, f.tail} {
		if e.typ == "project" {
			if strings.ContainsRune(e.text, ' ') {
				r.within(e.text)
			}
			if f.relation == "created_by" || f.relation == "works_on" {
				r.talk.topic(e.text, e.typ, f.a)
			}
		}
		if k := memory.Canonical(tidy(e.text)); e.given(f.relation) != "" && !e.self && r.types[k] == "" {
			r.types[k] = e.typ
		}
	}
}

// inFull expands "billing" to "billing service" if there is such a service.
func (r *reader) inFull(e endpoint) endpoint {
	full := e.text + " service"
	if areas[lowerOf(e.text)] && e.typ == "project" &&
		(r.types[memory.Canonical(full)] != "" || r.isKnown(full) && !r.isKnown(e.text)) {
		e.text = full
	}
	return e
}

// isKnown reports whether the graph has an entity of this name.
func (r *reader) isKnown(name string) bool {
	if r.turn.Known == nil {
		return false
	}
	for _, m := range r.rules.finder.FindAll(lowerOf(name), r.turn.Known) {
		if m.Known && len(m.Name) == len(name) {
			return true
		}
	}
	return false
}

// within records the names inside a longer one: in "the iOS app" the entity is the app.
func (r *reader) within(phrase string) {
	for _, n := range r.names {
		if len(n.text) < len(phrase) && strings.Contains(phrase, n.text) {
			r.inner[memory.Canonical(n.text)] = true
		}
	}
}

// maxName is the maximum length of a head or tail, in bytes.
const maxName = 120

// tidy trims spaces, quotation marks and Markdown emphasis from a phrase.
func tidy(s string) string { return mentions.Visible(strings.Trim(s, " \t\r\n*_`\"'“”‘’")) }

// copulas go before relations that are not verbs. Relations with "was" cannot end.
var copulas = map[string]string{"created_by": "was ", "caused_by": "was ", "replaced_by": "was ", "born_in": "was ",
	"assigned_to": "is ", "located_in": "is ", "allergic_to": "is ", "responsible_for": "is ", "married_to": "is ",
	"same_as": "is the "}

// worded returns the relation whose words tell the fact: people live in a place, and things are located there.
func (f fact) worded() string {
	if f.relation == "located_in" && f.head.typ == "person" {
		return "lives_in"
	}
	return f.relation
}

// Sentence returns a fact as an English sentence. If ended is set, it says that the fact no longer holds.
func Sentence(head, relation, tail string, ended bool) string {
	verb := strings.ReplaceAll(relation, "_", " ")
	be := copulas[relation]
	if strings.HasSuffix(relation, "_of") {
		be = "is "
	}
	if ended && be == "is " {
		verb = "is no longer " + verb
	} else if verb = be + verb; ended && be == "" {
		verb = "no longer " + verb
	}
	return head + " " + verb + " " + tail + "."
}
