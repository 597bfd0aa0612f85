package rules

import "memory-graph/internal/memory"

// discourse holds the possible referents of "she" and "it": the people and topics of this sentence and the previous
// one. A pronoun is resolved only if there is exactly one.
type discourse struct {
	people, topics         []referent // of the current sentence
	lastPeople, lastTopics []referent
	// Names that may be a person's. "She" refers to them if no known person is mentioned.
	strangers, lastStrangers []referent
}

type referent struct {
	text, typ string
	at        int // token
}

// turn starts a new sentence.
func (d *discourse) turn() {
	if len(d.people) > 0 || len(d.topics) > 0 || len(d.strangers) > 0 {
		d.lastPeople, d.lastTopics, d.lastStrangers = d.people, d.topics, d.strangers
	}
	d.people, d.topics, d.strangers = nil, nil, nil
}

// person records that a person is mentioned.
func (d *discourse) person(text string, at int) { d.people = add(d.people, text, "person", at) }

// stranger records a name that may be a person's.
func (d *discourse) stranger(text string, at int) { d.strangers = add(d.strangers, text, "person", at) }

// topic records a topic.
func (d *discourse) topic(text, typ string, at int) { d.topics = add(d.topics, text, typ, at) }

func add(list []referent, text, typ string, at int) []referent {
	for _, r := range list {
		if memory.Canonical(r.text) == memory.Canonical(text) {
			return list
		}
	}
	if len(list) >= 8 {
		return list
	}
	return append(list, referent{text, typ, at})
}

// resolve returns the referent of the pronoun at token at. ok is false if it is not clear.
func (d *discourse) resolve(pronoun string, at int) (referent, bool) {
	if pronoun == "it" {
		return only(before(d.topics, at), d.lastTopics)
	}
	if now := before(d.people, at); len(now)+len(d.lastPeople) > 0 || pronoun != "he" && pronoun != "she" &&
		pronoun != "him" {
		return only(now, d.lastPeople)
	}
	return only(before(d.strangers, at), d.lastStrangers)
}

func before(list []referent, at int) []referent {
	n := 0
	for n < len(list) && list[n].at < at {
		n++
	}
	return list[:n]
}

// only returns the one referent of this sentence and the previous one. ok is false if there are several or none.
func only(now, last []referent) (referent, bool) {
	var found referent
	n := 0
	for _, list := range [][]referent{now, last} {
		for _, r := range list {
			if n == 0 || memory.Canonical(found.text) != memory.Canonical(r.text) {
				found = r
				n++
			}
		}
	}
	return found, n == 1
}
