package supersession

import (
	"slices"
	"strings"
)

// mood is how a clause says what it says. Only what is stated takes a place: who asks whether the number is 555, says what
// would be if it were, denies that it is, or tells what it was or may become, leaves the number as it is.
type mood uint8

const (
	stated  mood = 1 << iota
	future       // it will be so
	planned      // somebody would like it so, or it may be
	hypothetical
	bygone  // it was so
	refused // it is not so
	asking
)

// moods gives the mood of each token's clause.
func moods(tokens []token) []mood {
	out := make([]mood, len(tokens))
	for from := 0; from < len(tokens); {
		to := from
		for to < len(tokens)-1 && !tokens[to].ends {
			to++
		}
		to++
		sentence, m := tokens[from:to], out[from:to]
		if asksOf(sentence) {
			fill(m, asking)
		} else {
			clauseMoods(sentence, m)
		}
		from = to
	}
	return out
}

// clauseMoods gives the moods of a sentence that asks nothing.
func clauseMoods(sentence []token, out []mood) {
	for from := 0; from < len(sentence); {
		to := from + 1
		for to < len(sentence) && !sentence[to-1].stop && !parting(sentence, to) {
			to++
		}
		fill(out[from:to], moodOf(sentence[from:to]))
		from = to
	}
	for i, t := range sentence {
		w, next := t.lower, word(sentence, i+1)
		switch {
		case w == "if" || w == "unless" || w == "suppose" || w == "supposing" || w == "assuming" || w == "imagine", w == "in" && next == "case":
		default:
			continue
		}
		if polite := next == "you" || word(sentence, i+2) == "you"; i > 0 && (polite || change(sentence[:i]) == 1) {
			fill(out[i:], hypothetical) // "it moved to nine, if you still want to come"
		} else {
			fill(out, hypothetical) // what hangs on it may not be either
		}
		return
	}
	for i, t := range sentence {
		if t.lower == "whether" || t.lower == "wonder" || t.lower == "wondering" {
			fill(out[i:], hypothetical)
			return
		}
	}
}

// parting says whether a clause begins at the i-th token though no punctuation stands before it.
func parting(tokens []token, i int) bool {
	switch tokens[i].lower {
	case "but", "although", "though", "because", "while", "whereas":
		return true
	case "and", "so":
		next := word(tokens, i+1)
		return subjects[next] || presentVerbs[next] || pastVerbs[next] || next == "now" || changeWords[next]
	}
	return false
}

// moodOf gives the mood of a clause.
func moodOf(clause []token) mood {
	has := idioms(clause)
	switch {
	case has&ofLongAgo != 0 || youngIn(clause):
		return bygone
	case has&ofCeasing != 0:
		return stated
	case negated(clause):
		return refused
	}
	switch {
	case (has&ofLastTime != 0 || olden(clause) || wasSo(clause)) && change(clause) < 1:
		return bygone
	case has&ofWishing != 0 || doubts(clause):
		return planned
	case slices.ContainsFunc(clause, func(t token) bool {
		return t.lower == "will" || t.lower == "won't" || strings.HasSuffix(t.lower, "'ll") || t.lower == "gonna"
	}) || goingTo(clause):
		return future
	}
	return stated
}

var (
	subjects  = set(`i we you he she it they i'm we're it's he's she's they're that's i've we've i'll we'll it'll my our the`)
	askers    = set(`is are am was were do does did has isn't aren't wasn't weren't doesn't don't didn't hasn't should shouldn't`)
	persons   = set(`i we you he she it they my our your his her their its the this that these those there a an any`)
	wondering = set(`what which who whom whose where when why how`)
	requests  = set(`tell remind say know remember confirm check see find look explain show give recall guess`)

	doubting = set(`might maybe perhaps possibly could would i'd we'd he'd she'd they'd it'd someday hopefully considering contemplating probably`)
	liking   = set(`like prefer rather`)

	negations = set(`not never cannot neither nor`)
	// notBounds stand behind a negation that denies nothing: not before nine, not only, not sure.
	notBounds   = set(`before until till more later earlier less over under above below only just after sure bad too even least forget to one`)
	exFormer    = set(`former previous original ex ex-wife ex-husband`)
	participles = set(`told given put set made taken chosen sent brought born built bought found left won`)
	callings    = set(`called named used located supposed interested married based`)
)

