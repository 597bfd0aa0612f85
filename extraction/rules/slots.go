package rules

import (
	"strings"

	"memory-graph/internal/memory"
)

// slot says what may stand in a place of a template.
type slot uint8

const (
	personSlot    slot = iota + 1 // the user, a name, "he" where it is clear who
	userSlot                      // the user alone
	somebodySlot                  // a person who is known to be one
	holderSlot                    // who uses things: a person, a team, a service, "our CI"
	componentSlot                 // what is built and run: a service, an app, a file, "the frontend"
	componentName                 // a component by its name
	employerSlot                  // an organisation by its name
	firmSlot                      // an organisation that the lists have, or that is called one
	teamSlot                      // a team, a club, a committee
	placeSlot                     // a place by its name
	citySlot                      // a place that the lists have
	toolSlot                      // a tool, a technology, a language by its name
	brandSlot                     // a tool by a name that is written like one
	ownSlot                       // a tool, or what users say to use: "formic acid"
	techSlot                      // one that the lists have
	neededSlot                    // a tool or a component
	methodSlot                    // a tool, or how it is done: "event sourcing"
	projectSlot                   // what people work on
	wholeSlot                     // a component that a decision is for: "the billing service"
	builtSlot                     // a project that the words tell to be one
	namedSlot                     // a project by its name
	taskSlot                      // a ticket
	thingSlot                     // any phrase
	troubleSlot                   // what has a cause that people look for
	artefactSlot                  // what people make: a component, a file, a text
	nameSlot                      // a name, alone
	tongueSlot                    // a language that people speak
)

// slotNames are the slots as templates call them.
var slotNames = map[string]slot{"person": personSlot, "user": userSlot, "somebody": somebodySlot, "holder": holderSlot,
	"component": componentSlot, "part": componentName, "employer": employerSlot, "firm": firmSlot, "team": teamSlot,
	"place": placeSlot, "city": citySlot, "own": ownSlot, "brand": brandSlot, "whole": wholeSlot, "built": builtSlot, "tool": toolSlot, "tech": techSlot, "needed": neededSlot, "method": methodSlot,
	"project": projectSlot, "named": namedSlot, "task": taskSlot, "thing": thingSlot, "trouble": troubleSlot,
	"artefact": artefactSlot, "name": nameSlot, "tongue": tongueSlot}

// endpoint is the head or the tail of a relation.
type endpoint struct {
	text string
	typ  string // "" where nothing is known
	self bool
	stop int // its last byte in the text
	// unsure says that nothing but a capital letter makes it a person
	unsure bool
}

// given returns the type to give for an end of a fact. Things use and depend on things too, so there a capital letter
// alone makes no person: no type is better than a wrong one.
func (e endpoint) given(relation string) string {
	if e.unsure && ofThingsToo[relation] {
		return ""
	}
	return e.typ
}

// ofThingsToo are relations that are said of people and of things.
var ofThingsToo = set(`uses depends_on part_of located_in decided_to_use switched_to replaced_by`)

