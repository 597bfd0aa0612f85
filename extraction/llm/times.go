package llm

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"memory-graph/extraction/dates"
	"memory-graph/internal/memory"
)

// moment is a time of an answer, from its first instant to just after its last.
type moment struct {
	from, until time.Time
	unit        memory.Unit // the precision of an answer's time
}

// period reads the beginning and the end of a fact; ok is false if a time is unreadable, or the end is not after the
// beginning. A month or a year means its first instant, like a date.
func period(from, until *string) (f, u moment, ok bool) {
	f, ok1 := instant(from)
	u, ok2 := instant(until)
	if !ok1 || !ok2 || !f.from.IsZero() && !u.from.IsZero() && !f.from.Before(u.from) {
		return moment{}, moment{}, false
	}
	return f, u, true
}

// instant reads one time. nil, "" and "null" mean none.
func instant(s *string) (moment, bool) {
	if s == nil {
		return moment{}, true
	}
	in := strings.TrimSpace(*s)
	if in == "" || strings.EqualFold(in, "null") {
		return moment{}, true
	}
	t, unit, err := memory.ParsePeriod("time", in)
	if unit != "" {
		return moment{t, unit.End(t), unit}, true
	}
	return moment{t, t.AddDate(0, 0, 1), ""}, err == nil && !t.IsZero()
}

var (
	// lasted matches durations up to now, such as "for three years".
	lasted = regexp.MustCompile(
		`(?i)\b(\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty)(?:\s+(?:and\s+a\s+half|more|long|full))?\s+(day|week|month|year|decade)s?\b`)
	// numbers are the number words in lasted.
	numbers = map[string]int{"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
		"eight": 8, "nine": 9, "ten": 10,
		"eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30}
	// thenWords refer to a time in another sentence.
	thenWords = words("then that since meanwhile later afterwards")
	year      = regexp.MustCompile(`\b\d{4}\b`)
)

// times returns the times that a part of the turn names.
func (t *validation) times(start, stop int) []moment {
	var found []moment
	for _, s := range t.spans {
		if s.Start >= start && s.Start < stop {
			from, until := s.Wide()
			found = append(found, moment{from: from, until: until})
		}
	}
	if t.OccurredAt.IsZero() {
		return found
	}
	for _, m := range lasted.FindAllStringSubmatch(t.Text[start:stop], -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			n = numbers[strings.ToLower(m[1])]
		}
		for i, unit := range []string{"day", "week", "month", "year", "decade"} {
			if unit == strings.ToLower(m[2]) {
				days := [...]int{1, 7, 30, 365, 3652}[i]
				at := t.OccurredAt.AddDate(0, 0, -n*days)
				slack := max(1, days)
				found = append(found, moment{from: at.AddDate(0, 0, -slack), until: at.AddDate(0, 0, slack)})
			}
		}
	}
	return found
}

// dated reports whether the turn states a time of the answer. The time must be in the quote's sentence, from start to
// stop, or anywhere if that sentence refers to another time. The answer may be less exact than the turn, but not more:
// "in 2024" supports the beginning of the year and no other day.
func (t *validation) dated(m moment, start, stop int) bool {
	if m.from.IsZero() {
		return true
	}
	if t.speech.Foreign() { // its words for times are unknown, but its years are not
		return slices.Contains(year.FindAllString(t.Text, -1), m.from.Format("2006"))
	}
	if fold(t.Text[start:stop]).hasWord(thenWords) {
		start, stop = 0, len(t.Text)
	}
	if m.from.YearDay() == 1 && m.from.Equal(m.from.Truncate(24*time.Hour)) &&
		slices.Contains(year.FindAllString(t.Text[start:stop], -1), m.from.Format("2006")) {
		return true
	}
	for _, s := range t.times(start, stop) {
		meets := m.from.Before(s.until) && s.from.Before(m.until)
		exact := m.until.Sub(m.from) >= s.until.Sub(s.from) || s.until.Sub(s.from) > 366*24*time.Hour
		if meets && exact || m.from.Equal(s.from) || m.from.Equal(s.until) || meets && t.rounded(s) {
			return true
		}
	}
	return false
}

// rounded reports whether a time in the turn is approximate, so that any day within it is acceptable.
func (t *validation) rounded(m moment) bool {
	days := m.until.Sub(m.from) / (24 * time.Hour)
	return days <= 15 || !slices.ContainsFunc(t.spans,
		func(s dates.Span) bool { return s.From.Equal(m.from) && s.Until.Equal(m.until) })
}
