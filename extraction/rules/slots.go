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
	whole := endpoint{text: s.phraseText(p), typ: n.typ, stop: s.stopOf(p)}
	switch want {
	case anyone:
		return s.fitPerson(e, n, p, before, behind)
	case user:
		if person, ok := s.fitPerson(e, n, p, before, behind); ok {
			return person, true
		}
		return s.fitComponent(e, whole, n, p, behind, wrapped)
	case component:
		return s.fitComponent(e, whole, n, p, behind, wrapped)
	case employer:
		e.typ = "organization"
		if behind > 0 && !wrapped || n.shape || n.typ == "file" || before > 1 && !p.called {
			return e, false
		}
		return e, n.sort&^sortWord != sortPerson && (n.typ != "person" || n.sort&sortOrganization != 0) && (n.typ != "location" || n.sort&(sortOrganization) != 0)
	case place:
		ok := n.sort&sortPlace != 0 || n.sort == 0 && (n.typ == "" || n.typ == "location") && !n.shape
		if behind == 1 && s.t[p.b-1].kind != numberToken {
			return e, false
		}
		e.typ = "location"
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
	if n.sort&^sortWord == sortPerson && n.typ == "person" && behind == 0 || n.typ == "location" && behind == 0 {
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
	if n.typ == "file" && want == software || ticket(n.text) || n.sort&^sortWord == sortPlace {
		return e, false
	}
	if n.typ == "person" && strings.Contains(n.text, " ") {
		return e, false
	}
	known := n.sort&sortTechnical != 0
	switch {
	case behind == 0 || wrapped, known && behind == 1 && pluralNoun(p.head):
		if n.sort&sortTechnical != 0 {
			e.typ = (n.sort & sortTechnical).typ()
		} else if !n.shape {
			if e.typ = "tool"; p.called && typeOfHead(p.head) != "" {
				e.typ = typeOfHead(p.head)
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

func pluralNoun(w string) bool {
	return len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss")
}

// fitProject: what people work on or make.
func (s *sentence) fitProject(want slot, e, whole endpoint, n name, p arg, before, behind int, wrapped bool) (endpoint, bool) {
	switch {
	case p.called:
		if e.typ == "" || e.typ == "tool" {
			e.typ = "project"
		}
		return e, e.typ != "person" && e.typ != "location"
	case behind == 0 && p.role == "":
		if n.typ == "person" || n.sort&^sortWord == sortPerson && before == 0 && p.det == "" && want == project {
			return e, false
		}
		if n.sort&sortTechnical == 0 && !n.shape {
			e.typ = "project"
		}
		return e, true
	case wrapped && (n.shape || n.sort == 0) && p.head != "app" && p.head != "server" && p.head != "client":
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
		return e, (projectNouns[p.head] || machineNouns[p.head]) && p.det != "a" && words <= 4
	case software, needed, method:
		return s.fitNeeded(want, e, p, words)
	case project:
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
	case place:
		k := s.lists.of(e.text)
		e.typ = "location"
		return e, p.det == "" && k&sortPlace != 0 && k&sortTechnical == 0 && len(e.text) > 3 && !smallPlaces[e.text]
	case thing:
		return e, words <= 6 && !(words == 1 && vagueHeads[p.head])
	}
	return e, false
}

// smallPlaces are towns that, written small, are other words.
var smallPlaces = set(`reading bath nice split mobile orange cork male bari most hell deal battle sandwich rugby enterprise paradise independence hope union college
university commerce central marina franklin asia best bray lens tours angers metz essen hamm halle zug wien gap normal peace sale stare bar lima bend date same
home hove hull wells march bury eye fleet poole ware burton crewe frame rome sofia victoria florence milan sydney charlotte madison austin lincoln aurora athens`)

// fitNeeded: software without a name that is known: "uses libcurl", "the participle library".
func (s *sentence) fitNeeded(want slot, e endpoint, p arg, words int) (endpoint, bool) {
	if vagueHeads[p.head] || p.role != "" {
		return e, false
	}
	if words == 2 && (p.det == "the" || p.det == "a") && wrapNouns[p.head] && !commonModifiers[s.word(p.first)] && want != method {
		t := s.t[p.first]
		e.text, e.stop = s.text[t.start:t.stop], t.stop
		e.typ = "tool"
		if strings.Contains(e.text, "-") {
			e.typ = "project"
		}
		return e, true
	}
	if words == 1 && p.det == "" && want != method {
		return s.fitBare(e, p, false)
	}
	if want == needed && words > 1 && projectNouns[p.head] && p.det != "" && p.det != "a" {
		e.typ = "project"
		return e, words <= 4
	}
	if want == method {
		return e, p.det == "" && words <= 4 && words > 1 || words == 1 && p.det == "" && (strings.Contains(e.text, "-") || len(e.text) > 3 && !s.ordinary(e.text))
	}
	return e, false
}

// commonModifiers stand before "library" or "database" without being its name.
var commonModifiers = set(`new old same other main local remote shared single small big public private internal external standard third-party open-source relational
vector graph document time-series in-memory custom native modern popular different similar central separate dedicated production staging test core common good
nice better best simple internal company team school city own user legacy free paid cheap fast slow logging testing caching auth authentication payment payments client
server web mobile desktop cloud data message search orm ui http json state template parsing crypto`)

// fitBare reads a single small word: a name is expected there, and the word is no ordinary one.
func (s *sentence) fitBare(e endpoint, p arg, subject bool) (endpoint, bool) {
	t := s.t[p.first]
	e.text = s.text[t.start:t.stop]
	w := t.lower
	switch {
	case strings.Contains(w, "-") && !strings.HasPrefix(w, "non-") && !strings.HasSuffix(w, "-based") && !strings.HasSuffix(w, "-driven"):
		e.typ = "project"
		if !subject {
			e.typ = ""
		}
		return e, subject || strings.ContainsAny(w, "0123456789") || !ordinaryEnding(w)
	case subject && machineNouns[w] && w != "tests" && w != "company":
		return e, true
	case s.ordinary(w):
		return e, false
	case subject:
		e.typ = "project"
		return e, t.start != s.t[0].start || !t.capital
	}
	e.typ = "tool"
	return e, true
}

// ordinary says whether a small word is one of everyday English.
func (s *sentence) ordinary(w string) bool {
	return len(w) < 3 || vagueHeads[w] || projectNouns[w] || machineNouns[w] || wrapNouns[w] || roles[w] || ordinaryWords[w] || ordinaryEnding(w) || pluralNoun(w) && (ordinaryWords[w[:len(w)-1]] || len(w) > 4 && !strings.HasSuffix(w, "os") && !strings.HasSuffix(w, "is") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "js"))
}

func ordinaryEnding(w string) bool {
	for _, end := range []string{"ing", "tion", "ment", "ness", "ity", "ance", "ence", "ship", "ism", "ful", "less", "able", "ible", "ly", "ed", "ology", "ory", "ary"} {
		if len(w) > len(end)+2 && strings.HasSuffix(w, end) {
			return true
		}
	}
	return false
}

// phraseText gives the words of a phrase without its determiner, as they stand.
func (s *sentence) phraseText(p arg) string {
	return strings.Join(strings.Fields(s.text[s.t[p.first].start:s.t[p.b-1].stop]), " ")
}

// identifier gives the name in "the nightly-etl job": a small word with a hyphen before what it is.
func (s *sentence) identifier(p arg) (endpoint, bool) {
	w := s.word(p.first)
	if p.b-p.first != 2 || p.det == "a" || p.det == "" || !strings.Contains(w, "-") || !wrapNouns[p.head] && !projectNouns[p.head] || s.t[p.first].capital {
		return endpoint{}, false
	}
	_, last, _ := strings.Cut(w, "-")
	if hyphenated[last] || commonModifiers[w] || ordinaryEnding(w) || strings.Count(w, "-") > 2 {
		return endpoint{}, false
	}
	t := s.t[p.first]
	return endpoint{text: s.text[t.start:t.stop], typ: "project", stop: t.stop}, true
}

// hyphenated are the last parts of words that describe and name nothing: "real-time", "trunk-based".
var hyphenated = set(`based time driven wide end in up off out level first facing side party source stack scale ready only free less term line house site board tier
hand right left class grained bound safe user tenant platform purpose quality size sized speed style type way back on to day week month year fi tech res dev node
region cloud page step shot sourced language friendly house made built known paced agnostic specific related like old new long short`)

// plainText is phraseText without adjectives that say nothing of what it is called.
func (s *sentence) plainText(p arg) string {
	for p.b-p.first > 1 && plainAdjectives[s.word(p.first)] {
		p.first++
	}
	return s.phraseText(p)
}

var plainAdjectives = set(`new old current whole entire existing own little small big actual whole same upcoming latest`)
