package rules

import (
	"strings"

	"memory-graph/internal/memory"
)

// fitted is a template that fits a clause, before it is believed.
type fitted struct {
	c        *clause
	t        *template
	subjects []endpoint
	tails    []endpoint
	list     objects
}

// fits holds what single templates ask for beyond their slots.
func (r *reader) fits(f fitted) bool {
	c, g := f.c, f.c.group()
	first := f.list.args[0]
	n := c.s.nameOf(first)
	switch f.t.states {
	case "uses":
		switch {
		case g.lemma == "base" && f.list.prep == "in": // "Globex is based in Springfield"
			return n != nil && n.sort&sortTechnical != 0
		case g.lemma == "run" && f.t.preps == "" || g.lemma == "host" && f.t.preps == "" || g.lemma == "write" || g.lemma == "code" || g.lemma == "speak":
			// "we run Kafka", "I write Python"; "I run marathons", "she runs Acme" state nothing like it.
			if n == nil || n.sort&sortTechnical == 0 {
				return false
			}
			if (g.lemma == "write" && f.t.preps == "" || g.lemma == "speak") && n.sort&sortLanguage == 0 {
				return false
			}
		case g.lemma == "live" || g.lemma == "sit":
			return n != nil && (n.sort&sortTechnical != 0 || n.shape)
		case f.t.preps != "" && f.t.subject == anyone || f.t.subject == user && f.t.preps != "" && g.lemma != "stick":
			return n != nil && n.sort&(sortTechnical) != 0
		case f.list.prep == "by" && n != nil && n.sort == 0 && !n.shape && !camelName(n.text):
			return false // "was made by Aitor"
		case f.list.prep == "in" && n != nil && n.sort == 0 && !n.shape && !camelName(n.text) && c.s.nameOf(c.subjects[0]) != nil && c.s.mayBePerson(c.s.nameOf(c.subjects[0])):
			return false // "Petronella keeps bees in Sussex"
		case f.t.preps != "":
			// behind a preposition only what is written like a name: "runs on coffee", "built with care"
			return n != nil && n.sort&^sortWord != sortPerson && n.typ != "person"
		case g.lemma == "call" || g.lemma == "query" || g.lemma == "wrap" || g.lemma == "consume":
			return n != nil && (n.sort&sortTechnical != 0 || n.shape) && !f.subjects[0].self
		case f.t.flip && !g.passive && f.list.args[0].det == "my":
			return n == nil && c.s.nameOf(c.subjects[0]) != nil && c.s.nameOf(c.subjects[0]).sort&sortTechnical != 0
		case f.t.flip && !g.passive:
			return c.s.nameOf(c.subjects[0]) != nil && c.s.nameOf(c.subjects[0]).sort&sortTechnical != 0
		case first.kind == argNoun && f.subjects[0].typ != "person" && f.subjects[0].typ != "project" && f.subjects[0].typ != "":
			return false
		}
	case "depends_on":
		if g.lemma == "have" {
			k, ok := c.next(c.verb + 1)
			return ok && c.c[k].kind == phraseChunk && c.c[k].p.head == "dependency"
		}
		if f.subjects[0].self && g.lemma == "need" {
			return false
		}
		if g.lemma == "need" || g.lemma == "require" {
			if n == nil && first.det == "" && f.subjects[0].typ == "project" && (c.s.nameOf(c.subjects[0]) != nil || coined(c.subjects[0].head) || c.s.unheardOf(c.subjects[0].head)) && (c.s.unheardOf(first.head) || r.rules.lists().listed(first.head)) {
				return true // "mudlark needs ffmpeg"
			}
			return n != nil && (n.sort&^sortWord != sortPerson && n.typ != "person") || first.kind == argNoun && first.det == "the" && f.subjects[0].typ == "project"
		}
		return n == nil || n.typ != "person" && n.typ != "location"
	case "works_on":
		if !f.t.flip && possessing[g.lemma] && first.kind == argName && (first.det == "a" || r.unheard(c, first) || g.lemma == "drive" && first.det != "" && first.b-1 == first.name && c.s.nameOf(first).sort&^sortWord == 0 && c.s.nameOf(first).typ != "project" && !c.s.nameOf(first).shape) {
			return false // "I run Acme", "I own a Volvo"
		}
		if f.tails[0].typ == "organization" || f.t.with && !g.ing && g.lemma != "develop" && !first.called && !(first.kind == argNoun && first.det == "the" && projectNouns[first.head]) {
			return false
		}
		if strings.HasPrefix(f.t.verbs, "maintain") {
			what := f.tails
			if f.t.flip {
				what = f.subjects
			}
			return what[0].typ == "project" || what[0].typ == "file" || what[0].typ == "tool" || what[0].typ == "technology"
		}
		if g.lemma != "work" && !g.passive && !g.ing && f.t.with { // "I write code", "she makes cakes"
			return first.det != "" || first.called
		}
		return true
	case "works_at":
		switch {
		case f.t.verbs == "work intern" && f.list.prep == "with":
			return false
		case g.lemma == "join":
			return n != nil && !meetingPlaces[strings.ToLower(n.text)] && n.typ != "location"
		case strings.HasPrefix(f.t.verbs, "get"):
			k, ok := c.next(c.verb + 1)
			return ok && c.c[k].kind == phraseChunk && jobs[c.c[k].p.head]
		case strings.HasPrefix(f.t.verbs, "start"):
			k, ok := c.next(c.verb + 1)
			return ok && (c.c[k].kind == wordChunk || c.c[k].kind == phraseChunk && jobs[c.c[k].p.head])
		}
	case "created_by":
		if (g.lemma == "come" || g.lemma == "put") && first.kind != argName {
			return false
		}
		if f.t.flip && (first.det == "" && !first.called && n == nil) {
			return false
		}
		if f.t.flip && !g.passive && f.subjects[0].self && first.kind == argNoun && !projectNouns[first.head] {
			return false
		}
	case "assigned_to":
		return true
	case "part_of":
		if !c.parts(f) {
			return false
		}
		if (g.lemma == "live" || g.lemma == "reside" || g.lemma == "sit" || g.lemma == "fall" || g.lemma == "ship") && !projectNouns[first.head] {
			return false
		}
		return f.tails[0].typ != "file" && f.tails[0].typ != "config" && f.tails[0].typ != "location" && !f.subjects[0].self && (f.tails[0].typ != "tool" || g.lemma != "live" && g.lemma != "sit")
	case "same_as":
		if g.lemma == "stand" {
			return n != nil && first.b-first.first == 1 && len(c.subjects) == 1 && c.subjects[0].kind != argSelf && len(f.subjects[0].text) < len(f.tails[0].text)
		}
		return f.subjects[0].self
	case "knows":
		if f.tails[0].self {
			return false
		}
		if g.lemma == "have" {
			return f.subjects[0].self && first.called && roles[first.head]
		}
		if g.lemma == "work" || g.lemma == "report" {
			return f.subjects[0].self && n != nil
		}
		return !f.subjects[0].self || n != nil
	case "prefers", "dislikes":
		if g.lemma == "want" {
			return f.subjects[0].self && first.kind == argNoun && first.det == "" && styleNouns[first.head] && first.b-first.first > 1
		}
		if g.lemma == "love" || g.lemma == "adore" {
			return n != nil && f.tails[0].typ != "person" && f.tails[0].typ != "location" && first.b-first.first == 1
		}
		return first.kind != argNone && !f.tails[0].self
	case "caused_by":
		if g.lemma == "come" || g.lemma == "stem" || g.lemma == "result" || g.lemma == "lead" {
			what := c.subjects[0]
			if f.t.flip {
				what = first
			}
			return incidents[what.head]
		}
		return !f.subjects[0].self
	case "located_in":
		return true
	}
	return true
}

