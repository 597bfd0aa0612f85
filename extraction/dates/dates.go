// Package dates finds the times that an English text names, and works out which they are. It is strict: what may be
// something else (03/04/2026, a bare "may", a version, a count of 2,000) is nothing. A text is read once, in linear
// time.
package dates

import "time"

// Relation is how what is said lies to the time that is named, as the word before it says.
type Relation uint8

// The relations.
const (
	At     Relation = iota // in, on, during, at, or no such word: within the time
	Since                  // since, from, starting, as of: from its beginning on
	Until                  // until, till, through: up to its beginning
	By                     // by: at its end at the latest
	Before                 // before: earlier than its beginning
	After                  // after: later than its end
)

// Unit is how precisely a time is named.
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

// Span is a time that a text names.
type Span struct {
	// Start and Stop are byte offsets: text[Start:Stop] is what names the time, with the preposition before it.
	Start, Stop int
	// From and Until bound the time named: half-open, UTC, From before Until, years 1 to 9999. "in March 2024" is the
	// whole of March; "three weeks ago" the one day that it comes to, see Wide.
	From, Until time.Time
	Relation    Relation
	Unit        Unit
	// About says that the time is rounded to its unit ("three weeks ago", "a few days ago").
	About bool
}

// Wide gives the time in which something lies that was said to be at the span: half a unit more at both ends where the
// span is rounded, else From and Until.
func (s Span) Wide() (from, until time.Time) {
	if !s.About {
		return s.From, s.Until
	}
	half := map[Unit]time.Duration{Minute: 5 * time.Minute, Hour: time.Hour, Day: 24 * time.Hour, Week: 4 * 24 * time.Hour,
		Month: 16 * 24 * time.Hour, Year: 183 * 24 * time.Hour}[s.Unit]
	return s.From.Add(-half), s.Until.Add(half)
}

// Began gives when something began that is said to have begun, or to hold, at the span: "since March", "in 2020",
// "after the 5th of May". It is zero where the words give a bound only (by, before) or an end (until).
func (s Span) Began() time.Time {
	switch s.Relation {
	case At, Since:
		return s.From
	case After:
		return s.Until
	}
	return time.Time{}
}

// Ended gives when something ended that is said to have ended, or to have held, at the span: "until March", "in 2020".
// It is the beginning of what is named, so that what ended and what began "in March" meet. Zero where the words do not
// say it.
func (s Span) Ended() time.Time {
	switch s.Relation {
	case At, Until:
		return s.From
	case After:
		return s.Until
	}
	return time.Time{}
}

// Resolve gives the times that the text names, in its order; no two overlap. Relative ones count from ref (in UTC);
// with a zero ref only absolute ones are found.
//
// A month, a day of a month or a weekday without its year or week is the latest one that has begun, or the next one
// where the sentence speaks of the future; behind "until" and "by" it is the other way round. Weeks begin on Monday.
// "last Monday" is the latest before today, "this Monday" that of the current week, "next Monday" that of the next.
func Resolve(text string, ref time.Time) []Span {
	if !mayNameTime(text) {
		return nil
	}
	r := reader{tokens: tokenise(text), ref: ref.UTC(), now: !ref.IsZero()}
	var spans []Span
	var last every // of the time before
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

// span reads the time that begins at token i.
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

// inOrder moves the one of two ends of a range that was concluded to where the range runs forwards: "from March to May
// 2024", "from Friday to Monday".
func inOrder(from, until *Span, fromEvery, untilEvery every) {
	for range 200 { // the years that may be said without a date (1900 to 2100) lie no further apart
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

// every says when a time comes again.
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

// reader is a text that is being read.
type reader struct {
	tokens []token
	ref    time.Time
	now    bool // ref is known

	// The last sentence whose tense was looked at: its tokens, and the answer.
	from, to int
	said     tense
}

// foundTime is a time that the tokens before next name.
type foundTime struct {
	from, until time.Time
	unit        Unit
	about       bool
	relation    Relation // where the phrase itself says one
	every       every    // it comes again, and which one is meant was concluded
	next        int
}
