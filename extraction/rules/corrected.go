package rules

import (
	"slices"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
)

// What sets right what was said before: "No wait, it was MariaDB, not Postgres", "Scratch that: billing is on SQLite". Of what it is said
// tells the fact that is set right: one of this text, of the turns just before, or of the graph, where only one can be meant.

// amendment is how a sentence begins that sets something right.
type amendment struct {
	ok       bool // it does: "no, …", "sorry, …", "I mean …"
	retracts bool // it takes back what was said last: "scratch that", "no wait", "I meant"
	from     int  // the statement begins with this token; 0 where the words before it may stand
}

// retracting begin a sentence that takes back the one before. What may not follow them is beside them: "I meant to use Redis".
var retracting = []struct {
	words []string
	alone bool // a sign stands behind it
}{
	{[]string{"scratch", "that"}, true}, {[]string{"strike", "that"}, true}, {[]string{"correction"}, true}, {[]string{"my", "mistake"}, true}, {[]string{"my", "bad"}, true},
	{[]string{"i", "was", "wrong"}, true}, {[]string{"no", "wait"}, false}, {[]string{"wait", "no"}, false}, {[]string{"no", ",", "wait"}, false}, {[]string{"wait", ",", "no"}, false},
	{[]string{"oops", "no"}, true}, {[]string{"oops", ",", "no"}, true}, {[]string{"i", "meant"}, false}, {[]string{"doch", "nicht"}, true}, {[]string{"korrektur"}, true}, {[]string{"quatsch"}, true},
}

// amending are the words with which such a sentence begins.
var amending = set(`scratch strike correction my i no wait doch korrektur quatsch nope nah nein sorry oops wrong actually ah oh hm hmm well but er uh um ok okay`)

// amends reads how a sentence begins.
func amends(t []token) (m amendment) {
	i := 0
	for i < len(t) && t[i].kind == signToken {
		i++
	}
	if i == len(t) || !amending[t[i].lower] {
		return m
	}
	for i < len(t) {
		if t[i].kind == signToken && t[i].lower != "(" && t[i].lower != "\"" {
			i++
			continue
		}
		if n := retraction(t, i); n > 0 {
			i += n
			m = amendment{ok: true, retracts: true, from: i}
			continue
		}
		next := at(t, i+1)
		switch w := t[i].lower; {
		case w == "i" && next == "mean" && (separates(at(t, i+2)) || m.ok):
			m.ok, m.from = true, i+2
			i += 2
		case oneOf(w, "no nope nah nein sorry oops wrong") && (separates(next) || next == "." || m.ok || retraction(t, i+1) > 0 || saying(t, i+1, "i", "mean")):
			if i++; m.ok {
				m.from = i
			}
			m.ok = true
		case w == "actually":
			m.ok = true
			i++
		case oneOf(w, "ah oh hm hmm well but er uh um wait ok okay"):
			i++
		default:
			if m.from > 0 {
				for m.from < len(t) && (t[m.from].kind == signToken || oneOf(t[m.from].lower, "sorry that actually") && i > m.from) {
					m.from++
				}
				m.from = max(m.from, i)
			}
			return m
		}
	}
	return amendment{} // nothing is said behind it
}

// retraction gives how many tokens from i on take back what was said, 0 for none.
func retraction(t []token, i int) int {
	for _, r := range retracting {
		n := len(r.words)
		if !saying(t, i, r.words...) || i+n >= len(t) {
			continue
		}
		if next := t[i+n]; r.alone && next.kind != signToken || oneOf(next.lower, "to for until till it well by time times") && !(next.lower == "it" && oneOf(at(t, i+n+1), "is was 's")) {
			continue
		}
		return n
	}
	return 0
}

// contrasted are the relations of which one tail takes the place of another in "it was A, not B", with what stands in it. People are
// left out: who it was may be told of anything.
var contrasted = map[string]slot{"uses": toolSlot, "decided_to_use": toolSlot, "depends_on": neededSlot,
	"works_at": employerSlot, "located_in": placeSlot}

// setsRight reads "it was A, not B", "not B but A", "A, not B" of the one fact whose tail is B: that ends, and A takes its place.
func (r *reader) setsRight(s *sentence) bool {
	if !s.user || !hasWord(s.t, "not") && !hasWord(s.t, "instead") && !hasWord(s.t, "rather") {
		return false
	}
	news, old, end, ok := s.contrast()
	if !ok {
		return false
	}
	hedged, ok := s.stated(min(news.a, old.a), end)
	if !ok {
		return false
	}
	h, ok := r.meant(s, s.nameOf(old).text)
	if !ok {
		return false
	}
	tails := r.fitAll(s, contrasted[h.Relation], []arg{news})
	if len(tails) != 1 || r.somebody(tails[0]) || memory.Canonical(tails[0].text) == memory.Canonical(h.Tail) {
		return false
	}
	f := fact{head: r.holder(h), tail: tails[0], relation: h.Relation, news: true, hedged: hedged, conf: fair, a: min(news.a, old.a), b: end}
	r.emit(s, f)
	f.tail, f.ended = endpoint{text: h.Tail, typ: h.TailType, stop: s.stopOf(old)}, true
	r.emit(s, f)
	return true
}