func joined(tokens []token) string {
	words := make([]string, len(tokens))
	for i, t := range tokens {
		words[i] = t.lower
	}
	return strings.Join(words, " ")
}

// asksOf says whether a sentence asks; what asks for something to be done is no question: "Can you make it eight?"
func asksOf(sentence []token) bool {
	a, b, c := word(sentence, 0), word(sentence, 1), word(sentence, 2)
	end := sentence[len(sentence)-1].asks
	switch {
	case slices.ContainsFunc(sentence, func(t token) bool { return t.lower == "please" }) && !wondering[a] && !askers[a]:
		return false
	case (a == "can" || a == "could" || a == "would" || a == "will") && (b == "you" || b == "we"), (a == "how" || a == "what") && b == "about", a == "why" && b == "don't", a == "shall" && b == "we":
		return slices.ContainsFunc(sentence, func(t token) bool { return requests[t.lower] })
	case end:
		return true
	case askers[a] && persons[b]:
		return !sentence[0].stop && !sentence[1].stop
	case wondering[a] && askers[b] && persons[c]:
		return !sentence[0].stop && !sentence[1].stop
	}
	return false
}

// negated says whether a clause denies. An order that begins with don't says what is to be.
func negated(clause []token) bool {
	for i, t := range clause {
		w := t.lower
		if !negations[w] && !strings.HasSuffix(w, "n't") || i == 0 && (w == "don't" || w == "never") && !subjects[word(clause, 1)] || w == "won't" && i == 0 {
			continue
		}
		if next := word(clause, i+1); !notBounds[next] {
			return true
		}
	}
	return false
}

// wasSo says whether a clause tells of what was: was and were, without a participle behind them, which tells what was done.
func wasSo(clause []token) bool {
	for i, t := range clause {
		switch t.lower {
		case "was", "were":
		default:
			continue
		}
		next := word(clause, i+1)
		done := (strings.HasSuffix(next, "ed") || participles[next]) && !callings[next]
		return !done && !slices.ContainsFunc(clause, func(t token) bool { return t.lower == "now" })
	}
	return false
}

// olden says whether a clause speaks of one's old, or of the former.
func olden(clause []token) bool {
	for i, t := range clause {
		before := word(clause, i-1)
		owner := before == "my" || before == "our" || before == "his" || before == "her" || before == "their" || strings.HasSuffix(before, "'s")
		if (owner || before == "the") && exFormer[t.lower] || owner && t.lower == "old" && i+1 < len(clause) && !t.stop {
			return true
		}
	}
	return false
}

// youngIn takes "in my twenties" and "at the age of nine".
func youngIn(clause []token) bool {
	for i, t := range clause {
		if t.lower == "in" && (word(clause, i+1) == "my" || word(clause, i+1) == "our") && strings.HasSuffix(word(clause, i+2), "ties") {
			return true
		}
	}
	return false
}

// doubts takes might, perhaps and would.
func doubts(clause []token) bool {
	for i, t := range clause {
		if doubting[t.lower] && !liking[word(clause, i+1)] && !(strings.HasSuffix(t.lower, "'d") && word(clause, i+1) == "better") {
			return true
		}
	}
	return false
}

// goingTo takes "is going to be", and not who is going to Rome or to the sea.
func goingTo(clause []token) bool {
	for i := range clause {
		if clause[i].lower == "going" && word(clause, i+1) == "to" && i+2 < len(clause) {
			next := clause[i+2]
			return !next.capitalised() && !persons[next.lower]
		}
	}
	return false
}

func fill(out []mood, m mood) {
	for i := range out {
		out[i] = m
	}
}
