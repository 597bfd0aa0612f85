package text

import "time"

// The English names of months and days of the week, in lower case. They are only read: Words makes a set of them.
var (
	Months = map[string]time.Month{"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7,
		"august": 8, "september": 9, "october": 10, "november": 11, "december": 12}
	// ShortMonths are the abbreviations; May has none.
	ShortMonths = map[string]time.Month{"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9,
		"sept": 9, "oct": 10, "nov": 11, "dec": 12}
	Weekdays = map[string]time.Weekday{"monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5,
		"saturday": 6, "sunday": 0}
	// ShortWeekdays are the abbreviations.
	ShortWeekdays = map[string]time.Weekday{"mon": 1, "tue": 2, "tues": 2, "wed": 3, "thu": 4, "thur": 4, "thurs": 4,
		"fri": 5, "sat": 6, "sun": 0}
)

// Words returns a new set of the words of tables.
func Words[V any](tables ...map[string]V) map[string]bool {
	set := map[string]bool{}
	for _, t := range tables {
		for w := range t {
			set[w] = true
		}
	}
	return set
}

// Without takes words out of a set, and gives it.
func Without(set map[string]bool, words ...string) map[string]bool {
	for _, w := range words {
		delete(set, w)
	}
	return set
}
