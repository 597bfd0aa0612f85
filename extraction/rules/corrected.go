package rules

import (
	"slices"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
)

// What sets right what was said before: "No wait, it was MariaDB, not Postgres", "Scratch that: billing is on SQLite".
// Of what it is said tells the fact that is set right: one of this text, of the turns just before, or of the graph,
// where only one can be meant.

// amendment is how a sentence begins that sets something right.
type amendment struct {
	ok       bool // it does: "no, …", "sorry, …", "I mean …"
	retracts bool // it takes back what was said last: "scratch that", "no wait", "I meant"
	from     int  // the statement begins with this token; 0 where the words before it may stand
}

// retracting begin a sentence that takes back the one before; those of alone only before a sign.
var (
	retracting = [][]string{{"no", "wait"}, {"wait", "no"}, {"no", ",", "wait"}, {"wait", ",", "no"}, {"i", "meant"}}
	alone      = [][]string{{"scratch", "that"}, {"strike", "that"}, {"correction"}, {"my", "mistake"}, {"my", "bad"},
		{"i", "was", "wrong"}, {"oops", "no"}, {"oops", ",", "no"}}
	amending  = class("amending")  // a sentence that sets something right begins with one of them
	hesitants = class("hesitants") // go before it
)

// amends reads how a sentence begins.
func amends(t []token) (m amendment) {
	i := 0
	for i < len(t) && t[i].kind == signToken {
		i++
	}
	if i == len(t) || !amending[t[i].lower] && !hesitants[t[i].lower] {
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
			i += 2
			m.ok, m.from = true, i
		case oneOf(w, "no nope nah sorry oops wrong") && (separates(next) || next == "." || m.ok ||
			retraction(t, i+1) > 0 || saying(t, i+1, "i", "mean")):
			if i++; m.ok {
				m.from = i
			}
			m.ok = true
		case w == "actually":
			m.ok = true
			i++
		case hesitants[w]:
			i++
		default:
			for m.from > 0 && m.from < len(t) && t[m.from].kind == signToken {
				m.from++
			}
			if m.from > 0 {
				m.from = max(m.from, i)
			}
			return m
		}
	}
	return amendment{} // nothing is said behind it
}

// retraction returns how many tokens from i on take back what was said, 0 for none.
func retraction(t []token, i int) int {
	for n, words := range slices.Concat(retracting, alone) {
		end := i + len(words)
		if !saying(t, i, words...) || end >= len(t) || n >= len(retracting) && t[end].kind != signToken ||
			oneOf(t[end].lower, "to for until till well by") { // "I meant to use Redis"
			continue
		}
		return len(words)
	}
	return 0
}

// contrasted are the relations of which one tail takes the place of another in "it was A, not B", with what stands in
// it. People are left out: who it was may be told of anything.
var contrasted = map[string]slot{"uses": toolSlot, "decided_to_use": toolSlot, "depends_on": neededSlot,
	"works_at": employerSlot, "located_in": placeSlot}

// setsRight reads "it was A, not B", "not B but A", "A, not B" of the one fact whose tail is B: that ends, and A takes
// its place.
func (r *reader) setsRight(s *sentence) bool {
	if !s.user || !hasWord(s.t, "not") {
		return false
	}
	news, old, end, ok := s.contrast()
	if !ok {
		return false
	}
	from := min(news.a, old.a)
	hedged, why := s.statedAt(from, end)
	h, ok := r.meant(s, s.nameOf(old).text)
	if why != "" || !ok {
		return false
	}
	tails := r.fitAll(s, contrasted[h.Relation], []arg{news})
	if len(tails) != 1 || r.somebody(tails[0]) || memory.Canonical(tails[0].text) == memory.Canonical(h.Tail) {
		return false
	}
	f := fact{head: r.holder(h), tail: tails[0], relation: h.Relation, news: true, hedged: hedged, conf: fair, a: from,
		b: end}
	r.emit(s, f)
	f.tail, f.ended = endpoint{text: h.Tail, typ: h.TailType, stop: s.stopOf(old)}, true
	r.emit(s, f)
	return true
}

