package rules

import (
	"strings"

	"memory-graph/internal/memory"
)

// believable says whether what stands around a fact lets it be one: what ends for a part only has not ended, who is there now
// and then does not live there, and nobody is used like a tool.
func (r *reader) believable(s *sentence, f fact) bool {
	if r.verb != nil && r.verb.group().lemma == "adopt" && adopted(s, f) {
		return false
	}
	f.b = s.endOf(f)
	switch f.relation {
	case "uses", "decided_to_use", "replaced_by":
		if f.relation == "decided_to_use" && s.undecided(f) {
			return false
		}
		if timeOf(f.tail.text) && r.rules.lists().of(f.tail.text) == 0 {
			return false
		}
		if r.somebody(f.tail) && !r.verbIs("use") || f.relation == "replaced_by" && r.somebody(f.head) {
			return false
		}
		return !f.ended || f.read || !s.partly(f)
	case "caused_by": // where it shows is no cause
		return !showing(f.tail) || !s.says(f, "come", "comes", "came", "coming")
	case "works_on", "assigned_to":
		return !timeOf(f.tail.text)
	case "works_at":
		if f.ended {
			return !timeOf(f.tail.text) && !s.partly(f)
		}
		return !timeOf(f.tail.text) && !s.besides(f)
	case "located_in":
		if f.ended {
			return !s.travels(f)
		}
		return !s.besides(f) && !s.travels(f)
	case "prefers", "dislikes":
		return !s.mild(f) && (!f.ended || !s.partly(f))
	}
	return true
}

// showing says whether something is where trouble shows: a test, a file of the code.
func showing(e endpoint) bool {
	name := e.text
	if rest, ok := strings.CutPrefix(name, "Test"); ok && rest != "" && (rest[0] >= 'A' && rest[0] <= 'Z' || rest[0] == '_') {
		return true
	}
	last := lowerOf(name[strings.LastIndexByte(name, ' ')+1:])
	return e.typ == "file" || last == "test" || last == "tests" || last == "spec" || strings.HasPrefix(name, "test_") || strings.HasSuffix(last, "_test")
}

// endOf gives the token behind the later one of the fact's head and tail: what stands there may narrow it.
func (s *sentence) endOf(f fact) int {
	stop := f.tail.stop
	if !f.head.self {
		stop = max(stop, f.head.stop)
	}
	for i := f.a; i < len(s.t); i++ {
		if stop > 0 && s.t[i].start >= stop {
			return i
		}
	}
	return min(f.b, len(s.t))
}

// verbIs says whether the clause that is being read has the verb.
func (r *reader) verbIs(lemma string) bool { return r.verb != nil && r.verb.group().lemma == lemma }

// somebody says whether an endpoint is a person by its name, whatever its place wants it to be.
func (r *reader) somebody(e endpoint) bool {
	k := r.rules.lists().of(e.text)
	return e.typ == "person" || k&sortPerson != 0 && k&^(sortWord|sortPlace) == sortPerson && r.types[memory.Canonical(e.text)] != "project"
}

// timeOf says whether a name is a day or a month: "Max works on Sundays".
func timeOf(name string) bool {
	w := lowerOf(name)
	if n := len(w); n > 3 && w[n-1] == 's' && (dayNames[w[:n-1]] || timeUnits[w]) {
		return true
	}
	return dayNames[w] || monthNames[w] && w != "may" && w != "april" && w != "june" || timeUnits[w] || timeWords[w]
}

// adopted says whether what is adopted is an animal or a child rather than a technology.
func adopted(s *sentence, f fact) bool {
	for i := f.a; i < min(f.b, len(s.t)); i++ {
		if w := s.t[i].lower; (w == "called" || w == "named") && i > 0 && typeOfHead(s.t[i-1].lower) == "" {
			return true
		}
	}
	return false
}

// behind gives the words of the fact's clause from its verb on and up to the end of the sentence, signs included: what may
// narrow what is said. They end at a word that begins another statement.
func (s *sentence) behind(f fact, visit func(i int, w string) (stop bool)) {
	from := min(f.b, len(s.t))
	for i := from; i < len(s.t); i++ {
		w := s.t[i].lower
		if w == ";" || i > from && (w == "i" || w == "we") && conjunctions[s.word(i-1)] && s.word(i-1) != "but" {
			return
		}
		if visit(i, w) {
			return
		}
	}
}

// exceptions narrow what ended, and returns take it back.
var (
	exceptions = set(`except excepting besides unless`)
	returns    = set(`back returned restarted reopened reinstalled resumed again recreated rebuilt restored rejoined redeployed`)
)

