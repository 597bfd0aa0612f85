package rules

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// allowed returns why the clause does not state something here and now, "" if it does. Questions, wishes, conditions,
// orders, hearsay and plans do not. left is the chunk before the subject. allowed also sets whether the clause is
// hedged.
func (c *clause) allowed(left int) (why string) {
	g := c.group()
	switch {
	case g.modal && !g.decided && !(g.negated && oneOf(g.lemma, "stand bear run work start")):
		return "a plan, a wish or a possibility: " + c.s.word(g.a)
	case !c.agrees():
		return "subject and verb do not agree, or an order"
	}
	c.hedged, why = c.s.statedAt(c.from, c.c[c.verb].b)
	c.hedged = c.hedged || g.hedged
	return why
}

// statedAt returns why tokens i to j do not state something here and now, "" if they do, and whether they are hedged.
func (s *sentence) statedAt(i, j int) (hedged bool, why string) {
	if i > 0 && s.kind(i-1) == wordToken && blocking[s.word(i-1)] {
		return false, "a condition or a time: " + s.word(i-1)
	}
	if at := s.doubtful("before", 0, i); len(at) > 0 {
		return false, "supposed, wished, asked or told by others: " + s.word(at[0])
	}
	if at := s.doubtful("behind", j, len(s.t)); len(at) > 0 {
		return false, "taken back by what follows: " + s.word(at[0])
	}
	return len(s.doubtful("guess", 0, i))+len(s.doubtful("guess", j, len(s.t))) > 0, ""
}

// closes reports whether only pronouns and adverbs follow token i.
func (s *sentence) closes(i int) bool {
	return !slices.ContainsFunc(s.t[i+1:], func(x token) bool {
		return x.kind == wordToken && !pronouns[x.lower] && !adverbs[x.lower]
	})
}

// doubtsRead loads data/doubts.txt once. A test checks that it has no error.
var doubtsRead = sync.OnceValues(func() ([]unmeant, error) { return parseDoubts("doubts.txt", "") })

// parseDoubts reads lines "place : words" of a text, or of the embedded file if the text is "".
func parseDoubts(file, text string) (out []unmeant, err error) {
	err = eachLine(file, text, func(line string) error {
		place, words, _ := strings.Cut(line, " : ")
		if words == "" || !oneOf(place, "fine before behind guess") {
			return fmt.Errorf("%q is not \"place : words\"", line)
		}
		u, err := newUnmeant("", place, words)
		if err == nil && u.parts[0].special {
			u.needs = nil // any name can come first
		}
		out = append(out, u)
		return err
	})
	return out, err
}

// doubtful returns the tokens between from and to at which words of the place match.
func (s *sentence) doubtful(place string, from, to int) (at []int) {
	list, _ := doubtsRead()
	for i := from; i < to && s.word(i) != ";"; i++ {
		for k := range list {
			u := &list[k]
			if u.place != place && u.place != "fine" || len(u.needs) > 0 && !slices.Contains(u.needs, s.word(i)) {
				continue
			}
			m := match{r: &reader{}, s: s, from: i, verb: -1, last: i}
			if stop, ok := m.parts(u.parts, i); ok {
				if u.place == place {
					at = append(at, i)
				}
				i = max(stop-1, i)
				break
			}
		}
	}
	return at
}

// agrees reports whether subject and verb agree. "Bob use Vim" is an order and not a statement.
func (c *clause) agrees() bool {
	g := c.group()
	if len(c.subjects) == 0 {
		return false
	}
	if g.lets || c.dropped {
		return true
	}
	p := c.subjects[0]
	c.headline()
	plural := len(c.subjects) > 1 || p.plural || p.kind == argSelf && (p.pronoun == "i" || p.pronoun == "we")
	switch {
	case g.form == formIng && g.plain: // "Bob using Vim": no finite verb
		return false
	case g.form == formDone && g.plain && !g.perfect && !g.passive:
		return false
	case g.bare && !g.negated:
		if p.pronoun == "they" || p.pronoun == "you" {
			return true
		}
		return plural || p.kind == argNoun && collective[p.head] || p.kind == argName && p.det == "the" && collective[p.head]
	case g.form == formS && p.pronoun == "they":
		return false
	case g.form == formS:
		return !plural || p.kind == argNone || p.kind == argName && len(c.subjects) == 1 || p.kind == argNoun
	}
	return true
}

// headline reads a participle without its auxiliary as a passive: "Outage caused by an expired certificate", "a nurse
// based in Oslo".
func (c *clause) headline() {
	g := c.group()
	want, ok := participles[g.lemma]
	if !ok || !g.plain || g.form != formPast && g.form != formDone || g.negated {
		return
	}
	if oneOf(c.s.word(g.b), want) {
		g.passive, g.past, g.form, g.plain = true, false, formDone, false
	}
}

// participles maps verbs whose participle may lack an auxiliary to the prepositions after it.
var participles = map[string]string{"cause": "by", "assign": "to", "base": "in", "maintain": "by", "own": "by",
	"write": "by", "create": "by", "locate": "in", "employ": "by at"}