// contrast finds the two names of a sentence that says nothing but that it is one of them and not the other.
func (s *sentence) contrast() (news, old arg, end int, ok bool) {
	i := 0
	skip := func(words string) {
		for i < len(s.t) && (s.t[i].kind == signToken && s.t[i].lower != "\"" || oneOf(s.word(i), words)) {
			i++
		}
	}
	name := func() (p arg) {
		if oneOf(s.word(i), "it that this") && oneOf(s.word(i+1), "is was 's") {
			i += 2
		}
		denied := s.word(i) == "not"
		if denied {
			i++
		}
		p, found := s.phraseAt(i)
		ok = ok && found && p.kind == argName && p.det == "" && p.role == "" && p.of == nil &&
			(p.b-1 == p.name || s.kind(p.b-1) == numberToken)
		if i = p.b; denied {
			old = p
		} else {
			news = p
		}
		return p
	}
	ok = true
	for i < len(s.t) && (s.t[i].kind == signToken && s.t[i].lower != "\"" || openers[s.word(i)] || hesitants[s.word(i)]) {
		i++
	}
	first := name()
	skip("but rather and now actually")
	second := name()
	end = second.b
	both := ok && (first.a == old.a) != (second.a == old.a) && old.b > 0 && news.b > 0
	skip("sorry now then obviously")
	return news, old, end, both && (i >= len(s.t) || oneOf(s.word(i), "because since so") || tails[s.word(i)])
}

// meant returns the one fact that has the name as its tail and that a sentence can set right: of what this text has
// said; where it begins as one that sets something right, of what was just said, since "it was Redis, not Postgres" may
// tell of what crashed; and where it takes something back, of whatever the graph has that something uses and needs.
func (r *reader) meant(s *sentence, name string) (h extraction.Held, ok bool) {
	var just, all []extraction.Held
	said := len(heldOf(r.found.Relations))
	for n, h := range r.held(name, memory.In) {
		// else "no, it was Graz, not Linz" may tell of anything
		lasting := h.Relation != "works_at" && h.Relation != "located_in"
		switch {
		case contrasted[h.Relation] == 0:
		case h.Just && (s.amends.ok || lasting && n < said):
			just = append(just, h)
		case s.amends.retracts && lasting:
			all = append(all, h)
		}
	}
	if len(just) == 0 {
		just = all
	}
	if len(just) != 1 {
		return h, false
	}
	return just[0], true
}

// held returns what is known of a name: what this text has said before, and what the graph holds.
func (r *reader) held(name string, as memory.Direction) (list []extraction.Held) {
	key := memory.Canonical(name)
	for _, h := range heldOf(r.found.Relations) {
		if as == memory.In && memory.Canonical(h.Tail) == key || as == memory.Out && memory.Canonical(h.Head) == key {
			list = append(list, h)
		}
	}
	if r.turn.Facts == nil || r.asked >= maxAsked {
		return list
	}
	r.asked++
	for _, h := range r.turn.Facts(name, as) {
		if !slices.ContainsFunc(list, func(o extraction.Held) bool {
			return memory.Canonical(o.Head) == memory.Canonical(h.Head) && o.Relation == h.Relation &&
				memory.Canonical(o.Tail) == memory.Canonical(h.Tail)
		}) {
			list = append(list, h)
		}
	}
	return list
}

// maxAsked is how often the graph is asked for one turn: who sets right more than that gives data.
const maxAsked = 16

// heldOf returns the facts of a text that have not ended.
func heldOf(list []memory.RelationDraft) (out []extraction.Held) {
	for _, d := range list {
		if !d.Ended {
			out = append(out, extraction.Held{Head: d.Head, HeadType: d.HeadType, Relation: d.Relation, Tail: d.Tail,
				TailType: d.TailType, Just: true})
		}
	}
	return out
}

// holder is the head of what is held.
func (r *reader) holder(h extraction.Held) endpoint {
	return endpoint{text: h.Head, typ: h.HeadType, self: memory.Canonical(h.Head) == memory.Canonical(r.turn.Self)}
}

// instead ends what a sentence that takes back the last one puts another in the place of: "Scratch that: billing is on
// SQLite" behind "The billing service uses Postgres". first is the sentence's first relation in found.
func (r *reader) instead(s *sentence, first int) {
	if !s.amends.retracts || !s.user || len(r.found.Relations) != first+1 || hasWord(s.t, "also") || hasWord(s.t, "too") {
		return
	}
	d := r.found.Relations[first]
	if d.Ended || d.Method != memory.MethodRule || d.Relation != "uses" && d.Relation != "depends_on" {
		return
	}
	var old []extraction.Held
	for _, h := range r.held(d.Head, memory.Out) {
		if h.Just && h.Relation == d.Relation && memory.Canonical(h.Tail) != memory.Canonical(d.Tail) {
			old = append(old, h)
		}
	}
	if len(old) == 1 {
		r.emit(s, fact{head: r.holder(old[0]), tail: endpoint{text: old[0].Tail, typ: old[0].TailType},
			relation: d.Relation, ended: true, news: true, conf: fair, a: 0, b: len(s.t)})
	}
}