// partly says whether something ended in part only, or came back: "no longer use Redis for sessions", "quit Vim and reopened it".
func (s *sentence) partly(f fact) bool {
	part, aside := false, false
	moved := s.word(f.b) == "to" // "from A to B": where it is done narrows nothing, what it is done for does
	s.behind(f, func(i int, w string) bool {
		next := s.word(i + 1)
		if conjunctions[w] && s.kind(i+1) == wordToken && verbForms[next].forms&(formPast|formS) != 0 && !returns[next] {
			return true // "and put in an Oase": another statement
		}
		aside = aside || w == "," // what stands behind a comma is told beside it
		switch {
		case exceptions[w], w == "other" && next == "than", w == "apart" && next == "from", w == "aside" && next == "from", w == "outside" && i > f.b,
			w == "still" && s.keeps(i), returns[w] && (i == f.b || s.word(i-1) == "and" || s.word(i-1) == "then" || s.word(i-1) == "came" || s.word(i-1) == "went" || s.word(i-1) == "switched" || s.word(i-1) == "moved" || s.word(i-1) == "but" || s.word(i-1) == "it" || s.word(i-1) == "already" || s.word(i-1) == "'s" || s.word(i-1) == "is" || s.word(i-1) == "are"):
			part = true
		case w == "for" || w == "in" || w == "on" || w == "at" || w == "inside" || w == "within" || w == "with" || w == "as":
			part = f.relation == "uses" && !aside && (!moved || w == "for" || w == "in") && s.narrows(i)
		}
		return part
	})
	return part
}

// keeps says whether "still" at token i tells that the thing goes on: "but still use it for caching".
func (s *sentence) keeps(i int) bool {
	for k := i + 1; k < i+6 && k < len(s.t); k++ {
		if w := s.t[k].lower; w == "it" || w == "them" || w == "there" || w == "for" {
			return true
		}
	}
	return false
}

// narrows says whether the preposition at token i limits what is said before it to a place or a purpose, and gives no time.
func (s *sentence) narrows(i int) bool {
	if t, _ := s.timeAt(i); t > i {
		return false
	}
	w, next := s.word(i), s.word(i+1)
	switch w {
	case "at":
		return next == "work" || next == "home" || next == "school" || next == "night"
	case "with":
		return s.kind(i+1) == signToken
	case "as":
		return articles[next] || next == "my" || next == "our"
	case "on":
		if s.word(i+1) == "principle" || next == "purpose" {
			return false
		}
	case "in":
		if next == "favor" || next == "favour" || next == "the" && (s.word(i+2) == "end" || s.word(i+2) == "meantime") || next == "fact" || next == "general" || next == "total" || next == "protest" {
			return false
		}
	case "for":
		switch next {
		case "good", "that", "this", "it", "them", "now", "ever", "reasons", "sure", "once", "all":
			return false
		}
		if k := s.skip(i+1, "a", "an", "the"); s.kind(k) == nameToken && (!s.nominal(k+1) || s.timed(k+1)) {
			return false // "ditched Heroku for Render"
		}
		for k := i + 1; k < i+5 && k < len(s.t); k++ {
			if w := s.t[k].lower; w == "reason" || w == "reasons" || w == "years" || w == "months" || w == "weeks" || w == "being" {
				return false
			}
		}
		if v, ok := verbForms[next]; ok && v.forms == formIng {
			return true
		}
	}
	_, ok := s.phraseAt(i + 1)
	return ok
}

// timed says whether a time begins at token i.
func (s *sentence) timed(i int) bool {
	next, _ := s.timeAt(i)
	return next > i
}

// besides says whether somebody works or lives there beside somewhere else: "also", "on the side", "on weekends".
func (s *sentence) besides(f fact) bool {
	for i := f.a; i < min(f.b, len(s.t)); i++ {
		if w := s.t[i].lower; w == "also" || w == "sometimes" || w == "occasionally" || w == "moonlight" || w == "moonlights" || w == "additionally" {
			return true
		}
	}
	found := false
	s.behind(f, func(i int, w string) bool {
		if conjunctions[w] {
			return true
		}
		next, after := s.word(i+1), s.word(i+2)
		switch w {
		case "too":
			found = i == f.b && (i+1 >= len(s.t) || s.kind(i+1) == signToken)
		case "as":
			found = i == f.b && next == "well" && after != "as"
		case "on":
			found = next == "the" && after == "side" || weekly(next) || next == "my" && after == "days"
		case "at":
			found = next == "weekends" || next == "night"
		case "every":
			found = weekly(next) || next == "other" || next == "summer" || next == "winter" || next == "second"
		case "during":
			found = next == "the" && (after == "week" || after == "summer" || after == "winter" || after == "holidays" || after == "day") || weekly(next)
		case "in":
			found = next == "the" && (after == "evenings" || after == "mornings" || after == "summer" || after == "winter" || after == "afternoons") && s.word(i+3) != "of"
		case "half", "part", "some", "most":
			found = next == "the" || next == "of" && (after == "the" || after == "my" || after == "each") || next == "days" || next == "weeks"
		case "sometimes", "occasionally", "weekends":
			found = true
		case "days", "day", "months", "weeks":
			found = next == "a" || next == "per" || next == "each"
		}
		return found
	})
	return found
}

