package dates

import (
	"maps"
	"strings"

	"memory-graph/internal/text"
)

// The words of each meaning. Abbreviations, and months that are also other words (mixed), only count with a capital.
var (
	months   = merged(text.Months, text.ShortMonths)
	weekdays = merged(text.Weekdays, text.ShortWeekdays)
	units    = map[string]Unit{
		"minute": Minute, "minutes": Minute, "hour": Hour, "hours": Hour, "day": Day, "days": Day, "week": Week,
		"weeks": Week,
		"month": Month, "months": Month, "quarter": Quarter, "year": Year, "years": Year,
	}
	numbers = map[string]int{
		"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
		"ten": 10, "eleven": 11,
		"twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30,
	}
	// prepositions are those of one word.
	prepositions = map[string]Relation{
		"in": At, "on": At, "during": At, "since": Since, "from": Since, "starting": Since, "until": Until, "till": Until,
		"til": Until, "through": Until,
		"by": By, "before": Before, "after": After, "between": Since,
	}
	roundings = set(`about around roughly approximately almost nearly circa over`)
	// girls are months that are also first names. A capital does not tell them apart.
	girls = set(`april may june august`)
	// mixed are months that are also other words.
	mixed = set(`may march august`)

	timeWord = words()
)

// longestWord is the length of "yesterday" and "september".
const longestWord = 9

// words returns all words that can name a time without a digit.
func words() map[string]bool {
	return text.Words(
		set(`yesterday today tomorrow tonight ago now night weekend summer spring autumn winter fall last past this next`),
		text.Words(months), text.Words(weekdays))
}

func merged[V any](a, b map[string]V) map[string]V {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

func set(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}
