package dates

import (
	"maps"
	"strings"
	"time"
)

// Words of one meaning; of the abbreviations and of what is also another word, only the capitalised forms count
// (plainMonth).
var (
	months = map[string]time.Month{
		"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9,
		"october":  10,
		"november": 11, "december": 12, "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9,
		"sept": 9,
		"oct":  10, "nov": 11, "dec": 12,
	}
	weekdays = map[string]time.Weekday{
		"monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6, "sunday": 0,
		"mon": 1, "tue": 2, "tues": 2, "wed": 3, "thu": 4, "thur": 4, "thurs": 4, "fri": 5, "sat": 6, "sun": 0,
	}
	units = map[string]Unit{
		"minute": Minute, "minutes": Minute, "hour": Hour, "hours": Hour, "day": Day, "days": Day, "week": Week,
		"weeks": Week,
		"month": Month, "months": Month, "quarter": Quarter, "year": Year, "years": Year,
	}
	numbers = map[string]int{
		"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
		"ten": 10, "eleven": 11,
		"twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30,
	}
	// prepositions of one word.
	prepositions = map[string]Relation{
		"in": At, "on": At, "during": At, "since": Since, "from": Since, "starting": Since, "until": Until, "till": Until,
		"til": Until, "through": Until,
		"by": By, "before": Before, "after": After, "between": Since,
	}
	roundings = set(`about around roughly approximately almost nearly circa over`)
	// names that are persons' as well; a capital does not tell them apart.
	girls = set(`april may june august`)
	// mixed are months that are other words too.
	mixed = set(`may march august`)

	timeWord = words()
)

// longestWord is the length of "yesterday" and "september".
const longestWord = 9

// words gives everything that can carry a time without a digit.
func words() map[string]bool {
	all := set(
		`yesterday today tomorrow tonight ago now night weekend summer spring autumn winter fall last past this next`)
	for _, keys := range []map[string]bool{names(months), names(weekdays)} {
		maps.Copy(all, keys)
	}
	return all
}

func names[V any](m map[string]V) map[string]bool {
	out := make(map[string]bool, len(m))
	for k := range m {
		out[k] = true
	}
	return out
}

func set(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}
