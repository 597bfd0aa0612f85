package dates

import "time"

// parts are the parts of a day, in hours from its beginning. A night ends on the next day.
var parts = map[string][2]int{"morning": {4, 12}, "afternoon": {12, 18}, "evening": {18, 24}, "night": {18, 30}}

func dayOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// monday returns the beginning of the week of t.
func monday(t time.Time) time.Time {
	return dayOf(t).AddDate(0, 0, -(int(t.Weekday())+6)%7)
}

func days(from time.Time, n int, u Unit, next int) (foundTime, bool) {
	return foundTime{from: from, until: from.AddDate(0, 0, n), unit: u, next: next}, true
}

// onDay returns the day, or the part of it that the next token names.
func (r *reader) onDay(day time.Time, next int) (foundTime, bool) {
	if hours, ok := parts[r.word(next)]; ok {
		return partOf(day, hours, next+1)
	}
	return days(day, 1, Day, next)
}

func partOf(day time.Time, hours [2]int, next int) (foundTime, bool) {
	at := func(h int) time.Time { return day.Add(time.Duration(h) * time.Hour) }
	return foundTime{from: at(hours[0]), until: at(hours[1]), unit: PartOfDay, next: next}, true
}

// weekday reads "Saturday, 5 October" and, after a preposition, a weekday alone.
func (r *reader) weekday(i int, c context) (foundTime, bool) {
	day, ok := r.dayName(i)
	if !ok {
		return foundTime{}, false
	}
	at := i + 1
	if r.is(at, ",") {
		at++
	}
	if r.is(at, "the") {
		at++
	}
	if p, ok := r.dayFirst(min(at, len(r.tokens)-1), c); ok {
		return p, true
	}
	dated := c
	dated.prep = false
	if at < len(r.tokens) && r.tokens[at].kind == word {
		if p, ok := r.monthFirst(at, dated); ok && p.unit == Day {
			return p, true
		}
	}
	short := len(r.word(i)) < 6 && c.word != "on" && c.word != "since" && c.word != "until"
	if !r.now || !c.prep || c.the || c.word == "in" || c.word == "during" || short {
		return foundTime{}, false
	}
	today := dayOf(r.ref)
	back := (int(today.Weekday()) - int(day) + 7) % 7
	if r.ahead(i, c) {
		back -= (back + 6) / 7 * 7
	}
	p, _ := r.onDay(today.AddDate(0, 0, -back), i+1)
	p.every = weekly
	return p, true
}

// dayName returns the weekday at token i. Abbreviations need a capital.
func (r *reader) dayName(i int) (time.Weekday, bool) {
	w := r.word(i)
	day, ok := weekdays[w]
	return day, ok && !r.tokens[i].glued && (len(w) > 5 || r.tokens[i].upper)
}

// relative reads yesterday, today, tomorrow, tonight, and phrases with last, this and next.
func (r *reader) relative(i int, c context) (foundTime, bool) {
	if !r.now || r.tokens[i].glued {
		return foundTime{}, false
	}
	today := dayOf(r.ref)
	switch r.word(i) {
	case "today":
		return days(today, 1, Day, i+1)
	case "tonight":
		return partOf(today, parts["night"], i+1)
	case "yesterday":
		return r.onDay(today.AddDate(0, 0, -1), i+1)
	case "tomorrow":
		return r.onDay(today.AddDate(0, 0, 1), i+1)
	case "day":
		if c.the && r.is(i+1, "before") && r.is(i+2, "yesterday") {
			return r.onDay(today.AddDate(0, 0, -2), i+3)
		}
		if c.the && r.is(i+1, "after") && r.is(i+2, "tomorrow") {
			return r.onDay(today.AddDate(0, 0, 2), i+3)
		}
	case "last":
		return r.step(i, -1, c)
	case "this":
		return r.step(i, 0, c)
	case "next":
		return r.step(i, 1, c)
	}
	return foundTime{}, false
}

// step reads the phrase after "last" (-1), "this" (0) or "next" (1) at token i. After an article these words do not
// refer to the calendar ("the next week" of a story), and before "of" they name a part of something ("last week of
// March").
func (r *reader) step(i, n int, c context) (foundTime, bool) {
	at := i + 1
	if c.the || r.is(at+1, "of") {
		return foundTime{}, false
	}
	today, week := dayOf(r.ref), monday(r.ref)
	if day, ok := r.dayName(at); ok {
		return r.onDay(stepDay(today, day, n), at+1)
	}
	if month, ok := r.month(at, n != 0); ok {
		from := stepMonth(r.ref, month, n)
		return foundTime{from: from, until: from.AddDate(0, 1, 0), unit: Month, next: at + 1}, true
	}
	first := time.Date(r.ref.Year(), r.ref.Month(), 1, 0, 0, 0, 0, time.UTC)
	switch w := r.word(at); w {
	case "week":
		return days(week.AddDate(0, 0, 7*n), 7, Week, at+1)
	case "weekend":
		return days(week.AddDate(0, 0, 7*n+5), 2, Weekend, at+1)
	case "month":
		from := first.AddDate(0, n, 0)
		return foundTime{from: from, until: from.AddDate(0, 1, 0), unit: Month, next: at + 1}, true
	case "quarter":
		from := first.AddDate(0, 3*n-(int(first.Month())-1)%3, 0)
		return foundTime{from: from, until: from.AddDate(0, 3, 0), unit: Quarter, next: at + 1}, true
	case "year":
		from := time.Date(r.ref.Year()+n, 1, 1, 0, 0, 0, 0, time.UTC)
		return foundTime{from: from, until: from.AddDate(1, 0, 0), unit: Year, next: at + 1}, true
	case "night":
		if n == -1 {
			return partOf(today.AddDate(0, 0, -1), parts[w], at+1)
		}
	case "morning", "afternoon", "evening":
		if n == 0 {
			return partOf(today, parts[w], at+1)
		}
	}
	return foundTime{}, false
}

func stepDay(today time.Time, day time.Weekday, n int) time.Time {
	if n < 0 {
		return today.AddDate(0, 0, -1-(int(today.Weekday())-int(day)+6)%7)
	}
	return monday(today).AddDate(0, 0, 7*n+(int(day)+6)%7)
}

// stepMonth returns the latest such month before the current one, that of this year, or the first after the current
// one.
func stepMonth(ref time.Time, month time.Month, n int) time.Time {
	year := ref.Year()
	switch {
	case n < 0 && month >= ref.Month():
		year--
	case n > 0 && month <= ref.Month():
		year++
	}
	return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
}