// fit returns what a phrase means in a slot; ok is false if it does not belong there. It narrows the slots that ask for
// more than a shape.
func (r *reader) fit(s *sentence, want slot, p arg) (endpoint, bool) {
	n := s.nameOf(p)
	switch want {
	case userSlot:
		return r.self(), p.kind == argSelf
	case somebodySlot:
		e, ok := s.fit(personSlot, p)
		return e, ok && !e.self && (n == nil || n.typ == "person" || n.sort&sortPerson != 0 || p.role != "")
	case componentName:
		e, ok := s.fit(componentSlot, p)
		return e, ok && !e.self && n != nil && n.sort&(sortTechnical|sortPlace) == 0
	case firmSlot:
		if n == nil || n.sort&sortOrganization == 0 && n.typ != "organization" && !companyName(n) &&
			r.types[memory.Canonical(n.text)] != "organization" {
			return endpoint{}, false
		}
		return s.fit(employerSlot, p)
	case citySlot:
		if n == nil || n.sort&sortPlace == 0 || n.sort&sortTechnical != 0 {
			return endpoint{}, false
		}
		return s.fit(placeSlot, p)
	case techSlot:
		if n == nil || n.sort&sortTechnical == 0 {
			return endpoint{}, false
		}
		return s.fit(toolSlot, p)
	case wholeSlot:
		e, ok := s.fit(componentSlot, p)
		return e, ok && !e.self && (p.kind == argName && e.typ == "project" || p.det != "" && projectNouns[p.head])
	case builtSlot:
		if n != nil && !n.shape && !camelName(n.text) && !strings.Contains(n.text, "-") && n.typ != "project" &&
			r.types[memory.Canonical(n.text)] != "project" && !projectNouns[p.head] || n == nil && !projectNouns[p.head] {
			return endpoint{}, false
		}
		return r.fit(s, projectSlot, p)
	case ownSlot, brandSlot:
		if e, ok := s.fit(toolSlot, p); ok && (n != nil || s.lists.listed(p.head)) {
			return e, true
		} else if want == brandSlot {
			return endpoint{}, false
		}
		return s.fitPlain(p)
	case namedSlot:
		if n == nil || n.sort&(sortTechnical|sortPlace) != 0 && p.b-p.first == 1 || n.unsure && p.a == 0 ||
			departments[firstWord(n.text)] {
			return endpoint{}, false
		}
		return s.fit(projectSlot, p)
	case projectSlot:
		if p.det == "a" && !p.called || n != nil && (ticket(n.text) || n.sort&sortTechnical != 0 && !projectNouns[p.head]) {
			return endpoint{}, false
		}
		return s.fit(projectSlot, p)
	case troubleSlot:
		if !incidents[p.head] {
			return endpoint{}, false
		}
		return s.fit(thingSlot, p)
	case thingSlot:
		e, ok := s.fit(thingSlot, p)
		return e, ok && !(p.kind == argNoun && (unexplained[p.head] || p.det == "this"))
	case nameSlot:
		if n == nil || p.b-1 != p.name && s.kind(p.b-1) != numberToken || p.det == "my" || n.unsure && p.a == 0 {
			return endpoint{}, false
		}
		return endpoint{text: n.text, typ: n.typ, stop: n.stop}, !timeOf(n.text)
	case teamSlot:
		return s.fitTeam(p)
	case tongueSlot:
		e := endpoint{text: s.phraseText(p), typ: "concept", stop: s.stopOf(p)}
		return e, p.b-p.first == 1 && (tongues[e.text] || n != nil && n.sort == 0 && n.typ == "")
	}
	return s.fit(want, p)
}

// unexplained say of a cause that it is not told.
var unexplained = class("unexplained")

// fit returns what a phrase means in a slot by its words alone.
func (s *sentence) fit(want slot, p arg) (endpoint, bool) {
	switch p.kind {
	case argNone:
		if want == componentSlot && p.det == "other" && p.of != nil && p.of.kind == argNoun && p.of.role == "" && p.name < 0 {
			p.det, p.of = "the", nil // "the library's catalogue"
			return s.fitNoun(want, p)
		}
		return endpoint{}, false
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
		return e, false
	case argNoun:
		return s.fitNoun(want, p)
	}
	return s.fitName(want, p)
}

func (s *sentence) stopOf(p arg) int {
	if p.b == 0 || p.b > len(s.t) {
		return 0
	}
	return s.t[p.b-1].stop
}

// nameOf returns the name of a phrase, nil for none.
func (s *sentence) nameOf(p arg) *name {
	if p.name < 0 || p.kind != argName {
		return nil
	}
	if t := s.t[p.name]; t.kind != nameToken { // "called tidepool"
		return &name{start: t.start, stop: t.stop, text: s.text[t.start:t.stop]}
	}
	return &s.names[s.t[p.name].name]
}

