package supersession

import (
	"slices"
	"strings"
)

// A thing is what a noun stands for: whose it is, and which one of its kind. My passport and my daughter's, the budget and
// the marketing budget, the meeting with Ana and the one about the roof are two.

// thing is a noun where it stands, with what is said of which one is meant.
type thing struct {
	owner string     // self, another's (his, her, their), or a name or noun in the genitive; "" where nothing is said
	mods  []string   // words before it: marketing, other, second
	name  string     // the name behind it: my dog Rex
	of    [][]string // stems of what stands behind it, one after the other: with Ana, about the roof
}

const (
	self     = "\x00self"
	anothers = "\x00another"
)

var (
	owners = map[string]string{"my": self, "our": self, "his": anothers, "her": anothers, "their": anothers, "its": anothers}
	// articles begin what is spoken of, and so do the words in ordered, which tell which one it is.
	articles = set(`the a an this that these those your every each any some no`)
	ordered  = set(`other another second third fourth fifth first last extra additional`)
	// plain words tell of no other one of the kind.
	plain = set(`new newest old current actual right correct real final latest updated revised official exact whole daily weekly monthly yearly annual
		usual regular normal own dear beloved lovely nice good great next coming upcoming planned agreed same entire present proper default standard still also
		just now always never often usually already soon finally actually currently today tomorrow yesterday tonight week month year`)
	// behind a noun these say which one it is; those of where do so where a verb still follows.
	which   = set(`of for with about between`)
	where   = set(`at in to from as on`)
	passing = set(`good now sure me us you him them it while moment time times hour hours day days week weeks month months year years person people`)
	verbs   = set(`is are was were has have had will goes runs costs starts begins ends leaves expires comes takes needs isn't aren't`)
)

// anotherThing says whether the later turn speaks of another thing of a kind that the question asks about: another's, another
// part, another by name. That one says less than the other is no sign, but where nothing tells of a change.
func (p Pair) anotherThing(asked Asked) bool {
	for _, h := range p.heads(asked) {
		later := p.Later.things(h)
		if len(later) == 0 {
			continue
		}
		earlier, ask := p.Earlier.things(h), thingsOf(asked.tokens, h)
		if len(earlier) == 0 { // it says otherwise what is asked, which tells of no more than whose it is
			if len(ask) == 0 || ask[0].owner != self {
				continue
			}
			earlier = []thing{{owner: self}}
			for i := range later {
				later[i] = thing{owner: later[i].owner}
			}
		}
		being := exclusive[h.word] != ""
		if !slices.ContainsFunc(later, func(l thing) bool {
			return slices.ContainsFunc(earlier, func(e thing) bool { return p.same(asked, e, l, ask, being) })
		}) {
			return true
		}
	}
	return false
}

// head is a noun that two turns may both speak of.
type head struct{ word, stem string }

// heads gives the words that may stand for what is asked about, and those for beings of which both turns speak.
func (p Pair) heads(asked Asked) []head {
	var out []head
	add := func(w string) {
		if stems := stemsOf(w); len(stems) == 1 && !slices.ContainsFunc(out, func(h head) bool { return h.stem == stems[0] }) {
			out = append(out, head{w, stems[0]})
		}
	}
	for _, w := range asked.words {
		if telling(w) && !plain[w] && !slices.Contains(asked.names, w) {
			add(w)
		}
	}
	for _, t := range p.Later.tokens {
		if w := bare(t.lower); exclusive[w] != "" && p.Earlier.mentions(w) {
			add(w)
		}
	}
	return out
}

// same says whether two things of a kind may be one.
func (p Pair) same(asked Asked, e, l thing, ask []thing, being bool) bool {
	owner := e.owner
	if owner == "" && len(ask) > 0 {
		owner = ask[0].owner
	}
	switch l.owner {
	case "":
	case self:
		if e.owner != "" && e.owner != self { // Gerda may be a bicycle of mine
			return false
		}
	case anothers:
		if owner == self {
			return false
		}
	default:
		if !p.Earlier.mentions(l.owner) && !slices.Contains(asked.words, l.owner) {
			return false
		}
	}
	known := func(stem string) bool {
		return slices.Contains(asked.stems, stem) || slices.Contains(p.Earlier.content(), stem)
	}
	for _, m := range l.mods {
		if ordered[m] && !slices.Contains(e.mods, m) && !slices.Contains(asked.words, m) {
			return false
		}
		for _, stem := range stemsOf(m) {
			if !known(stem) {
				return false
			}
		}
	}
	if slices.ContainsFunc(l.of, func(of []string) bool { return !slices.ContainsFunc(of, known) }) {
		return false
	}
	if p.Later.change == 0 { // the work number, and then "the number is …"
		for _, m := range e.mods {
			if !slices.Contains(asked.words, m) && !p.Later.mentions(m) {
				return false
			}
		}
	}
	return e.name == "" || l.name == "" || e.name == l.name || p.Earlier.mentions(l.name) || p.Later.mentions(e.name) || !being && p.Later.change == 1
}

