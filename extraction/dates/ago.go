package dates

import "time"

// maxCount is the maximum number of units. A longer time ago is not plausible in a chat.
const maxCount = 2000

// quantity reads "three", "3", "a", "a few" or "a couple of" at token i, and returns the index of the token after it.
func (r *reader) quantity(i int) (n int, about bool, next int, ok bool) {
	if n, ok = r.number(i, 1, maxCount); ok {
		return n, false, i + 1, !r.tokens[i].ordinal
	}
	article := r.is(i, "a")
	if article {
		switch {
		case r.is(i+1, "couple") && r.is(i+2, "of"):
			return 2, true, i + 3, true
		case r.is(i+1, "couple"):
			return 2, true, i + 2, true
		case r.is(i+1, "few"):
			return 3, true, i + 2, true
		}
	}
	n, ok = numbers[r.word(i)]
	return n, false, i + 1, ok
}

// ago reads "three weeks ago", "a month ago", "2 days from now".
func (r *reader) ago(i int) (foundTime, bool) {
	n, about, at, ok := r.quantity(i)
	if !ok || !r.now || r.partOfSum(i) {
		return foundTime{}, false
	}
	unit, ok := units[r.word(at)]
	if !ok {
		return foundTime{}, false
	}
	switch {
	case r.is(at+1, "ago"):
		n, at = -n, at+2
	case r.is(at+1, "from") && (r.is(at+2, "now") || r.is(at+2, "today")):
		at += 3
	default:
		return foundTime{}, false
	}
	if r.is(i-1, "half") {
		if unit != Year {
			return foundTime{}, false
		}
		n, unit = n*6, Month
	}
	p := foundTime{from: add(r.ref, n, unit), unit: unit, about: about || unit >= Week || r.rounded(i), next: at}
	switch unit {
	case Minute:
		p.until = p.from.Add(time.Minute)
	case Hour:
		p.until = p.from.Add(time.Hour)
	default:
		p.until = p.from.AddDate(0, 0, 1)
	}
	return p, true
}

// rounded reports whether "over", "more than" or a similar phrase precedes a quantity.
func (r *reader) rounded(i int) bool {
	return roundings[r.word(i-1)] || r.is(i-1, "than") || r.is(i-1, "least")
}

// partOfSum reports whether the quantity at token i is only the end of a longer one ("2 years and 3 months ago",
// "twenty five years ago").
func (r *reader) partOfSum(i int) bool {
	if r.is(i-1, "and") || r.is(i-1, ",") {
		i--
	}
	before := r.word(i - 1)
	_, unit := units[before]
	_, figure := numbers[before]
	_, digits := r.number(i-1, 0, 1<<30)
	return unit || figure || digits
}

// lastFew reads "last three weeks", "past month" or "the last few days": the time up to now. After "for" it has the
// relation Since.
func (r *reader) lastFew(i int, c context) (foundTime, bool) {
	if !r.now || !r.is(i, "last") && !r.is(i, "past") {
		return foundTime{}, false
	}
	n, about, at, ok := r.quantity(i + 1)
	if !ok {
		n, at = 1, i+1
		if r.is(at, "few") {
			n, about, at = 3, true, at+1
		} else if r.is(at, "couple") && r.is(at+1, "of") {
			n, about, at = 2, true, at+2
		} else if !c.the {
			return foundTime{}, false // "last week" is a calendar week; "past week" without "the" may be no date ("drove past")
		}
	}
	unit, ok := units[r.word(at)]
	if !ok || r.is(at+1, "of") {
		return foundTime{}, false
	}
	p := foundTime{from: add(r.ref, -n, unit), until: r.ref.Truncate(time.Second).Add(time.Second), unit: unit,
		about: about,
		next:  at + 1}
	article := i - 1
	if c.the {
		article--
	}
	if r.is(article, "for") {
		p.relation = Since
	}
	return p, true
}

// add moves a time by n units. Days and longer units return the beginning of a day. A day that the month does not have
// becomes its last day: a month before 31 March is 28 February.
func add(t time.Time, n int, u Unit) time.Time {
	switch u {
	case Minute:
		return t.Truncate(time.Minute).Add(time.Duration(n) * time.Minute)
	case Hour:
		return t.Truncate(time.Minute).Add(time.Duration(n) * time.Hour)
	case Day:
		return dayOf(t).AddDate(0, 0, n)
	case Week:
		return dayOf(t).AddDate(0, 0, 7*n)
	case Quarter:
		n *= 3
	case Year:
		n *= 12
	}
	first := time.Date(t.Year(), t.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(t.Day(), last)-1)
}
