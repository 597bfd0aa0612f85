package llm

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"memory-graph/extraction"
	"memory-graph/extraction/mentions"
	"memory-graph/extraction/rules"
	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/prompts"
)

// validation checks the answer about one turn.
type validation struct {
	extraction.Input
	folded folded
	speech *rules.Speech
	stands map[string][][2]int // places of names found so far
	before []folded            // earlier lines and turns
	given  []string            // names that the answer gave to entities of the turns before
	forms  map[string]string   // the words of the turn by stem; nil until it is needed
	self   string
	limits Limits
	found  memory.Findings
	ends   map[int]end    // by id
	named  map[string]end // the same by name and type
	facts  map[string]bool
	taken  []taken
	answer turnAnswer
}

// end is the entity of an id in the answer.
type end struct {
	name, typ string
	said      string // the words that stand for it in this turn; "" if it is meant by other words
	isSelf    bool
	recalled  bool     // only the graph has the name: only an end of a known fact may name it
	value     bool     // a number or a date: only the tail of a fact
	sure      *float64 // nil: the answer does not say
}

// newValidation prepares the check of turns[i]. Its references may point to the turns before it.
func newValidation(turns []extraction.Input, i int) *validation {
	t := &validation{Input: turns[i], folded: fold(turns[i].Text), self: self(turns[i]), ends: map[int]end{},
		named: map[string]end{}, facts: map[string]bool{}, stands: map[string][][2]int{}}
	for _, l := range lines(t.Before) {
		t.before = append(t.before, fold(l.Text), fold(l.Speaker))
	}
	for _, earlier := range turns[:i] {
		t.before = append(t.before, fold(earlier.Text))
	}
	t.ends[0] = end{name: t.self, typ: "person", isSelf: true}
	return t
}

// Entities and relations beyond farTooMany times the limit are dropped without a check.
const farTooMany = 20

// validate keeps the parts of an answer that the turn supports, and counts and names the rest. It checks what can be
// checked exactly: that quotes are the turn's own words, that names are known, and the form. How a sentence is meant is
// for the model to say. Relations are turned to their offered direction.
func (t *validation) validate(a turnAnswer, l Limits) memory.Findings {
	t.limits = l
	t.speech = rules.HearMaterial(t.Text)
	a = telling(a, l)
	t.answer = a
	names := map[int]string{0: t.self}
	for i, e := range a.Entities {
		names[e.ID] = e.Name
		why := DroppedEntities
		if i < farTooMany*l.Entities { // searching a long text for each has a cost
			why = t.entity(e)
		}
		if why != "" {
			t.drop(why, e.Name)
		}
	}
	for i, r := range a.Relations {
		why := DroppedMore
		if i < farTooMany*l.Relations {
			why = t.relation(r)
		}
		if why != "" {
			t.drop(why, item(names[r.Head], r.Relation, names[r.Tail], r.Ended))
		}
	}
	t.found.Relations = slices.DeleteFunc(slices.Clone(t.found.Relations), t.outlived)
	return t.found
}

// item returns a fact as one line for a log.
func item(head, verb, tail string, ended bool) string {
	line := head + " " + verb + " " + tail
	if ended {
		line += " (ended)"
	}
	return prompts.Line(maxItem, line)
}

// maxItem is the longest item in characters.
const maxItem = 200

// telling sorts an answer that exceeds the limits: relations with a single value, such as a job or a home, come first,
// with their entities. A long list of others then does not displace them.
func telling(a turnAnswer, l Limits) turnAnswer {
	if len(a.Entities) <= l.Entities && len(a.Relations) <= l.Relations {
		return a
	}
	ends := map[int]bool{}
	one := func(r relationAnswer) int {
		verb, _ := directed(graph.Snake(r.Relation))
		if graph.Lookup(verb).One {
			return 0
		}
		return 1
	}
	for _, r := range a.Relations {
		if one(r) == 0 {
			ends[r.Head], ends[r.Tail] = true, true
		}
	}
	rank := func(e entityAnswer) int {
		if ends[e.ID] {
			return 0
		}
		return 1
	}
	a.Entities, a.Relations = slices.Clone(a.Entities), slices.Clone(a.Relations)
	slices.SortStableFunc(a.Entities, func(x, y entityAnswer) int { return cmp.Compare(rank(x), rank(y)) })
	slices.SortStableFunc(a.Relations, func(x, y relationAnswer) int { return cmp.Compare(one(x), one(y)) })
	return a
}

