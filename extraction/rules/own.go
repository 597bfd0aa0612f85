package rules

import "strings"

// Of what users say to use themselves more is believed than of other sentences: "I use X" needs no name that a list has. What
// they use may be a substance or a library written small, in one or two words that everyday English has no other sense for.

// fitOwn gives what fits of the phrases behind "I use" and "I switched from … to …": software by its name, else by such words.
func (r *reader) fitOwn(c *clause, args []arg) []endpoint {
	if !c.s.user || len(c.subjects) != 1 || c.subjects[0].kind != argSelf {
		return r.fitAll(c.s, software, args)
	}
	var out []endpoint
	for _, p := range args {
		if e := r.fitAll(c.s, software, []arg{p}); len(e) > 0 {
			out = append(out, e...)
		} else if e, ok := c.s.fitPlain(p); ok {
			out = append(out, e)
		} else if len(out) == 0 {
			return nil
		}
	}
	return out
}

// fitPlain reads "pandas" and "formic acid": software of the lists that is a word too, or two small words that are not
// everyday ones.
func (s *sentence) fitPlain(p arg) (endpoint, bool) {
	if p.kind != argNoun || p.det != "" || p.role != "" || p.called || p.a != p.first {
		return endpoint{}, false
	}
	e := endpoint{text: s.phraseText(p), stop: s.stopOf(p)}
	switch p.b - p.first {
	case 1:
		w := s.word(p.first)
		e.typ = "tool"
		return e, s.lists.listed(w) && len(w) > 4 && !ordinaryWords[w] && !ordinaryWords[w[:len(w)-1]] && pluralNoun(w)
	case 2:
		e.typ = "concept"
		return e, s.rare(p.first) && s.rare(p.first+1)
	}
	return e, false
}

// rare says whether token i is a small word that the grammar and the lists of everyday words do not have.
func (s *sentence) rare(i int) bool {
	w := s.word(i)
	_, verb := verbForms[w]
	for _, end := range []string{"ology", "istry", "onomy", "graphy"} { // people switch from one subject to another too
		if strings.HasSuffix(w, end) {
			return false
		}
	}
	return s.kind(i) == wordToken && !s.t[i].capital && len(w) > 3 && !verb && !s.ordinary(w) && !adverbs[w] && !prepositions[w] && !conjunctions[w] && !subordinators[w] &&
		!auxiliaries[w] && !pronouns[w] && !commonModifiers[w] && !plainAdjectives[w] && !openers[w] && !timeWords[w] && !timeUnits[w]
}

// ownMove says whether a change without any name is one of what the user uses: a side of it must be more than one plain word,
// since people switch from piano to violin too.
func (r *reader) ownMove(c *clause, from, to objects) bool {
	if c.group().lemma != "switch" || len(r.fitOwn(c, from.args)) == 0 || len(r.fitOwn(c, to.args)) == 0 {
		return false
	}
	for _, list := range []objects{from, to} {
		for _, p := range list.args {
			if _, ok := c.s.fitPlain(p); ok {
				return true
			}
		}
	}
	return false
}

// reasoned leaves out what only ties a sentence to the one before: "Which is why I switched to …".
func reasoned(t []token) []token {
	i := 0
	for i < len(t) && (t[i].kind == signToken || conjunctions[t[i].lower]) {
		i++
	}
	if w := at(t, i); w == "if" && (saying(t, i+1, "anybody") || saying(t, i+1, "anyone") || saying(t, i+1, "you") || saying(t, i+1, "somebody")) && oneOf(at(t, i+2), "wonders wonder asks ask cares care wondered asked") && at(t, i+3) == "," && i+4 < len(t) && t[len(t)-1].lower != "?" {
		return t[i+4:] // "If anybody wonders, I prefer …"
	}
	if w := at(t, i); (w == "since" || w == "as") && at(t, i+1) == "you" && (at(t, i+2) == "asked" || at(t, i+2) == "ask" || at(t, i+2) == "wonder") && t[len(t)-1].lower != "?" {
		for k := i + 3; k < min(i+9, len(t)-1); k++ {
			if w := at(t, k); w == "if" || w == "whether" {
				break
			} else if w == "," || w == ":" {
				return t[k+1:]
			}
		}
	}
	if w := at(t, i); (w == "which" || w == "that" || w == "this") && (at(t, i+1) == "is" || at(t, i+1) == "'s") && at(t, i+2) == "why" && i+3 < len(t) && t[len(t)-1].lower != "?" {
		return t[i+3:]
	}
	return t
}
