package llm

import (
	"fmt"
	"slices"
	"strings"

	"memory-graph/extraction/rules"
	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// taken is an accepted fact: its place in the turn, and its ends.
type taken struct {
	at               rules.Span
	head, verb, tail string // canonical names
}

// relation accepts a relation of the answer and returns "", or returns the reason for dropping it.
func (t *validation) relation(r relationAnswer) string {
	head, ok1 := t.ends[r.Head]
	tail, ok2 := t.ends[r.Tail]
	verb, swap := directed(graph.Snake(r.Relation))
	if swap {
		head, tail = tail, head
	}
	words := strings.Count(verb, "_") + 1
	switch {
	case !ok1 || !ok2:
		return DroppedEnd
	case r.Head == r.Tail || same(head.name, tail.name):
		return DroppedSelf
	case verb == "" || len(verb) > 64 || words > 5 || reserved[verb]:
		return DroppedRelation
	case r.Basis != "stated" && r.Basis != "implied":
		return DroppedBasis
	case !(r.Confidence >= 0 && r.Confidence <= 1):
		return DroppedScore
	case (head.isSelf || tail.isSelf) && !t.ofSelf():
		return DroppedSpeaker
	case head.value, tail.value && !takesValue(verb):
		return DroppedName
	}
	if (head.recalled || tail.recalled) && (!r.Ended || t.holds(verb, head, tail) == nil) {
		return DroppedAbsent
	}
	quote, at, why := t.quote(r.Quote)
	if why != "" {
		return why
	}
	ground := t.grounds(at, verb, r.Ended, head, tail)
	switch {
	case ground == elsewhere:
		return DroppedOther
	case t.unmeant(at):
		return DroppedManner
	case t.alias(verb, r, head, tail):
		return ""
	}
	key := factKey(head.name, verb, tail.name, r.Ended)
	if t.facts[key] {
		return DroppedTwice
	}
	fact := taken{at: at, head: memory.Canonical(head.name), verb: verb, tail: memory.Canonical(tail.name)}
	if slices.ContainsFunc(t.taken, fact.repeats) {
		return DroppedReversed
	}
	if len(t.found.Relations) >= t.limits.Relations {
		return DroppedMore
	}
	t.facts[key] = true
	t.taken = append(t.taken, fact)
	from, until := t.period(r, item(head.name, verb, tail.name, r.Ended))
	switch {
	case r.Ended:
		until = t.endsAt(until, from, verb, head, tail)
	case verb == "has_deadline": // it holds before its day, which is the tail
		from = moment{}
	}
	confidence := r.Confidence
	draft := memory.RelationDraft{
		Head: head.name, HeadType: head.typ, Tail: tail.name, TailType: tail.typ, Relation: verb,
		Confidence: &confidence, ValidFrom: from.from, ValidUntil: until.from, FromUnit: from.unit,
		UntilUnit: until.unit, Ended: r.Ended, Quote: quote,
		CreateMissing: true, Method: memory.MethodModelStated,
	}
	for _, e := range [2]end{head, tail} {
		if e.isSelf || e.sure == nil {
			continue
		}
		if draft.Sure == nil {
			draft.Sure = map[string]float64{}
		}
		draft.Sure[e.name] = *e.sure
	}
	if c := r.EdgeClass; c != nil && !registered[verb] && slices.Contains(memory.EdgeClasses, *c) {
		draft.EdgeClass = *c // the registry sets the class of a known relation
	}
	if r.Basis == "implied" || ground == unnamed {
		draft.Method = memory.MethodModelImplied
	}
	t.found.Relations = append(t.found.Relations, draft)
	return ""
}

// repeats reports whether a fact is an earlier one with head and tail exchanged, from the same words. Both are true of
// a symmetric relation only, for which one is enough.
func (f taken) repeats(before taken) bool {
	return f.verb == before.verb && f.head == before.tail && f.tail == before.head &&
		f.at.Start < before.at.Stop && before.at.Start < f.at.Stop
}

// takesValue reports whether the tail of a relation may be a number or a date.
func takesValue(verb string) bool { return valued[verb] || !registered[verb] }

// valued are the known relations whose tail may be a number or a date.
var valued = map[string]bool{"scheduled_for": true, "has_deadline": true, "has_status": true, "has_version": true,
	"born_on": true, "has_age": true, "has_price": true, "has_address": true}

// outlived reports whether the answer also states that an active fact has ended, and not that it began again. Small
// models make all four facts from "we moved from A to B".
func (t *validation) outlived(r memory.RelationDraft) bool {
	if r.Ended || !t.facts[factKey(r.Head, r.Relation, r.Tail, true)] {
		return false
	}
	key := factKey(r.Head, r.Relation, r.Tail, false)
	for _, e := range t.found.Relations {
		if e.Ended && factKey(e.Head, e.Relation, e.Tail, false) == key &&
			(r.ValidFrom.IsZero() || r.ValidFrom.Before(e.ValidUntil)) {
			t.drop(DroppedLasting, item(r.Head, r.Relation, r.Tail, false))
			return true
		}
	}
	return false
}

// factKey returns a key that is equal for equal facts.
func factKey(head, verb, tail string, ended bool) string {
	return fmt.Sprintf("%s\x00%s\x00%s\x00%t", memory.Canonical(head), verb, memory.Canonical(tail), ended)
}
