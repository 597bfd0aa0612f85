package supersession

import (
	"slices"
	"strings"

	"memory-graph/internal/text"
)

// Two turns of one form often speak of two subjects: Ann's number and Bob's, the login's timeout and the session's. What
// is left unsaid ("five is enough") may well be the same; so only what plainly names another subject counts.

// beings exclude each other: what is said of the brother is not said of the sister, nor what is said of the dog of the son.
// By the word, what it means.
var exclusive = meanings(`mother mum mom mama`, `father dad papa`, `brother`, `sister`, `son`, `daughter`, `wife`, `husband`, `aunt auntie`, `uncle`,
	`cousin`, `niece`, `nephew`, `grandmother grandma gran oma`, `grandfather grandpa opa`, `boyfriend`, `girlfriend`, `neighbour neighbor`,
	`colleague`, `boss`, `landlord`, `roommate flatmate`,
	`dog puppy`, `cat kitten`, `rabbit bunny`, `horse pony`, `hamster`, `parrot`, `tortoise`)

func meanings(groups ...string) map[string]string {
	m := map[string]string{}
	for _, g := range groups {
		words := strings.Fields(g)
		for _, w := range words {
			m[w] = words[0]
		}
	}
	return m
}

// another says whether the later turn plainly speaks of another subject than the earlier one that the question is about.
func (p Pair) another(asked Asked) bool {
	return p.anotherOfAKind(asked) || p.anotherThing(asked) || p.anotherName(asked) || p.anotherModifier(asked) || p.anotherDenial() || p.Later.has("of", "the", "other")
}

// anotherOfAKind takes "my brother …" where the sister is asked about.
func (p Pair) anotherOfAKind(asked Asked) bool {
	for _, w := range asked.words {
		if of := exclusive[w]; of != "" && (p.Later.beginsWithAnother(of) || p.Earlier.beginsWithAnother(of)) {
			return true
		}
	}
	return false
}

// beginsWithAnother says whether a turn begins with another being and never speaks of this one.
func (s *Said) beginsWithAnother(being string) bool {
	other := false
	for i, t := range s.tokens {
		switch m := exclusive[bare(t.lower)]; {
		case m == being:
			return false
		case m != "" && i < 3:
			other = true
		}
	}
	return other
}

// anotherName takes a later turn that begins with a name that is not the one asked about, or with I where somebody else is
// asked about; and one that begins with a name and has no I at all, where the speaker is asked about.
func (p Pair) anotherName(asked Asked) bool {
	name, self := p.Later.leads()
	if name == "" && !self {
		return false
	}
	if name != "" && (p.Earlier.mentions(name) || slices.Contains(asked.words, name)) {
		return false
	}
	for _, n := range asked.names {
		if p.Later.mentions(n) {
			return false
		}
		if p.Earlier.mentions(n) && (name != "" || !p.Earlier.own) {
			return true
		}
	}
	return name != "" && asked.own && p.Earlier.own && !p.Later.own
}

// leads gives the name that a turn begins with, in lower case, or says that it begins with its speaker.
func (s *Said) leads() (name string, self bool) {
	if len(s.tokens) < 2 {
		return "", false
	}
	t := s.tokens[0]
	if own[t.lower] {
		return "", true
	}
	w := bare(t.lower)
	if !t.capitalised() || t.stop || len(text.Tokens(w)) != 1 || text.Tokens(w)[0].Stop() || noNames[w] {
		return "", false
	}
	return w, false
}

// anotherModifier takes "the session timeout" where the login timeout is asked about.
func (p Pair) anotherModifier(asked Asked) bool {
	for i := 1; i < len(asked.words); i++ {
		m, h := asked.words[i-1], asked.words[i]
		if !telling(m) || !telling(h) || !p.Earlier.has(m, h) || p.Later.mentions(m) {
			continue
		}
		for j, t := range p.Later.tokens {
			if j > 0 && bare(t.lower) == h && telling(p.Later.tokens[j-1].lower) && !p.Later.tokens[j-1].stop && !freshWords[p.Later.tokens[j-1].lower] {
				return true
			}
		}
	}
	return false
}

// anotherDenial takes two turns that say "no longer" of two things: both hold.
func (p Pair) anotherDenial() bool {
	a, b := p.Earlier.after("no", "longer"), p.Later.after("no", "longer")
	return a != "" && b != "" && a != b
}

// telling says whether a word is no stop word.
func telling(w string) bool {
	t := text.Tokens(w)
	return len(t) == 1 && !t[0].Stop()
}

// bare takes the genitive off.
func bare(w string) string { return strings.TrimSuffix(w, "'s") }

// has says whether the words stand in the turn, one after the other.
func (s *Said) has(words ...string) bool { return s.find(words) >= 0 }

// after gives the word behind the words, "" for none.
func (s *Said) after(words ...string) string {
	if i := s.find(words); i >= 0 {
		return word(s.tokens, i+len(words))
	}
	return ""
}

func (s *Said) find(words []string) int {
next:
	for i := range len(s.tokens) - len(words) + 1 {
		for j, w := range words {
			if bare(s.tokens[i+j].lower) != w {
				continue next
			}
		}
		return i
	}
	return -1
}

func (s *Said) mentions(w string) bool {
	return slices.ContainsFunc(s.tokens, func(t token) bool { return bare(t.lower) == w })
}
