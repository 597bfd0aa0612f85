package llm

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"memory-graph/extraction"
	"memory-graph/extraction/dates"
	"memory-graph/extraction/mentions"
	"memory-graph/extraction/rules"
	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// validation checks the answer about one turn.
type validation struct {
	extraction.Input
	folded folded
	speech *rules.Speech
	spans  []dates.Span        // the times that the turn names
	stands map[string][][2]int // places of names found so far
	before []folded            // earlier turns, if this one may refer to them
	self   string
	limits Limits
	found  memory.Findings
	ends   map[int]end    // by id
	named  map[string]end // the same by name and type
	facts  map[string]bool
	taken  []taken
}

// end is the entity of an id in the answer.
type end struct {
	name, typ string
	isSelf    bool
	here      bool // the name occurs in this turn
	madeUp    bool // the type is not a known one
}

// newValidation prepares the check of turns[i]. Its references may point to the turns before it.
func newValidation(turns []extraction.Input, i int) *validation {
	t := &validation{Input: turns[i], folded: fold(turns[i].Text), self: self(turns[i]), ends: map[int]end{},
		named: map[string]end{}, facts: map[string]bool{}, stands: map[string][][2]int{}}
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

// Entities and relations beyond farTooMany times the limit are dropped without a check.
const farTooMany = 20

// validate keeps the parts of an answer that the turn supports, and counts the rest. It adds nothing: names have the
// turn's own spelling, and quotes are the turn's own words. Relations are turned to their offered direction.
func (t *validation) validate(a turnAnswer, l Limits) memory.Findings {
	t.limits = l
	t.listen(a)
	a = telling(a, l)
	for i, e := range a.Entities {
		why := DroppedEntities
		if i < farTooMany*l.Entities { // searching a long text for each has a cost
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

// listen parses the turn, with the names in the answer.
func (t *validation) listen(a turnAnswer) {
	var names []rules.Span
	for i, e := range a.Entities {
		if name := bare(e.Name); i < farTooMany*t.limits.Entities && len(name) <= maxNameBytes &&
			!pronouns[memory.Canonical(name)] {
			for _, s := range t.folded.all(name, maxPlaces) {
				names = append(names, rules.Span{Start: s[0], Stop: s[1]})
			}
		}
	}
	t.speech = rules.Hear(t.Text, t.Role, names)
	t.spans = dates.Resolve(t.Text, t.OccurredAt)
}

func (t *validation) drop(why string) {
	if t.found.Dropped == nil {
		t.found.Dropped = map[string]int{}
	}
	t.found.Dropped[why]++
}

// maxNameBytes is the longest accepted name. Longer ones are sentences.
const maxNameBytes = 120

// entity accepts an entity of the answer and returns "", or returns the reason for dropping it.
func (t *validation) entity(e entityAnswer) string {
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
	typ, madeUp := entityType(e.Type)
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
	t.ends[e.ID] = end{name: name, typ: typ, here: here, madeUp: madeUp}
	t.named[key+"\x00"+typ] = t.ends[e.ID]
	if !here {
		return ""
	}
	m.Type = typ
	t.found.Mentions = append(t.found.Mentions, m)
	if e.Description != nil {
		switch said, _, why := t.quote(*e.Description); {
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

// locate returns the first place of a name in the turn.
func (t *validation) locate(name string) (memory.Mention, bool) {
	start, stop, ok := t.folded.find(name, 0)
	if !ok {
		return memory.Mention{}, false
	}
	text, from, to := t.folded.span(start, stop)
	return memory.Mention{Name: text, Role: mentions.RoleMention, Start: from, Stop: to}, true
}

// earlier returns a name as spelled in an earlier turn, if this turn may refer to it.
func (t *validation) earlier(name string) (string, bool) {
	for _, f := range t.before {
		if start, stop, ok := f.find(name, 0); ok {
			text, _, _ := f.span(start, stop)
			return text, true
		}
	}
	return "", false
}
