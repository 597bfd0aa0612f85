package supersession

import (
	"regexp"
	"strings"
	"time"

	"memory-graph/extraction/dates"
)

// When is the time that a question is about.
type When uint8

// The times.
const (
	Now   When = iota // what is true
	Then              // what was true at a time that is named
	First             // what was true at first, before, once
	Past              // what happened: nothing supersedes it
)

// Asked is what a question asks for.
type Asked struct {
	When   When
	Until  time.Time // of Then: the end of that time
	number bool      // a number or a time answers it
}

// ReadQuestion parses a question that is asked at an instant.
func ReadQuestion(s string, now time.Time) Asked {
	words := wordsOf(s)
	asked := Asked{number: asksNumber.MatchString(s)}
	past := isPast(words)
	if asksFirst(words, past) {
		asked.When = First
		return asked
	}
	if past {
		asked.When = Past
	}
	for _, span := range dates.Resolve(wholePeriod.Replace(s), now) {
		until := span.Until
		if span.Unit > dates.Day && anyOf(words, beginnings) {
			until = span.From.Add(until.Sub(span.From) / 3)
		}
		switch span.Relation {
		case dates.Before, dates.Until:
			until = span.From
		case dates.Since, dates.After:
			continue
		}
		if span.Unit >= dates.Day && !until.After(now) { // a time of day or a future time is part of what is asked
			asked.When, asked.Until = Then, until
			break
		}
	}
	return asked
}

// AsOf returns the question as asked about an instant.
func (a Asked) AsOf(t time.Time) Asked {
	a.When, a.Until = Then, t
	return a
}

var asksNumber = regexp.MustCompile(`(?i)` +
	`\bhow (?:many|much|long|far|old|big|often|late|high|large|tall)\b|\b(?:when|times?|dates?|` +
	`day|deadline|due|percent(?:age)?|number|size|costs?|prices?|rent|fee|rates?|limit|quota|version|average|total|` +
	`score)\b`)

var (
	pastVerbs    = set(`did was were had didn wasn weren hadn would could might wouldn couldn`)
	presentVerbs = set(`do does is are am will can may should must shall don doesn isn aren won cannot`)
	asking       = set(`what who where when how`)
	irregular    = set(`went came gave took told said got made saw found lost won left ran wrote bought sold broke fell kept
		met paid sent thought brought`)
)

// isPast reports whether a question is about what happened: by its first auxiliary, else by the verb after who or what.
// What somebody has done is up to now.
func isPast(words []string) bool {
	for i, w := range words {
		switch {
		case pastVerbs[w]:
			return true
		case presentVerbs[w], w == "has", w == "have", asking[w] && word(words, i+1) == "s":
			return false
		}
	}
	for _, w := range words[min(1, len(words)):min(4, len(words))] {
		if irregular[w] || len(w) > 4 && strings.HasSuffix(w, "ed") {
			return true
		}
	}
	return false
}

// word returns the i-th word, "" beyond the ends.
func word(words []string, i int) string {
	if i < 0 || i >= len(words) {
		return ""
	}
	return words[i]
}

// wholePeriod names a period instead of a part of it, which package dates does not read.
var wholePeriod = strings.NewReplacer("at the beginning of", "in", "at the start of", "in", "in the middle of", "in",
	"at the end of", "in", "in early", "in", "in late", "in")

// beginnings say that the first third of a period is meant.
var beginnings = set(`beginning start early`)

var (
	once   = set(`originally initially previously formerly former previous earlier`)
	owning = set(`my our the`)
)

// asksFirst reports whether a question is about a state of before. "Before getting married" only names a time, and what
// somebody did first or once is an event.
func asksFirst(words []string, past bool) bool {
	for i, w := range words {
		before := word(words, i-1)
		switch {
		case once[w], w == "first" && before == "at",
			past && w == "before" && !strings.HasSuffix(word(words, i+1), "ing"), w == "old" && owning[before],
			(w == "used" || past && w == "use") && word(words, i+1) == "to" && before != "get" && before != "is":
			return true
		}
	}
	return false
}
