package dates

import (
	"strings"
	"time"
)

// phrase reads the time at token i.
func (r *reader) phrase(i int, c context) (foundTime, bool) {
	t := r.tokens[i]
	switch t.kind {
	case chunk:
		for _, read := range []func(int) (foundTime, bool){r.iso, r.numeric, r.quarterOf} {
			if p, ok := read(i); ok {
				return p, true
			}
		}
		if p, ok := r.portion(i, c); ok {
			return p, true
		}
		return r.isoMonth(i, c)
	case number:
		if p, ok := r.dayFirst(i, c); ok {
			return p, true
		}
		if p, ok := r.ago(i); ok {
			return p, true
		}
		return r.year(i, c)
	case word:
		if p, ok := r.season(i); ok {
			return p, true
		}
		for _, read := range []func(int, context) (foundTime, bool){r.weekday, r.monthFirst, r.portion, r.relative,
			r.lastFew} {
			if p, ok := read(i, c); ok {
				return p, true
			}
		}
		return r.ago(i)
	}
	return foundTime{}, false
}

// iso reads 2026-03-18, 2026/03/18 and the same with a time, joined by T or a space.
func (r *reader) iso(i int) (foundTime, bool) {
	t := r.tokens[i]
	if t.glued || len(t.text) < 10 || t.text[0] < '0' || t.text[0] > '9' {
		return foundTime{}, false
	}
	raw := strings.ToUpper(t.text)
	if raw[4] == '/' && len(raw) == 10 {
		raw = strings.ReplaceAll(raw, "/", "-")
	}
	if day, err := time.Parse(time.DateOnly, raw); err == nil {
		if at, unit, ok := r.clock(i + 1); ok {
			from := day.Add(at)
			return foundTime{from: from, until: from.Add(length(unit)), unit: unit, next: i + 2}, true
		}
		return foundTime{from: day, until: day.AddDate(0, 0, 1), unit: Day, next: i + 1}, true
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05"} {
		if at, err := time.Parse(layout, raw); err == nil {
			at = at.UTC().Truncate(time.Second)
			return foundTime{from: at, until: at.Add(time.Second), unit: Second, next: i + 1}, true
		}
	}
	for _, layout := range []string{"2006-01-02T15:04Z07:00", "2006-01-02T15:04"} {
		if at, err := time.Parse(layout, raw); err == nil {
			return foundTime{from: at.UTC(), until: at.UTC().Add(time.Minute), unit: Minute, next: i + 1}, true
		}
	}
	return foundTime{}, false
}

// clock reads 09:30 or 09:30:15 after an ISO date, as UTC.
func (r *reader) clock(i int) (time.Duration, Unit, bool) {
	if i >= len(r.tokens) || r.tokens[i].kind != chunk || r.tokens[i].glued {
		return 0, 0, false
	}
	for layout, unit := range map[string]Unit{"15:04": Minute, "15:04:05": Second} {
		if at, err := time.Parse(layout, r.tokens[i].text); err == nil && len(r.tokens[i].text) == len(layout) {
			return time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute + time.Duration(
				at.Second())*time.Second, unit, true
		}
	}
	return 0, 0, false
}

func length(u Unit) time.Duration {
	if u == Minute {
		return time.Minute
	}
	return time.Second
}

// isoMonth reads 2024-03, but only after a preposition: alone it may be any number.
func (r *reader) isoMonth(i int, c context) (foundTime, bool) {
	t := r.tokens[i]
	if !c.prep || t.glued || len(t.text) != len("2006-01") {
		return foundTime{}, false
	}
	from, err := time.Parse("2006-01", t.text)
	if err != nil || from.Year() < 1900 || from.Year() > 2100 {
		return foundTime{}, false
	}
	return foundTime{from: from, until: from.AddDate(0, 1, 0), unit: Month, next: i + 1}, true
}

// dayFirst reads "5 October 2026", "5th of October", "5 Oct".
func (r *reader) dayFirst(i int, c context) (foundTime, bool) {
	day, ok := r.number(i, 1, 31)
	if !ok || r.dashed(i) {
		return foundTime{}, false
	}
	at := i + 1
	of := r.is(at, "of")
	if of {
		at++
	}
	month, ok := r.month(at, c.prep && r.word(at) != "may")
	if !ok || of && !r.tokens[i].ordinal {
		return foundTime{}, false
	}
	return r.date(i, at+1, month, day, c)
}

// dashed reports whether a number is the end of a range ("5–7 March").
func (r *reader) dashed(i int) bool {
	return i > 0 && r.tokens[i-1].kind == punct && (r.tokens[i-1].text == "–" || r.tokens[i-1].text == "—")
}

// month returns the month named at token i. A name that is also another word needs a capital, unless sure says that
// only a month fits here.
func (r *reader) month(i int, sure bool) (time.Month, bool) {
	w := r.word(i)
	m, ok := months[w]
	if !ok || r.tokens[i].glued {
		return 0, false
	}
	if !sure && !r.tokens[i].upper && (mixed[w] || len(w) < 4) {
		return 0, false
	}
	return m, true
}

