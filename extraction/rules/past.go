package rules

import (
	"memory-graph/internal/memory"
	"time"
)

// inPast says whether what stands before a fact puts it into a story of the past that is not dated: "After university I
// joined", "That summer I moved to", "First I moved to". Behind the verb, elsewhen looks for the same.
func (r *reader) inPast(s *sentence, f fact) bool {
	if f.ended && !(f.news || r.isNews(f)) {
		return false
	}
	if f.ended && s.word(f.a-1) != "" && s.pastReason(f.a) {
		return false
	}
	if r.verb != nil && !f.ended {
		if g := r.verb.group(); g.present && !g.past && !g.perfect && !g.begun {
			return false // it is so now, whenever it began
		}
	}
	from := 0
	for i := f.a - 1; i >= 0; i-- { // the beginning of the statement
		if w := s.t[i].lower; s.t[i].kind == signToken && w != "," && w != "'" && w != "&" && w != "-" && w != "%" || conjunctions[w] && anyVerb(s.t[:i]) {
			from = i + 1
			break
		}
	}
	for from < f.a && (s.t[from].kind == signToken || openers[s.t[from].lower] && !storyWords[s.t[from].lower] || conjunctions[s.t[from].lower] && !storyWords[s.t[from].lower]) {
		from++
	}
	if from >= f.a {
		for i := f.a; i < min(f.b, len(s.t)); i++ { // "I eventually moved to"
			if w := s.t[i].lower; w == "originally" || w == "initially" || w == "eventually" || w == "once" && s.word(i+1) != "again" {
				return true
			}
		}
		return false
	}
	w, next := s.t[from].lower, s.word(from+1)
	known := func(i int) bool { return i < len(s.t) && r.resolved(s.t[i].start) }
	switch {
	case known(from), known(from+1) && w != "before" && w != "by" && w != "until":
		return false
	case storyWords[w]:
		return true
	case w == "the" || w == "that" || w == "one":
		return oneOf(next, "following next previous same other first") && (timeUnits[s.word(from+2)] || timeNouns[s.word(from+2)]) || (w == "that" || w == "one") && (timeUnits[next] || timeNouns[next] || monthNames[next])
	case oneOf(w, "after before during while when as at in since until till following upon throughout by on around within over"):
		return s.leadingTime(from)
	case s.timed(from), w == "a" && next == "long":
		return s.lateAgo(from, f.a)
	}
	return r.withAgo(s, from, f.a)
}

// pastReason says whether a sentence begins with "after" and what no part of a life is called: "after the merger I resigned" tells why.
func (s *sentence) pastReason(until int) bool {
	if s.word(0) != "after" {
		return false
	}
	for i := 1; i < until; i++ {
		if oneOf(s.word(i), "university uni college school graduation graduating studies studying study degree army war service internship apprenticeship childhood phd that which") {
			return false
		}
	}
	return true
}

// leadingTime says whether the preposition at token i, at the head of a statement, begins a time of somebody's life rather than a
// turn of speech.
func (s *sentence) leadingTime(i int) bool {
	w := s.word(i)
	k := s.skip(i+1, "the", "my", "our", "his", "her", "their", "a", "an", "early", "late", "mid", "high", "this", "that", "those")
	x := s.word(k)
	switch w {
	case "after", "before", "during", "while", "when", "until", "till", "following", "upon", "throughout":
		for n := 0; w == "after" && n < 2; n++ { // "after months of looking", "after ten years at Bosch"
			if u := s.word(k + n); timeUnits[u] && oneOf(s.word(k+n+1), "of at with in as") {
				return false
			}
		}
		return !(w == "after" && x == "all") && x != "long"
	case "as":
		return articles[s.word(i+1)] && oneOf(x, "child kid teenager teen student boy girl baby youngster toddler postdoc trainee")
	case "at":
		return s.kind(k) == numberToken || oneOf(x, "age time end beginning start first turn school university college uni eighteen twenty thirty sixteen")
	case "in":
		return decades[x] || seasonWords[x] || oneOf(x, "past childhood youth twenties thirties forties war pandemic lockdown school college university days beginning end years") || s.kind(k) == numberToken
	case "on", "around", "by", "within", "over":
		return oneOf(x, "birthday christmas easter graduation wedding anniversary retirement age time") || s.kind(k) == numberToken && w != "on"
	}
	return false
}

// lateAgo says whether the words from token i to token j tell of something that was long ago.
func (s *sentence) lateAgo(i, j int) bool {
	for ; i < j; i++ {
		if w := s.t[i].lower; w == "ago" || w == "back" || w == "earlier" || w == "later" {
			return true
		}
	}
	return false
}

