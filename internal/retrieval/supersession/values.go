package supersession

import (
	"strings"

	"memory-graph/internal/text"
)

// Kind is a kind of value. Two values of one kind for one thing are rarely both true.
type Kind uint8

// The kinds.
const (
	Number Kind = iota // a count of something, a version
	Money
	Percent
	Clock  // a time of day
	Date   // a month, or a day of one
	Day    // a day of the week
	Colour // by its name
	Code   // an address, a reference, digits that count nothing
	Name   // of a person, a place, an organisation, anything
)

// value is one that a text has.
type value struct {
	kind Kind
	text string // lower case; a number word in digits
	unit string // of a Number: what it counts, "" for none; of a Code: its shape
}

var (
	colours = set(`black white red green blue yellow orange purple violet pink brown grey gray beige turquoise teal navy maroon crimson
		scarlet magenta cyan ivory cream chalk silver gold golden charcoal terracotta ochre mint olive lilac lavender mustard khaki salmon
		coral burgundy indigo sand anthracite`)
	months      = text.Without(text.Words(text.Months), "may") // may is a verb too
	shortMonths = text.Words(text.ShortMonths)
	weekdays    = set(`monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays`)
	currencies  = set(`euro euros dollar dollars pound pounds quid cent cents pence bucks francs chf eur usd gbp yen kronor kroner crowns rupees`)
	percents    = set(`percent per-cent % pct`)
	clockWords  = set(`am pm a.m p.m o'clock`)
	dayTimes    = set(`noon midday midnight`)
	numberWords = map[string]string{"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
		"ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16", "seventeen": "17",
		"eighteen": "18", "nineteen": "19", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70",
		"eighty": "80", "ninety": "90", "hundred": "100", "thousand": "1000", "dozen": "12", "zero": "0"}
	minutesTo = set(`quarter half five ten twenty`)
	noUnits   = set(`to and or of in on at for from by the a an is are was were it that this we i he she they you not but so as with until till
		if only then than too past more less because since when where while after before now already each per again there here every`)
	noNames = set(`i i'm i'll i've i'd ok yes no a the my we he she it they`)
)

// values reads a text's values, each once.
func values(tokens []token) []value {
	return valuesWhere(tokens, func(int) bool { return true })
}

func valueAt(tokens []token, i int, t token) (value, bool) {
	w, before, after := t.lower, word(tokens, i-1), ""
	if !t.stop {
		after = word(tokens, i+1)
	}
	switch {
	case weekdays[w]:
		return value{kind: Day, text: strings.TrimSuffix(w, "s")}, true
	case months[w], w == "may" && t.capitalised() && !t.first, shortMonths[w] && (isDigits(before) || isDigits(after)):
		return value{kind: Date, text: w[:3] + dayOf(before, after)}, true
	case colours[w]:
		return value{kind: Colour, text: w}, true
	case isMail(w):
		return value{kind: Code, text: w}, true
	case dayTimes[w]:
		return value{kind: Clock, text: w}, true
	case hasDigit(w):
		return digits(w, before, after)
	}
	if n, ok := numberWord(w); ok {
		switch {
		case before == "past", before == "to" && minutesTo[word(tokens, i-2)]:
			return value{kind: Clock, text: word(tokens, i-2) + " " + before + " " + n}, true
		case before == "at" && after == "", clockWords[after]:
			return value{kind: Clock, text: n}, true
		case currencies[after]:
			return value{kind: Money, text: n}, true
		case percents[after]:
			return value{kind: Percent, text: n}, true
		}
		return value{kind: Number, text: n, unit: unit(n, after)}, true
	}
	if t.capitalised() && !t.first && !noNames[w] {
		return value{kind: Name, text: strings.TrimSuffix(w, "'s")}, true
	}
	return value{}, false
}

// dayOf gives the day of a month that stands beside its name, "" for none.
func dayOf(before, after string) string {
	for _, w := range [2]string{before, after} {
		if isOrdinal(w) {
			return w[:len(w)-2]
		}
		if isDigits(w) && len(w) <= 2 {
			return w
		}
	}
	return ""
}

// numberWord reads twelve and twenty-five.
func numberWord(w string) (string, bool) {
	tens, ones, ok := strings.Cut(w, "-")
	if n := numberWords[w]; n != "" || !ok {
		return n, n != ""
	}
	a, b := numberWords[tens], numberWords[ones]
	if len(a) != 2 || b == "" && ones != "one" {
		return "", false
	}
	return a[:1] + max(b, "1"), true
}
