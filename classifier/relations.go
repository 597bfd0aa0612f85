package classifier

import (
	"regexp"
	"strings"
	"unicode"

	"memory-graph/text"
)

// What the last turn does, as far as its words show: it says what was done, what will be, or how something is.
var (
	reported = regexp.MustCompile(`(?i)\b(?:i|i've|we)(?: have)? (?:now |just |also )?(?:\w+ed|put|set|wrote|made|ran|found|built|took|sent|began|read|split|got|drew|gave|cut|left)\b|` +
		`^(?:ok,? |sure,? )?(?:done|fixed|added|moved|set|started|removed|renamed|updated|changed|created|replaced|wrote|tagged|deleted|migrated|pushed|merged|ran|put)\b`)
	announced = regexp.MustCompile(`(?i)\b(?:i'll|i will|i'd|i would|i can|let me|i'm going to)\b`)
	stated    = regexp.MustCompile(`(?i)\b(?:is|are|was|were|has|have|takes?|uses?|needs?|can|will|returns?|fails?)\b`)
	errorText = regexp.MustCompile(`[A-Za-z](?:Error|Exception)\b|\bE[A-Z]{4,}\b|\bSIG[A-Z]{3,}|(?i:exit (?:code|status) \d)|(?:^|\n)\s*(?:at |File ")|(?i:\b(?:error|fatal|panic|fail|warn)\b\W?[:\]])`)
)

// relation holds what relates a message to the turn before it.
type relation struct {
	tokens, last []text.Token
	said         map[string]bool // stems of the last turn's content
	kind, first  map[string]bool // of the message's words
	question     bool
	asked        bool // the last turn ended with a question
}

// near is how many words may stand between a denial and what it denies, or a thing and its value.
const near = 3

// signal adds what the relation tells: whether a message replaces something the last turn stated, or builds upon it. A value
// alone ("8081") is an answer where something was asked, and a correction where something was stated.
func (r relation) signal(s *signals, last string) {
	n := len(r.tokens)
	done, will := reported.MatchString(last), announced.MatchString(last)
	state := !r.asked && stated.MatchString(last)
	imperative := r.first["imp"]
	declares := r.kind["declares"] && !r.question && !imperative
	bare := n <= 4 && !r.question && !imperative && !declares
	s.flag("reported", done)
	s.flag("stated", state && !done)
	s.flag("announced", will)
	s.flag("reported, declares", done && declares)
	s.flag("stated, declares", state && declares)
	s.flag("asked, declares", r.asked && declares)
	s.flag("announced, declares", will && declares)
	s.flag("asked, a value", bare && r.asked)
	s.flag("reported, a value", bare && done)
	s.flag("stated, a value", bare && state)
	s.flag("announced, a value", bare && will)
	s.flag("nothing before, a value", bare && last == "")

	before, behind := r.denied()
	s.flag("denies what was said", before)
	s.flag("denies what was said, no question", before && !r.question)
	s.flag("what was said is denied", behind)

	subject := r.subject()
	s.flag("of it", subject)
	s.flag("of it, declares", subject && declares)
	s.flag("of it, short", subject && n <= 6)
	s.flag("of it, question", subject && r.question)
	s.flag("of it, command", subject && imperative)

	here, there := numbersOf(r.tokens), numbersOf(r.last)
	other := len(there) > 0 && len(here) > shared(here, there)
	s.flag("another number, stated", other && !r.asked)
	s.flag("another number, asked", other && r.asked)
	s.flag("another number, short", other && n <= 5)
	s.flag("another number, no command", other && !imperative && !r.question)
	s.flag("a number, command", len(here) > 0 && imperative)
	s.flag("of it, a number", len(here) > 0 && subject)

	differ, same := compareSlots(slotsOf(r.last), slotsOf(r.tokens))
	s.flag("another value", differ)
	s.flag("the same value", same)
	s.flag("another value, declares", differ && declares)
	s.flag("another value, question", differ && r.question)
	s.flag("another value, command", differ && imperative)

	again, words := 0, 0
	for _, t := range r.tokens {
		if carries(t) {
			words++
			if r.said[t.Stem] {
				again++
			}
		}
	}
	s.flag("much of it", again >= 2)
	s.flag("much of it, question", again >= 2 && r.question)
	s.flag("much of it, declares", again >= 2 && declares)
	s.flag("long, of it", words >= 5 && again > 0)
	s.flag("some words, none of it", words >= 3 && again == 0)
	s.flag("long, none of it", words >= 5 && again == 0)
}

// denied tells whether a denial stands before something of the last turn ("not the hall"), or behind it ("X isn't").
func (r relation) denied() (before, behind bool) {
	no := words().of("denial")
	for i, t := range r.tokens {
		if !no[t.Word] {
			continue
		}
		for j := max(0, i-near+1); j <= min(i+near, len(r.tokens)-1); j++ {
			if j != i && carries(r.tokens[j]) && r.said[r.tokens[j].Stem] {
				before, behind = before || j > i, behind || j < i
			}
		}
	}
	return before, behind
}

// subject tells whether the first word that carries meaning was said in the last turn.
func (r relation) subject() bool {
	for _, t := range r.tokens {
		if carries(t) {
			return r.said[t.Stem]
		}
	}
	return false
}

// carries tells words that mean something by themselves.
func carries(t text.Token) bool { return !t.Stop() }

func numbersOf(tokens []text.Token) map[string]bool {
	out := map[string]bool{}
	for _, t := range tokens {
		if strings.IndexFunc(t.Word, unicode.IsDigit) >= 0 {
			out[t.Word] = true
		}
	}
	return out
}

// slotsOf gives what follows each word of a text: "the port is 8080" has 8080 behind port.
func slotsOf(tokens []text.Token) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	declares := words().of("declares")
	for i, t := range tokens {
		if !carries(t) {
			continue
		}
		for _, v := range tokens[i+1 : min(len(tokens), i+1+near)] {
			if !carries(v) || declares[v.Word] {
				continue
			}
			if out[t.Stem] == nil {
				out[t.Stem] = map[string]bool{}
			}
			out[t.Stem][v.Stem] = true
			break
		}
	}
	return out
}

// compareSlots tells whether some word is followed by another word than before, or by the same.
func compareSlots(before, here map[string]map[string]bool) (differ, same bool) {
	for word, values := range here {
		if old := before[word]; old != nil {
			common := shared(values, old) > 0
			differ, same = differ || !common, same || common
		}
	}
	return differ, same
}
