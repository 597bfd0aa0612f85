package supersession

import (
	"slices"
	"strings"
	"time"

	"memory-graph/extraction/dates"
)

// When is the time that a question is about.
type When uint8

// The times.
const (
	Now   When = iota // what holds
	Then              // what held at a time that is named
	First             // what held at first, before, once
	Past              // what happened: nothing takes the place of that
)

// Asked is what a question asks for.
type Asked struct {
	When   When
	Until  time.Time // of Then: where the time ends
	kinds  []Kind    // of values that would answer
	many   bool      // it asks for several things
	where  bool      // it asks for a place
	stems  []string  // of its content words
	words  []string  // all of them, in lower case and without a genitive
	names  []string  // those of them that are written as names are, but for the first
	own    bool      // it is about who asks
	ahead  bool      // it is about what is to come
	now    time.Time // when it is asked
	tokens []token

	Wanted Wanted // the kind of thing it asks for by name
}

// ReadQuestion parses a question asked at an instant.
func ReadQuestion(s string, now time.Time) Asked {
	tokens := split(s)
	stems := stemsOf(s)
	asked := Asked{kinds: kindsAsked(tokens), many: asksMany(tokens), where: word(tokens, 0) == "where", stems: stems,
		now: now, tokens: tokens, Wanted: readWanted(tokens, stems)}
	for i, t := range tokens {
		w := bare(t.lower)
		asked.words = append(asked.words, w)
		asked.own = asked.own || own[w] || w == "our" || w == "we" || w == "us"
		asked.ahead = asked.ahead || aheads[w] || w == "going" && word(tokens, i+1) == "to"
		if i > 0 && t.capitalised() && !own[w] && !months[w] && !weekdays[w] {
			asked.names = append(asked.names, w)
		}
	}
	past := isPast(tokens)
	if asksFirst(tokens, past) {
		asked.When = First
		return asked
	}
	if past {
		asked.When = Past
	}
	for _, span := range dates.Resolve(wholePeriod.Replace(s), now) {
		until := span.Until
		if slices.ContainsFunc(tokens, func(t token) bool { return beginnings[t.lower] }) && span.Unit > dates.Day {
			until = span.From.Add(until.Sub(span.From) / 3)
		}
		switch span.Relation {
		case dates.Before, dates.Until:
			until = span.From
		case dates.Since, dates.After:
			continue
		}
		if span.Unit >= dates.Day && !until.After(now) { // a time of day is a part of what is asked, and so is what lies ahead
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

var (
	pastVerbs = set(`did was were had didn't wasn't weren't hadn't
		would could might wouldn't couldn't`)  // what might be is replaced by nothing either
	presentVerbs = set(`do does is are am will can may should must shall don't doesn't isn't aren't won't can't cannot what's who's where's when's how's`)
	aheads       = set(`will shall tomorrow next plan plans planned planning upcoming soon`)
	irregular    = set(`went came gave took told said got made saw found lost won left ran wrote bought sold broke fell kept met paid sent thought brought`)
)

// isPast says whether a question is about what happened: by its first auxiliary, else by the verb behind who or what.
// "Which countries has she visited" asks for all of it too.
func isPast(tokens []token) bool {
	for i, t := range tokens {
		switch {
		case t.lower == "has" || t.lower == "have":
			next := word(tokens, i+1)
			return next != "to" && next != "got"
		case pastVerbs[t.lower]:
			return true
		case presentVerbs[t.lower]:
			return false
		}
	}
	for i := 1; i < min(4, len(tokens)); i++ {
		if w := tokens[i].lower; irregular[w] || len(w) > 4 && strings.HasSuffix(w, "ed") {
			return true
		}
	}
	return false
}

// wholePeriod names the period instead of a part of it, which dates does not read.
var wholePeriod = strings.NewReplacer("at the beginning of", "in", "at the start of", "in", "in the middle of", "in", "at the end of", "in",
	"in early", "in", "in late", "in")

// beginnings say that the first third of a period is meant.
var beginnings = set(`beginning start early`)

var (
	once     = set(`originally initially previously formerly former previous earlier`)
	oncePast = set(`first before begin start once`) // only in the past tense: who is first?
)

func asksFirst(tokens []token, past bool) bool {
	for i, t := range tokens {
		before := word(tokens, i-1)
		switch {
		case once[t.lower], past && oncePast[t.lower],
			t.lower == "first" && before == "at",
			t.lower == "old" && (own[before] || before == "our" || before == "the"),
			(t.lower == "used" || past && t.lower == "use") && word(tokens, i+1) == "to" && before != "get" && before != "is":
			return true
		}
	}
	return false
}

// answers names by words of a question the kinds of value that answer it.
var answers = []struct {
	words map[string]bool
	kinds []Kind
}{
	{set(`who whom whose where town city country place school company person name called station hotel street shop doctor`), []Kind{Name}},
	{set(`when`), []Kind{Clock, Date, Day}},
	{set(`time o'clock late`), []Kind{Clock}},
	{set(`day days date weekday`), []Kind{Date, Day}},
	{set(`colour color`), []Kind{Colour}},
	{set(`many much long far high wide tall deep thick heavy weigh old big large fast often share percentage percent temperature size amount limit version number`), []Kind{Number, Percent, Money}},
	{set(`cost costs price fee pay rent`), []Kind{Money, Number}},
	{set(`address code combination ip extension port key`), []Kind{Code, Number}},
}

func kindsAsked(tokens []token) []Kind {
	var out []Kind
	for _, t := range tokens {
		for _, a := range answers {
			if !a.words[t.lower] {
				continue
			}
			for _, k := range a.kinds {
				if !slices.Contains(out, k) {
					out = append(out, k)
				}
			}
		}
	}
	return out
}

// asksMany says whether a question asks for several things, as "which countries" does.
func asksMany(tokens []token) bool {
	for i, t := range tokens {
		if t.lower != "what" && t.lower != "which" {
			continue
		}
		for j := i + 1; j < min(i+4, len(tokens)); j++ {
			w := tokens[j].lower
			if presentVerbs[w] || pastVerbs[w] {
				break
			}
			if len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") {
				return true
			}
		}
	}
	return false
}
