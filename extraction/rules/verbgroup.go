package rules

// group is a verb with its auxiliaries, adverbs and negation: "have not been using", "no longer uses", "used to work".
type group struct {
	a, b    int    // token range
	lemma   string // main verb; "be" for a copula
	form    form   // of the main verb
	present bool   // simple or continuous present
	past    bool   // simple past
	perfect bool   // has done, has been doing
	ing     bool   // continuous
	passive bool
	negated bool // not, never, hardly
	modal   bool // might, would, wants to
	ended   bool // no longer, used to, stopped
	begun   bool // started, began
	decided bool // decided to, agreed to, let's, is going to
	lets    bool
	will    bool
	hedged  bool
	bare    bool // only the base form, as after "I" and in an imperative
	third   bool // -s, has, is
	plain   bool // no auxiliary of its own
	purpose bool // "to build"
	copula  bool
}

// maxGroup is the maximum length of a verb group, in tokens.
const maxGroup = 12

// groupAt reads the verb group that begins with token i.
func (s *sentence) groupAt(i int) (g group, ok bool) {
	g = group{a: i, plain: true}
	j := i
	be, have, do := false, false, false
	for ; j < len(s.t) && j-i < maxGroup; j++ {
		t := s.t[j]
		if t.kind == nameToken || t.kind == numberToken || t.kind == signToken {
			break
		}
		w := t.lower
		switch {
		case w == "no" && (s.word(j+1) == "longer" || s.word(j+1) == "more"):
			g.ended = true
			j++
			continue
		case w == "not" && s.word(j+1) == "only":
			return g, false
		case (w == "almost" || w == "nearly") && adverbs[s.word(j+1)]: // "almost exclusively"
			continue
		case negations[w]:
			g.negated = true
			continue
		case w == "'s":
			if be || have || do || j > i {
				return s.endGroup(g, j, be)
			}
			if v, is := verbForms[s.word(j+1)]; is && v.forms&formDone != 0 && s.word(j+1) != "based" &&
				!passiveLike[s.word(j+1)] || s.word(j+1) == "been" || s.word(j+1) == "got" {
				have, g.third, g.plain = true, true, false
				continue
			}
			be, g.third, g.plain, g.present = true, true, false, true
			continue
		case w == "'d":
			if v, is := verbForms[s.word(j+1)]; is && v.forms&formDone != 0 && v.forms&formBase == 0 {
				have, g.past, g.plain = true, true, false
			} else {
				g.modal, g.plain = true, false
			}
			continue
		case oneOf(w, "am is are was were"):
			if be || j > i && have {
				return s.endGroup(g, j, be)
			}
			be, g.plain = true, false
			g.third = w == "is" || w == "was"
			g.present, g.past = w != "was" && w != "were", w == "was" || w == "were"
			continue
		case oneOf(w, "be been being"):
			be, g.plain = true, false
			g.perfect = have
			continue
		case oneOf(w, "has have had") && s.auxiliary(j):
			have, g.plain = true, false
			g.third = w == "has"
			g.past = w == "had"
			continue
		case oneOf(w, "do does did"):
			do, g.plain = true, false
			g.third, g.past, g.present = w == "does", w == "did", w != "did"
			continue
		case modals[w]:
			g.modal, g.plain = true, false
			g.will = w == "will"
			continue
		case hedges[w]:
			g.hedged = true
			continue
		case adverbs[w], w == "rather" && g.modal:
			continue
		case oneOf(w, "got gets get") && !be && verbForms[s.word(j+1)].forms&formDone != 0 &&
			verbForms[s.word(j+1)].forms&formBase == 0:
			be, g.plain, g.past, g.third = true, false, w == "got", w == "gets"
			continue
		case w == "going" && s.word(j+1) == "to" && be, w == "about" && s.word(j+1) == "to" && be:
			g.modal, g.decided = true, w == "going" && !g.past // "were going to" came to nothing
			j++
			continue
		case w == "to" && j == i:
			g.purpose, g.plain = true, false
			continue
		}
		v, is := verbForms[w]
		if !is {
			break
		}
		if next, wrapped := s.wrapper(&g, v, j, be || have); wrapped {
			if next <= j {
				return g, false
			}
			be, have, do = g.ing && g.present, false, false
			j = next - 1
			continue
		}
		return s.mainVerb(g, v, j, be, have, do)
	}
	if do && !be && !g.negated && j > i && !g.modal { // "I do data engineering"
		g.lemma, g.b, g.form = "do", j, formPast
		if g.present {
			g.form = formBase
			if g.third {
				g.form = formS
			}
			g.bare = !g.third
		}
		return g, true
	}
	return s.endGroup(g, j, be)
}