func weekly(w string) bool {
	n := len(w)
	return n > 4 && w[n-1] == 's' && (dayNames[w[:n-1]] || w == "weekends" || w == "weekdays" || w == "evenings" || w == "mornings" || w == "nights" || w == "holidays")
}

// travels says whether a place is only visited, or left for a while: "moved to Rome for a week", "left Oslo this morning".
func (s *sentence) travels(f fact) bool {
	away := false
	left := f.ended && s.says(f, "left", "leave", "leaves", "leaving")
	s.behind(f, func(i int, w string) bool {
		next, after := s.word(i+1), s.word(i+2)
		switch w {
		case "temporarily", "briefly", "returned", "return", "temporary":
			away = true
		case "back":
			away = s.word(i-1) == "and" || s.word(i-1) == "then" || s.word(i-1) == "came" || s.word(i-1) == "went" || s.word(i-1) == "moved" || next == "home" || next == "again"
		case "for":
			k := s.skip(i+1, "a", "an", "the", "one", "two", "three", "four", "five", "six", "few", "couple", "of", "several", "some", "another", "only", "just", "whole", "my", "our")
			head := s.word(k)
			if s.kind(k) == numberToken {
				head = s.word(k + 1)
			}
			away = !f.longer() && (timeUnits[head] || head == "summer" || head == "winter" || head == "while" || head == "holiday" || head == "holidays" || head == "bit" || head == "spring" || head == "autumn" || head == "season") ||
				trips[head] && (left || !s.says(f, "moved", "relocated"))
		case "this":
			away = left && (next == "morning" || next == "afternoon" || next == "evening")
		case "today", "tonight", "yesterday", "early", "late", "tomorrow":
			away = left
		case "at":
			away = left && (s.kind(i+1) == numberToken || next == "dawn" || next == "noon" || next == "night" || next == "midnight" || next == "six" || next == "five" || next == "seven" || next == "eight" || next == "nine")
		case "out", "off":
			away = left && after != ""
		case "on":
			away = left && (next == "a" || next == "the" || dayNames[next])
		}
		return away
	})
	return away
}

// longer says whether the fact itself is told as something that goes on, so that "for two years" is how long so far.
func (f fact) longer() bool { return !f.ended && !f.news && f.since }

// says says whether one of the words stands among those of the fact.
func (s *sentence) says(f fact, words ...string) bool {
	for i := f.a; i < min(f.b, len(s.t)); i++ {
		for _, w := range words {
			if s.t[i].lower == w {
				return true
			}
		}
	}
	return false
}

var trips = set(`conference meeting trip visit holiday holidays vacation wedding funeral workshop talk concert weekend day night training summit hackathon party exam interview tour lunch dinner festival
match tournament retreat offsite break honeymoon flight appointment`)

// newsworthy verbs tell of a change where they stand in the past.
var newsworthy = set(`move switch migrate change transition convert relocate jump replace supersede swap trade exchange join start begin leave quit resign fire lay let drop ditch abandon retire dump remove
hire transfer promote adopt become get land accept take settle go stop assign reassign hand pass give pick reassign choose decide`)

// isNews says whether the verb that is being read tells the fact as a change: "moved to", "joined", "now lives in", "no longer
// uses". "used to work at" tells of what was.
func (r *reader) isNews(f fact) bool {
	if r.verb == nil {
		return false
	}
	g := r.verb.group()
	switch {
	case g.begun, newsworthy[g.lemma] && (g.past || g.perfect || g.passive):
		return true
	case f.ended:
		return (g.ended || g.negated || r.verb.noMore()) && !r.usedTo(g)
	}
	for i := max(0, g.a-2); i < len(r.verb.s.t) && i < g.b+1; i++ {
		if r.verb.s.t[i].lower == "now" {
			return true
		}
	}
	return false
}

// usedTo says whether an end is told as what once was.
func (r *reader) usedTo(g *group) bool {
	for i := g.a; i < g.b; i++ {
		if r.verb.s.word(i) == "used" && r.verb.s.word(i+1) == "to" {
			return true
		}
	}
	return false
}
