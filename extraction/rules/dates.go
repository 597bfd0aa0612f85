package rules

import (
	"time"

	"memory-graph/extraction/dates"
)

// times gives since when a fact holds, or until when one held that has ended, where its sentence says so. ok is false
// where the times say that it does not hold yet.
//
// A time belongs to the fact whose words it stands beside, up to the next "and" or verb; at the head of a sentence to
// all of its facts; and beside a verb to the next one that "and" joins to it and that has no time of its own: "I left
// IBM in May and started at Datadog".
func (r *reader) times(s *sentence, f fact) (from, until time.Time, ok bool) {
	said := r.turn.OccurredAt
	for _, span := range r.spansOf(s, f) {
		began, ended := span.Began(), span.Ended()
		switch {
		case !began.IsZero() && !said.IsZero() && began.After(said):
			return time.Time{}, time.Time{}, false // what begins later is a plan
		case (span.Relation == dates.Before || span.Relation == dates.By) && f.timely() && (r.isNews(f) || f.ended):
			return time.Time{}, time.Time{}, false // some time before: nobody knows when
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
	return from, until, true
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

// begins says whether a time beside a fact is when it began: "since" always is; "in May" is for what happened then, and
// of what goes on it says nothing: "I live in Leeds and fly in May".
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
		case conjunctions[t.lower] && t.lower != "&", auxiliaries[t.lower], t.lower == "because", t.lower == "i",
			t.lower == "we", t.lower == "who", t.lower == "which":
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
