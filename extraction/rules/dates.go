package rules

import (
	"strings"
	"time"

	"memory-graph/extraction/dates"
)

// times gives since when a fact holds, or until when one held that has ended, where its sentence says so. ok is false
// where the times say that it does not hold yet.
//
// A time belongs to the fact whose words it stands beside, up to the next "and" or verb; at the head of a sentence to all
// of its facts; and beside a verb to the next one that "and" joins to it and that has no time of its own: "I left IBM in
// May and started at Datadog".
func (r *reader) times(s *sentence, f fact) (from, until time.Time, ok bool) {
	said := r.turn.OccurredAt
	for _, span := range r.spansOf(s, f) {
		began, ended := span.Began(), span.Ended()
		switch {
		case !began.IsZero() && !said.IsZero() && began.After(said) && r.bygone(span):
			continue // "switched this weekend", told on a Tuesday: the one before, or whatever else is meant
		case !began.IsZero() && !said.IsZero() && began.After(said):
			return time.Time{}, time.Time{}, false // what begins later is a plan
		case (span.Relation == dates.Before || span.Relation == dates.By) && f.timely() && (r.isNews(f) || f.ended):
			return time.Time{}, time.Time{}, false // some time before: nobody knows when
		case f.ended && span.Relation == dates.Since && r.between(span) && r.isNews(f):
			return time.Time{}, time.Time{}, false // "left between 2019 and 2021"
		case f.ended && span.Relation == dates.Since:
			from = began
		case f.ended && !ended.IsZero() && until.IsZero():
			until = ended
		case !f.ended && !began.IsZero() && from.IsZero() && r.begins(span):
			from = began
		case !f.ended && span.Relation == dates.Until && !said.IsZero() && span.From.After(said) && until.IsZero():
			until = span.From // an end that is said, ahead
		}
	}
	if from.IsZero() && until.IsZero() {
		if at, ok := r.lasted(s, f); ok {
			return at, until, true
		}
		if f.timely() && !r.turn.OccurredAt.IsZero() && r.elsewhen(s, f) {
			return from, until, false
		}
	}
	return from, until, true
}

// between says whether a time is the first of two of which it is said that something happened between them.
func (r *reader) between(span dates.Span) bool {
	return strings.HasPrefix(lowerOf(r.text[span.Start:span.Stop]), "between")
}

// duration says whether a stretch of time stands at token i, as behind "in": it has not gone by yet.
func (s *sentence) duration(i int) bool {
	k := s.skip(i, "a", "an", "one", "two", "three", "four", "five", "six", "few", "couple", "of", "about", "less", "than", "under")
	if s.kind(k) == numberToken {
		k++
	}
	return k > i && timeUnits[s.word(k)]
}

// bygone says whether a time with "this" stands beside what has happened, so that it cannot be ahead.
func (r *reader) bygone(span dates.Span) bool {
	if r.verb == nil || !strings.HasPrefix(strings.ToLower(r.text[span.Start:span.Stop]), "this ") {
		return false
	}
	g := r.verb.group()
	return g.past && !g.passive && !g.modal && !g.negated && !g.ing
}

// timely says whether a fact is worth nothing without its time: where somebody works and lives changes, and what ended did so
// at some time.
func (f fact) timely() bool {
	return f.relation == "works_at" || f.relation == "located_in" || f.ended
}

// lasted gives since when something goes on that "has" been so "for three years".
func (r *reader) lasted(s *sentence, f fact) (from time.Time, ok bool) {
	if !f.since || f.ended || r.turn.OccurredAt.IsZero() {
		return from, false
	}
	s.behind(f, func(i int, w string) bool {
		if w != "for" || i+2 >= len(s.t) {
			return false
		}
		at := s.skip(i+1, "about", "around", "over", "almost", "nearly", "roughly", "the", "past", "last", "more", "than", "at", "least")
		for to := at + 1; to < min(at+5, len(s.t)); to++ {
			if timeUnits[s.word(to)] {
				if spans := dates.Resolve(r.text[s.t[at].start:s.t[to].stop]+" ago", r.turn.OccurredAt); len(spans) == 1 {
					from, ok = spans[0].From, true
				}
				return true
			}
		}
		return true
	})
	return from, ok
}

