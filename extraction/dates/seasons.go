package dates

import (
	"strings"
	"time"
)

// seasons are the first months of the northern seasons. Their times are marked as rounded.
var seasons = map[string]time.Month{"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}

// season reads "summer 2023", "the summer of 2023", "last summer". The winter of a year begins in that year.
func (r *reader) season(i int) (foundTime, bool) {
	at, step := i, 0
	switch r.word(i) {
	case "last":
		at, step = i+1, -1
	case "this":
		at = i + 1
	}
	first, ok := seasons[r.word(at)]
	if !ok || r.tokens[at].glued {
		return foundTime{}, false
	}
	var from time.Time
	next := at + 1
	switch year, behind, said := r.yearBehind(next); {
	case said:
		from, next = time.Date(year, first, 1, 0, 0, 0, 0, time.UTC), behind
	// "in summer" may be any summer; "last summer of" does not refer to the calendar
	case at == i || !r.now || r.is(next, "of"):
		return foundTime{}, false
	default:
		from = time.Date(r.ref.Year(), first, 1, 0, 0, 0, 0, time.UTC)
		if step < 0 && from.AddDate(0, 3, 0).After(r.ref) || step == 0 && first == time.December &&
			r.ref.Month() < time.March {
			from = from.AddDate(-1, 0, 0)
		}
	}
	return foundTime{from: from, until: from.AddDate(0, 3, 0), unit: Quarter, about: true, next: next}, true
}

// portions are parts of a year, in months, and of a month, in days: the beginning and the end of each.
var portions = map[string][4]int{
	"early": {0, 4, 1, 11}, "mid": {4, 8, 11, 21}, "middle": {4, 8, 11, 21}, "late": {8, 12, 21, 0}, "end": {11, 12, 25,
		0}, "beginning": {0, 1, 1, 8}, "start": {0, 1, 1, 8},
}

// portion reads "early 2022", "late March 2024", "the end of 2022", "mid-2022".
func (r *reader) portion(i int, c context) (foundTime, bool) {
	text := r.tokens[i].text
	at := i + 1
	if rest, ok := strings.CutPrefix(text, "mid-"); ok && r.tokens[i].kind == chunk { // one piece
		sub := reader{tokens: tokenise(rest), ref: r.ref, now: r.now}
		if len(sub.tokens) != 1 {
			return foundTime{}, false
		}
		whole, ok := sub.whole(0)
		whole.next = i + 1
		if year, behind, said := r.yearBehind(i + 1); ok && said && whole.unit == Month {
			from := time.Date(year, whole.from.Month(), 1, 0, 0, 0, 0, time.UTC)
			whole = foundTime{from: from, until: from.AddDate(0, 1, 0), unit: Month, next: behind}
		}
		return r.part(whole, portions["mid"]), ok
	}
	p, ok := portions[text]
	if !ok {
		return foundTime{}, false
	}
	switch text {
	case "end", "beginning", "start", "middle":
		if !r.is(at, "of") {
			return foundTime{}, false
		}
		at++
	case "mid":
		if r.is(at, "-") {
			at++
		}
	}
	whole, ok := r.whole(at)
	// "the end of last year"
	if n, steps := map[string]int{"last": -1, "this": 0, "next": 1}[r.word(at)]; !ok && steps && r.now {
		whole, ok = r.step(at, n, context{first: at, prep: true})
		ok = ok && (whole.unit == Year || whole.unit == Month)
	}
	if !ok {
		return foundTime{}, false
	}
	if whole.unit == Month && !c.prep && whole.every != once {
		return foundTime{}, false // "late March" alone may mean something else
	}
	named := r.part(whole, p)
	if r.now && whole.every == yearly && named.from.After(r.ref) && !r.ahead(i, c) {
		named.from, named.until = named.from.AddDate(-1, 0, 0), named.until.AddDate(-1, 0, 0)
	}
	return named, true
}

// whole reads a year, or a month with or without a year, at token i.
func (r *reader) whole(i int) (foundTime, bool) {
	if year, next, ok := r.yearBehind(i); ok && !r.is(i, ",") && !r.is(i, "of") {
		from := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		return foundTime{from: from, until: from.AddDate(1, 0, 0), unit: Year, next: next}, true
	}
	if i >= len(r.tokens) {
		return foundTime{}, false
	}
	p, ok := r.monthFirst(i, context{first: i, prep: true, word: "in"})
	return p, ok && p.unit == Month
}

func (r *reader) part(p foundTime, portion [4]int) foundTime {
	p.about = true
	if p.unit == Year {
		year := p.from
		p.from, p.until, p.unit = year.AddDate(0, portion[0], 0), year.AddDate(0, portion[1], 0), Month
		return p
	}
	month := p.from
	p.from = month.AddDate(0, 0, portion[2]-1)
	if portion[3] > 0 {
		p.until = month.AddDate(0, 0, portion[3]-1)
	}
	p.unit = Week
	return p
}

// quarterOf reads "Q3 2023".
func (r *reader) quarterOf(i int) (foundTime, bool) {
	t := r.tokens[i].text
	if len(t) != 2 || t[0] != 'q' || t[1] < '1' || t[1] > '4' || r.tokens[i].glued {
		return foundTime{}, false
	}
	year, next, ok := r.yearBehind(i + 1)
	if !ok {
		return foundTime{}, false
	}
	from := time.Date(year, time.Month(3*int(t[1]-'1')+1), 1, 0, 0, 0, 0, time.UTC)
	return foundTime{from: from, until: from.AddDate(0, 3, 0), unit: Quarter, next: next}, true
}

// numeric reads a date in numbers of which only one can be the month: 31/12/2024, 12/31/2024, 31.12.2024. It ignores
// 03/04/2025, in which both can be.
func (r *reader) numeric(i int) (foundTime, bool) {
	t := r.tokens[i].text
	if r.tokens[i].glued || len(t) < len("1/1/2006") || len(t) > len("31/12/2006") {
		return foundTime{}, false
	}
	for _, layout := range []string{"2/1/2006", "1/2/2006", "2.1.2006"} {
		day, err := time.Parse(layout, t)
		if err != nil || day.Year() < 1900 || day.Year() > 2100 || day.Day() <= 12 && day.Day() != int(day.Month()) {
			continue
		}
		return foundTime{from: day, until: day.AddDate(0, 0, 1), unit: Day, next: i + 1}, true
	}
	return foundTime{}, false
}