// fitName reads a phrase with a name in it.
func (s *sentence) fitName(want slot, p arg) (endpoint, bool) {
	n := s.nameOf(p)
	e := endpoint{text: n.text, typ: n.typ, stop: n.stop}
	behind, before := p.b-p.name-1, p.name-p.first // tokens around the name
	if behind > 0 && s.t[p.b-1].kind == numberToken {
		behind--
	}
	if p.called {
		behind, before = 0, 0
		if n.sort == 0 {
			e.typ = typeOfHead(p.head)
		}
	}
	wrapped := behind == 1 && wrapNouns[p.head]
	whole := endpoint{text: s.phraseText(p), typ: n.typ, stop: s.stopOf(p)}
	if p.det == "my" && before > 0 && p.role == "" && want != toolSlot && want != thingSlot && want != personSlot &&
		!projectNouns[s.word(p.name-1)] && !wrapNouns[s.word(p.name-1)] {
		return e, false // "my cat Pixel"
	}
	switch want {
	case personSlot:
		return s.fitPerson(e, n, p, before, behind)
	case holderSlot: // a name that no list of people has is rather of what people build
		if person, ok := s.fitPerson(e, n, p, before, behind); ok && (n.typ == "person" || n.sort&sortPerson != 0 ||
			p.role != "" || p.called) {
			return person, true
		}
		return s.fitComponent(e, whole, n, p, behind, wrapped)
	case componentSlot:
		return s.fitComponent(e, whole, n, p, behind, wrapped)
	case employerSlot:
		e.typ = "organization"
		if behind > 0 && !wrapped || n.shape || before > 1 && !p.called || n.unsure && n.start == s.t[0].start {
			return e, false
		}
		if n.sort&sortTechnical != 0 && n.sort&sortOrganization == 0 {
			return e, false
		}
		return e, n.sort&^sortWord != sortPerson && (n.typ != "person" || n.sort&sortOrganization != 0) &&
			(n.typ != "location" || n.sort&sortOrganization != 0)
	case placeSlot:
		e.typ = "location"
		fits := n.sort&sortPlace != 0 || n.sort&^sortWord == 0 && (n.typ == "" || n.typ == "location") && !n.shape
		if behind > 0 && s.t[p.b-1].kind != numberToken || n.sort == 0 && departments[lowerOf(n.text)] {
			return e, false // "works in Finance"
		}
		return e, fits && !camelName(n.text)
	case toolSlot, neededSlot, methodSlot:
		return s.fitTool(want, e, whole, n, p, behind, wrapped)
	case projectSlot, artefactSlot:
		return s.fitProject(want, e, whole, n, p, before, behind, wrapped)
	case taskSlot:
		return e, ticket(n.text)
	case thingSlot:
		if behind == 0 && before == 0 || p.called || p.role != "" || ticket(n.text) || wrapped && n.shape ||
			behind == 0 && projectNouns[s.word(p.name-1)] {
			return e, true
		}
		whole.typ = ""
		return whole, true
	}
	return e, false
}

// fitPerson takes a name that nothing says to be anything else, alone or with what the person is.
func (s *sentence) fitPerson(e endpoint, n *name, p arg, before, behind int) (endpoint, bool) {
	e.typ = "person"
	if n.shape || behind > 0 || before > 0 && p.role == "" && !p.called || p.det == "the" && p.role == "" ||
		p.det == "this" || p.det == "a" && !p.called {
		return e, false
	}
	if p.called {
		return e, typeOfHead(p.head) == "person"
	}
	if n.typ == "person" || n.sort&sortPerson != 0 || p.role != "" {
		return e, true
	}
	e.unsure = !strings.ContainsRune(n.text, ' ')
	return e, n.sort&^sortWord == 0 && n.typ == "" && !camelName(n.text) && n.text == properCase(n.text)
}

// fitComponent takes what is run and built, by its name or by what it is.
func (s *sentence) fitComponent(e, whole endpoint, n *name, p arg, behind int, wrapped bool) (endpoint, bool) {
	switch {
	case behind == 0:
		if n.typ == "person" && (n.sort&^sortWord == sortPerson || n.sort == 0 && strings.ContainsRune(n.text, ' ')) ||
			n.typ == "location" {
			return e, false
		}
		if e.typ == "" || n.sort == 0 && e.typ == "concept" {
			e.typ = "project"
		}
		return e, !ticket(n.text)
	case wrapped && (n.shape || n.sort == 0):
		if e.typ == "" {
			e.typ = "project"
		}
		return e, true
	case projectNouns[p.head]:
		whole.typ = "project"
		return whole, true
	case machineNouns[p.head]:
		whole.typ = ""
		return whole, true
	}
	return e, false
}

