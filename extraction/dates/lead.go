package dates

// context is the part of a text before a time that changes its meaning.
type context struct {
	first    int  // the token with which the span begins
	prep     bool // a preposition precedes the time
	word     string
	relation Relation
	about    bool
	ends     bool // the time is the end of a range
	the      bool // the article directly precedes the time
}

// lead reads backwards from token i: the article, words of rounding, the preposition. It reads at most four tokens.
func (r *reader) lead(i int) context {
	c := context{first: i}
	at := i - 1
	if r.is(at, "the") {
		c.the, c.first, at = true, at, at-1
	}
	if t := r.word(at); roundings[t] && t != "over" {
		c.about, at = true, at-1
		if r.is(at, "the") {
			at--
		}
	}
	t := r.word(at)
	relation, ok := prepositions[t]
	is := at
	if t == "on" || t == "in" {
		is--
	}
	if r.is(is, "be") && r.is(is-1, "will") {
		is--
	}
	switch {
	case (r.is(is, "is") || r.is(is, "will")) && r.is(is-1, "day") && r.is(is-2, "last"): // "my last day is 18 December"
		c.set(at, lastDay, Until)
	case t == "to" && r.is(at-1, "up"):
		c.set(at-1, "until", Until)
	case t == "of" && r.is(at-1, "as"):
		c.set(at-1, "since", Since)
	case ok && (t == "on" || t == "in" || t == "from") && r.is(at-1, "starting"):
		c.set(at-1, "starting", Since)
	case ok:
		c.set(at, t, relation)
	case t == "to" || t == "and":
		if r.rangeStart(at) {
			c.set(at, "until", Until)
			c.ends = true
		}
	case c.about:
		c.first = at + 1
	}
	return c
}

// lastDay is the word of a context that tells the last day of something.
const lastDay = "last day"

func (c *context) set(first int, word string, relation Relation) {
	c.first, c.prep, c.word, c.relation = first, true, word, relation
}

// rangeStart reports whether the "to" or "and" at token i joins two times ("from March to May", "between 2019 and
// 2021"). It looks a few tokens back for the word that begins the range.
func (r *reader) rangeStart(i int) bool {
	for k := i - 1; k >= max(0, i-5); k-- {
		switch t := r.tokens[k]; {
		case t.kind == punct && t.text != ",":
			return false
		case t.text == "from" && r.is(i, "to"), t.text == "between" && r.is(i, "and"):
			return true
		}
	}
	return false
}

// word returns the lower-case word at token i, or "" if that token is not a word.
func (r *reader) word(i int) string {
	if i < 0 || i >= len(r.tokens) || r.tokens[i].kind != word {
		return ""
	}
	return r.tokens[i].text
}

func (r *reader) is(i int, text string) bool {
	return i >= 0 && i < len(r.tokens) && r.tokens[i].kind != chunk && r.tokens[i].text == text
}

// number returns the value of the token at i if it is a bare number from low to high.
func (r *reader) number(i, low, high int) (int, bool) {
	if i < 0 || i >= len(r.tokens) {
		return 0, false
	}
	t := r.tokens[i]
	return t.value, t.kind == number && !t.glued && low <= t.value && t.value <= high
}
