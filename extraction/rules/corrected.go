package rules

import (
	"slices"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
)

// This file reads corrections: "No wait, it was MariaDB, not Postgres", "Scratch that: billing is on SQLite". A
// correction applies to one fact of this text, of the turns just before, or of the graph. If several facts fit, it
// applies to none.

// amendment describes the start of a sentence that corrects something.
type amendment struct {
	ok       bool // the sentence is a correction: "no, …", "sorry, …", "I mean …"
	retracts bool // it retracts the previous sentence: "scratch that", "no wait", "I meant"
	from     int  // the first token of the statement; 0 if the preceding words may be part of it
}

// retracting and alone begin a sentence that retracts the previous one; those of alone only before a sign.
var (
	retracting = [][]string{{"no", "wait"}, {"wait", "no"}, {"no", ",", "wait"}, {"wait", ",", "no"}, {"i", "meant"}}
	alone      = [][]string{{"scratch", "that"}, {"strike", "that"}, {"correction"}, {"my", "mistake"}, {"my", "bad"},
		{"i", "was", "wrong"}, {"oops", "no"}, {"oops", ",", "no"}}
	amending  = class("amending")  // first words of a correction
	hesitants = class("hesitants") // may precede a correction
)

// amends reads the start of a sentence.
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
	return amendment{} // no statement follows
}

// retraction returns the number of tokens at i that retract the previous sentence; 0 if they do not.
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

// contrasted maps relations whose tail "it was A, not B" can replace to the slot of the new tail. Relations between
// people are left out: "it was Ann, not Bob" can refer to anything.
var contrasted = map[string]slot{"uses": toolSlot, "decided_to_use": toolSlot, "depends_on": neededSlot,
	"works_at": employerSlot, "located_in": placeSlot}

// contrastive reads "it was A, not B", "not B but A" and "A, not B". The one fact with the tail B ends, and A replaces
// B.
func (r *reader) contrastive(s *sentence) bool {
	if !s.user || !hasWord(s.t, "not") {
		return false
	}
	news, old, end, ok := s.contrast()
	if !ok {
		return false
	}
	from := min(news.a, old.a)
	hedged, why := s.statedAt(from, end)
	h, ok := r.correctable(s, s.nameOf(old).text)
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

// contrast returns the two names of a sentence that only says that it is one and not the other.
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

// correctable returns the one fact with this tail that the sentence can correct. Candidates are the facts of this text;
// for a sentence that begins as a correction, also those of the turns just before; for a retraction, also the facts of
// the graph about what something uses or needs. "It was Redis, not Postgres" alone may be about what crashed.
func (r *reader) correctable(s *sentence, name string) (h extraction.Held, ok bool) {
	var just, all []extraction.Held
	said := len(heldOf(r.found.Relations))
	for n, h := range r.held(name, memory.In) {
		// "no, it was Graz, not Linz" can refer to anything
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

// held returns the facts about a name: those that this text has stated, and those of the graph.
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

// maxAsked is the maximum number of graph look-ups per turn. A text with more corrections is data.
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

// holder returns the head of a known fact.
func (r *reader) holder(h extraction.Held) endpoint {
	return endpoint{text: h.Head, typ: h.HeadType, self: memory.Canonical(h.Head) == memory.Canonical(r.turn.Self)}
}

// replacePrevious ends the fact that a retraction replaces: "Scratch that: billing is on SQLite" after "The billing
// service uses Postgres". first is the index in found of the sentence's first relation.
func (r *reader) replacePrevious(s *sentence, first int) {
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