// fitTool takes a name that is no person's and no place's, alone or with what it is.
func (s *sentence) fitTool(want slot, e, whole endpoint, n *name, p arg, behind int, wrapped bool) (endpoint, bool) {
	if generic[n.text] || n.typ == "file" && want == toolSlot || ticket(n.text) || n.sort&^sortWord == sortPlace ||
		n.typ == "person" && strings.Contains(n.text, " ") || n.typ == "location" && n.sort&sortTechnical == 0 {
		return e, false
	}
	known := n.sort&sortTechnical != 0
	switch {
	case behind == 0 || wrapped, known && behind == 1 && pluralNoun(p.head):
		switch {
		case known:
			e.typ = (n.sort & sortTechnical).typ()
		case n.shape:
		case p.called && typeOfHead(p.head) != "":
			e.typ = typeOfHead(p.head)
		case n.sort == 0 && n.text == lowerOf(n.text) && strings.ContainsRune(n.text, ' '):
			e.typ = "concept" // a substance that is known by now is of the type that it was given when it was new
		default:
			e.typ = "tool"
		}
		return e, !(want == methodSlot && n.typ == "person")
	case projectNouns[p.head] && want == neededSlot:
		whole.typ = "project"
		return whole, true
	case want == methodSlot && !p.plural:
		whole.typ = ""
		return whole, p.b-p.first <= 4
	}
	return e, false
}

// fitProject takes what people work on or make.
func (s *sentence) fitProject(want slot, e, whole endpoint, n *name, p arg, before, behind int, wrapped bool) (endpoint,
	bool) {
	switch {
	case want == projectSlot && ticket(n.text) && behind == 0:
		return e, false
	case p.called:
		if e.typ == "" || e.typ == "tool" {
			e.typ = "project"
		}
		return e, e.typ != "person" && e.typ != "location"
	case behind == 0 && p.role == "":
		if n.typ == "person" || n.sort&^sortWord == sortPerson && before == 0 && p.det == "" && want == projectSlot {
			return e, false
		}
		if n.sort&sortTechnical == 0 && !n.shape {
			e.typ = "project"
		}
		return e, true
	case wrapped && (n.shape || n.sort == 0 || p.head == "project") && !oneOf(p.head, "app server client"):
		if e.typ = "project"; n.typ == "file" {
			e.typ = "file"
		}
		return e, true
	case projectNouns[p.head] || p.det != "" && behind > 0 && !pluralNoun(p.head) && !vagueHeads[p.head]:
		whole.typ = "project"
		if oneOf(p.head, "team squad company crew") {
			whole.typ = "organization"
		}
		return whole, true
	}
	return e, false
}

// fitTeam takes a team, a club or a committee by its name or by what it is.
func (s *sentence) fitTeam(p arg) (endpoint, bool) {
	e := endpoint{text: s.phraseText(p), typ: "organization", stop: s.stopOf(p)}
	switch {
	case p.kind == argName && p.called:
		n := s.nameOf(p)
		return endpoint{text: n.text, typ: "organization", stop: n.stop}, collective[p.head]
	case p.kind == argName && p.name == p.b-2 && collective[p.head]:
		n := s.nameOf(p)
		e.text = n.text // "the Gravel team" is Gravel
		return e, n.sort&^sortWord == 0 && n.typ != "person"
	case p.kind == argName || p.kind == argNoun:
		return e, collective[p.head] && p.det != "a" && p.b-p.first > 1 && p.b-p.first < 5
	}
	return e, false
}

// collective nouns are of teams, and take verbs of both numbers.
var collective = class("collective")

// fitNoun reads a phrase without a name.
func (s *sentence) fitNoun(want slot, p arg) (endpoint, bool) {
	e := endpoint{text: s.phraseText(p), stop: s.stopOf(p)}
	words := p.b - p.first
	bare := words == 1 && p.det == ""
	switch want {
	case holderSlot, componentSlot:
		if p.role != "" || vagueHeads[p.head] {
			return e, false
		}
		if bare {
			return s.fitBare(e, p, true)
		}
		e.text = s.plainText(p)
		if projectNouns[p.head] {
			e.typ = "project"
		}
		if id, ok := s.identifier(p); ok {
			return id, true
		}
		return e, (projectNouns[p.head] || machineNouns[p.head] || holders[p.head]) && p.det != "a" && words <= 4
	case toolSlot, neededSlot, methodSlot:
		return s.fitNeeded(want, e, p, words)
	case projectSlot:
		if bare && areas[p.head] {
			e.typ = "project"
			return e, true
		}
		if vagueHeads[p.head] || p.role != "" || p.det == "" && words < 2 || oneOf(p.head, "team squad company department") {
			return e, false
		}
		e.typ = "project"
		e.text = s.plainText(p)
		if id, ok := s.identifier(p); ok {
			return id, true
		}
		return e, words <= 5 && p.det != "a" && (projectNouns[p.head] && (words > 1 || p.det != "") ||
			words > 1 && p.det != "" && !pluralNoun(p.head))
	case artefactSlot:
		e.typ = "project"
		if bare {
			return s.fitBare(e, p, true)
		}
		return e, words <= 5 && p.det != "a" && p.role == "" && !vagueHeads[p.head]
	case employerSlot:
		k := s.lists.of(e.text)
		e.typ = "organization"
		if p.det == "the" && words > 1 && words < 4 && holders[p.head] && p.role == "" && p.of == nil &&
			!plainAdjectives[s.word(p.first)] && !oneOf(s.word(p.first), "same other front back home local nearest next") {
			return e, true // "the city library"
		}
		return e, bare && k&sortOrganization != 0 && k&sortWord == 0
	case placeSlot:
		k := s.lists.of(e.text)
		e.typ = "location"
		return e, p.det == "" && k&sortPlace != 0 && k&sortTechnical == 0 && len(e.text) > 3 && !smallPlaces[e.text]
	case thingSlot:
		return e, words <= 6 && !(words == 1 && vagueHeads[p.head])
	}
	return e, false
}

