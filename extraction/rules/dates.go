package rules

import (
	"slices"
	"time"

	"memory-graph/extraction/dates"
)

// times returns when a fact began and when it ended, as far as its sentence says so. ok is false if the fact does not
// hold yet.
//
// A time belongs to the fact next to it, up to the next "and" or verb. At the start of a sentence it belongs to all
// facts of the sentence. A time next to a verb also applies to the next verb that "and" joins, unless that has its own:
// "I left IBM in May and started at Datadog".
func (r *reader) times(s *sentence, f fact) (from, until time.Time, ok bool) {
	said := r.turn.OccurredAt
	for _, span := range r.spansOf(s, f) {
		began, ended := span.Began(), span.Ended()
		switch {
		case !began.IsZero() && !said.IsZero() && began.After(said):
			return time.Time{}, time.Time{}, false // a later beginning is a plan
		case (span.Relation == dates.Before || span.Relation == dates.By) && f.timely() && (r.isNews(f) || f.ended):
			return time.Time{}, time.Time{}, false // "before May" gives no date
		case f.ended && span.Relation == dates.Since:
			from = began
		case f.ended && !ended.IsZero() && until.IsZero():
			until = ended
		case !f.ended && !began.IsZero() && from.IsZero() && r.begins(span):
			from = began
		case !f.ended && span.Relation == dates.Until && !said.IsZero() && span.From.After(said) && until.IsZero():
			until = span.From // a known end in the future
		}
	}
	return from, until, true
}

// resolved reports whether the offset is within a time that was parsed.
func (r *reader) resolved(offset int) bool {
	return slices.ContainsFunc(r.spans, func(x dates.Span) bool { return offset >= x.Start && offset < x.Stop })
}

// begins reports whether a time next to a fact is when it began. "since" always is. "in May" is, for an event; for a
// state it is not: "I live in Leeds and fly in May".
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

// spansOf returns the times that belong to the fact.
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
		return own
	case len(joined) > 0:
		return joined
	}
	return led
}

// borderBehind returns the offset at which the words that belong to the fact ending at token i stop.
func (s *sentence) borderBehind(i int) int {
	for ; i < len(s.t); i++ {
		t := s.t[i]
		switch {
		case t.kind == signToken && t.lower != "," && t.lower != "(" && t.lower != ")":
			return t.start
		case t.kind != wordToken:
		case conjunctions[t.lower] && t.lower != "&", auxiliaries[t.lower], t.lower == "because", t.lower == "i",
			t.lower == "we", t.lower == "who", t.lower == "which":
			return t.start
		case verbForms[t.lower].forms&(formPast|formS) != 0 && !nounish[verbForms[t.lower].lemma]:
			return t.start
		}
	}
	return s.t[len(s.t)-1].stop
}

// leads reports whether only openers and signs stand between the offset and token a.
func (s *sentence) leads(offset, a int) bool {
	return !slices.ContainsFunc(s.t[:a], func(t token) bool {
		return t.start >= offset && t.kind != signToken && !openers[t.lower]
	})
}
