package rules

import "strings"

// next gives the first chunk from k on that is no adverb and no time; ok is false at the end of what the verb governs.
func (c *clause) next(k int) (int, bool) {
	for k < len(c.c) && (c.c[k].kind == timeChunk || c.c[k].kind == wordChunk && adverbs[c.c[k].w]) {
		k++
	}
	if k >= len(c.c) || c.c[k].kind == breakChunk {
		return k, false
	}
	return k, true
}

// object gives the phrases that the verb governs directly.
func (c *clause) object() (list objects, ok bool) {
	k, ok := c.next(c.verb + 1)
	if !ok || c.c[k].kind != phraseChunk {
		return objects{}, false
	}
	return c.list(k)
}

// behind gives the phrases behind one of the prepositions, which are parted by spaces; "go with" and its like. It skips
// what may stand between: "works as a nurse at", "is now based in", "moved the service from".
func (c *clause) behind(from int, preps string, skips bool) (list objects, ok bool) {
	for k, n := from, 0; n < 8; n++ {
		k, ok = c.next(k)
		if !ok {
			return objects{}, false
		}
		switch x := c.c[k]; {
		case x.kind == wordChunk && oneOf(x.w, preps):
			j, ok := c.next(k + 1)
			if !ok || c.c[j].kind != phraseChunk {
				return objects{}, false
			}
			if c.c[j].p.head == "top" && j+2 < len(c.c) && c.c[j+1].w == "of" && c.c[j+2].kind == phraseChunk {
				j += 2
			}
			list, ok = c.list(j)
			list.prep = x.w
			return list, ok
		case x.kind == wordChunk && x.w == "as" && k+1 < len(c.c) && c.c[k+1].kind == phraseChunk:
			k += 2
		case skips && x.kind == phraseChunk:
			k++
		case skips && x.kind == wordChunk && prepositions[x.w] && x.w != "than":
			k++
		case x.kind == wordChunk && (x.w == "over" || x.w == "back" || x.w == "out" || x.w == "up" || x.w == "down"):
			k++
		default:
			return objects{}, false
		}
	}
	return objects{}, false
}

func oneOf(w, words string) bool {
	for x := range strings.FieldsSeq(words) {
		if x == w {
			return true
		}
	}
	return false
}

// objects are phrases that stand for each other's place: "Kafka, Redis and the session-service".
type objects struct {
	args []arg
	prep string
	end  int  // the chunk behind them
	or   bool // joined by "or": it is not said which
}

// maxList is the longest list of phrases that is read.
const maxList = 12

// list reads the phrases that begin with chunk k. A phrase that a verb follows begins the next clause.
func (c *clause) list(k int) (objects, bool) {
	o := objects{args: []arg{c.c[k].p}, end: k + 1}
	if stages[c.c[k].p.head] && c.c[k].p.kind == argNoun && k+2 < len(c.c) && c.c[k+1].kind == wordChunk && c.c[k+1].w == "of" && c.c[k+2].kind == phraseChunk {
		return objects{args: []arg{c.c[k+2].p}, end: k + 3}, true // who made the first version of something made it
	}
	for len(o.args) < maxList {
		j := o.end
		j = c.purpose(j)
		sep, and := false, false
		for j < len(c.c) {
			x := c.c[j]
			switch {
			case x.kind == commaChunk, x.kind == wordChunk && (x.w == "and" || x.w == "&" || x.w == "plus"):
				sep, and = true, and || x.kind == wordChunk
				j++
				continue
			case x.kind == wordChunk && x.w == "or" && above[c.s.word(x.b)]: // "Java 21 or newer"
			case x.kind == wordChunk && x.w == "or" && c.s.word(x.b) == "rather" && turned(c.s.t, x.b+1): // a joke, and no choice
			case x.kind == wordChunk && (x.w == "or" || x.w == "nor"):
				o.or = true
				j++
				sep, and = true, true
				continue
			case sep && x.kind == wordChunk && adverbs[x.w] && x.w != "only" && x.w != "just":
				j++
				continue
			case x.kind == wordChunk && x.w == "as" && j+2 < len(c.c) && c.s.word(x.b) == "well" && c.s.word(x.b+1) == "as":
				j, sep, and = c.chunkFrom(x.b+2), true, true
				continue
			}
			break
		}
		if !sep || j >= len(c.c) || c.c[j].kind != phraseChunk || c.startsClause(j) {
			break
		}
		if p := c.c[j].p; p.det == "the" && oneOf(c.s.word(p.b), "one ones") || p.kind == argSelf || p.kind == argPronoun || p.kind == argNone && p.det == "" || oneOf(c.s.word(p.a), "formerly previously earlier once") {
			break
		}
		if k > 0 && c.c[k-1].kind == wordChunk && c.c[k-1].w != "on" && prepositions[c.c[k-1].w] && j+2 < len(c.c) && c.c[j+1].kind == wordChunk && c.c[j+1].w == c.c[k-1].w && c.c[j+2].kind == phraseChunk {
			break // "works at Acme and Bea at Initech": another subject
		}
		if p := c.c[j].p; p.role != "" && p.kind == argName && !projectNouns[p.role] && o.args[0].role == "" && o.args[0].kind == argName && c.s.nameOf(o.args[0]).sort&sortTechnical != 0 {
			break // "I use Vim and my colleague Emacs"
		}
		if !and && c.c[j].p.kind != argName && !c.endsList(j) {
			break
		}
		o.args = append(o.args, c.c[j].p)
		o.end = j + 1
	}
	if c.orLater(o.end) {
		o.or = true
	}
	return o, !o.or
}