// fitNeeded takes software without a name that is known: "uses libcurl", "the participle library".
func (s *sentence) fitNeeded(want slot, e endpoint, p arg, words int) (endpoint, bool) {
	if vagueHeads[p.head] || p.role != "" {
		return e, false
	}
	switch {
	case words == 2 && (p.det == "the" || p.det == "a") && wrapNouns[p.head] && !commonModifiers[s.word(p.first)] &&
		want != methodSlot:
		t := s.t[p.first]
		e.text, e.stop, e.typ = s.text[t.start:t.stop], t.stop, "tool"
		if strings.Contains(e.text, "-") {
			e.typ = "project"
		}
		return e, true
	case want == methodSlot:
		return e, p.det == "" && words > 1 && words <= 4 ||
			words == 1 && p.det == "" && (strings.Contains(e.text, "-") || len(e.text) > 3 && !s.everydayWord(e.text))
	case words == 1 && p.det == "":
		return s.fitBare(e, p, want == neededSlot && areas[p.head])
	case want == neededSlot && words > 1 && words <= 4 && projectNouns[p.head] && p.det != "" && p.det != "a":
		e.typ = "project"
		return e, true
	}
	return e, false
}

// fitBare reads a single small word: a name is expected there, and the word is no everyday one.
func (s *sentence) fitBare(e endpoint, p arg, subject bool) (endpoint, bool) {
	t := s.t[p.first]
	e.text = s.text[t.start:t.stop]
	w := t.lower
	switch {
	case strings.Contains(w, "-") && !strings.HasPrefix(w, "non-") && !hyphenated[w[strings.LastIndexByte(w, '-')+1:]]:
		if subject {
			e.typ = "project"
		}
		return e, subject || strings.ContainsAny(w, "0123456789") || !ordinaryEnding(w)
	case subject && areas[w]:
		e.typ = "project"
		return e, true
	case subject && machineNouns[w] && w != "tests" && w != "company":
		return e, true
	case !subject && len(w) == 2 && s.lists.sorts[w]&sortTechnical != 0 &&
		s.lists.sorts[w]&(sortWord|sortPlace|sortPerson) == 0: // jq, fd
		e.typ = "tool"
		return e, true
	case s.everydayWord(w):
		return e, false
	case subject:
		e.typ = "project"
		return e, t.start != s.t[0].start || !t.capital
	}
	e.typ = "tool"
	return e, true
}

// fitPlain reads what users say to use: software of the lists that is a word too ("pandas"), or two small words that are
// not everyday ones ("formic acid").
func (s *sentence) fitPlain(p arg) (endpoint, bool) {
	if p.kind != argNoun || p.det != "" || p.role != "" || !s.user {
		return endpoint{}, false
	}
	e := endpoint{text: s.phraseText(p), stop: s.stopOf(p)}
	switch p.b - p.first {
	case 1:
		w := s.word(p.first)
		e.typ = "tool"
		return e, s.lists.listed(w) && len(w) > 4 && !ordinary[w] && !ordinary[w[:len(w)-1]] && pluralNoun(w)
	case 2:
		e.typ = "concept"
		return e, s.rare(p.first) && s.rare(p.first+1)
	}
	return e, false
}

