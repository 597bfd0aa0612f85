package dates

import (
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// One returns the time that a text names if the text names nothing else: "last week", "since early 2019", "Q3 2020",
// "now". ref is the present (Resolve).
func One(text string, ref time.Time) (Span, bool) {
	text = strings.Trim(text, " \t\r\n.")
	if strings.EqualFold(text, "now") && !ref.IsZero() {
		at := ref.UTC().Truncate(time.Second)
		return Span{Stop: len(text), From: at, Until: at.Add(time.Second)}, true
	}
	found := Resolve(text, ref)
	if len(found) != 1 || found[0].Start != 0 || found[0].Stop != len(text) {
		return Span{}, false
	}
	return found[0], true
}

// PartOfYear reports whether the span is several months of a year that no season or quarter names: "early 2019".
func (s Span) PartOfYear() bool {
	return s.About && s.Unit == Month && s.Until.Sub(s.From) > 31*24*time.Hour
}

// Period returns the instant of a bound of the span (Began, Ended) as a fact stores it: with the month or the year as
// its precision, and then as the first instant of it, if the words are no more precise. "two years ago" and "early
// 2019" are a year, "summer 2021" and "mid-March 2020" a month, "3 weeks ago" a date.
func (s Span) Period(at time.Time) (time.Time, memory.Unit) {
	switch {
	case at.IsZero():
		return at, ""
	case s.Unit == Year, s.PartOfYear():
		return time.Date(at.Year(), 1, 1, 0, 0, 0, 0, time.UTC), memory.Year
	case s.Unit >= Month, s.Unit == Week && s.About && s.Until.Sub(s.From) > 24*time.Hour: // a part of a month
		return time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC), memory.Month
	}
	return at, ""
}