// things gives the things for which the noun stands in the turn.
func (s *Said) things(h head) []thing { return thingsOf(s.tokens, h) }

func thingsOf(tokens []token, h head) []thing {
	var out []thing
	for i, t := range tokens {
		if w := bare(t.lower); w != h.word {
			if stems := stemsOf(w); len(stems) != 1 || stems[0] != h.stem {
				continue
			}
		}
		if x, ok := thingAt(tokens, i); ok {
			out = append(out, x)
		}
	}
	return out
}

// thingAt reads the noun at i; ok is false where it is none: "I work for Initech".
func thingAt(tokens []token, i int) (x thing, ok bool) {
	j := i - 1
walk:
	for ; j >= 0 && i-j <= 4 && !tokens[j].stop; j-- {
		w := tokens[j].lower
		owner, owned := owners[w]
		switch {
		case owned:
			x.owner = owner
			break walk
		case strings.HasSuffix(w, "'s") || strings.HasSuffix(tokens[j].raw, "s'"):
			if of := bare(w); !plain[of] && !subjects[w] && telling(of) {
				x.owner = of
				break walk
			}
			return thing{}, false
		case articles[w]:
			break walk
		case ordered[w]:
			x.mods = append(x.mods, w)
		case plain[w], freshWords[w], strings.HasSuffix(w, "ly"), hasDigit(w), numberWords[w] != "":
		case presentVerbs[w], pastVerbs[w], verbs[w], which[w], where[w], changeWords[w]:
			j = -2 // a noun without an article: nothing but what stands behind it tells which one
		case !telling(w):
			return thing{}, false
		case len(x.mods) == 2:
			return thing{}, false
		default:
			x.mods = append(x.mods, w)
		}
		if j == -2 {
			break
		}
	}
	if j == -2 {
		x.mods = nil
		return x, false
	}
	if (j < 0 || tokens[j].stop) && len(x.mods) > 1 { // "Grandma bakes bread"
		return thing{}, false
	}
	x.behind(tokens, i)
	return x, true
}

// behind reads what stands behind the noun at i.
func (x *thing) behind(tokens []token, i int) {
	if tokens[i].stop || i+1 >= len(tokens) {
		return
	}
	next := tokens[i+1]
	if w := bare(next.lower); next.capitalised() && !months[w] && !weekdays[w] && !noNames[w] && !hasDigit(w) {
		x.name = w
		return
	}
	if next.lower == "back" {
		x.of = [][]string{{"back"}}
		return
	}
	for at := i + 1; at < len(tokens) && !tokens[at].stop && (which[tokens[at].lower] || where[tokens[at].lower]); {
		of, to := phrase(tokens, at+1)
		last := to >= len(tokens) || tokens[to-1].stop
		if len(of) > 0 && (which[tokens[at].lower] || !last && (verbs[tokens[to].lower] || changeWords[tokens[to].lower] && strings.HasSuffix(tokens[to].lower, "ed"))) {
			x.of = append(x.of, of)
		}
		if last {
			return
		}
		at = to
	}
}

// phrase gives the stems of what stands from a token on until something else begins, and where that is: the garage, Lea.
// Times and people in general are left out.
func phrase(tokens []token, from int) (stems []string, to int) {
	for to = from; to < len(tokens) && to < from+4; to++ {
		w := bare(tokens[to].lower)
		if _, owned := owners[w]; !owned && !articles[w] {
			if !telling(w) || verbs[w] || changeWords[w] {
				return stems, to
			}
			if !plain[w] && !passing[w] && !hasDigit(w) && !weekdays[w] && !months[w] && numberWords[w] == "" {
				stems = append(stems, stemsOf(w)...)
			}
		}
		if tokens[to].stop {
			return stems, to + 1
		}
	}
	return stems, to
}