// possessing verbs are said of companies and cars as of projects.
var possessing = set(`own run drive head`)

// unheard says whether a phrase is nothing but a name that neither the lists, nor its shape, nor the text, nor the graph tell
// to be a project's.
func (r *reader) unheard(c *clause, p arg) bool {
	n := c.s.nameOf(p)
	return p.det == "" && !p.called && p.b-p.first == 1 && n.sort&^sortWord&^sortPerson&^sortOrganization == 0 && !n.shape && !camelName(n.text) && !strings.ContainsRune(n.text, '-') &&
		n.typ != "project" && r.types[memory.Canonical(n.text)] != "project"
}

// incidents are what has a cause that people look for.
var incidents = set(`outage crash bug failure error leak incident issue problem spike slowdown latency delay downtime timeout regression breakage hang freeze loss corruption flake
flakiness deadlock panic exception alert alarm disruption fire accident damage defect fault glitch drop jump`)

// jobs are what people get at a company.
var jobs = set(`job position role offer gig internship apprenticeship post contract work career`)

// meetingPlaces are joined by people who do not work there.
var meetingPlaces = set(`discord slack telegram zoom signal whatsapp teams github gitlab reddit twitter mastodon facebook linkedin instagram tiktok strava matrix`)

// nameOf gives the name of a phrase, nil for none.
func (s *sentence) nameOf(p arg) *name {
	if p.name < 0 {
		return nil
	}
	if s.t[p.name].kind != nameToken {
		return &name{text: s.text[s.t[p.name].start:s.t[p.name].stop]}
	}
	return &s.names[s.t[p.name].name]
}

// wholeThing completes objects that go on behind their phrase: "short answers without emojis".
func (c *clause) wholeThing(t *template, list objects, tails []endpoint) []endpoint {
	last := len(tails) - 1
	k := list.end
	if k+1 >= len(c.c) || c.c[k].kind != wordChunk || c.c[k+1].kind != phraseChunk {
		return tails
	}
	if (t.states == "prefers" || t.states == "dislikes") && (c.c[k].w == "without" || c.c[k].w == "with") && list.args[last].kind == argNoun {
		tails[last].text = strings.Join(strings.Fields(c.s.text[c.s.t[list.args[last].first].start:c.s.t[c.c[k+1].b-1].stop]), " ")
		tails[last].stop = c.s.t[c.c[k+1].b-1].stop
	}
	return tails
}

// stages of a work: who made "the first version of" something made the thing.
var stages = set(`version draft prototype iteration release part parts bulk most core half majority mvp poc implementation frontend backend`)

// parts says whether both ends are of what people build: houses belong to banks, and prices include breakfast.
func (c *clause) parts(f fitted) bool {
	built := 0
	for _, list := range [][]arg{c.subjects, f.list.args} {
		for _, p := range list {
			n := c.s.nameOf(p)
			switch {
			case n != nil && ticket(n.text):
				return false
			case n != nil, projectNouns[p.head], wrapNouns[p.head] && p.head != "company" && p.head != "group", p.head == "layer", p.head == "stack":
				built++
			case ordinaryWords[p.head]:
				return false
			}
		}
	}
	return built > 0
}
