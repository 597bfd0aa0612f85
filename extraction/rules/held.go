package rules

import (
	"slices"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
)

// What is known of a name beside the sentence that is read: what the text has said before, and what the graph holds.

// maxAsked is how many names the graph is asked about for one turn: who sets right more than that gives data.
const maxAsked = 16

// asked is a question to the graph.
type asked struct {
	name string // canonical
	as   memory.Direction
}

// holds asks the graph, each thing once.
func (r *reader) holds(name string, as memory.Direction) []extraction.Held {
	if r.turn.Facts == nil {
		return nil
	}
	q := asked{memory.Canonical(name), as}
	list, ok := r.answers[q]
	if !ok && len(r.answers) < maxAsked {
		if r.answers == nil {
			r.answers = map[asked][]extraction.Held{}
		}
		list = r.turn.Facts(name, as)
		r.answers[q] = list
	}
	return list
}

// meant gives the one fact that has the name as its tail and that a sentence can set right: of what this text has said; where it begins
// as one that sets something right, of what was just said, since "it was Redis, not Postgres" may tell of what crashed; and where
// it takes something back, of whatever the graph has that something uses and needs.
func (r *reader) meant(s *sentence, name string) (h extraction.Held, ok bool) {
	var just, all []extraction.Held
	here := heldOf(r.found.Relations)
	for _, h := range r.held(name, memory.In) {
		lasting := h.Relation != "works_at" && h.Relation != "located_in" // else "no, it was Graz, not Linz" may tell of anything
		switch {
		case contrasted[h.Relation] == 0:
		case h.Just && (s.amends.ok || lasting && len(appendHeld(here, h)) == len(here)):
			just = appendHeld(just, h)
		case s.amends.retracts && lasting:
			all = appendHeld(all, h)
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

// held gives what is known of a name: what this text has said before, and what the graph holds.
func (r *reader) held(name string, as memory.Direction) (list []extraction.Held) {
	key := memory.Canonical(name)
	for _, h := range slices.Concat(heldOf(r.found.Relations), r.takenBackFacts) {
		if as == memory.In && memory.Canonical(h.Tail) == key || as == memory.Out && memory.Canonical(h.Head) == key {
			list = appendHeld(list, h)
		}
	}
	for _, h := range r.holds(name, as) {
		list = appendHeld(list, h)
	}
	return list
}

// appendHeld adds a fact that is not there yet.
func appendHeld(list []extraction.Held, h extraction.Held) []extraction.Held {
	if slices.ContainsFunc(list, func(o extraction.Held) bool {
		return memory.Canonical(o.Head) == memory.Canonical(h.Head) && o.Relation == h.Relation && memory.Canonical(o.Tail) == memory.Canonical(h.Tail)
	}) {
		return list
	}
	return append(list, h)
}

// heldOf gives the facts of a text that have not ended.
func heldOf(list []memory.RelationDraft) (out []extraction.Held) {
	for _, d := range list {
		if !d.Ended {
			out = append(out, extraction.Held{Head: d.Head, HeadType: d.HeadType, Relation: d.Relation, Tail: d.Tail, TailType: d.TailType, Just: true})
		}
	}
	return out
}

// spokenOf says whether a sentence is rather of the one of two things that the graph has: what it names beside is known to belong to
// that one, or the last turn that it takes back was of it.
func (r *reader) spokenOf(s *sentence, one, other string) bool {
	if r.turn.Facts == nil {
		return false
	}
	ofOne, ofOther := false, false
	see := func(list []extraction.Held) {
		for _, h := range list {
			ofOne = ofOne || memory.Canonical(h.Head) == memory.Canonical(one)
			ofOther = ofOther || memory.Canonical(h.Head) == memory.Canonical(other)
		}
	}
	for _, t := range s.t {
		if t.kind == nameToken {
			see(r.held(s.names[t.name].text, memory.In))
		}
	}
	if s.amends.retracts {
		for _, h := range slices.Concat(r.held(one, memory.Out), r.held(other, memory.Out)) {
			if h.Just {
				see([]extraction.Held{h})
			}
		}
	}
	return ofOne && !ofOther
}

// holder is the head of what is held.
func (r *reader) holder(h extraction.Held) endpoint {
	return endpoint{text: h.Head, typ: h.HeadType, self: memory.Canonical(h.Head) == memory.Canonical(r.turn.Self)}
}
