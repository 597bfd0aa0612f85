package rules

import (
	"strings"

	"memory-graph/internal/memory"
)

// slot is the kind of phrase that a place in a template accepts.
type slot uint8

const (
	personSlot    slot = iota + 1 // the user, a name, a pronoun with a clear referent
	userSlot                      // only the user
	somebodySlot                  // a known person
	holderSlot                    // a user of things: a person, a team, a service, "our CI"
	componentSlot                 // a service, an app, a file, "the frontend"
	employerSlot                  // a named organisation
	firmSlot                      // a listed organisation, or one that the text calls so
	teamSlot                      // a team, a club, a committee
	placeSlot                     // a named place
	citySlot                      // a listed place
	toolSlot                      // a named tool, technology or language
	techSlot                      // a listed one
	neededSlot                    // a tool or a component
	methodSlot                    // a tool or a method: "event sourcing"
	projectSlot                   // what people work on
	wholeSlot                     // a component that a decision is for: "the billing service"
	taskSlot                      // a ticket
	thingSlot                     // any phrase
	troubleSlot                   // an incident with a cause
	artefactSlot                  // something made: a component, a file, a text
	tongueSlot                    // a spoken language
)

// slotNames maps the names of slots in templates to slots.
var slotNames = map[string]slot{"person": personSlot, "user": userSlot, "somebody": somebodySlot, "holder": holderSlot,
	"component": componentSlot, "employer": employerSlot, "firm": firmSlot, "team": teamSlot, "place": placeSlot,
	"city": citySlot, "whole": wholeSlot, "tool": toolSlot, "tech": techSlot, "needed": neededSlot,
	"method": methodSlot, "project": projectSlot, "task": taskSlot, "thing": thingSlot, "trouble": troubleSlot,
	"artefact": artefactSlot, "tongue": tongueSlot}

// endpoint is the head or the tail of a relation.
type endpoint struct {
	text string
	typ  string // "" if unknown
	self bool
	stop int // end offset in the text
	// unsure is set if only a capital letter suggests a person
	unsure bool
}

// given returns the type of a head or tail. In relations that things can have too, a capital letter alone makes no
// person: no type is better than a wrong one.
func (e endpoint) given(relation string) string {
	if e.unsure && ofThingsToo[relation] {
		return ""
	}
	return e.typ
}

// ofThingsToo are relations of people and of things.
var ofThingsToo = set(`uses depends_on part_of located_in decided_to_use switched_to replaced_by`)

// fit returns the endpoint that a phrase is in a slot. ok is false if it does not fit. fit checks what needs more than
// the form of the phrase.
func (r *reader) fit(s *sentence, want slot, p arg) (endpoint, bool) {
	n, sorts := s.nameOf(p), sort(0)
	if n != nil {
		sorts = n.sort
	} else if want == citySlot && p.kind == argNoun && !everydayWord(p.head) { // in small letters
		sorts = s.lists.sorts[lowerOf(s.phraseText(p))]
	}
	asked := want
	switch want {
	case userSlot:
		return r.self(), p.kind == argSelf
	case somebodySlot:
		e, ok := s.fit(personSlot, p)
		return e, ok && !e.self && (n == nil || n.typ == "person" || sorts&sortPerson != 0 || p.role != "")
	case firmSlot:
		asked = employerSlot
		if n == nil || sorts&sortOrganization == 0 && n.typ != "organization" && !companyName(n) &&
			r.types[memory.Canonical(n.text)] != "organization" {
			return endpoint{}, false
		}
	case citySlot:
		if asked = placeSlot; sorts&sortPlace == 0 || sorts&sortTechnical != 0 {
			return endpoint{}, false
		}
	case techSlot:
		asked = toolSlot
		if sorts&sortTechnical == 0 {
			return endpoint{}, false
		}
	case wholeSlot:
		e, ok := s.fit(componentSlot, p)
		return e, ok && !e.self && (p.kind == argName && e.typ == "project" || p.det != "" && projectNouns[p.head])
	case projectSlot:
		if p.det == "a" && !p.called || n != nil && (ticket(n.text) || sorts&sortTechnical != 0 && !projectNouns[p.head]) {
			return endpoint{}, false
		}
	case troubleSlot:
		asked = thingSlot
		if !incidents[p.head] {
			return endpoint{}, false
		}
	case thingSlot:
		ing := verbForms[s.word(p.first)].forms == formIng && !adjectival[s.word(p.first)] // "enjoy writing an article"
		if p.kind == argNoun && (unexplained[p.head] || p.det == "this" || ing) {
			return endpoint{}, false
		}
	case teamSlot:
		return s.fitTeam(p)
	case tongueSlot:
		e := endpoint{text: s.phraseText(p), typ: "concept", stop: s.stopOf(p)}
		return e, p.b-p.first == 1 && (tongues[e.text] || n != nil && sorts == 0 && n.typ == "")
	}
	return s.fit(asked, p)
}

