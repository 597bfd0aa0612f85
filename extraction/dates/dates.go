// Package dates finds expressions of time in English text and resolves them. It is strict: it ignores what may mean
// something else (03/04/2026, a bare "may", a version, a count of 2,000). It reads a text once, in linear time.
package dates

import "time"

// Relation is the relation of a statement to a time, as the word before the time tells.
type Relation uint8

// The relations.
const (
	At     Relation = iota // in, on, during, at, or no preposition: within the time
	Since                  // since, from, starting, as of: from its beginning
	Until                  // until, till, through: up to its beginning
	By                     // by: no later than its end
	Before                 // before: earlier than its beginning
	After                  // after: later than its end
)

// Unit is the precision of a time.
type Unit uint8

// The units, finer ones first.
const (
	Second Unit = iota
	Minute
	Hour
	PartOfDay // this morning
	Day
	Weekend
	Week
	Month
	Quarter
	Year
)

// Span is an expression of time in a text.
type Span struct {
	// Start and Stop are byte offsets: text[Start:Stop] is the expression with the preposition before it.
	Start, Stop int
	// From and Until bound the time: half-open, UTC, From before Until, years 1 to 9999. "in March 2024" is the whole of
	// March; "three weeks ago" is one day.
	From, Until time.Time
	Relation    Relation
	Unit        Unit
	// About is set if the time is rounded to its unit ("three weeks ago", "a few days ago").
	About bool
}

// Began returns when a fact began, if the span tells its beginning or when it held: "since March", "in 2020", "after
// the 5th of May". It returns the zero time if the words only give a bound (by, before) or an end (until).
func (s Span) Began() time.Time {
	switch s.Relation {
	case At, Since:
		return s.From
	case After:
		return s.Until
	}
	return time.Time{}
}

// Ended returns when a fact ended, if the span tells its end or when it held: "until March", "in 2020". For "in March"
// it returns the beginning of March, as Began does. So a fact that ended in March and one that began in March meet.
// Ended returns the zero time if the words do not tell an end.
func (s Span) Ended() time.Time {
	switch s.Relation {
	case At, Until:
		return s.From
	case After:
		return s.Until
	}
	return time.Time{}
}

// Resolve returns the times in a text, in their order and without overlaps. Relative times count from ref (in UTC); if
// ref is zero, only absolute times are found.
//
// A month, a day of a month or a weekday without a year or week is the latest one that has begun, or the next one if
// the sentence is about the future. After "until" and "by" the next one is the default. Weeks begin on Monday. "last
// Monday" is the latest before today, "this Monday" is in the current week, and "next Monday" is in the next week.
func Resolve(text string, ref time.Time) []Span {
	if !mayNameTime(text) {
		return nil
	}
	r := reader{tokens: tokenise(text), ref: ref.UTC(), now: !ref.IsZero()}
	var spans []Span
	var last every // of the previous time
	for i := 0; i < len(r.tokens); {
		p, c, ok := r.span(i)
		if !ok {
			i++
			continue
		}
		s := r.made(p, c)
		if c.ends && len(spans) > 0 {
			inOrder(&spans[len(spans)-1], &s, last, p.every)
		}
		spans = append(spans, s)
		last, i = p.every, p.next
	}
	return spans
}

// span reads the expression that begins at token i.
func (r *reader) span(i int) (foundTime, context, bool) {
	if r.tokens[i].kind == punct {
		return foundTime{}, context{}, false
	}
	c := r.lead(i)
	p, ok := r.phrase(i, c)
	return p, c, ok && p.from.Before(p.until) && p.from.Year() >= 1 && p.until.Year() <= 9999
}

func (r *reader) made(p foundTime, c context) Span {
	if p.relation != At {
		c.relation = p.relation
	}
	return Span{
		Start: r.tokens[c.first].start, Stop: r.tokens[p.next-1].stop,
		From: p.from, Until: p.until, Relation: c.relation, Unit: p.unit, About: p.about || c.about,
	}
}

// inOrder moves an inferred end of a range so that the range runs forwards: "from March to May 2024", "from Friday to
// Monday".
func inOrder(from, until *Span, fromEvery, untilEvery every) {
	for range 200 { // times that can be named without a date (1900 to 2100) are not further apart
		switch {
		case until.From.After(from.From) || from.From.Year() < 3 || until.Until.Year() > 9997:
			return
		case untilEvery != once:
			untilEvery.move(until, 1)
		case fromEvery != once:
			fromEvery.move(from, -1)
		default:
			return
		}
	}
}

// every is how often a time recurs.
type every uint8

const (
	once every = iota
	weekly
	yearly
)

func (e every) move(s *Span, n int) {
	years, days := n, 0
	if e == weekly {
		years, days = 0, 7*n
	}
	s.From, s.Until = s.From.AddDate(years, 0, days), s.Until.AddDate(years, 0, days)
}

// reader holds a text while it is read.
type reader struct {
	tokens []token
	ref    time.Time
	now    bool // ref is known

	// The last sentence whose tense was determined: its tokens, and its tense.
	from, to int
	said     tense
}

// foundTime is the time named by the tokens before next.
type foundTime struct {
	from, until time.Time
	unit        Unit
	about       bool
	relation    Relation // set if the phrase itself implies one
	every       every    // the time recurs, and its occurrence was inferred
	next        int
}
