package rules

import (
	"strings"
)

// slot says what may stand in a place of a template.
type slot uint8

const (
	anyone    slot = iota + 1 // a person: the user, a name, "he" where it is clear who
	user                      // who uses and prefers: a person, a team, a company, a service, "our CI"
	component                 // what is built and run: a service, an app, a file, "the frontend"
	employer                  // an organisation by its name
	place                     // a place by its name
	software                  // a tool, a technology, a language by its name
	needed                    // software or a component
	method                    // software, or what it is done by: "event sourcing"
	project                   // what people work on
	task                      // a ticket
	thing                     // any phrase
	artefact                  // what people make: a component, a file, a text
)

// endpoint is the head or the tail of a relation.
type endpoint struct {
	text string
	typ  string // "" where nothing is known
	self bool
	stop int // its last byte in the text
}

// fit gives what the phrase means in the slot; ok is false where it does not belong there.
func (s *sentence) fit(want slot, p arg) (endpoint, bool) {
	switch p.kind {
	case argNone:
		if want == component && p.det == "other" && p.of != nil && p.of.kind == argNoun && p.of.role == "" && p.name < 0 && (projectNouns[p.head] || gear[p.head] || records[p.head]) { // "the library's catalogue"
			p.det, p.of = "the", nil
			return s.fitNoun(want, p)
		}
		return endpoint{}, false
	case argSelf:
		switch want {
		case anyone, user:
			return endpoint{text: s.self, typ: "person", self: true, stop: s.stopOf(p)}, true
		case component, needed:
			return endpoint{text: s.self, typ: "person", self: true, stop: s.stopOf(p)}, want == component && p.pronoun != "i"
		}
		return endpoint{}, false
	case argPronoun:
		return s.fitPronoun(want, p)
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

func (s *sentence) fitPronoun(want slot, p arg) (endpoint, bool) {
	if p.resolved == "" {
		return endpoint{}, false
	}
	e := endpoint{text: p.resolved, typ: p.resolvedAs, self: p.resolved == s.self, stop: s.stopOf(p)}
	switch want {
	case anyone:
		return e, e.typ == "person"
	case user:
		return e, true
	case component, needed, project, artefact, thing:
		return e, e.typ != "person" && p.pronoun == "it"
	case software:
		return e, e.typ != "person" && p.pronoun == "it"
	}
	return e, false
}

// fitName reads a phrase with a name in it.
func (s *sentence) fitName(want slot, p arg) (endpoint, bool) {
	var n name
	if s.t[p.name].kind == nameToken {
		n = s.names[s.t[p.name].name]
	} else { // "called tidepool"
		n = name{start: s.t[p.name].start, stop: s.t[p.name].stop, text: s.text[s.t[p.name].start:s.t[p.name].stop]}
	}
	e := endpoint{text: n.text, typ: n.typ, stop: n.stop}
	behind := p.b - p.name - 1 // tokens behind the name
	if behind > 0 && s.t[p.b-1].kind == numberToken {
		behind--
	}
	before := p.name - p.first
	wrapped := behind == 1 && wrapNouns[p.head]
	if p.called {
		behind, before = 0, 0
		if n.sort == 0 {
			e.typ = typeOfHead(p.head)
		}
	}
	if want != anyone && want != employer && want != place && want != thing && p.det == "my" && before > 0 && !projectNouns[s.word(p.name-1)] && !wrapNouns[s.word(p.name-1)] && !introducing[s.word(p.name-1)] && p.role == "" && want != software {
		return e, false // "my cat Pixel"
	}
	whole := endpoint{text: s.phraseText(p), typ: n.typ, stop: s.stopOf(p)}
	switch want {
	case anyone:
		return s.fitPerson(e, n, p, before, behind)
	case user:
		// A name that no list of people has is rather of what people build.
		if person, ok := s.fitPerson(e, n, p, before, behind); ok && (n.typ == "person" || n.sort&sortPerson != 0 || p.role != "" || p.called) {
			return person, true
		}
		return s.fitComponent(e, whole, n, p, behind, wrapped)
	case component:
		return s.fitComponent(e, whole, n, p, behind, wrapped)
	case employer:
		e.typ = "organization"
		if behind > 0 && !wrapped && !(behind == 1 && companyName(&n) && s.kind(p.b-1) == wordToken) || n.shape || n.typ == "file" || before > 1 && !p.called {
			return e, false
		}
		return e, n.sort&^sortWord != sortPerson && (n.typ != "person" || n.sort&sortOrganization != 0) && (n.typ != "location" || n.sort&(sortOrganization) != 0)
	case place:
		ok := n.sort&sortPlace != 0 || n.sort == sortPerson && n.typ == "person" && !everyday(n.text) && s.word(p.a-1) == "in" && (dwelling[verbForms[s.word(p.a-2)].lemma] || s.word(p.a-2) == "settled") || // whoever else is called so
			n.sort == 0 && (n.typ == "" || n.typ == "location") && !n.shape
		if behind == 1 && s.t[p.b-1].kind != numberToken || n.sort == 0 && departments[lowerOf(n.text)] {
			return e, false // "works in Finance"
		}
		e.typ = "location"
		if i := strings.LastIndexByte(n.text, ' '); i > 0 && n.sort == 0 && s.lists.of(n.text[:i])&sortPlace != 0 && s.lists.of(n.text[i+1:])&sortPlace != 0 { // "Bergen Norway"
			e.text, e.stop = n.text[:i], n.start+i
		}
		return e, ok && !camelName(n.text)
	case software, needed, method:
		return s.fitSoftware(want, e, whole, n, p, behind, wrapped)
	case project, artefact:
		return s.fitProject(want, e, whole, n, p, before, behind, wrapped)
	case task:
		return e, ticket(n.text)
	case thing:
		if behind == 0 && before == 0 || p.called || p.role != "" {
			return e, true
		}
		whole.typ = ""
		if ticket(n.text) || behind == 0 && projectNouns[s.word(p.name-1)] {
			return e, true
		}
		if wrapped && n.shape {
			return e, true
		}
		return whole, true
	}
	return e, false
}

func camelName(s string) bool {
	return !strings.Contains(s, " ") && camel(s[1:]) && !strings.Contains(s, "-") || strings.ContainsAny(s, "0123456789_./")
}

func typeOfHead(head string) string {
	switch {
	case roles[head] || head == "guy" || head == "woman" || head == "man" || head == "girl" || head == "boy" || head == "person" || head == "colleague":
		return "person"
	case head == "company" || head == "startup" || head == "team" || head == "firm" || head == "agency" || head == "school" || head == "band" || head == "club" || head == "studio" || head == "bank" || head == "shop" || head == "bakery":
		return "organization"
	case head == "town" || head == "city" || head == "village" || head == "island" || head == "place":
		return "location"
	case head == "tool" || head == "library" || head == "editor" || head == "framework" || head == "database" || head == "language" || head == "plugin":
		return "tool"
	case projectNouns[head]:
		return "project"
	}
	return ""
}

// fitPerson: a name that nothing says to be anything else, alone or with what the person is.
func (s *sentence) fitPerson(e endpoint, n name, p arg, before, behind int) (endpoint, bool) {
	e.typ = "person"
	if n.shape || behind > 0 || before > 0 && p.role == "" && !p.called || p.det == "the" || p.det == "this" || p.det == "a" && !p.called {
		return e, false
	}
	if p.called {
		return e, typeOfHead(p.head) == "person"
	}
	if n.typ == "person" || n.sort&sortPerson != 0 || p.role != "" {
		return e, true
	}
	return e, n.sort&^sortWord == 0 && n.typ == "" && !camelName(n.text) && n.text == properCase(n.text)
}

// properCase says whether each word begins with a capital and goes on small: it gives s back where it does.
func properCase(s string) string {
	for w := range strings.FieldsSeq(s) {
		if len(w) > 1 && w == strings.ToUpper(w) && w[0] < 0x80 {
			return ""
		}
	}
	return s
}

// fitComponent: what is run and built, by its name or by what it is.
func (s *sentence) fitComponent(e, whole endpoint, n name, p arg, behind int, wrapped bool) (endpoint, bool) {
	if behind == 0 && (n.typ == "person" && (n.sort&^sortWord == sortPerson || n.sort == 0 && strings.ContainsRune(n.text, ' ')) || n.typ == "location") {
		return e, false
	}
	switch {
	case behind == 0:
		if e.typ == "" || n.sort == 0 && e.typ == "concept" && !ticket(n.text) {
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

// fitSoftware: a name that is no person's and no place's; alone, or with what it is.
func (s *sentence) fitSoftware(want slot, e, whole endpoint, n name, p arg, behind int, wrapped bool) (endpoint, bool) {
	if generic[n.text] || n.typ == "file" && want == software || ticket(n.text) || n.sort&^sortWord == sortPlace {
		return e, false
	}
	if n.typ == "person" && strings.Contains(n.text, " ") || n.typ == "location" && n.sort&sortTechnical == 0 {
		return e, false
	}
	known := n.sort&sortTechnical != 0
	if behind > 0 && s.made(p) {
		behind = 0
	}
	switch {
	case behind == 0 || wrapped, known && behind == 1 && pluralNoun(p.head):
		if n.sort&sortTechnical != 0 {
			e.typ = (n.sort & sortTechnical).typ()
		} else if !n.shape {
			if e.typ = "tool"; p.called && typeOfHead(p.head) != "" {
				e.typ = typeOfHead(p.head)
			}
			if n.sort == 0 && n.text == lowerOf(n.text) && (strings.ContainsRune(n.text, ' ') || drug(n.text)) {
				e.typ = "concept" // a substance that is known by now is of the type that it was given when it was new
			}
			if want == method && n.typ == "person" {
				return e, false
			}
		}
		return e, true
	case projectNouns[p.head] && want == needed:
		whole.typ = "project"
		return whole, true
	case want == method && !p.plural:
		whole.typ = ""
		return whole, p.b-p.first <= 4
	}
	return e, false
}

// made says whether a phrase is a brand with what it makes behind it: "Shipton Mill flour", "Park Tool stands", "the Eheim filter".
func (s *sentence) made(p arg) bool {
	n := s.nameOf(p)
	behind := p.b - p.name - 1
	if n == nil || p.called || behind < 1 || behind > 2 || s.kind(p.b-1) != wordToken || n.sort&^sortWord != 0 || n.typ == "person" || n.typ == "location" || n.shape || timeOf(n.text) || tongue(n.text) || everyday(n.text) ||
		p.det == "a" || n.unsure && p.first == 0 || departments[firstWord(n.text)] {
		return false
	}
	return wares[p.head] || gear[strings.TrimSuffix(p.head, "s")] || behind == 1 && strings.ContainsRune(n.text, ' ') && pluralNoun(p.head) && !projectNouns[strings.TrimSuffix(p.head, "s")] && !wrapNouns[p.head] && !roles[strings.TrimSuffix(p.head, "s")] && !vagueHeads[p.head] && !clubs[strings.TrimSuffix(p.head, "s")]
}

func pluralNoun(w string) bool {
	return len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss")
}

// fitProject: what people work on or make.
func (s *sentence) fitProject(want slot, e, whole endpoint, n name, p arg, before, behind int, wrapped bool) (endpoint, bool) {
	switch {
	case want == project && ticket(n.text) && behind == 0:
		return e, false
	case p.called:
		if e.typ == "" || e.typ == "tool" {
			e.typ = "project"
		}
		return e, e.typ != "person" && e.typ != "location"
	case behind == 1 && (p.head == "team" || p.head == "squad" || p.head == "crew") && n.sort&^sortWord == 0 && n.typ == "" && !n.shape && !departments[firstWord(n.text)] && !everyday(n.text) && !ordinaryWords[firstWord(n.text)]:
		e.typ = "project" // who is on the Kolibri team works on Kolibri
		return e, true
	case behind == 0 && p.role == "":
		if n.typ == "person" || n.sort&^sortWord == sortPerson && before == 0 && p.det == "" && want == project {
			return e, false
		}
		if n.sort&sortTechnical == 0 && !n.shape {
			e.typ = "project"
		}
		return e, true
	case wrapped && (n.shape || n.sort == 0 || p.head == "project") && p.head != "app" && p.head != "server" && p.head != "client":
		if e.typ = "project"; n.typ == "file" {
			e.typ = "file"
		}
		return e, true
	case projectNouns[p.head] || p.det != "" && behind > 0 && !pluralNoun(p.head) && !vagueHeads[p.head]:
		whole.typ = "project"
		if p.head == "team" || p.head == "squad" || p.head == "company" {
			whole.typ = "organization"
		}
		return whole, true
	}
	return e, false
}

// vagueHeads say nothing that one could work on, need or use.
var vagueHeads = set(`problem problems issue issues thing things stuff way ways idea ideas question questions bug bugs fix answer solution same rest part parts bit lot lots kind
sort type one ones day week month year time weekend morning case cases line lines point points reason reasons topic topics task tasks ticket tickets side top list
support access help information data result results moment end start beginning middle hand own basis place number amount option options change changes version versions detail details
wrong right left other others next first last second everything anything something nothing someone it them me you us him her myself computer phone paper hands brain time`)

// fitNoun reads a phrase without a name.
func (s *sentence) fitNoun(want slot, p arg) (endpoint, bool) {
	e := endpoint{text: s.phraseText(p), stop: s.stopOf(p)}
	words := p.b - p.first
	if words == 2 && introducing[s.word(p.first)] && p.det != "a" && (want == user || want == component || want == project || want == artefact || want == needed) && !s.ordinary(s.word(p.first+1)) {
		t := s.t[p.first+1] // "project harbor"
		return endpoint{text: s.text[t.start:t.stop], typ: "project", stop: t.stop}, true
	}
	switch want {
	case user, component:
		if p.role != "" || vagueHeads[p.head] {
			return e, false
		}
		if words == 1 && p.det == "" {
			return s.fitBare(e, p, true)
		}
		e.text = s.plainText(p)
		if projectNouns[p.head] {
			e.typ = "project"
		}
		if id, ok := s.identifier(p); ok {
			return id, true
		}
		if clubs[p.head] {
			e.typ = "organization"
		}
		return e, (projectNouns[p.head] || machineNouns[p.head] || clubs[p.head] || gear[p.head] || records[p.head]) && p.det != "a" && words <= 4
	case software, needed, method:
		return s.fitNeeded(want, e, p, words)
	case project:
		if words == 1 && p.det == "" && (coined(p.head) || areas[p.head] || s.kept(p)) {
			e.typ = "project"
			return e, true
		}
		if vagueHeads[p.head] || p.role != "" || p.det == "" && words < 2 {
			return e, false
		}
		e.typ = "project"
		e.text = s.plainText(p)
		if p.head == "team" || p.head == "squad" || p.head == "company" || p.head == "department" {
			return e, false
		}
		if id, ok := s.identifier(p); ok {
			return id, true
		}
		return e, words <= 5 && p.det != "a" && (projectNouns[p.head] && (words > 1 || p.det != "") || words > 1 && p.det != "" && !pluralNoun(p.head))
	case artefact:
		e.typ = "project"
		if p.det == "" && words == 1 {
			return s.fitBare(e, p, true)
		}
		return e, words <= 5 && p.det != "a" && p.role == "" && !vagueHeads[p.head]
	case employer:
		k := s.lists.of(e.text)
		e.typ = "organization"
		if p.det == "the" && words > 1 && words < 4 && (institutions[p.head] || p.head == "office" && s.word(p.b-2) == "post") && p.role == "" && p.of == nil && !plainAdjectives[s.word(p.first)] && !oneOf(s.word(p.first), "same other front back home local nearest next") {
			return e, true // "the city library"
		}
		return e, p.det == "" && words == 1 && k&sortOrganization != 0 && k&sortWord == 0
	case place:
		k := s.lists.of(e.text)
		e.typ = "location"
		return e, p.det == "" && k&sortPlace != 0 && k&sortTechnical == 0 && len(e.text) > 3 && !smallPlaces[e.text]
	case thing:
		return e, words <= 6 && !(words == 1 && vagueHeads[p.head])
	}
	return e, false
}