// contrast finds the two names of a sentence that says nothing but that it is one of them and not the other.
func (s *sentence) contrast() (news, old arg, end int, ok bool) {
	i := 0
	for i < len(s.t) && (s.t[i].kind == signToken && s.t[i].lower != "\"" || openers[s.t[i].lower] || oneOf(s.t[i].lower, "nein wait oops that's")) {
		i++
	}
	copula := func(i int) int {
		if oneOf(s.word(i), "it that this") && oneOf(s.word(i+1), "is was 's") {
			return i + 2
		}
		return i
	}
	name := func(i int) (arg, bool) {
		p, ok := s.phraseAt(i)
		return p, ok && p.kind == argName && p.det == "" && p.role == "" && p.of == nil && (p.b-1 == p.name || s.kind(p.b-1) == numberToken)
	}
	switch i = copula(i); {
	case saying(s.t, i, "make", "that"), saying(s.t, i, "make", "it"), saying(s.t, i, "should", "be"):
		i += 2
	case oneOf(s.word(i), "actually really"):
		i++
	}
	if s.word(i) == "not" { // "not Postgres but MariaDB", "it wasn't Postgres, it was MariaDB"
		if old, ok = name(i + 1); !ok {
			return
		}
		i = old.b
		for separates(s.word(i)) || oneOf(s.word(i), "but rather") {
			i++
		}
		if i == old.b {
			return news, old, 0, false
		}
		news, ok = name(copula(i))
		end = news.b
	} else {
		if news, ok = name(i); !ok {
			return
		}
		i = news.b
		for separates(s.word(i)) || oneOf(s.word(i), "and now actually") {
			i++
		}
		switch {
		case s.word(i) == "not":
			i++
		case saying(s.t, i, "instead", "of"), saying(s.t, i, "rather", "than"):
			i += 2
		default:
			return news, old, 0, false
		}
		old, ok = name(i)
		end = old.b
	}
	return news, old, end, ok && s.over(end)
}

// over says whether nothing more is said from token i on than why: "it was Redis, not Postgres, that crashed" goes on.
func (s *sentence) over(i int) bool {
	for i < len(s.t) && (s.t[i].kind == signToken || tails[s.word(i)] || oneOf(s.word(i), "sorry now then obviously")) {
		i++
	}
	return i >= len(s.t) || oneOf(s.word(i), "because since so") || saying(s.t, i, "my", "mistake") || saying(s.t, i, "my", "bad")
}

// retracted notes what the sentence before said, which the one that begins here takes back.
func (r *reader) retracted(all [][]token, t []token) {
	i, found := slices.BinarySearchFunc(all, t[0].start, func(x []token, start int) int { return x[0].start - start })
	if !found || i == 0 {
		return
	}
	before := all[i-1]
	turn := r.turn
	turn.Text, turn.Facts = r.turn.Text[before[0].start:before[len(before)-1].stop], nil
	r.takenBackFacts = heldOf(r.rules.Extract(turn).Relations)
	for _, h := range r.takenBackFacts { // what it was of is spoken of
		if h.HeadType == "person" {
			r.talk.person(h.Head, 0)
			continue
		}
		r.talk.topic(h.Head, h.HeadType, 0)
		if k := memory.Canonical(h.Head); r.types[k] == "" {
			r.types[k] = h.HeadType
		}
	}
}

// instead ends what a sentence that takes back the last one puts another in the place of: "Scratch that: billing is on SQLite" behind
// "The billing service uses Postgres". first is the sentence's first relation in found.
func (r *reader) instead(s *sentence, first int) {
	if !s.amends.retracts || !s.user || len(r.found.Relations) != first+1 || hasWord(s.t, "also") || hasWord(s.t, "too") || hasWord(s.t, "besides") || hasWord(s.t, "only") {
		return
	}
	d := r.found.Relations[first]
	if d.Ended || d.Method != memory.MethodRule || d.Relation != "uses" && d.Relation != "depends_on" {
		return
	}
	var old []extraction.Held
	for _, h := range r.held(d.Head, memory.Out) {
		if h.Just && h.Relation == d.Relation && memory.Canonical(h.Tail) != memory.Canonical(d.Tail) {
			old = appendHeld(old, h)
		}
	}
	if len(old) == 1 {
		r.emit(s, fact{head: r.holder(old[0]), tail: endpoint{text: old[0].Tail, typ: old[0].TailType}, relation: d.Relation, ended: true, news: true, conf: fair, a: 0, b: len(s.t)})
	}
}
