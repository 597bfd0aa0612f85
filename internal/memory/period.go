package memory

import (
	"regexp"
	"strings"
	"time"
)

// Unit is the precision of a time of a fact, as the caller gave it. "" is a time of day or a date.
type Unit string

// The units that answers show.
const (
	Month Unit = "month"
	Year  Unit = "year"
)

// layouts are the forms of a caller's time. Names of months may be short or long and in any case.
var layouts = []struct {
	layout string
	unit   Unit
}{
	{time.RFC3339Nano, ""}, {StoredSeconds, ""}, {"2006-01-02T15:04:05", ""}, {"2006-01-02 15:04", ""},
	{"2006-01-02T15:04", ""}, {"2006-01-02T15:04Z07:00", ""}, {time.DateOnly, ""}, {"2006/01/02", ""},
	{"2006", Year}, {"2006-01", Month}, {"2006/01", Month}, {"1/2006", Month},
	{"January 2006", Month}, {"Jan 2006", Month}, {"2006 January", Month}, {"2006 Jan", Month},
	{"2 January 2006", ""}, {"2 Jan 2006", ""}, {"January 2 2006", ""}, {"Jan 2 2006", ""},
}

var (
	// timeLead is what callers write before a time and what says nothing about its precision.
	timeLead = regexp.MustCompile(`(?i)^(?:since|from|in|on|as of|until|by)\s+`)
	// timeMarks are the marks and endings inside written dates: "March 5th, 2020", "Sept. 2020", "May of 2019".
	timeMarks = regexp.MustCompile(`(?i)[.,]|\b(?:of|the)\b`)
	ordinal   = regexp.MustCompile(`(?i)\b(\d{1,2})(?:st|nd|rd|th)\b`)
	sept      = regexp.MustCompile(`(?i)\bsept\b`)
)

// ParsePeriod is ParseTime with the precision of the given time.
func ParsePeriod(argument, s string) (time.Time, Unit, error) {
	in := strings.TrimSpace(s)
	if t, unit, ok := parseLayouts(in); ok {
		return t, unit, nil
	}
	in = timeMarks.ReplaceAllString(timeLead.ReplaceAllString(in, ""), " ")
	in = sept.ReplaceAllString(ordinal.ReplaceAllString(in, "$1"), "Sep")
	if t, unit, ok := parseLayouts(strings.Join(strings.Fields(in), " ")); ok {
		return t, unit, nil
	}
	return time.Time{}, "", Errorf(InvalidArgument, "%s: %q is not a time.", argument, s).
		WithHint("Use RFC 3339 (2026-03-18T09:30:00Z), YYYY-MM-DD HH:MM:SS, a date, a month (2026-03, March 2020) or a year.")
}

func parseLayouts(in string) (time.Time, Unit, bool) {
	for _, l := range layouts {
		if t, err := time.ParseInLocation(l.layout, in, time.UTC); err == nil {
			t = t.UTC()
			return t, l.unit, t.Year() >= 1 && t.Year() <= 9999
		}
	}
	return time.Time{}, "", false
}

// End returns the first instant after the period that begins at t: t itself for the unit "".
func (u Unit) End(t time.Time) time.Time {
	switch u {
	case Year:
		return t.AddDate(1, 0, 0)
	case Month:
		return t.AddDate(0, 1, 0)
	}
	return t
}

// Show formats a time as answers show it: with the precision of the unit, else as RFC3339 does.
func (u Unit) Show(t time.Time) string {
	switch {
	case t.IsZero():
		return ""
	case u == Year:
		return t.UTC().Format("2006")
	case u == Month:
		return t.UTC().Format("2006-01")
	}
	return RFC3339(t)
}

// Date formats a time as a date, or as the month or year that it is.
func (u Unit) Date(t time.Time) string {
	if u == "" {
		return t.UTC().Format(time.DateOnly)
	}
	return u.Show(t)
}

// Instant returns what Show leaves out, for programs: the instant in RFC 3339, "" if Show shows it.
func (u Unit) Instant(t time.Time) string {
	if u == "" {
		return ""
	}
	return RFC3339(t)
}
