package supersession

import (
	"slices"
	"strconv"
	"strings"

	"memory-graph/extraction/dates"
)

// counting gives the moods of the later turn that count beside what it states: a plan takes the place of a plan, a rule with
// if that of such a rule, and what will be that of what will be, of an appointment, and of what the same turn says is over.
func (p Pair) counting(asked Asked) mood {
	var more mood
	if p.Later.said&hypothetical != 0 && p.Earlier.said&hypothetical != 0 {
		more |= hypothetical
	}
	if p.Later.said&planned != 0 && p.Earlier.said&(future|planned) != 0 {
		more |= planned
	}
	if p.Later.said&future != 0 && p.comes(asked) {
		more |= future
	}
	return more
}

// comes says whether what the later turn says will be is what holds for the question.
func (p Pair) comes(asked Asked) bool {
	if from, ok := p.begins(asked); ok {
		return from
	}
	switch {
	case asked.ahead, p.Earlier.said&(future|planned) != 0, p.Later.change == 1, len(p.Later.denied) > 0, p.Later.mentions("instead"):
		return true
	case slices.ContainsFunc(asked.kinds, func(k Kind) bool { return k == Clock || k == Date || k == Day }):
		return true
	}
	for _, v := range p.Earlier.values { // it says something of what was: "the green looks terrible, it will be white"
		if v.kind != Name && slices.ContainsFunc(p.Later.values, func(o value) bool { return o == v }) {
			return true
		}
	}
	return false
}

// begins says whether the day from which something will be has come, and ok is false where none is named.
func (p Pair) begins(asked Asked) (come, ok bool) {
	if !p.Later.mentions("from") && !p.Later.mentions("starting") && !p.Later.has("as", "of") && !p.Later.mentions("in") && !p.Later.mentions("next") {
		return false, false
	}
	ref := p.Retold
	if ref.IsZero() {
		ref = asked.now
	}
	for _, span := range dates.Resolve(joined(p.Later.tokens), ref) {
		if span.Unit >= dates.Day {
			return !span.From.After(asked.now), true
		}
	}
	return false, false
}

// dated says whether the later turn only tells of a year before the earlier one was said.
func (p Pair) dated() bool {
	if p.Told.IsZero() || p.Later.mentions("now") {
		return false
	}
	tokens := p.Later.tokens
	for i, t := range tokens {
		before := word(tokens, i-1)
		if len(t.lower) != 4 || before != "in" && before != "until" && before != "till" && before != "during" && before != "around" {
			continue
		}
		if year, err := strconv.Atoi(t.lower); err == nil && year > 1900 && year < p.Told.Year() {
			return true
		}
	}
	return false
}

// refuses says whether the later turn says that something is not what the earlier one says.
func (p Pair) refuses() bool {
	return slices.ContainsFunc(p.Later.refused, func(v value) bool {
		if v.kind == Name && !slices.ContainsFunc(p.Later.tokens, func(t token) bool { return t.lower == "isn't" || t.lower == "aren't" }) && !p.Later.has("is", "not") && !p.Later.has("not", strings.ToLower(v.text)) {
			return false
		}
		return slices.Contains(p.Earlier.values, v)
	})
}
