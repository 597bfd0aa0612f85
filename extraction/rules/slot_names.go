package rules

import "strings"

// named is a phrase with a name while it is fitted into a slot.
type named struct {
	*name
	p              arg
	e              endpoint // the name alone
	whole          endpoint // the phrase
	before, behind int      // number of tokens before and after the name
	wrapped        bool     // only its kind follows: "the payments-api repo"
	number         bool     // a number follows, which is no time: "Larder 2"
}

// fitName fits a phrase with a name into a slot.
func (s *sentence) fitName(want slot, p arg) (endpoint, bool) {
	n := named{name: s.nameOf(p), p: p, before: p.name - p.first, behind: p.b - p.name - 1}
	n.e = endpoint{text: n.text, typ: n.typ, stop: n.stop}
	n.whole = endpoint{text: s.phraseText(p), typ: n.typ, stop: s.stopOf(p)}
	if generic[n.text] && n.before > 0 { // "the billing API" is not "API"
		n.e, n.before = n.whole, 0
	}
	at := p.b - 1
	if n.behind == 2 && s.kind(at-1) == numberToken {
		at--
	}
	if n.behind > 0 && s.t[at].kind == numberToken {
		n.behind--
		n.number = at < p.b-1 || !year(s.word(at)) && !s.timeNoun(p.b) && s.word(p.b) != "times"
	}
	if p.called {
		n.behind, n.before = 0, 0
		if n.sort == 0 {
			n.e.typ = typeOfHead(p.head)
		}
	}
	n.wrapped = n.behind == 1 && wrapNouns[p.head]
	if p.det == "my" && n.before > 0 && p.role == "" && want != toolSlot && want != thingSlot && want != personSlot &&
		!projectNouns[s.word(p.name-1)] && !wrapNouns[s.word(p.name-1)] {
		return n.e, false // "my cat Pixel"
	}
	if n.number && want != toolSlot && want != neededSlot && want != methodSlot && want != thingSlot {
		n.e.text, n.e.stop = s.phraseText(arg{first: p.name, b: at + 1}), s.t[at].stop
	}
	switch want {
	case personSlot:
		return n.person()
	case holderSlot: // an unlisted name is more often a component than a person
		if e, ok := n.person(); ok && (n.typ == "person" || n.sort&sortPerson != 0 || p.role != "" || p.called) {
			return e, true
		}
		return n.component()
	case componentSlot:
		return n.component()
	case employerSlot:
		n.e.typ = "organization"
		if n.behind > 0 && !n.wrapped || n.number || n.shape || n.before > 1 || n.unsure && n.start == s.t[0].start {
			return n.e, false
		}
		known := n.sort&sortOrganization != 0 || n.sort&(sortTool|sortTechnology) != 0 && s.word(p.first-1) == "at"
		return n.e, known || n.sort&sortTechnical == 0 && n.sort&^sortWord != sortPerson && n.typ != "person" &&
			n.typ != "location"
	case placeSlot:
		n.e.typ = "location"
		fits := n.sort&sortPlace != 0 || n.sort&^sortWord == 0 && (n.typ == "" || n.typ == "location") && !n.shape
		if n.behind > 0 || n.number || n.sort == 0 && departments[lowerOf(n.text)] {
			return n.e, false // "works in Finance"
		}
		return n.e, fits && !camelName(n.text)
	case toolSlot, neededSlot, methodSlot:
		return n.tool(want)
	case projectSlot, artefactSlot:
		return n.project(want)
	case taskSlot:
		return n.e, ticket(n.text)
	case thingSlot:
		if n.behind == 0 && n.before == 0 || p.role != "" || ticket(n.text) || n.behind == 0 &&
			projectNouns[s.word(p.name-1)] {
			return n.e, true
		}
		n.whole.typ = ""
		return n.whole, true
	}
	return n.e, false
}

