package rules

import "strings"

// fitNoun fits a phrase without a name into a slot.
func (s *sentence) fitNoun(want slot, p arg) (endpoint, bool) {
	e := endpoint{text: s.phraseText(p), stop: s.stopOf(p)}
	words := p.b - p.first
	bare := words == 1 && p.det == ""
	if want != thingSlot && (vagueHeads[p.head] || p.role != "") {
		return e, false
	}
	switch want {
	case holderSlot, componentSlot:
		if bare {
			return s.fitBare(e, p, true)
		}
		e.text = s.plainText(p)
		if projectNouns[p.head] {
			e.typ = "project"
		}
		return e, (projectNouns[p.head] || machineNouns[p.head] || holders[p.head]) && p.det != "a" && words <= 4
	case toolSlot, neededSlot, methodSlot:
		return s.fitNeeded(want, e, p, words)
	case projectSlot:
		if e.typ = "project"; bare {
			return e, areas[p.head]
		}
		e.text = s.plainText(p)
		return e, words <= 5 && p.det != "a" && projectNouns[p.head] &&
			!oneOf(p.head, "team squad company department")
	case artefactSlot:
		if e.typ = "project"; bare {
			return s.fitBare(e, p, true)
		}
		return e, words <= 5 && p.det != "a"
	case employerSlot:
		k := s.lists.of(e.text)
		e.typ = "organization"
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

// fitNeeded accepts software with an unknown name: "uses libcurl", "the participle library".
func (s *sentence) fitNeeded(want slot, e endpoint, p arg, words int) (endpoint, bool) {
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
		return e, p.det == "" && words > 1 && words <= 4 && verbForms[s.word(p.first)].forms != formIng ||
			words == 1 && p.det == "" && verbForms[e.text].forms == 0 && (strings.Contains(e.text, "-") || len(e.text) > 3 &&
				!everydayWord(e.text))
	case words == 1 && p.det == "":
		return s.fitBare(e, p, want == neededSlot && areas[p.head])
	case want == neededSlot && words > 1 && words <= 4 && projectNouns[p.head] && p.det != "" && p.det != "a":
		e.typ = "project"
		return e, true
	}
	return e, false
}

// fitBare accepts a single lower-case word that only its position shows to be a name. As the subject of "depends on"
// that is a part of a system, elsewhere any word that is not an everyday one.
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
	case subject && machineNouns[w]:
		return e, true
	case everydayWord(w):
		return e, false
	}
	e.typ = "tool"
	if subject {
		e.typ = "project"
	}
	return e, !subject || t.start != s.t[0].start || !t.capital
}

// everydayWord reports whether a lower-case word is everyday English.
func everydayWord(w string) bool {
	if len(w) < 3 || vagueHeads[w] || projectNouns[w] || machineNouns[w] || wrapNouns[w] || roles[w] || ordinary[w] ||
		ordinaryEnding(w) {
		return true
	}
	return pluralNoun(w) && (ordinary[w[:len(w)-1]] || len(w) > 4 && !strings.HasSuffix(w, "os") &&
		!strings.HasSuffix(w, "is") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "js"))
}

func ordinaryEnding(w string) bool {
	for end := range ordinaryEndings {
		if len(w) > len(end)+2 && strings.HasSuffix(w, end) {
			return true
		}
	}
	return false
}

var (
	hyphenated      = class("hyphenated")       // last parts of adjectives: "real-time", "trunk-based"
	commonModifiers = class("common_modifiers") // may precede "library" or "database" without being its name
	plainAdjectives = class("plain_adjectives")
	ordinaryEndings = class("ordinary_endings") // of common nouns and adjectives
	smallPlaces     = class("small_places")     // towns that are other words in lower case
)

func pluralNoun(w string) bool {
	return len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss")
}