// unexplained are nouns that leave a cause unknown.
var unexplained = class("unexplained")

// fit returns the endpoint that a phrase is in a slot, by its words alone.
func (s *sentence) fit(want slot, p arg) (endpoint, bool) {
	switch p.kind {
	case argSelf:
		e := endpoint{text: s.self, typ: "person", self: true, stop: s.stopOf(p)}
		return e, want == personSlot || want == holderSlot
	case argPronoun:
		e := endpoint{text: p.resolved, typ: p.resolvedAs, self: p.resolved == s.self, stop: s.stopOf(p)}
		switch want {
		case personSlot:
			return e, e.text != "" && e.typ == "person"
		case holderSlot:
			return e, e.text != ""
		case componentSlot, neededSlot, projectSlot, artefactSlot, thingSlot, toolSlot:
			return e, e.text != "" && e.typ != "person" && p.pronoun == "it"
		}
	case argNoun:
		return s.fitNoun(want, p)
	case argName:
		return s.fitName(want, p)
	}
	return endpoint{}, false
}

func (s *sentence) stopOf(p arg) int {
	if p.b == 0 || p.b > len(s.t) {
		return 0
	}
	return s.t[p.b-1].stop
}

// nameOf returns the name in a phrase; nil for none.
func (s *sentence) nameOf(p arg) *name {
	if p.name < 0 || p.kind != argName {
		return nil
	}
	if t := s.t[p.name]; t.kind != nameToken { // "called tidepool"
		return &name{start: t.start, stop: t.stop, text: s.text[t.start:t.stop]}
	}
	return &s.names[s.t[p.name].name]
}

// fitTeam accepts a team, a club or a committee, by its name or its kind.
func (s *sentence) fitTeam(p arg) (endpoint, bool) {
	e := endpoint{text: s.phraseText(p), typ: "organization", stop: s.stopOf(p)}
	if n := s.nameOf(p); n != nil && (p.called || p.name == p.b-2) {
		e.text, e.stop = n.text, n.stop // "the Gravel team" is Gravel
		return e, collective[p.head] && n.typ != "person" && n.sort&^sortWord == 0
	}
	return e, p.kind >= argNoun && collective[p.head] && p.det != "a" && p.b-p.first > 1 && p.b-p.first < 5
}

// collective nouns are of teams, and take singular and plural verbs.
var collective = class("collective")

// phraseText returns the words of a phrase without its determiner.
func (s *sentence) phraseText(p arg) string {
	return strings.Join(strings.Fields(s.text[s.t[p.first].start:s.t[p.b-1].stop]), " ")
}

// plainText is phraseText without adjectives that are not part of a name.
func (s *sentence) plainText(p arg) string {
	for p.b-p.first > 1 && plainAdjectives[s.word(p.first)] {
		p.first++
	}
	return s.phraseText(p)
}
