package retrieval

import (
	"strings"

	"memory-graph/internal/text"
)

// Words that place a turn in time. timeWords do so by themselves; periods behind one of relatives ("next week"),
// shortMonth beside a number or behind "in" ("3 May").
var (
	timeWords = text.Words(text.Without(text.Words(text.Months), "march", "may"), text.Words(text.Weekdays),
		wordSet(`yesterday today tomorrow tonight ago`))
	periods = wordSet(`night week weekend month quarter year decade
		spring summer autumn fall winter days weeks months years`)
	relatives  = wordSet(`last next this past previous coming`)
	shortMonth = text.Words(text.Words(text.ShortMonths), wordSet(`march may`))
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// longestTimeWord is the length of the longest word that matters here; longer ones need no look.
const longestTimeWord = len("yesterday") + 1

// tellsWhen says whether a text (English) carries a date, a part of one, or words that place something in time. It runs
// over every candidate of every question, so it allocates nothing.
func tellsWhen(s string) bool {
	var buffer, previous [longestTimeWord]byte
	before := previous[:0]
	for at := text.Plain.Cut(s); at.Next(); {
		if at.Stop-at.Start > longestTimeWord || !timely(s[at.Start], at.Stop-at.Start) {
			before = before[:0]
			continue
		}
		word := buffer[:0]
		for _, c := range []byte(s[at.Start:at.Stop]) {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			word = append(word, c)
		}
		switch {
		case timeWords[string(word)], isYear(word), isOrdinal(word):
			return true
		case periods[string(word)] && relatives[string(before)]:
			return true
		case shortMonth[string(word)] && (isNumber(before) || string(before) == "in"),
			shortMonth[string(before)] && isNumber(word):
			return true
		}
		before = append(previous[:0], word...)
	}
	return false
}

// timely says whether a word that begins with a letter and is that long may matter here: a digit may, and what begins
// like one of the words above and is as long. It spares most words of a text being looked up.
func timely(first byte, length int) bool {
	if '0' <= first && first <= '9' {
		return true
	}
	return lengths[first|0x20]&(1<<length) != 0
}

// lengths holds, by the first letter of the words that matter here, how long they are: bit n for n letters.
var lengths = func() (by [256]uint32) {
	for _, words := range []map[string]bool{timeWords, periods, relatives, shortMonth, wordSet("in")} {
		for w := range words {
			by[w[0]] |= 1 << len(w)
		}
	}
	return by
}()

func isNumber(w []byte) bool {
	for _, c := range w {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(w) > 0
}

func isYear(w []byte) bool {
	return len(w) == 4 && isNumber(w) && (string(w[:2]) == "19" || string(w[:2]) == "20")
}

// isOrdinal takes 1st to 31th for a day of a month.
func isOrdinal(w []byte) bool {
	if len(w) < 3 || len(w) > 4 || !isNumber(w[:len(w)-2]) {
		return false
	}
	switch string(w[len(w)-2:]) {
	case "st", "nd", "rd", "th":
		return true
	}
	return false
}
