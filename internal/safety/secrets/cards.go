package secrets

import "slices"

// digits is a stretch of digits that no other digit touches.
type digits struct {
	start, end int
	before     byte // the separator between it and the stretch before, 0 where another sign stands there
}

func (d digits) len() int { return d.end - d.start }

// cardNumbers finds payment card numbers: in one piece, or in the groups that are printed on cards, with one kind of
// separator. The prefix must be an issuer's, the length one that it issues, and the check digit right. A number that
// goes on as a word, a decimal, a path or an id of several parts is none. The text is read once.
func cardNumbers(s string) []span {
	var spans []span
	var row []digits // stretches with one separator between each two
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
		if n := len(row); n > 0 && row[n-1].end == d.start-1 && (s[d.start-1] == ' ' || s[d.start-1] == '-') {
			d.before = s[d.start-1]
		} else {
			flush()
		}
		row = append(row, d)
	}
	flush()
	return spans
}

// layouts are the groups in which card numbers are written.
var layouts = [][]int{{4, 4, 4, 4, 3}, {4, 4, 4, 4, 2}, {4, 4, 4, 4, 1}, {4, 4, 4, 4}, {4, 6, 5}, {4, 6, 4}}

// cardsIn finds card numbers in stretches that stand one behind the other.
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

func separatorOf(row []digits) byte {
	if len(row) < 2 {
		return 0
	}
	return row[1].before
}

// fits says whether the first stretches have this layout, with one separator, and no group of four goes on behind them.
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

// cardAt says whether stretches are a card number that stands by itself.
func cardAt(s string, row []digits) bool {
	start, end := row[0].start, row[len(row)-1].end
	if row[0].before == '-' && separatorOf(row) != ' ' || joins(s, start, -1) || joins(s, end-1, 1) {
		return false
	}
	var number []byte
	for _, d := range row {
		number = append(number, s[d.start:d.end]...)
	}
	return issued(number) && luhn(number)
}

// joins says whether the digit at i goes on in a direction: a letter follows, or a sign that holds words together and
// then a letter or digit.
func joins(s string, i, step int) bool {
	at := func(j int) byte {
		if j < 0 || j >= len(s) {
			return ' '
		}
		return s[j]
	}
	next := at(i + step)
	if wordByte(next) {
		return true
	}
	return slices.Contains([]byte("-./+@%#&"), next) && wordByte(at(i+2*step))
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// wordByte says whether a byte is of a word: everything beyond ASCII counts as one.
func wordByte(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= 0x80
}

// issuers are the prefixes of card numbers, from and to, and the lengths that are issued under them.
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

// luhn checks the last digit (ISO/IEC 7812-1).
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
