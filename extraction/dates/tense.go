package dates

import "strings"

// tense is the tense of a sentence. It decides which of two Mondays is meant.
type tense uint8

const (
	open tense = iota
	past
	future
)

var (
	futureWords = set(
		`will shall gonna plan plans planning planned upcoming tomorrow deadline due hope hopes intend intends`)
	pastWords = set(`was were had did went left got met came took made began started bought sold lost found said told gave ran
		saw felt knew thought wrote built broke paid sent spent taught won became been done used`)
	pronouns = set(`i you we he she it they the this that there your our my`) // before one of these, Will is a verb
)

// tense returns the tense of the sentence around token i. Each sentence is read once.
func (r *reader) tense(i int) tense {
	if r.from <= i && i < r.to {
		return r.said
	}
	from, to := i, i
	for from > r.to && !r.endsSentence(from-1) {
		from--
	}
	for to < len(r.tokens) && !r.endsSentence(to) {
		to++
	}
	r.from, r.to, r.said = from, max(to, i+1), open
	for k := from; k < to; k++ {
		t := r.tokens[k]
		w := t.text
		switch {
		case t.kind == chunk && (strings.HasSuffix(w, "'ll") || strings.HasSuffix(w, "’ll") || w == "won't" || w == "won’t"),
			t.kind == word && futureWords[w] && !(w == "due" && r.is(k+1, "to")) &&
				!(w == "will" && t.upper && !pronouns[r.word(k+1)]),
			w == "going" && r.is(k+1, "to"):
			r.said = future
			return r.said
		case t.kind == chunk && (w == "didn't" || w == "wasn't" || w == "didn’t" || w == "wasn’t"),
			t.kind == word && (pastWords[w] || len(w) > 4 && strings.HasSuffix(w, "ed")):
			r.said = past
		}
	}
	return r.said
}

func (r *reader) endsSentence(i int) bool {
	t := r.tokens[i]
	return t.kind == punct && (t.text == "." || t.text == "!" || t.text == "?" || t.text == "\n" || t.text == ";")
}

// ahead reports whether a time without its year or week is the next one rather than the latest.
func (r *reader) ahead(i int, c context) bool {
	said := r.tense(i)
	if c.word == lastDay || said == open && r.begins(i, c) {
		return true
	}
	if c.relation == Until || c.relation == By {
		return said != past
	}
	return said == future && c.word != "since"
}

// begins reports whether the words around a time, which are not of the past, tell a change ahead: "starting Monday I
// work there", "from January I work there", "I work there from January". "The letter from January" is of the past.
func (r *reader) begins(i int, c context) bool {
	if c.word == "starting" {
		return true
	}
	first := c.first == 0 || r.endsSentence(c.first-1) || r.is(c.first-1, ",") || r.is(c.first-1, "and") ||
		r.is(c.first-1, "but")
	behind := i + 1
	for behind < len(r.tokens) && (r.tokens[behind].kind == number || months[r.word(behind)] > 0) {
		behind++
	}
	if r.is(behind, "on") || r.is(behind, ",") {
		behind++
	}
	if c.word != "from" || c.ends || r.is(behind, "to") {
		return false
	}
	if first {
		return people[r.word(behind)]
	}
	for k := max(r.from, i-8); k < i; k++ {
		if people[r.word(k)] && goesOn[r.word(k+1)] {
			return behind >= r.to
		}
	}
	return false
}

var (
	people = set(`i we he she they you`)
	goesOn = set(`work works live lives use`)
)
