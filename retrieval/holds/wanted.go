package holds

import (
	"slices"
	"strings"
)

// Wanted is the kind of thing that a question asks for by name: an amount of money, digits, a count, a name. The zero
// value wants nothing in particular.
type Wanted struct {
	has   func(value) bool // nil: anything may answer
	count bool             // so does a word that counts without a number: both, twice, none
}

var (
	prices  = set(`cost costs price charge charges earn earns salary wage fee rent pay`)
	digited = set(`phone telephone mobile account serial customer policy`) // … number
	codes   = set(`pin iban postcode zip`)
	sizes   = set(`many old tall heavy`) // how …
	naming  = set(`name surname`)
	counted = set(`a an one once twice single double both couple few half no none`)
)

// ReadWanted reads what a question asks for. It knows few forms, and only those that nothing else answers: "when" is
// answered by the day on which something is told, "who" by a word as well as by a name.
func ReadWanted(question string) Wanted {
	tokens := split(question)
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
		case before == "how" && sizes[t.lower]:
			return Wanted{has: isCount, count: true}
		case naming[t.lower], t.lower == "called" && i == len(tokens)-1 && i > 2:
			asked := stemsOf(question)
			return Wanted{has: func(v value) bool { return v.kind == Name && len(common(stemsOf(v.text), asked)) == 0 }}
		}
	}
	return Wanted{}
}

// In says whether one of the texts has a thing of the kind.
func (w Wanted) In(texts ...string) bool {
	if w.has == nil {
		return true
	}
	for _, s := range texts {
		tokens := split(s)
		if slices.ContainsFunc(values(tokens), w.has) || w.count && slices.ContainsFunc(tokens, func(t token) bool { return counted[t.lower] }) {
			return true
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

// isLong takes what has three digits at least.
func isLong(v value) bool {
	return strings.IndexFunc(v.text, func(r rune) bool { return r >= '0' && r <= '9' }) >= 0 && len(v.text) > 2
}

// isCount takes whatever has a number in it.
func isCount(v value) bool { return v.kind != Name && v.kind != Colour && v.kind != Day }
