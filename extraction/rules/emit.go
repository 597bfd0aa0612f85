package rules

import (
	"strings"

	"memory-graph/extraction"
	"memory-graph/extraction/dates"
	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
)

// fact is a relation while a text is read.
type fact struct {
	head, tail endpoint
	relation   string
	ended      bool
	news       bool // it is told as a change
	since      bool // it has gone on until now: "has lived in"
	hedged     bool
	read       bool // what stands behind it is part of it, and takes nothing back
	conf       float64
	a, b       int // tokens that say it, of the sentence
}

// reader reads one turn.
type reader struct {
	rules *Rules
	turn  extraction.Input
	text  string // scrubbed
	names []name
	// what the finder has found in the scrubbed text
	seenNames []memory.Mention
	spans     []dates.Span // the times that the text names
	found     memory.Findings
	seen      map[string]int    // relations by key: their index in found
	types     map[string]string // what relations say of names, by canonical name
	inner     map[string]bool   // names that are part of a longer name that a fact is about
	talk      discourse
	steps     int     // tokens that clauses have looked at: a measure of the work that needs no clock
	verb      *clause // the one that is being read; nil between clauses
	lastOne   placedFact
	// where the sentence before the one that is being read begins
	sentenceBefore int
	trace          *[]Explained                // nil unless the reading is to be explained
	takenBackFacts []extraction.Held           // what the sentence before said, where this one takes it back
	answers        map[asked][]extraction.Held // what the graph has said
}

// placedFact is a fact that was stated, and where: its relation in found, and the offset of its sentence.
type placedFact struct {
	f        fact
	at       int
	sentence int
	now      bool // it is told as what is so by now
}

// The confidences of what rules find, before origin and method cap them.
const (
	sure     = .9
	fair     = .8
	guess    = .66 // factor of what the speaker is not sure of: too little to end anything
	reported = .85 // factor of what an assistant says
)

// emit adds a fact of a sentence, unless a guard stops it.
func (r *reader) emit(s *sentence, f fact) bool {
	f.head, f.tail = r.inFull(s, f.head), r.inFull(s, f.tail)
	head, tail := tidy(f.head.text), tidy(f.tail.text)
	hk, tk := memory.Canonical(head), memory.Canonical(tail)
	for _, e := range []*endpoint{&f.head, &f.tail} { // what the text said first of an unknown name goes on to hold
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
		r.note(Step{Rejected: sentenceOf(head, f.relation, tail, f.ended), Guard: guard})
		return false
	}
	if r.verb != nil {
		g := r.verb.group()
		f.since = g.perfect && !g.past
	}
	if guard, word := r.stopped(s, &f); guard != "" {
		return reject(guard, word)
	}
	from, until, ok := r.times(s, f)
	if !ok {
		return reject("the time is not understood, or ahead", "")
	}
	conf, method := f.conf, memory.MethodRule
	if f.hedged {
		conf, method = conf*guess, memory.MethodRuleHedged
	}
	if r.turn.Role != memory.RoleUser {
		conf *= reported
	}
	news := (f.news || r.isNews(f)) && !r.dated(from, until)
	key := hk + "\x00" + f.relation + "\x00" + tk
	if i, ok := r.seen[key]; ok {
		have := &r.found.Relations[i]
		if have.Ended != f.ended { // left and came back, joined and left: the later word holds
			have.Ended, have.ValidUntil = f.ended, until
			if from.IsZero() {
				from = have.ValidFrom
			}
			have.ValidFrom, have.News = from, have.News || news
			have.Fact = sentenceOf(head, f.relation, tail, f.ended)
		}
		return true
	}
	r.seen[key] = len(r.found.Relations)
	r.lastOne = placedFact{f, len(r.found.Relations), s.t[0].start, news || hasWord(s.t, "now") || hasWord(s.t, "since") ||
		hasWord(s.t, "these")}
	quote := strings.TrimSpace(r.turn.Text[s.t[f.a].start:max(s.t[min(f.b, len(s.t))-1].stop, f.tail.stop)])
	r.found.Relations = append(r.found.Relations, memory.RelationDraft{
		Head: head, HeadType: f.head.given(f.relation), Relation: f.relation,
		Tail: tail, TailType: f.tail.given(f.relation),
		Fact: sentenceOf(head, f.relation, tail, f.ended), Quote: quote, Confidence: &conf, Method: method,
		Ended: f.ended, ValidFrom: from, ValidUntil: until, CreateMissing: true,
		News: news,
	})
	r.spoken(f)
	return true
}

// spoken notes what a fact is about, for the names and pronouns that follow.
func (r *reader) spoken(f fact) {
	if f.head.typ == "person" && !f.head.self { // of whom something is said "she" is said next
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

// inFull gives somebody who is called by the first name the whole name that the text has before: "Will Park left … Will is at Adyen".
// What a system calls "billing" is the billing service, where there is one.
func (r *reader) inFull(s *sentence, e endpoint) endpoint {
	if areas[lowerOf(e.text)] && e.typ == "project" {
		if full := e.text + " service"; r.types[memory.Canonical(full)] != "" || r.isKnown(full) && (!r.isKnown(e.text) || r.spokenOf(s, full, e.text)) {
			e.text = full
		}
		return e
	}
	if e.typ != "person" || e.self || strings.ContainsRune(e.text, ' ') {
		return e
	}
	full := ""
	for _, n := range r.names {
		if first, _, ok := strings.Cut(n.text, " "); ok && n.start < e.stop && first == e.text && n.text == properCase(n.text) && n.sort&(sortTechnical|sortOrganization|sortPlace) == 0 && (n.typ == "person" || n.typ == "") && !companyName(&n) {
			if full != "" && full != n.text {
				return e
			}
			full = n.text
		}
	}
	if full != "" {
		e.text = full
	}
	return e
}

// isKnown says whether the graph has something that is called so.
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

// within notes the names that are part of a longer one: of "the iOS app" the entity is the app.
func (r *reader) within(phrase string) {
	for _, n := range r.names {
		if len(n.text) < len(phrase) && strings.Contains(phrase, n.text) {
			r.inner[memory.Canonical(n.text)] = true
		}
	}
}

// maxName is the longest name or phrase that a fact is about, in bytes.
const maxName = 120

// tidy takes marks of style from the ends of a phrase.
func tidy(s string) string { return mentions.Visible(strings.Trim(s, " \t\r\n*_`\"'“”‘’")) }

// sentences of the relations that rules find.
var wording = map[string][2]string{
	"works_at":       {"works at", "no longer works at"},
	"works_on":       {"works on", "no longer works on"},
	"located_in":     {"is located in", "is no longer located in"},
	"uses":           {"uses", "no longer uses"},
	"depends_on":     {"depends on", "no longer depends on"},
	"prefers":        {"prefers", "no longer prefers"},
	"dislikes":       {"dislikes", "no longer dislikes"},
	"decided_to_use": {"decided to use", "decided against"},
	"assigned_to":    {"is assigned to", "is no longer assigned to"},
	"part_of":        {"is part of", "is no longer part of"},
	"created_by":     {"was created by", "was created by"},
	"knows":          {"knows", "no longer knows"},
	"same_as":        {"is the same as", "is no longer the same as"},
	"caused_by":      {"was caused by", "was caused by"},
	"replaced_by":    {"was replaced by", "was replaced by"},
}

func sentenceOf(head, relation, tail string, ended bool) string {
	w, ok := wording[relation]
	verb := w[0]
	if ended {
		verb = w[1]
	}
	if !ok {
		verb = strings.ReplaceAll(relation, "_", " ")
	}
	return head + " " + verb + " " + tail + "."
}