// date completes a day of a month with its year, if one follows.
func (r *reader) date(i, at int, month time.Month, day int, c context) (foundTime, bool) {
	p := foundTime{unit: Day, next: at}
	year, behind, said := r.yearBehind(at)
	switch {
	case said:
		p.next = behind
	case !r.now || r.is(at, "of"): // "May 3 of us"
		return foundTime{}, false
	default:
		p.every = yearly
		year = r.nearYear(month, day, r.ahead(i, c))
	}
	p.from = time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	p.until = p.from.AddDate(0, 0, 1)
	return p, p.from.Day() == day // 31 June does not exist
}

// yearBehind reads a year at token i, with or without a comma or "of" before it.
func (r *reader) yearBehind(i int) (year, next int, ok bool) {
	if r.is(i, ",") || r.is(i, "of") {
		i++
	}
	if year, ok = r.number(i, 1900, 2100); ok && !r.tokens[i].ordinal && !r.counts(i+1) {
		return year, i + 1, true
	}
	return 0, 0, false
}

// nearYear returns the year of the latest such day that has begun or, with ahead, of the next that has not passed.
func (r *reader) nearYear(month time.Month, day int, ahead bool) int {
	today := dayOf(r.ref)
	year := today.Year()
	for range 9 { // 29 February recurs within eight years
		d := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
		real := d.Day() == day
		if real && ahead && !d.Before(today) || real && !ahead && !d.After(today) {
			return year
		}
		if ahead {
			year++
		} else {
			year--
		}
	}
	return year
}

// monthFirst reads "October 5th, 2026", "March 2024", and a month alone after a preposition.
func (r *reader) monthFirst(i int, c context) (foundTime, bool) {
	firm := c.word == "in" || c.word == "since" || c.word == "until" || c.word == "till"
	month, ok := r.month(i, firm)
	if _, counted := r.number(i-1, 1, 99); !ok || counted { // "31 June" does not name the month June
		return foundTime{}, false
	}
	if year, next, ok := r.yearBehind(i + 1); ok {
		from := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
		return foundTime{from: from, until: from.AddDate(0, 1, 0), unit: Month, next: next}, true
	}
	if day, ok := r.number(i+1, 1, 31); ok && !r.counts(i+2) {
		return r.date(i, i+2, month, day, c)
	}
	if !c.prep || c.the || !r.now || c.word == "on" || c.word == "through" && !r.tokens[i].upper || !r.notAPerson(i, c) {
		return foundTime{}, false
	}
	year := r.ref.Year()
	switch {
	case r.ahead(i, c) && month < r.ref.Month():
		year++
	case !r.ahead(i, c) && month > r.ref.Month():
		year--
	}
	from := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	return foundTime{from: from, until: from.AddDate(0, 1, 0), unit: Month, every: yearly, next: i + 1}, true
}

// notAPerson reports whether a month alone is probably not a person: "a letter from April", "painted by June".
func (r *reader) notAPerson(i int, c context) bool {
	w := r.word(i)
	if !girls[w] {
		return true
	}
	switch c.word {
	case "from":
		next := r.word(i + 1)
		return next == "on" || next == "onwards" || next == "onward" || next == "to" || next == "until" || next == "till" ||
			next == "through"
	case "by":
		before := r.word(c.first - 1)
		return !strings.HasSuffix(before, "ed") && !strings.HasSuffix(before, "en") && before != "made" && before != "built"
	}
	return true
}

// year reads a year after a preposition, unless it is a count ("in 2000 lines").
func (r *reader) year(i int, c context) (foundTime, bool) {
	year, ok := r.number(i, 1900, 2100)
	if !ok || !c.prep || c.the || c.word == "on" || r.tokens[i].ordinal || r.counts(i+1) {
		return foundTime{}, false
	}
	from := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
	return foundTime{from: from, until: from.AddDate(1, 0, 0), unit: Year, next: i + 1}, true
}

// counted are words that make the number before them a count although they do not end in s. uncounted are words in s
// that do not.
var (
	counted = set(
		`px ms km kg kb mb gb percent people usd eur dollar euro am pm degree or more less mile meter metre feet foot`)
	uncounted = set(`was is has does its this us as perhaps always afterwards plus besides`)
)

// counts reports whether the token at i makes the number before it a count.
func (r *reader) counts(i int) bool {
	if i >= len(r.tokens) {
		return false
	}
	t := r.tokens[i]
	switch t.kind {
	case word:
		return counted[t.text] || strings.HasSuffix(t.text, "s") && len(t.text) > 2 && !uncounted[t.text]
	case punct:
		return t.text == "%" || t.text == "°" || t.text == "×"
	}
	return false
}