// person accepts a name that is not known as anything else, alone or with a role.
func (n named) person() (endpoint, bool) {
	e, p := n.e, n.p
	e.typ = "person"
	if n.shape || n.number || n.behind > 0 || n.before > 0 && p.role == "" || p.role == "" && !p.called && p.det != "" &&
		p.det != "my" {
		return e, false
	}
	if p.called || tongue(n.text) {
		return e, p.called && typeOfHead(p.head) == "person"
	}
	if n.typ == "person" || n.sort&sortPerson != 0 || p.role != "" {
		return e, true
	}
	e.unsure = !strings.ContainsRune(n.text, ' ')
	return e, n.sort&^sortWord == 0 && n.typ == "" && !camelName(n.text) && n.text == properCase(n.text) &&
		!NoPerson(n.text)
}

// component accepts what is built and run, by its name or its kind.
func (n named) component() (endpoint, bool) {
	if n.behind == 0 || n.wrapped && (n.shape || n.sort == 0) {
		person := n.typ == "person" && (n.sort&^sortWord == sortPerson || n.sort == 0 && strings.ContainsRune(n.text, ' '))
		if n.e.typ == "" || n.sort == 0 && n.e.typ == "concept" {
			n.e.typ = "project"
		}
		return n.e, n.wrapped || !person && n.typ != "location" && !ticket(n.text)
	}
	if n.whole.typ = ""; projectNouns[n.p.head] {
		n.whole.typ = "project"
	}
	return n.whole, projectNouns[n.p.head] || machineNouns[n.p.head]
}

// tool accepts a name that is not a person or a place, alone or with its kind.
func (n named) tool(want slot) (endpoint, bool) {
	if generic[n.text] || n.typ == "file" && want == toolSlot || ticket(n.text) || n.sort&^sortWord == sortPlace ||
		n.typ == "person" && strings.Contains(n.text, " ") || n.typ == "location" && n.sort&sortTechnical == 0 {
		return n.e, false
	}
	known := n.sort&sortTechnical != 0
	switch {
	case n.behind == 0 || n.wrapped, known && n.behind == 1 && pluralNoun(n.p.head):
		switch {
		case known:
			n.e.typ = (n.sort & sortTechnical).typ()
		case !n.shape && (!n.p.called || n.e.typ == ""):
			n.e.typ = "tool"
		}
		return n.e, !(want == methodSlot && (n.typ == "person" || n.p.det == "a"))
	case projectNouns[n.p.head] && want == neededSlot:
		n.whole.typ = "project"
		return n.whole, true
	}
	return n.e, false
}

// project accepts what people work on or make.
func (n named) project(want slot) (endpoint, bool) {
	p := n.p
	switch {
	case p.called:
		if n.e.typ == "" || n.e.typ == "tool" {
			n.e.typ = "project"
		}
		return n.e, n.e.typ != "person" && n.e.typ != "location"
	case n.behind == 0 && p.role == "":
		if n.typ == "person" || n.sort&^sortWord == sortPerson && n.before == 0 && p.det == "" && want == projectSlot {
			return n.e, false
		}
		if n.sort&sortTechnical == 0 && !n.shape {
			n.e.typ = "project"
		}
		return n.e, true
	case n.wrapped && (n.shape || n.sort == 0 || p.head == "project") && !oneOf(p.head, "app server client"):
		if n.e.typ = "project"; n.typ == "file" {
			n.e.typ = "file"
		}
		return n.e, true
	case projectNouns[p.head] || p.det != "" && n.behind > 0 && !pluralNoun(p.head) && !vagueHeads[p.head]:
		n.whole.typ = "project"
		return n.whole, true
	}
	return n.e, false
}

func camelName(s string) bool {
	return !strings.Contains(s, " ") && camel(s[1:]) && !strings.Contains(s, "-") || strings.ContainsAny(s,
		"0123456789_./")
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

// typeOfHead returns the entity type that a noun gives the name after it; "" for none.
func typeOfHead(head string) string {
	switch {
	case roles[head]:
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

func lastWord(s string) string { return lowerOf(s[strings.LastIndexByte(s, ' ')+1:]) }

// companyName reports whether the last word of an unlisted name marks a company: "Orlovac Robotics".
func companyName(n *name) bool {
	i := strings.LastIndexByte(n.text, ' ')
	return n.sort == 0 && i > 0 && companyWords[lowerOf(n.text[i+1:])]
}

var companyWords = class("company_words")