// rare says whether token i is a small word that neither the grammar nor the list of everyday words has.
func (s *sentence) rare(i int) bool {
	w := s.word(i)
	return s.kind(i) == wordToken && !s.t[i].capital && len(w) > 3 && !everyday(w) && !s.everydayWord(w) && s.nominal(i) &&
		!plainAdjectives[w] && !timeUnits[w]
}

// everydayWord says whether a small word is one of everyday English.
func (s *sentence) everydayWord(w string) bool {
	if len(w) < 3 || vagueHeads[w] || projectNouns[w] || machineNouns[w] || wrapNouns[w] || roles[w] || ordinary[w] ||
		ordinaryEnding(w) {
		return true
	}
	return pluralNoun(w) && (ordinary[w[:len(w)-1]] || len(w) > 4 && !strings.HasSuffix(w, "os") &&
		!strings.HasSuffix(w, "is") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "js"))
}

func ordinaryEnding(w string) bool {
	for _, end := range []string{"ing", "tion", "ment", "ness", "ity", "ance", "ence", "ship", "ism", "ful", "less", "able",
		"ible", "ly", "ed", "ology", "ory", "ary"} {
		if len(w) > len(end)+2 && strings.HasSuffix(w, end) {
			return true
		}
	}
	return false
}

// identifier returns the name in "the nightly-etl job": a small word with a hyphen before what it is.
func (s *sentence) identifier(p arg) (endpoint, bool) {
	w := s.word(p.first)
	if p.b-p.first != 2 || p.det == "a" || p.det == "" || !strings.Contains(w, "-") || s.t[p.first].capital ||
		!wrapNouns[p.head] && !projectNouns[p.head] {
		return endpoint{}, false
	}
	last := w[strings.LastIndexByte(w, '-')+1:]
	if !wrapNouns[p.head] && ordinary[last] || hyphenated[last] || commonModifiers[w] || ordinaryEnding(w) ||
		strings.Count(w, "-") > 2 {
		return endpoint{}, false
	}
	t := s.t[p.first]
	return endpoint{text: s.text[t.start:t.stop], typ: "project", stop: t.stop}, true
}

var (
	hyphenated      = class("hyphenated")       // last parts of words that describe: "real-time", "trunk-based"
	commonModifiers = class("common_modifiers") // stand before "library" or "database" without being its name
	plainAdjectives = class("plain_adjectives")
	smallPlaces     = class("small_places") // towns that, written small, are other words
)

// phraseText returns the words of a phrase without its determiner, as they stand.
func (s *sentence) phraseText(p arg) string {
	return strings.Join(strings.Fields(s.text[s.t[p.first].start:s.t[p.b-1].stop]), " ")
}

// plainText is phraseText without adjectives that say nothing of what it is called.
func (s *sentence) plainText(p arg) string {
	for p.b-p.first > 1 && plainAdjectives[s.word(p.first)] {
		p.first++
	}
	return s.phraseText(p)
}

func pluralNoun(w string) bool {
	return len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss")
}

func camelName(s string) bool {
	return !strings.Contains(s, " ") && camel(s[1:]) && !strings.Contains(s, "-") || strings.ContainsAny(s, "0123456789_./")
}

// properCase returns s if no word of it is all capitals, else "".
func properCase(s string) string {
	for w := range strings.FieldsSeq(s) {
		if len(w) > 1 && w == strings.ToUpper(w) && w[0] < 0x80 {
			return ""
		}
	}
	return s
}

func typeOfHead(head string) string {
	switch {
	case roles[head] || oneOf(head, "guy woman man girl boy person colleague"):
		return "person"
	case collective[head] || holders[head] && !projectNouns[head] || oneOf(head, "company startup firm agency bank"):
		return "organization"
	case oneOf(head, "town city village island place"):
		return "location"
	case oneOf(head, "tool library editor framework database language plugin"):
		return "tool"
	case projectNouns[head]:
		return "project"
	}
	return ""
}

func firstWord(s string) string {
	first, _, _ := strings.Cut(s, " ")
	return lowerOf(first)
}

func lastWord(s string) string { return lowerOf(s[strings.LastIndexByte(s, ' ')+1:]) }

// companyName says whether a name that no list has is of a company by its last word: "Orlovac Robotics".
func companyName(n *name) bool {
	i := strings.LastIndexByte(n.text, ' ')
	return n.sort == 0 && i > 0 && companyWords[lowerOf(n.text[i+1:])]
}

var companyWords = class("company_words")
