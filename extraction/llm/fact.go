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
	case !fitting(verb, head, tail):
		return DroppedTypes
	}
	quote, at, why := t.quote(r.Quote)
	if why != "" {
		return why
	}
	meant, why := t.meant(at, verb, r.Ended, head, tail)
	if why != "" {
		return why
	}
	sure := t.says(verb, r.Ended, [2]int{at.Start, at.Stop}, meant, head)
	if sure == unsaid {
		return DroppedVerb
	}
	if r.Ended && !fold(t.Text[min(at.Start, meant.sentence[0]):max(at.Stop, meant.sentence[1])]).ends() {
		return DroppedEnded
	}
	from, until, ok := period(r.ValidFrom, r.ValidUntil)
	if !ok {
		return DroppedTime
	}
	key := factKey(head.name, verb, tail.name, r.Ended)
	if t.facts[key] {
		return DroppedTwice
	}
	fact := taken{at: at, head: memory.Canonical(head.name), verb: verb, tail: memory.Canonical(tail.name)}
	if slices.ContainsFunc(t.taken, fact.repeats) {
		return DroppedSameWords
	}
	if len(t.found.Relations) >= t.limits.Relations {
		return DroppedMore
	}
	t.facts[key] = true
	t.taken = append(t.taken, fact)
	for _, m := range []*moment{&from, &until} {
		if !t.dated(*m, meant.sentence[0], meant.sentence[1]) {
			*m = moment{}
			t.drop(DroppedUnsaid)
		}
	}
	confidence := r.Confidence
	draft := memory.RelationDraft{
		Head: head.name, HeadType: head.typ, Tail: tail.name, TailType: tail.typ, Relation: verb,
		Confidence: &confidence, ValidFrom: from.from, ValidUntil: until.from, FromUnit: from.unit,
		UntilUnit: until.unit, Ended: r.Ended, Quote: quote,
		CreateMissing: true, Method: memory.MethodModelStated,
	}
	if !registered[verb] && slices.Contains(memory.EdgeClasses, r.EdgeClass) {
		draft.EdgeClass = r.EdgeClass // the registry sets the class of a known relation
	}
	if r.Basis == "implied" || meant.unsure || sure == implied {
		draft.Method = memory.MethodModelImplied
	}
	t.found.Relations = append(t.found.Relations, draft)
	return ""
}

// repeats reports whether a fact states something else about the same two nodes as an earlier one, from the same words.
// One quote states one fact about them, except that one may also replace the other.
func (f taken) repeats(before taken) bool {
	pair := f.head == before.head && f.tail == before.tail
	turned := f.head == before.tail && f.tail == before.head
	switch {
	case !pair && !turned, f.at.Start >= before.at.Stop || before.at.Start >= f.at.Stop:
		return false
	case f.verb == before.verb:
		return turned && !graph.Lookup(f.verb).Symmetric
	}
	return f.verb != "replaced_by" && before.verb != "replaced_by"
}

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
			t.drop(DroppedLasting)
			return true
		}
	}
	return false
}

// factKey returns a key that is equal for equal facts.
func factKey(head, verb, tail string, ended bool) string {
	return fmt.Sprintf("%s\x00%s\x00%s\x00%t", memory.Canonical(head), verb, memory.Canonical(tail), ended)
}