func (t *validation) drop(why, what string) {
	t.found.Drop(why, what)
}

// maxNameBytes is the longest accepted name. Longer ones are sentences.
const maxNameBytes = 120

// entity accepts an entity of the answer and returns "", or returns the reason for dropping it.
func (t *validation) entity(e entityAnswer) string {
	if _, twice := t.ends[e.ID]; e.ID < 1 || twice {
		return DroppedID
	}
	if c := e.Confidence; c != nil && !(*c >= 0 && *c <= 1) {
		return DroppedScore
	}
	name := bare(e.Name)
	key := memory.Canonical(name)
	if t.isSelf(key) {
		t.ends[e.ID] = t.ends[0]
		return ""
	}
	value := !strings.ContainsFunc(key, unicode.IsLetter)
	if len(name) > maxNameBytes || pronouns[key] || value && !strings.ContainsFunc(key, unicode.IsDigit) {
		return DroppedName
	}
	typ := entityType(e.Type)
	if known, ok := t.named[key+"\x00"+typ]; ok {
		t.ends[e.ID] = known
		return ""
	}
	m, here := t.locate(name)
	found := end{name: m.Name, typ: typ, said: m.Name, value: value}
	if here {
		found.name = t.spelled(m.Name)
	} else {
		var ok bool
		if found.name, found.said, ok = t.elsewhere(name); !ok {
			if examples[key] {
				return DroppedExample
			}
			if found.name, ok = t.recall(name); ok {
				found.recalled = true
			} else if found.said, ok = t.described(name, typ); ok {
				found.name = name
			} else {
				return DroppedAbsent
			}
		}
	}
	if limit, n := t.room(found, typ); n >= limit {
		return DroppedEntities
	}
	if c := e.Confidence; c != nil && *c < t.limits.MinConfidence { // its relations have no end, so they are dropped, too
		return DroppedUnsure
	}
	found.sure = e.Confidence
	t.ends[e.ID] = found
	t.named[key+"\x00"+typ] = found
	if !here {
		return ""
	}
	if !value {
		m.Type = typ
		t.found.Mentions = append(t.found.Mentions, m)
	}
	if e.Description != nil {
		switch said, _, why := t.quote(*e.Description); {
		case why != "":
			t.drop(DroppedWords, name)
		case !same(said, found.name) && !value:
			t.found.Entities = append(t.found.Entities, memory.EntityDraft{Name: found.name, Type: typ, Description: said,
				Confidence: found.sure, Method: memory.MethodModelStated})
		}
	}
	return ""
}

// room returns how many entities such as this one a turn may have, and how many it has. Values, states, roles and dates
// are only the ends of relations, so their limit is that of the relations. A list of nine people and their roles is
// then not cut.
func (t *validation) room(e end, typ string) (limit, n int) {
	ofValues := func(e end, typ string) bool { return e.value || typ == "concept" }
	limit = t.limits.Entities
	if ofValues(e, typ) {
		limit = t.limits.Relations
	}
	for _, have := range t.named {
		if ofValues(have, have.typ) == ofValues(e, typ) {
			n++
		}
	}
	return limit, n
}

// locate returns the first place of a name in the turn.
func (t *validation) locate(name string) (memory.Mention, bool) {
	start, stop, ok := t.folded.find(name, 0)
	if !ok {
		return memory.Mention{}, false
	}
	text, from, to := t.folded.span(start, stop)
	return memory.Mention{Name: text, Role: mentions.RoleMention, Start: from, Stop: to}, true
}