// passiveLike are participles after which "'s" is "is" and not "has".
var passiveLike = set(`written built made called named based located deployed hosted run powered maintained
	created owned led managed assigned developed used designed backed caused founded`)

// auxiliary reports whether "have" at token j is an auxiliary: "has been", "have moved", but not "has a dog".
func (s *sentence) auxiliary(j int) bool {
	for k := j + 1; k < len(s.t) && k < j+5; k++ {
		w := s.t[k].lower
		if adverbs[w] || negations[w] || hedges[w] || w == "no" && s.word(k+1) == "longer" || oneOf(w, "longer both all") {
			continue
		}
		if w == "been" || w == "had" {
			return true
		}
		v, ok := verbForms[w]
		return ok && v.forms&formDone != 0
	}
	return false
}

// wrapper reads a verb that modifies the verb after it: "stopped using", "decided to use", "want to leave".
func (s *sentence) wrapper(g *group, v inflected, j int, helped bool) (next int, ok bool) {
	w := s.t[j].lower
	k := j + 1
	for adverbs[s.word(k)] || s.word(k) == "not" {
		if s.word(k) == "not" && wraps[v.lemma] != 0 {
			return j, true // "decided not to"
		}
		k++
	}
	ing := false
	if f, is := verbForms[s.word(k)]; is && f.forms == formIng {
		ing = true
	}
	to := s.word(k) == "to"
	if !ing && !to {
		return j, false
	}
	if w == "used" && to && !helped {
		g.ended = true
		return k + 1, true
	}
	kind := wraps[v.lemma]
	if kind == 0 {
		return j, false
	}
	next = k
	if to {
		next++
	}
	done := v.forms&(formPast|formDone) != 0
	switch kind {
	case wrapEnds:
		if !done || g.negated { // "haven't stopped using" is no end
			return j, true
		}
		g.ended = true
	case wrapBegins:
		if v.forms&formBase != 0 && !done && !helped { // "I start using": a plan or an order
			return j, true
		}
		g.begun = done
	case wrapDecides:
		if !done {
			return j, true
		}
		g.decided = true
	case wrapKeeps:
	case wrapPlans:
		g.modal = true
	}
	g.past, g.plain, g.present = false, false, true
	return next, true
}

type wrapKind uint8

const (
	wrapEnds wrapKind = iota + 1
	wrapBegins
	wrapDecides
	wrapKeeps
	wrapPlans
)

var wraps = func() map[string]wrapKind {
	m := map[string]wrapKind{}
	for words, kind := range map[string]wrapKind{
		`stop quit cease`:         wrapEnds,
		`start begin`:             wrapBegins,
		`decide agree choose opt`: wrapDecides,
		`keep continue end`:       wrapKeeps,
		`plan want hope try consider wish need avoid refuse suggest recommend propose mean ask tell learn intend
	forget promise offer help have get seem appear feel`: wrapPlans,
	} {
		for w := range set(words) {
			m[w] = kind
		}
	}
	return m
}()

// mainVerb completes a group with the verb at token j.
func (s *sentence) mainVerb(g group, v inflected, j int, be, have, do bool) (group, bool) {
	g.lemma, g.b = v.lemma, j+1
	if v.lemma == "quit" && g.plain {
		g.form, g.past = formPast, true
		return g, true
	}
	if g.will && v.lemma == "go" && s.word(j+1) == "with" && !g.negated { // "we'll go with Terraform"
		g.decided = true
	}
	switch {
	case be && v.forms&formIng != 0:
		g.form, g.ing = formIng, true
		g.perfect = have
	case be && v.forms&formDone != 0:
		g.form, g.passive = formDone, true
		g.perfect = have
	case have && v.forms&formDone != 0:
		g.form, g.perfect = formDone, true
	case do || g.modal || g.purpose || g.decided || g.ended && g.present:
		g.form = formBase
		if v.forms&(formBase|formIng) == 0 {
			return g, false
		}
	case g.begun || !g.plain && v.forms&formIng != 0:
		g.form = formIng
	case v.forms&formS != 0:
		g.form, g.present, g.third = formS, true, true
	case v.forms&formPast != 0 && v.forms&formBase == 0:
		g.form, g.past = formPast, true
	case v.forms&formBase != 0:
		g.form, g.present, g.bare = formBase, true, true
	case v.forms&formIng != 0:
		g.form, g.ing = formIng, true
	default:
		g.form = formDone
	}
	return g, true
}

// endGroup completes a group without a main verb. It is a verb group only if it has a copula.
func (s *sentence) endGroup(g group, j int, be bool) (group, bool) {
	if !be {
		return g, false
	}
	g.lemma, g.copula, g.b = "be", true, j
	return g, j > g.a
}