func (r *reader) withAgo(s *sentence, i, j int) bool {
	for k := i; k < min(j, i+6); k++ {
		if s.t[k].kind == signToken {
			break
		}
		if w := s.t[k].lower; (w == "ago" && !(s.word(k-1) == "long" && s.word(k-2) == "not") || w == "later") && !r.resolved(s.t[k].start) {
			return true
		}
	}
	return false
}

// storyWords before a statement go on with a story.
var storyWords = set(`first firstly then later eventually afterwards afterward originally initially years decades months back once previously formerly soon subsequently thereafter`)

// dated says whether a change is told with so old a time that it is a story and no news: one before the last year.
func (r *reader) dated(from, until time.Time) bool {
	at := from
	if at.IsZero() {
		at = until
	}
	return !at.IsZero() && !r.turn.OccurredAt.IsZero() && at.Year() < r.turn.OccurredAt.Year()-1
}

// wentAgain looks behind where somebody went for what became of it: "joined Acme in 2019 and left in 2022". over says that they left
// again, and when; unclear that what follows cannot be told.
func (r *reader) wentAgain(s *sentence, f fact) (until time.Time, over, unclear bool) {
	if f.ended || f.relation != "works_at" && f.relation != "located_in" {
		return until, false, false
	}
	start := s.endOf(f)
	for i := start; i < len(s.t); i++ {
		w := s.word(i)
		if w == ";" {
			return until, over, unclear
		}
		if !conjunctions[w] && w != "then" && w != "," && w != "before" {
			continue
		}
		k := s.skip(i+1, "then", "i", "we", "she", "he", "they", "later", "finally", "and", "in", "have", "has")
		for s.kind(k) == numberToken {
			k++
		}
		switch v := s.word(k); {
		case s.kind(k) == nameToken && s.word(i+1) == "in" && s.kind(i+2) == numberToken, (w == "and" || w == "&") && oneOf(s.word(i+1), "in at for") && s.kind(i+2) == nameToken && s.ends(i+3):
			return until, false, true // "joined Bosch, in 2016 Nokia", "live in Graz and in Linz"
		case v == "to" && k == i+1 && s.kind(k+1) == nameToken, v == "to" && s.word(i+1) == "in":
			return until, false, true // "to Oslo in 2015 and to Bergen in 2020"
		case v == "leaving" || v == "left" || v == "quit" || v == "resigned" || v == "cancelled" || v == "canceled" || v == "unsubscribed":
			if s.kind(k+1) == nameToken {
				continue // something else
			}
			over = true
		case (v == "came" || v == "moved" || v == "went" || v == "back") && (s.word(k+1) == "back" || v == "back" || s.word(k+1) == "away" || s.word(k+1) == "on" && s.ends(k+2)):
			if s.word(k+1) == "on" {
				over = true
				break
			}
			return until, false, true
		case v == "returned":
			return until, false, true
		default:
			continue
		}
		for _, span := range r.spans {
			if span.Start >= s.t[k].start && span.Start <= s.t[len(s.t)-1].stop {
				until = span.Ended()
			}
		}
		return until, over, until.IsZero()
	}
	return until, false, false
}

// rivals takes back or leaves out where the same words give somebody two homes or employers at once: of "Bergen, Norway" the first is
// the place, of "Oslo and Bergen" neither is said to be the one. drop says that the second is to be left out.
func (r *reader) rivals(s *sentence, f fact) (drop bool) {
	if f.relation != "located_in" && f.relation != "works_at" || r.lastOne.at != len(r.found.Relations)-1 || r.lastOne.at < 0 {
		return false
	}
	last := r.lastOne
	if last.f.relation != f.relation || last.f.ended != f.ended || last.f.a != f.a || last.f.b != f.b || memory.Canonical(last.f.head.text) != memory.Canonical(f.head.text) || last.f.tail.stop > f.tail.stop || s.t[0].start != last.sentence {
		return false
	}
	and := false
	for _, t := range s.t {
		if t.start >= last.f.tail.stop && t.start < f.tail.stop && (conjunctions[t.lower] || t.lower == "plus" || t.lower == "/" || t.lower == "as") {
			and = true
		}
	}
	if !and {
		return f.relation == "located_in" || s.word(s.endOf(last.f)) == ","
	}
	if f.ended {
		return false
	}
	r.takenBack = append(r.takenBack, last.at)
	return true
}

// clear drops the relations that were taken back.
func (r *reader) clear() {
	if len(r.takenBack) == 0 {
		return
	}
	gone := map[int]bool{}
	for _, i := range r.takenBack {
		gone[i] = true
	}
	kept := r.found.Relations[:0]
	for i, x := range r.found.Relations {
		if !gone[i] {
			kept = append(kept, x)
		}
	}
	r.found.Relations = kept
}

// home notes of whom it has been said where they live.
func (r *reader) home(head string, f fact) {
	if f.relation != "located_in" || f.ended {
		return
	}
	if r.homed == nil {
		r.homed = map[string]bool{}
	}
	r.homed[head] = true
}
