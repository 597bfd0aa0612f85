package rules

import (
	"strings"
)

// introducing stand before the name of what they say.
var introducing = set(`project repo repository package service app module library crate gem`)

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
		if want == needed && areas[p.head] {
			return s.fitBare(e, p, true)
		}
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
var commonModifiers = set(`primary secondary current default new old same other main local remote shared single small big public private internal external standard third-party open-source relational
vector graph document time-series in-memory custom native modern popular different similar central separate dedicated production staging test core common good
nice better best simple internal company team school city own user legacy free paid cheap fast slow logging testing caching auth authentication payment payments client
server web mobile desktop cloud data message search orm ui http json state template parsing crypto`)

// fitBare reads a single small word: a name is expected there, and the word is no ordinary one.
func (s *sentence) fitBare(e endpoint, p arg, subject bool) (endpoint, bool) {
	t := s.t[p.first]
	e.text = s.text[t.start:t.stop]
	w := t.lower
	switch {
	case !subject && drug(w):
		e.typ = "concept"
		return e, true
	case coined(w):
		e.typ = "project"
		return e, true
	case strings.Contains(w, "-") && !strings.HasPrefix(w, "non-") && !strings.HasSuffix(w, "-based") && !strings.HasSuffix(w, "-driven"):
		e.typ = "project"
		if !subject {
			e.typ = ""
		}
		return e, subject || strings.ContainsAny(w, "0123456789") || !ordinaryEnding(w)
	case subject && areas[w]:
		e.typ = "project"
		return e, true
	case subject && machineNouns[w] && w != "tests" && w != "company":
		return e, true
	case !subject && len(w) == 2 && s.lists.sorts[w]&sortTechnical != 0 && s.lists.sorts[w]&(sortWord|sortPlace|sortPerson) == 0: // jq, fd
		e.typ = "tool"
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

// areas are what parts of a system are called by what they do, without an article: "billing uses CockroachDB", "search runs on Vespa".
var areas = set(`billing checkout search auth authentication login signup payments payroll invoicing ordering reporting analytics ingest ingestion indexing messaging notifications onboarding
inventory logging monitoring scheduling shipping accounting telemetry tracing alerting fulfilment fulfillment pricing routing provisioning moderation recommendations caching orders bookings metrics
crawling scraping rendering deployments observability staging production`)

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
	if !wrapNouns[p.head] && s.describes(w) || hyphenated[last] || commonModifiers[w] || ordinaryEnding(w) || strings.Count(w, "-") > 2 {
		return endpoint{}, false
	}
	t := s.t[p.first]
	return endpoint{text: s.text[t.start:t.stop], typ: "project", stop: t.stop}, true
}

// describes says whether a word with a hyphen is made of everyday words: of "the seed-swap site" it is no name.
func (s *sentence) describes(w string) bool {
	for part := range strings.SplitSeq(w, "-") {
		if _, verb := verbForms[part]; !verb && !ordinaryWords[part] && !wares[part] && !ordinaryWords[strings.TrimSuffix(part, "s")] {
			return false
		}
	}
	return true
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