// elsewhen says whether words beside the fact put it into a time that is not understood: "on 03/04/2025", "in the nineties",
// "when I was twenty", "years ago". It must not pass for a fact of now.
func (r *reader) elsewhen(s *sentence, f fact) bool {
	f.b = s.endOf(f)
	if i := s.openingTime(f); i >= 0 {
		return true
	}
	found := false
	behind := s.borderBehind(f.b)
	s.behind(f, func(i int, w string) bool {
		if s.t[i].start >= behind && w != "when" && w != "because" || conjunctions[w] && i > f.b {
			return true
		}
		found = s.vagueTime(i) && !r.resolved(s.t[i].start)
		return found
	})
	return found
}

// openingTime gives a year that stands before the fact, at the head of its sentence, and is no year of a life: -1 for none.
func (s *sentence) openingTime(f fact) int {
	for i := 0; i+1 < f.a && i < 3; i++ {
		if (s.t[i].lower == "in" || s.t[i].lower == "since") && s.kind(i+1) == numberToken && len(s.word(i+1)) == 4 && s.leads(s.t[i+1].stop, f.a) {
			return i
		}
	}
	return -1
}

// resolved says whether a time that is understood stands at the offset.
func (r *reader) resolved(offset int) bool {
	for _, span := range r.spans {
		if offset >= span.Start && offset < span.Stop {
			return true
		}
	}
	return false
}

// vagueTime says whether token i begins a time that the package of dates does not take.
func (s *sentence) vagueTime(i int) bool {
	w, next := s.word(i), s.word(i+1)
	switch {
	case s.kind(i) == numberToken && len(w) >= 8 && strings.ContainsAny(w, "/.-"): // a date in figures
		return true
	case s.kind(i) == numberToken && len(w) == 4 && oneOf(s.word(i-1), "in since of from around until before after by"):
		return true
	case w == "when" || w == "whenever":
		return next == "i" || next == "we" || next == "he" || next == "she" || next == "they" || next == "my"
	case w == "ago", w == "while" && next == "back":
		return true
	case w == "the" && (next == "year" || next == "summer" || next == "winter" || next == "day" || next == "week" || next == "month") && (pronouns[s.word(i+2)] || s.word(i+2) == "my" || s.word(i+2) == "our" || s.kind(i+2) == nameToken || s.kind(i+2) == numberToken || s.word(i+2) == "before" || s.word(i+2) == "after"):
		return true
	case (w == "before" || w == "after") && (pronouns[next] && next != "that" && next != "this" && next != "all" || s.kind(i+1) == nameToken || s.kind(i+1) == wordToken && verbForms[next].forms == formIng):
		return true
	case w == "shortly" || w == "right" && (next == "before" || next == "after"):
		return true
	case w == "since" && (s.word(i+1) == "christmas" || s.word(i+1) == "easter"):
		return true
	case w == "at" && s.word(s.skip(i+1, "the")) == "turn":
		return true
	case w == "back":
		return next == "then" || next == "in" || next == "when"
	case w == "as":
		return articles[next] && oneOf(s.word(i+2), "child kid teenager teen student boy girl baby youngster")
	case w == "after" || w == "before" || w == "during" || w == "since" || w == "until" || w == "till":
		k := s.skip(i+1, "the", "my", "our", "his", "her", "high", "a")
		return w != "since" && w != "until" && w != "till" && eras[s.word(k)] || (w == "until" || w == "till") && s.kind(i+1) != signToken
	case w == "in" || w == "over" || w == "around" || w == "at":
		k := s.skip(i+1, "the", "my", "our", "his", "her", "early", "late", "mid")
		if w == "in" && s.duration(i+1) || next == "the" && seasonWords[s.word(k)] && s.kind(k+1) != numberToken && !(s.word(k+1) == "of" && s.kind(k+2) == numberToken) || s.word(k) == "year" && s.kind(k+1) == numberToken {
			return true
		}
		return decades[s.word(k)] || s.word(k) == "christmas" || s.word(k) == "easter" || s.kind(k) == numberToken && s.word(k+1) == "s" || oneOf(s.word(k), "past childhood youth twenties thirties forties war pandemic lockdown")
	case w == "on":
		k := s.skip(i+1, "the")
		if next == "my" && oneOf(s.word(i+2), "birthday anniversary wedding graduation retirement") {
			return true
		}
		return s.kind(k) == numberToken && oneOf(s.word(k+1), "th st nd rd of") || s.kind(k) == numberToken && monthNames[s.word(k+1)] || s.kind(k) == wordToken && len(s.word(k)) > 3 && isDigit(s.word(k)[0])
	}
	return false
}

