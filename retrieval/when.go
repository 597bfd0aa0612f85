package retrieval

import (
	"strings"
	"unicode"
)

// timeWords place a turn in time by themselves; betweenWords only beside another (next week, 3 May).
var (
	timeWords = wordSet(`january february april june july august september october november december
		monday tuesday wednesday thursday friday saturday sunday yesterday today tomorrow tonight ago`)
	periods = wordSet(`night week weekend month quarter year decade
		spring summer autumn fall winter days weeks months years`)
	relatives  = wordSet(`last next this past previous coming`)
	shortMonth = wordSet(`jan feb mar march apr may jun jul aug sep sept oct nov dec`)
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// tellsWhen says whether a text (English) carries a date, a part of one, or words that place something in time.
func tellsWhen(s string) bool {
	before := ""
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		word = strings.ToLower(word)
		switch {
		case timeWords[word], isYear(word), isOrdinal(word):
			return true
		case periods[word] && relatives[before]:
			return true
		case shortMonth[word] && (isNumber(before) || before == "in"), shortMonth[before] && isNumber(word):
			return true
		}
		before = word
	}
	return false
}

func isNumber(w string) bool {
	for i := range len(w) {
		if w[i] < '0' || w[i] > '9' {
			return false
		}
	}
	return w != ""
}

func isYear(w string) bool {
	return len(w) == 4 && isNumber(w) && (w[:2] == "19" || w[:2] == "20")
}

// isOrdinal takes 1st to 31th for a day of a month.
func isOrdinal(w string) bool {
	if len(w) < 3 || len(w) > 4 || !isNumber(w[:len(w)-2]) {
		return false
	}
	switch w[len(w)-2:] {
	case "st", "nd", "rd", "th":
		return true
	}
	return false
}
