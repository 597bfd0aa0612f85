package secrets

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// digits is a maximal run of digits.
type digits struct {
	start, end int
	before     rune // separator after the previous run; 0 if it is not a single one
}

func (d digits) len() int { return d.end - d.start }

// separates reports whether a character is written between the groups of a card number: a blank of any kind on the same
// line, a hyphen or a dot.
func separates(r rune) bool { return r == '-' || r == '.' || unicode.Is(unicode.Zs, r) }

// cardNumbers finds payment card numbers, in one piece or in the groups printed on cards with one kind of separator.
// The prefix must be an issuer's, the length one that the issuer uses, and the check digit right. A number that
// continues as a word, a decimal, a path or an id of several parts does not count. The text is read once.
func cardNumbers(s string) []span {
	var spans []span
	var row []digits // runs with a single separator between neighbours
	flush := func() {
		spans = append(spans, cardsIn(s, row)...)
		row = row[:0]
	}
	for i := 0; i < len(s); {
		if !isDigit(s[i]) {
			i++
			continue
		}
		d := digits{start: i}
		for i < len(s) && isDigit(s[i]) {
			i++
		}
		d.end = i
		r, size := utf8.DecodeLastRuneInString(s[:d.start])
		if n := len(row); n > 0 && row[n-1].end == d.start-size && separates(r) {
			d.before = r
		} else {
			flush()
		}
		row = append(row, d)
	}
	flush()
	return spans
}

// layouts are the usual groupings of card numbers.
var layouts = [][]int{{4, 4, 4, 4, 3}, {4, 4, 4, 4, 2}, {4, 4, 4, 4, 1}, {4, 4, 4, 4}, {4, 6, 5}, {4, 6, 4}}

// cardsIn finds card numbers in consecutive runs.
func cardsIn(s string, row []digits) []span {
	var spans []span
	for i := 0; i < len(row); {
		n := 0
		if row[i].len() >= 13 {
			if cardAt(s, row[i:i+1]) {
				n = 1
			}
		} else if i == 0 || row[i-1].len() != 4 || row[i].before != separatorOf(row[i:]) {
			for _, layout := range layouts {
				if fits(row[i:], layout) && cardAt(s, row[i:i+len(layout)]) {
					n = len(layout)
					break
				}
			}
		}
		if n == 0 {
			i++
			continue
		}
		spans = append(spans, span{row[i].start, row[i+n-1].end, "card number"})
		i += n
	}
	return spans
}

func separatorOf(row []digits) rune {
	if len(row) < 2 {
		return 0
	}
	return row[1].before
}

// fits reports whether the first runs have this layout and one separator, and no further group of four follows.
func fits(row []digits, layout []int) bool {
	if len(row) < len(layout) {
		return false
	}
	for i, n := range layout {
		if row[i].len() != n || i > 0 && row[i].before != row[1].before {
			return false
		}
	}
	next := len(layout)
	return layout[1] != 4 || len(row) == next || row[next].len() != 4 || row[next].before != row[1].before
}

// cardAt reports whether the runs form a card number that is not part of a longer token.
func cardAt(s string, row []digits) bool {
	start, end := row[0].start, row[len(row)-1].end
	if joinedTo(s[:start], s[end:]) {
		return false
	}
	var number []byte
	for _, d := range row {
		number = append(number, s[d.start:d.end]...)
	}
	return issued(number) && luhn(number)
}

// joinedTo reports whether the text around a number belongs to the same token: a letter is next to the number, or a
// joining character and then a letter or digit.
func joinedTo(before, after string) bool {
	r, size := utf8.DecodeLastRuneInString(before)
	next, n := utf8.DecodeLastRuneInString(before[:len(before)-size])
	if wordRune(r, size) || joiner(r) && wordRune(next, n) {
		return true
	}
	r, size = utf8.DecodeRuneInString(after)
	next, n = utf8.DecodeRuneInString(after[size:])
	return wordRune(r, size) || joiner(r) && wordRune(next, n)
}

func joiner(r rune) bool { return strings.ContainsRune("-./+@%#&", r) }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// wordRune reports whether a character is part of a word. Scripts without blanks between words are not counted: there,
// a number may begin after any character. Invalid bytes are.
func wordRune(r rune, size int) bool {
	if size == 0 || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
		return false
	}
	return r == '_' || r == utf8.RuneError || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// issuers are the ranges of card number prefixes and the lengths issued in them.
var issuers = []struct {
	from, to string
	lengths  []int
}{
	{"4", "4", []int{13, 16, 19}}, // Visa
	{"51", "55", []int{16}},       // Mastercard
	{"2221", "2720", []int{16}},   // Mastercard
	{"34", "34", []int{15}},       // American Express
	{"37", "37", []int{15}},
	{"300", "305", []int{14, 16}}, // Diners Club
	{"36", "36", []int{14, 16}},
	{"38", "39", []int{14, 16}},
	{"6011", "6011", []int{16, 19}}, // Discover
	{"644", "659", []int{16, 19}},
	{"62", "62", []int{16, 17, 18, 19}},     // UnionPay
	{"3528", "3589", []int{16, 17, 18, 19}}, // JCB
	{"2200", "2204", []int{16, 17, 18, 19}}, // Mir
	{"5018", "5018", []int{13, 15, 16, 18, 19}},
	{"5020", "5020", []int{13, 15, 16, 18, 19}}, // Maestro
	{"5038", "5038", []int{13, 15, 16, 18, 19}},
	{"6304", "6304", []int{13, 15, 16, 18, 19}},
	{"6759", "6763", []int{13, 15, 16, 18, 19}},
}

func issued(number []byte) bool {
	for _, is := range issuers {
		if len(number) < len(is.from) {
			continue
		}
		prefix := string(number[:len(is.from)])
		if is.from <= prefix && prefix <= is.to && slices.Contains(is.lengths, len(number)) {
			return true
		}
	}
	return false
}

// luhn verifies the check digit (ISO/IEC 7812-1).
func luhn(number []byte) bool {
	sum := 0
	for i, c := range number {
		n := int(c - '0')
		if (len(number)-i)%2 == 0 {
			if n *= 2; n > 9 {
				n -= 9
			}
		}
		sum += n
	}
	return sum%10 == 0
}