// endsList says whether "and" follows the phrase at chunk k, perhaps behind others, so that commas before it make a list.
func (c *clause) endsList(k int) bool {
	for k++; k+1 < len(c.c); k++ {
		switch x := c.c[k]; {
		case x.kind == wordChunk && (x.w == "and" || x.w == "or"):
			return c.c[k+1].kind == phraseChunk && !c.startsClause(k+1)
		case x.kind != commaChunk && x.kind != phraseChunk:
			return false
		}
	}
	return false
}

func (c *clause) orLater(k int) bool {
	return k < len(c.c) && c.c[k].kind == wordChunk && c.c[k].w == "or" && !above[c.s.word(c.c[k].b)] && k+1 < len(c.c) && c.c[k+1].kind == phraseChunk && !c.startsClause(k+1)
}

func (c *clause) chunkFrom(tok int) int {
	for k := range c.c {
		if c.c[k].a >= tok {
			return k
		}
	}
	return len(c.c)
}

// purpose skips what an item of a list is for: "Redis for caching and Postgres for everything else".
func (c *clause) purpose(k int) int {
	if k+1 < len(c.c) && c.c[k].kind == wordChunk && (c.c[k].w == "for" || c.c[k].w == "as") && (c.c[k+1].kind == phraseChunk || c.c[k+1].kind == verbChunk && c.c[k+1].g.form == formIng) {
		j := k + 2
		for j < len(c.c) && (c.c[j].kind == wordChunk && adverbs[c.c[j].w] || c.c[j].kind == timeChunk) {
			j++
		}
		if j < len(c.c) && (c.c[j].kind == commaChunk || c.c[j].kind == wordChunk && c.c[j].w == "and") {
			return j
		}
	}
	return k
}

// startsClause says whether the phrase at chunk k is the subject of a verb behind it.
func (c *clause) startsClause(k int) bool {
	joint := false
	for j := k + 1; j < len(c.c); j++ {
		switch x := c.c[j]; {
		case x.kind == verbChunk:
			return !x.g.purpose && !(joint && x.g.third) // "Redis and Kafka and Ove deploys it": one deploys
		case x.kind == wordChunk && modals[x.w]: // "and aisle people can fight me"
			return true
		case x.kind == timeChunk, x.kind == wordChunk && adverbs[x.w]:
		case x.kind == wordChunk && x.w == "and" && j+1 < len(c.c) && c.c[j+1].kind == phraseChunk:
			j++ // "and Bob and Carol use"
			joint = true
		default:
			return false
		}
	}
	return false
}

// anymore says whether the verb is said not to be true any more; a negated verb alone states nothing.
func (c *clause) anymore() bool {
	g := c.group()
	if g.ended {
		return true
	}
	if !g.negated {
		return c.noMore()
	}
	if c.deniedNow() {
		return true
	}
	for i := c.c[c.verb].a; i < len(c.s.t); i++ {
		w := c.s.t[i].lower
		if i > c.c[c.verb].b && (c.s.t[i].kind == signToken && w != "-" || w == "but" || w == "and" && c.verbFrom(i)) && w != "," {
			return false
		}
		if w == "anymore" || (w == "any") && (c.s.word(i+1) == "more" || c.s.word(i+1) == "longer") || w == "longer" && c.s.word(i-1) == "no" {
			return true
		}
	}
	return false
}

// noMore says whether the clause ends with "no more" or "no longer": "I work at Acme no more".
func (c *clause) noMore() bool {
	for i := c.group().b; i+1 < len(c.s.t); i++ {
		if w := c.s.word(i + 1); c.s.t[i].lower == "no" && (w == "more" || w == "longer") {
			return i+2 >= len(c.s.t) || c.s.kind(i+2) == signToken
		}
	}
	return false
}

// deniedNow says whether a plain denial tells that something has ended: of where the user lives and works, and of anything
// with "now" or "actually".
func (c *clause) deniedNow() bool {
	g := c.group()
	if !g.present || g.past || g.perfect || g.modal || g.ing || g.passive || g.copula || g.decided {
		return false
	}
	self := c.subjects[0].kind == argSelf && c.subjects[0].pronoun == "i" && len(c.subjects) == 1
	next := c.s.word(g.b)
	said := self && (g.lemma == "live" && next == "in" || g.lemma == "work" && (next == "at" || next == "for"))
	for i := 0; i < len(c.s.t); i++ {
		w := c.s.t[i].lower
		switch {
		case w == "yet" || w == "only" || w == "just" || w == "usually" || w == "always" || w == "really" || w == "often" || w == "because" && i > g.b:
			return false
		case w == "now" && (i >= g.a-1 && i < g.b || i > g.b && c.closes(i)), w == "actually" && i == 0:
			said = true
		}
	}
	return said
}

func (c *clause) verbFrom(tok int) bool {
	for k := range c.c {
		if c.c[k].a > tok && c.c[k].kind == verbChunk {
			return true
		}
	}
	return false
}

// soon says whether a time that lies ahead stands in the clause: what is said to happen then has not happened.
func (c *clause) soon() bool {
	for k := c.verb + 1; k < len(c.c); k++ {
		if c.c[k].kind == verbChunk && !c.c[k].g.purpose {
			break
		}
		if c.c[k].kind == timeChunk && c.c[k].ahead {
			return true
		}
	}
	for k := 0; k < c.verb; k++ {
		if c.c[k].kind == timeChunk && c.c[k].ahead {
			return true
		}
	}
	return false
}
