package retrieval

import (
	"strings"

	"memory-graph/internal/text"
)

// Words that place a turn in time. Words of timeWords do so alone, words of periods after one of relatives ("next
// week"), and words of shortMonth next to a number or after "in" ("3 May").
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

// longestTimeWord is one more than the length of the longest word in these lists. Longer words are skipped.
const longestTimeWord = len("yesterday") + 1

// tellsWhen reports whether an English text contains a date, a part of a date, or words that place something in time.
// It runs for every candidate of every question, so it allocates nothing.
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

// timely reports whether a word with this first character and length may be in the lists: it begins with a digit, or a
// word of the lists has the same first letter and length. It avoids most lookups.
func timely(first byte, length int) bool {
	if '0' <= first && first <= '9' {
		return true
	}
	return lengths[first|0x20]&(1<<length) != 0
}

// lengths holds, by first letter, the lengths of the words in the lists: bit n stands for n letters.
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

// isOrdinal reports whether a word is a number with st, nd, rd or th: a day of a month.
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
