// Package referred completes what the rules find in a turn by what the graph holds: which facts are told as a change,
// whose thing is gone ("sentry is gone"), and which role changed hands ("the contact is now Petra"). It refers to the
// one active fact that fits. If several fit, it states nothing.
package referred

import (
	"fmt"
	"slices"
	"strings"

	"memory-graph/extraction"
	"memory-graph/extraction/dates"
	"memory-graph/extraction/rules"
	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// confidence is that of a fact whose head the words leave out: enough to end the fact that it refers to.
const confidence = .7

// Resolve returns the findings of the rules with the facts that the turn only refers to. It changes nothing in a turn
// that is not the user's.
func Resolve(t extraction.Input, found memory.Findings) memory.Findings {
	if t.Role != memory.RoleUser {
		return found
	}
	found.Relations = slices.Clone(found.Relations)
	for i, d := range found.Relations {
		found.Relations[i].News = d.News && !narrow(t.Text, d) || !d.Ended && Told(t.Text, d)
		found.Relations[i].Still = d.Still && instead(t.Text, d, found.Relations)
	}
	precise(t, found.Relations)
	lasting(t, found.Relations)
	named(t, found.Relations)
	if t.Facts == nil {
		return found
	}
	read := len(found.Relations)
	for _, c := range own(t.Text, mayRefer, refers) {
		if thing := goneIn(c); thing != "" {
			found.Relations = gone(t, found.Relations, c, thing)
		} else if role, person := handedIn(c); role != "" {
			found.Relations = handed(t, found.Relations, c, role, person)
		}
	}
	for _, d := range found.Relations[:read] {
		for _, c := range clauses(t.Text) {
			if weDropped(t, d) && (strings.Contains(c.text, d.Quote) || strings.Contains(d.Quote, c.text)) {
				found.Relations = gone(t, found.Relations, c, d.Tail)
				break
			}
		}
	}
	found.Relations = corrected(t, keptBy(t, found.Relations))
	found.Relations = denied(t, found.Relations)
	for i, d := range found.Relations[read:] {
		found.Relations[read+i].Unnamed = d.Ended && (!names(t, d.Head) || !names(t, d.Tail))
	}
	return found
}

// names reports whether a turn has a name, or it is the speaker's.
func names(t extraction.Input, name string) bool {
	return memory.Canonical(name) == memory.Canonical(t.Self) ||
		strings.Contains(memory.Canonical(t.Text), memory.Canonical(name))
}

// refers reports whether a clause refers to something that the graph may hold.
func refers(c clause) bool {
	role, _ := handedIn(c)
	return role != "" || goneIn(c) != ""
}

// own returns the clauses of a text's own words if one of its clauses fits, and nil otherwise. Quotations, code, logs
// and text to work on are not the writer's own words. Few texts have a clause that fits, so few are read twice.
func own(text string, may func(lower string) bool, fits func(clause) bool) []clause {
	if !may(strings.ToLower(text)) || !slices.ContainsFunc(clauses(text), fits) {
		return nil
	}
	return clauses(rules.Hear(text, nil).Words(0, len(text)))
}

// precise sets how precise the times of the facts are in the text: "since 2019" and "early 2019" are a year.
func precise(t extraction.Input, list []memory.RelationDraft) {
	if !slices.ContainsFunc(list, func(d memory.RelationDraft) bool {
		return !d.ValidFrom.IsZero() || !d.ValidUntil.IsZero()
	}) {
		return
	}
	for _, span := range dates.Resolve(t.Text, t.OccurredAt) {
		if span.About && !span.PartOfYear() || span.Unit < dates.Month || span.Unit == dates.Quarter {
			continue
		}
		for i, d := range list {
			if !d.ValidFrom.IsZero() && d.ValidFrom.Equal(span.Began()) {
				list[i].ValidFrom, list[i].FromUnit = span.Period(d.ValidFrom)
			}
			if !d.ValidUntil.IsZero() && d.ValidUntil.Equal(span.Ended()) {
				list[i].ValidUntil, list[i].UntilUnit = span.Period(d.ValidUntil)
			}
		}
	}
}

// Told reports whether a text tells a fact about what is used as a change: the part of a sentence with its tail has
// "now", "switched to" or their like.
func Told(text string, d memory.RelationDraft) bool {
	if !ofKinds(d.Relation) {
		return false
	}
	tail := strings.ToLower(d.Tail)
	may := func(lower string) bool { return hasAny(lower, told) && strings.Contains(lower, tail) }
	fits := func(c clause) bool {
		return may(c.lower) && changeWords().MatchString(c.lower) && !added().MatchString(c.lower) &&
			!doubtful().MatchString(c.lower) && !c.limited(tail)
	}
	return slices.ContainsFunc(own(text, may, fits), fits)
}

// narrow reports whether a text says that something is used now, and for what or where only.
func narrow(text string, d memory.RelationDraft) bool {
	return !d.Ended && ofKinds(d.Relation) && slices.ContainsFunc(clauses(text), func(c clause) bool {
		return c.limited(strings.ToLower(d.Tail))
	})
}

// instead reports whether a fact that is said to hold still denies what took its place: for a job or a home, and for
// what is used unless it is used for something only, or beside other things.
func instead(text string, d memory.RelationDraft, found []memory.RelationDraft) bool {
	if !ofKinds(d.Relation) {
		return graph.Lookup(graph.Store(graph.Snake(d.Relation), d.HeadType, d.TailType).Relation).OneTail(d.HeadType)
	}
	tail := strings.ToLower(d.Tail)
	return !narrow(text, d) && !slices.ContainsFunc(clauses(text), func(c clause) bool {
		return strings.Contains(c.lower, tail) && added().MatchString(c.lower)
	}) && !slices.ContainsFunc(found, func(o memory.RelationDraft) bool {
		return !o.Ended && ofKinds(o.Relation) && o.Head == d.Head && o.Tail != d.Tail &&
			graph.SameKind(o.Tail, d.Tail) != ""
	})
}

// ofKinds reports whether a change of such a fact ends another of the same kind.
func ofKinds(relation string) bool {
	return graph.Lookup(graph.Store(graph.Snake(relation), "", "technology").Relation).Kinds
}

// gone adds the end of the one fact whose tail a clause says is gone. If the rules have read it of what "we" used, and
// the one fact is not the speaker's, the end is that of the fact. What the speaker is said to use instead, in the same
// sentence or the next, is used by the head of that fact: what is of the same kind, or the only other thing if the kind
// of one of the two is unknown.
func gone(t extraction.Input, list []memory.RelationDraft, c clause, thing string) []memory.RelationDraft {
	key := memory.Canonical(thing)
	read := slices.IndexFunc(list, func(d memory.RelationDraft) bool { return d.Ended && memory.Canonical(d.Tail) == key })
	h, ok := one(uses(t.Facts(thing, memory.In)), func(h extraction.Held) bool { return ofKinds(h.Relation) })
	if !ok || read >= 0 && (!weDropped(t, list[read]) || memory.Canonical(h.Head) == memory.Canonical(t.Self)) {
		return list
	}
	sure := confidence
	other := func(d memory.RelationDraft) bool {
		return !d.Ended && ofKinds(d.Relation) && memory.Canonical(d.Tail) != key
	}
	alone := len(slices.DeleteFunc(slices.Clone(list), func(d memory.RelationDraft) bool { return !other(d) })) == 1
	for i, d := range list {
		known := graph.SameKind(h.Tail, d.Tail) != ""
		unknown := alone && (len(graph.Kinds(h.Tail)) == 0 || len(graph.Kinds(d.Tail)) == 0) &&
			memory.Canonical(d.Head) == memory.Canonical(t.Self)
		if !other(d) || !known && !unknown || !c.near(t.Text, d, known) {
			continue
		}
		if memory.Canonical(d.Head) == memory.Canonical(t.Self) { // "we switched to": the system, not the speaker
			list[i].Head, list[i].HeadType = h.Head, h.HeadType
			list[i].Fact = fmt.Sprintf("%s %s %s.", h.Head, strings.ReplaceAll(d.Relation, "_", " "), d.Tail)
		}
		list[i].News = true
	}
	end := memory.RelationDraft{Head: h.Head, HeadType: h.HeadType, Relation: h.Relation, Tail: h.Tail,
		TailType: h.TailType, Fact: fmt.Sprintf("%s no longer %s %s.", h.Head, strings.ReplaceAll(h.Relation, "_", " "),
			h.Tail),
		Quote: c.text, Confidence: &sure, Method: memory.MethodRuleHedged, Ended: true, News: true}
	if read < 0 {
		return append(list, end)
	}
	end.Unnamed = !names(t, h.Head)
	end.ValidFrom, end.FromUnit, end.ValidUntil, end.UntilUnit = list[read].ValidFrom, list[read].FromUnit,
		list[read].ValidUntil, list[read].UntilUnit
	list[read] = end
	return list
}

// we is who speaks for a team or a project.
var we = text.Pattern(`(?i)\bwe\b`)

// weDropped reports whether the rules read that "we" no longer use something. They say it of the speaker.
func weDropped(t extraction.Input, d memory.RelationDraft) bool {
	return d.Ended && ofKinds(d.Relation) && memory.Canonical(d.Head) == memory.Canonical(t.Self) &&
		we().MatchString(d.Quote)
}

// uses returns facts with those that say of one head and tail that it is used as one: who runs on a database uses it.
func uses(list []extraction.Held) (out []extraction.Held) {
	for _, h := range list {
		i := slices.IndexFunc(out, func(o extraction.Held) bool {
			return o.Head == h.Head && o.Tail == h.Tail && ofKinds(o.Relation) && ofKinds(h.Relation)
		})
		if i < 0 {
			out = append(out, h)
			continue
		}
		out[i].Relation, out[i].Just = "uses", out[i].Just || h.Just
	}
	return out
}

// one returns the only fact that fits.
func one(list []extraction.Held, fits func(extraction.Held) bool) (h extraction.Held, ok bool) {
	for _, f := range list {
		if !fits(f) {
			continue
		}
		if ok {
			return h, false
		}
		h, ok = f, true
	}
	return h, ok
}
