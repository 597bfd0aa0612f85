package retrieval

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memory-graph/internal/text"
)

// wanted is the kind of value that a question asks for: an amount of money, digits, a count, a name. The zero value is
// no particular kind.
type wanted struct {
	has  *regexp.Regexp // nil: a name, if that is wanted, else anything
	name bool
	not  []string // words of the question: none of them is the name
	of   []string // words of a name of which another part is wanted, such as the surname
}

const (
	count = `(?:\b\d[\d.,]*|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|` +
		`eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|dozen)\b)`
	// bare follows a number that counts nothing that is named.
	bare = `\s*(?:$|[.,;:!?)]|(?:to|and|or|of|in|on|at|for|from|by|the|an?|is|it|that|i|we|per|each|every|since|now|` +
		`until|month)\b)`
	currency = `[€$£¥%]|\b(?:euros?|dollars?|pounds?|quid|cents?|pence|bucks|francs|chf|eur|usd|gbp|yen|kron[oe]r|` +
		`percent)\b`
	length = `(?:[mck]?m|(?:milli|centi|kilo)?met(?:re|er)|inch(?:e)?|foot|feet|ft|yard|mile|store?y|storie|floor)s?\b`
	mass   = `(?:k?g|mg|(?:kilo|milli)?gram(?:me)?|kilo|pound|lb|stone|ounce|oz|tonn?e?|t)s?\b`
	age    = `(?:year|month|week|day|yr)s?\b`
)

func pattern(s string) func() *regexp.Regexp { return text.Pattern(`(?i)` + s) }

// measure matches a number with one of the units, or without any.
func measure(units string) func() *regexp.Regexp {
	return pattern(count + `(?:[- ]?` + units + `|` + bare + `)`)
}

// forms lists the forms of questions that name a kind of value, and what a text with such a value contains. They are
// few, and only those that nothing else answers: the day on which something is told may answer "when", and any word may
// answer "who". The first form that fits decides.
var forms = []struct{ asks, has func() *regexp.Regexp }{
	{pattern(`^(?:what|how (?:much|high))\b.*\b(?:prices?|costs?|charges?|earns?|salary|wage|fee|rent|pay)\b`),
		pattern(currency + `|` + count + bare)},
	{pattern(`\b(?:pin|iban|postcode|zip)\b|\b(?:phone|telephone|mobile|account|serial|customer|policy|passport|` +
		`licen[cs]e|registration|tax|invoice|membership|tracking) number`), pattern(`\d\S\S|\S\d\S|\S\S\d`)},
	{pattern(`\be?-?mail address`), pattern(`\S@\S+\.\S`)},
	{pattern(`\bhow many\b`),
		pattern(count + `|\d|\b(?:an?|one|once|twice|single|double|both|couple|few|half|no|none)\b`)},
	{pattern(`\bhow old\b`), pattern(measure(age)().String() + `|\b(?:1[89]|20)\d\d\b`)},
	{pattern(`\bhow (?:tall|wide|deep)\b`), measure(length)},
	{pattern(`\bhow heavy\b|^(?:what|how much)\b.*\bweigh\b`), measure(mass)},
	{pattern(`\b(?:what|which) colou?r\b`),
		pattern(`\b(?:black|white|red|green|blue|yellow|orange|purple|violet|pink|brown|` +
			`gr[ea]y|beige|turquoise|teal|navy|maroon|crimson|scarlet|magenta|cyan|ivory|cream|silver|gold(?:en)?|charcoal|` +
			`terracotta|ochre|mint|olive|lilac|lavender|mustard|khaki|salmon|coral|burgundy|indigo|anthracite)\b`)},
	{pattern(`\bwhat time(?: [^o]| o[^f]|\?|$)`),
		pattern(`\d(?::\d\d|\s?[ap]m\b|h\b)|\bo'clock|\b(?:noon|midday|midnight)\b|` +
			`\bpast ` + count + `|` + count + bare)},
}

var (
	asksName = pattern(`\b(?:sur)?name\b|\S+ \S+ .*\bcalled\W*$`)
	asksPart = pattern(`\bsurname\b|\b(?:first|last|second|middle|family|maiden|given|full) name\b`)
	titles   = wordSet(`dr doctor mr mrs ms miss prof professor frau herr madame monsieur aunt auntie uncle saint st sir
		captain`)
	noNames = text.Words(wordSet(`i i'm i'll i've i'd ok yes no a the my we he she it they`), text.Words(text.Months),
		text.Words(text.Weekdays))
)

// readWanted reads what a question asks for.
func readWanted(s string) wanted {
	for _, f := range forms {
		if f.asks().MatchString(s) {
			return wanted{has: f.has()}
		}
	}
	if !asksName().MatchString(s) {
		return wanted{}
	}
	w := wanted{name: true, not: foldedWords(s)}
	if asksPart().MatchString(s) {
		eachName(s, func(name, _ string, _ bool) { w.of = append(w.of, foldedWords(name)[0]) })
	}
	return w
}

// in reports whether one of the texts has a value of the kind.
func (w wanted) in(texts ...string) bool {
	switch {
	case w.has != nil:
		return slices.ContainsFunc(texts, w.has.MatchString)
	case w.name:
		return slices.ContainsFunc(texts, w.named)
	}
	return true
}

// named reports whether a text has a name that is not in the question. If a part of a name is wanted, the name stands
// just before or after one of the question.
func (w wanted) named(s string) (found bool) {
	eachName(s, func(name, before string, first bool) {
		if len(w.of) == 0 {
			found = found || !slices.Contains(w.not, foldedWords(name)[0])
		} else if before != "" && !titles[strings.ToLower(before)] {
			known := slices.Contains(w.of, foldedWords(before)[0])
			found = found || known != slices.Contains(w.of, foldedWords(name)[0]) && (known || !first)
		}
	})
	return found
}

// eachName calls f for each capitalised word within a sentence, as names are. before is the capitalised word just
// before it, "" for none; first tells that before begins the sentence.
func eachName(s string, f func(name, before string, first bool)) {
	before, first, begins := "", false, true
	for field := range strings.FieldsSeq(s) {
		word := strings.TrimFunc(field, unicode.IsPunct)
		r, _ := utf8.DecodeRuneInString(word)
		upper := unicode.IsUpper(r) && !noNames[strings.ToLower(word)] && len(text.Tokens(word)) > 0
		if upper && !begins {
			f(word, before, first)
		}
		last := field[len(field)-1:]
		if before = ""; upper && strings.HasSuffix(word, last) {
			before, first = word, begins
		}
		begins = strings.ContainsAny(last, ".!?:")
	}
}

func foldedWords(s string) []string {
	tokens := text.Tokens(s)
	words := make([]string, len(tokens))
	for i, t := range tokens {
		words[i] = t.Word
	}
	return words
}
