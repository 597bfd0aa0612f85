package llm

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"memory-graph/extraction"
	"memory-graph/extraction/mentions"
	"memory-graph/graph"
	"memory-graph/memory"
)

// turn is a turn while its answer is checked.
type turn struct {
	extraction.Turn
	folded folded
	apart  [][2]int // from where to where the text is code or others' words
	before []folded // the earlier turns, where this one has a word that may refer to them
	self   string
	limits Limits
	found  extraction.Found
	ends   map[int]end    // by id
	named  map[string]end // the same by name and type
	facts  map[string]bool
}

// end is what an id of the answer stands for.
type end struct {
	name, typ string
	isSelf    bool
	here      bool // the name stands in this turn
}

// newTurn prepares the turn i of those that were asked about at once, which explain each other's references.
func newTurn(turns []extraction.Turn, i int) *turn {
	t := &turn{Turn: turns[i], folded: fold(turns[i].Text), self: self(turns[i]), ends: map[int]end{},
		named: map[string]end{}, facts: map[string]bool{}, apart: apart(turns[i].Text)}
	if t.folded.refers() {
		for _, l := range lines(t.Before) {
			t.before = append(t.before, fold(l.Text), fold(l.Speaker))
		}
		for _, earlier := range turns[:i] {
			t.before = append(t.before, fold(earlier.Text))
		}
	}
	t.ends[0] = end{name: t.self, typ: "person", isSelf: true}
	return t
}

// farTooMany times the limit are looked at, of which up to the limit are taken.
const farTooMany = 20

// validate takes of an answer what stands in the turn, and counts the rest. It adds nothing: a name is the turn's own
// spelling of it, a quote the turn's own words; a relation is read from the end from which it is offered.
func (t *turn) validate(a turnAnswer, l Limits) extraction.Found {
	t.limits = l
	for i, e := range a.Entities {
		why := DroppedEntities
		if i < farTooMany*l.Entities { // looking for each in a long text has its price
			why = t.entity(e)
		}
		if why != "" {
			t.drop(why)
		}
	}
	for i, r := range a.Relations {
		why := DroppedMore
		if i < farTooMany*l.Relations {
			why = t.relation(r)
		}
		if why != "" {
			t.drop(why)
		}
	}
	t.found.Relations = slices.DeleteFunc(slices.Clone(t.found.Relations), t.outlived)
	return t.found
}

func (t *turn) drop(why string) {
	if t.found.Dropped == nil {
		t.found.Dropped = map[string]int{}
	}
	t.found.Dropped[why]++
}

// maxNameBytes is the longest name that is taken from an answer: what is longer is a sentence.
const maxNameBytes = 120

// entity takes an entity of the answer, or says why not.
func (t *turn) entity(e entityAnswer) string {
	if _, twice := t.ends[e.ID]; e.ID < 1 || twice {
		return DroppedID
	}
	name := bare(e.Name)
	key := memory.Canonical(name)
	if t.isSelf(key) {
		t.ends[e.ID] = t.ends[0]
		return ""
	}
	if len(name) > maxNameBytes || !strings.ContainsFunc(key, unicode.IsLetter) || pronouns[key] {
		return DroppedName
	}
	typ := entityType(e.Type)
	if known, ok := t.named[key+"\x00"+typ]; ok {
		t.ends[e.ID] = known
		return ""
	}
	m, here := t.locate(name)
	if !here {
		earlier, ok := t.earlier(name)
		switch {
		case !ok && examples[key]:
			return DroppedExample
		case !ok:
			return DroppedAbsent
		}
		name = earlier
	} else {
		name = m.Name
	}
	if len(t.named) >= t.limits.Entities {
		return DroppedEntities
	}
	t.ends[e.ID] = end{name: name, typ: typ, here: here}
	t.named[key+"\x00"+typ] = t.ends[e.ID]
	if !here {
		return ""
	}
	m.Type = typ
	t.found.Mentions = append(t.found.Mentions, m)
	if e.Description != nil {
		switch said, why := t.quote(*e.Description); {
		case why != "":
			t.drop(DroppedWords)
		case !same(said, name):
			t.found.Entities = append(t.found.Entities, memory.EntityDraft{
				Name: name, Type: typ, Description: said, Method: memory.MethodModelStated,
			})
		}
	}
	return ""
}

// relation takes a relation of the answer, or says why not.
func (t *turn) relation(r relationAnswer) string {
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
	case r.Ended && !t.folded.ends():
		return DroppedEnded
	case (head.isSelf || tail.isSelf) && !t.ofSelf():
		return DroppedSpeaker
	}
	quote, why := t.quote(r.Quote)
	if why != "" {
		return why
	}
	if !t.quotes(quote, head, tail) {
		return DroppedOther
	}
	from, until, ok := period(r.ValidFrom, r.ValidUntil)
	if !ok {
		return DroppedTime
	}
	key := factKey(head.name, verb, tail.name, r.Ended)
	if t.facts[key] {
		return DroppedTwice
	}
	if len(t.found.Relations) >= t.limits.Relations {
		return DroppedMore
	}
	t.facts[key] = true
	if (!from.IsZero() || !until.IsZero()) && !t.folded.tells() {
		from, until = time.Time{}, time.Time{}
		t.drop(DroppedUnsaid)
	}
	confidence := r.Confidence
	draft := memory.RelationDraft{
		Head: head.name, HeadType: head.typ, Tail: tail.name, TailType: tail.typ, Relation: verb,
		Confidence: &confidence, ValidFrom: from, ValidUntil: until, Ended: r.Ended, Quote: quote,
		CreateMissing: true, Method: memory.MethodModelStated,
	}
	if !registered[verb] && slices.Contains(memory.EdgeClasses, r.EdgeClass) {
		draft.EdgeClass = r.EdgeClass // of a relation that is known the registry says it
	}
	if r.Basis == "implied" {
		draft.Method = memory.MethodModelImplied
	}
	t.found.Relations = append(t.found.Relations, draft)
	return ""
}

// outlived says that a fact that is said to hold is, in the same answer, said to have ended, and not to have begun again
// since: of "we moved from A to B" small models make all four.
func (t *turn) outlived(r memory.RelationDraft) bool {
	if r.Ended || !t.facts[factKey(r.Head, r.Relation, r.Tail, true)] {
		return false
	}
	key := factKey(r.Head, r.Relation, r.Tail, false)
	for _, e := range t.found.Relations {
		if e.Ended && factKey(e.Head, e.Relation, e.Tail, false) == key && (r.ValidFrom.IsZero() || r.ValidFrom.Before(e.ValidUntil)) {
			t.drop(DroppedLasting)
			return true
		}
	}
	return false
}

// factKey is the same for the same fact.
func factKey(head, verb, tail string, ended bool) string {
	return fmt.Sprintf("%s\x00%s\x00%s\x00%t", memory.Canonical(head), verb, memory.Canonical(tail), ended)
}

// locate gives where a name stands first in the turn.
func (t *turn) locate(name string) (mentions.Mention, bool) {
	start, stop, ok := t.folded.find(name, 0)
	if !ok {
		return mentions.Mention{}, false
	}
	text, from, to := t.folded.span(start, stop)
	return mentions.Mention{Name: text, Role: mentions.RoleMention, Start: from, Stop: to}, true
}

// earlier gives a name as it stands in the turns before, where this turn may refer to them.
func (t *turn) earlier(name string) (string, bool) {
	for _, f := range t.before {
		if start, stop, ok := f.find(name, 0); ok {
			text, _, _ := f.span(start, stop)
			return text, true
		}
	}
	return "", false
}
