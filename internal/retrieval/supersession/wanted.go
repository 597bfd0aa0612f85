package supersession

import (
	"slices"
	"strings"
)

// Wanted is the kind of thing that a question asks for: an amount of money, digits, a count, a name. The zero value is
// no particular kind.
type Wanted struct {
	has   func(value) bool // nil: anything may answer
	count bool             // so does a word that counts without a number: both, twice, none
	of    []string         // stems of the names of which another part is asked for, a surname: it stands beside one of them
}

var (
	prices  = set(`cost costs price charge charges earn earns salary wage fee rent pay`)
	digited = set(`phone telephone mobile account serial customer policy passport licence license registration tax invoice membership tracking`) // … number
	codes   = set(`pin iban postcode zip`)
	mails   = set(`email e-mail mail`)     // … address
	sizes   = map[string]func(value) bool{ // how …
		"old":   counts(`year month week day yr`),
		"tall":  counts(lengthUnits),
		"wide":  counts(lengthUnits),
		"deep":  counts(lengthUnits),
		"heavy": counts(massUnits),
	}
	naming    = set(`name surname`)
	nameParts = set(`first last second middle family maiden given full`) // … name
	titles    = set(`dr doctor mr mrs ms miss prof professor frau herr madame monsieur aunt auntie uncle saint st sir captain`)
	counted   = set(`a an one once twice single double both couple few half no none`)
)

const (
	lengthUnits = `mm cm m km millimetre millimeter centimetre centimeter metre meter kilometre kilometer inch inche foot feet ft yard mile
		storey story floor`
	massUnits = `g kg gram gramme kilo kilogram mg milligram pound lb stone ounce oz ton tonne t`
)

// counts takes a number of one of the units, or without one, and a year.
func counts(units string) func(value) bool {
	of := set(units)
	return func(v value) bool {
		return v.kind == Number && (v.unit == "" || v.unit == decimal || of[v.unit]) || v.kind == Date && of["year"]
	}
}

// readWanted reads what a question asks for from its tokens and the stems of its content words. It knows few forms, and
// only those that nothing else answers: "when" is answered by the day on which something is told, "who" by a word as
// well as by a name.
func readWanted(tokens []token, asked []string) Wanted {
	amounts := false
	switch word(tokens, 0) {
	case "what":
		amounts = true
	case "how":
		amounts = word(tokens, 1) == "much" || word(tokens, 1) == "high"
	}
	for i, t := range tokens {
		before := word(tokens, i-1)
		switch {
		case amounts && prices[t.lower]:
			return Wanted{has: isAmount}
		case codes[t.lower], t.lower == "number" && digited[before]:
			return Wanted{has: isLong}
		case mails[before] && t.lower == "address":
			return Wanted{has: func(v value) bool { return isMail(v.text) }}
		case before == "how" && t.lower == "many":
			return Wanted{has: isCount, count: true}
		case before == "how" && sizes[t.lower] != nil:
			return Wanted{has: sizes[t.lower]}
		case amounts && t.lower == "weigh":
			return Wanted{has: counts(massUnits)}
		case (t.lower == "colour" || t.lower == "color") && (before == "what" || before == "which"):
			return Wanted{has: func(v value) bool { return v.kind == Colour }}
		case t.lower == "time" && before == "what" && word(tokens, i+1) != "of":
			return Wanted{has: isTime}
		case naming[t.lower], t.lower == "called" && i == len(tokens)-1 && i > 2:
			w := Wanted{has: func(v value) bool { return v.kind == Name && len(common(stemsOf(v.text), asked)) == 0 }}
			if t.lower == "surname" || t.lower == "name" && nameParts[before] {
				for _, v := range values(tokens) {
					if v.kind == Name {
						w.of = append(w.of, stemsOf(v.text)...)
					}
				}
				slices.Sort(w.of)
			}
			return w
		}
	}
	return Wanted{}
}

// In reports whether one of the texts has a thing of the kind.
func (w Wanted) In(texts ...string) bool {
	if w.has == nil {
		return true
	}
	for _, s := range texts {
		tokens := split(s)
		if len(w.of) > 0 {
			if w.beside(tokens) {
				return true
			}
			continue
		}
		if slices.ContainsFunc(values(tokens), w.has) || w.count && slices.ContainsFunc(tokens, func(t token) bool { return counted[t.lower] }) {
			return true
		}
	}
	return false
}

// beside says whether a name that is wanted stands just before or behind one of which it is a part.
func (w Wanted) beside(tokens []token) bool {
	for i, t := range tokens {
		v, ok := valueAt(tokens, i, t)
		if !t.capitalised() || len(common(stemsOf(t.lower), w.of)) == 0 && !(ok && w.has(v)) {
			continue
		}
		if i+1 < len(tokens) && !t.stop {
			next := tokens[i+1]
			a, b := len(common(stemsOf(t.lower), w.of)) > 0, len(common(stemsOf(next.lower), w.of)) > 0
			if a != b && next.capitalised() && !titles[t.lower] && !noNames[next.lower] {
				return true
			}
		}
	}
	return false
}

// isAmount takes what may be money: it has a currency, or counts nothing else.
func isAmount(v value) bool {
	switch v.kind {
	case Money, Percent, Code:
		return true
	case Number:
		return v.unit == "" || v.unit == decimal || v.unit == "month"
	}
	return false
}

// isTime takes a time of day: at seven, 7:45.
func isTime(v value) bool { return v.kind == Clock || v.kind == Number && v.unit == "" }

// isLong takes what has three digits at least.
func isLong(v value) bool {
	return strings.IndexFunc(v.text, func(r rune) bool { return r >= '0' && r <= '9' }) >= 0 && len(v.text) > 2
}

// isCount takes whatever has a number in it.
func isCount(v value) bool { return v.kind != Name && v.kind != Colour && v.kind != Day }