// eras are times of a life and of the world that have no date.
var (
	eras    = set(`war university school college uni childhood graduation graduating pandemic lockdown covid christmas easter wedding divorce birth crisis merger studies holidays vacation crash acquisition layoffs kids baby`)
	decades = set(`twenties thirties forties fifties sixties seventies eighties nineties noughties 1980s 1990s 2000s 2010s 80s 90s 70s 60s 1970s 1960s`)
)

// begins says whether a time beside a fact is when it began: "since" always is; "in May" is for what happened then, and of
// what goes on it says nothing: "I live in Leeds and fly in May".
func (r *reader) begins(span dates.Span) bool {
	if span.Relation == dates.Since || span.Relation == dates.After {
		return true
	}
	if r.verb == nil {
		return false
	}
	g := r.verb.group()
	return g.past || g.perfect && !g.ing || g.begun
}

// spansOf gives the times that stand beside the words of the fact.
func (r *reader) spansOf(s *sentence, f fact) []dates.Span {
	if len(r.spans) == 0 {
		return nil
	}
	head := f.a
	if r.verb != nil && r.verb.inherited {
		head = r.verb.group().a
	}
	behind := s.borderBehind(f.b)
	var own, led, joined []dates.Span
	for _, span := range r.spans {
		switch {
		case span.Start < s.t[0].start || span.Start >= behind:
		case span.Start >= s.t[head].start:
			own = append(own, span)
		case span.Start >= s.t[f.a].start:
			joined = append(joined, span)
		case s.leads(span.Stop, f.a):
			led = append(led, span)
		}
	}
	switch {
	case len(own) > 0:
		for _, span := range r.spans { // "between 2019 and 2021"
			if last := own[len(own)-1]; span.Relation == dates.Until && last.Relation == dates.Since && span.Start > last.Start && span.Start <= last.Stop+1 {
				own = append(own, span)
			}
		}
		return own
	case len(joined) > 0:
		return joined
	}
	return led
}

// borderBehind gives the offset up to which what stands behind token i belongs to the fact that ends there.
func (s *sentence) borderBehind(i int) int {
	for ; i < len(s.t); i++ {
		t := s.t[i]
		switch {
		case t.kind == signToken && t.lower != "," && t.lower != "(" && t.lower != ")":
			return t.start
		case t.kind != wordToken:
		case conjunctions[t.lower] && t.lower != "&", auxiliaries[t.lower], t.lower == "because", t.lower == "i", t.lower == "we", t.lower == "who", t.lower == "which":
			return t.start
		case verbForms[t.lower].forms&(formPast|formS) != 0 && !nounish[verbForms[t.lower].lemma]:
			return t.start
		}
	}
	return s.t[len(s.t)-1].stop
}

// leads says whether nothing but openers and signs stands between the offset and token a.
func (s *sentence) leads(offset, a int) bool {
	for i := range a {
		if t := s.t[i]; t.start >= offset && t.kind != signToken && !openers[t.lower] {
			return false
		}
	}
	return true
}
