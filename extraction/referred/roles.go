package referred

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memory-graph/extraction"
	"memory-graph/extraction/mentions"
	"memory-graph/extraction/rules"
	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

var (
	roleIs = text.Pattern(`(?i)` + lead + `(?:the|our|my) (new |current )?(` + roles + `) (?:is|will be|'s) ` +
		`(now |currently )?` + name + `( now| these days)?$`)
	isTheRole = text.Pattern(`(?i)` + lead + `(now )?` + name + ` (?:is|'s) (now )?(?:the|our|my) (new )?(` +
		roles + `)( now)?$`)
	// newRole stands before the name of a new holder.
	newRole = text.Pattern(`(?i)\b(?:got|have|'ve) a new (` + roles + `)(?: called| named)?[,:]? ` + name + `$`)
	mine    = text.Pattern(`\bmy\b`)
	ours    = text.Pattern(`\b(?:my|our|i|we|i've|we've)\b`)
	// whose are who somebody is to the speaker, and the name.
	whose = text.Pattern(`(?i)\b(?:my|our) (?:[\p{L}-]+ )*?([\p{L}-]+)` +
		`(?:,|'s name is| is called| is| called)?(?: now)? (\p{L}.*)`)
	whom = text.Pattern(`(?i)(\p{L}.*?)(?:,| is|'s)(?: now)? (?:my|our) (?:[\p{L}-]+ )*?([\p{L}-]+)$`)
)

// superiors are the roles of those to whom the speaker reports.
var superiors = []string{"boss", "manager", "supervisor"}

// handedIn returns the role, in snake_case, that a clause says a person has now, and the person. Both are "" for none.
func handedIn(c clause) (role, person string) {
	if !hasAny(c.lower, nowWords) || !hasAny(c.lower, roleWords) || doubtful().MatchString(c.before) ||
		added().MatchString(c.lower) {
		return "", ""
	}
	if m := roleIs().FindStringSubmatch(c.text); m != nil && m[1]+m[3]+m[5] != "" {
		role, person = m[2], m[4]
	} else if m := isTheRole().FindStringSubmatch(c.text); m != nil && m[1]+m[3]+m[4]+m[6] != "" {
		role, person = m[5], m[2]
	} else if m := newRole().FindStringSubmatch(c.sentence); m != nil {
		role, person = m[1], m[2]
	}
	return strings.ReplaceAll(strings.ToLower(role), " ", "_"), person
}

// named gives the facts that the speaker knows somebody the sentence that says as whom: "Petra is User's landlord."
func named(t extraction.Input, list []memory.RelationDraft) {
	for i, d := range list {
		if d.Relation != "knows" || memory.Canonical(d.Head) != memory.Canonical(t.Self) || d.Ended {
			continue
		}
		if m := whose().FindStringSubmatch(d.Quote); m != nil && hasPrefixFold(m[2], d.Tail) {
			list[i].Fact = hasRoleOf(d.Tail, d.Head, strings.ToLower(m[1]))
		} else if m := whom().FindStringSubmatch(d.Quote); m != nil && strings.EqualFold(m[1], d.Tail) {
			list[i].Fact = hasRoleOf(d.Tail, d.Head, strings.ToLower(m[2]))
		}
	}
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

func hasRoleOf(person, of, role string) string {
	return fmt.Sprintf("%s is %s's %s.", person, of, role)
}

// holders returns the active facts that say who has a role.
func holders(t extraction.Input, c clause, role string) (list []extraction.Held) {
	word := strings.ReplaceAll(role, "_", " ")
	if ours().MatchString(c.lower) {
		for _, h := range t.Facts(t.Self, memory.Out) {
			if h.Relation == "reports_to" && slices.Contains(superiors, word) ||
				h.Relation == "knows" && h.Fact == hasRoleOf(h.Tail, h.Head, word) {
				list = append(list, h)
			}
		}
	}
	if t.Roles != nil && !slices.Contains(superiors, word) {
		list = append(list, t.Roles(role)...)
	}
	return list
}

// handed adds the new holder of a role and the end of the old one, if the graph has one other active fact of that role.
func handed(t extraction.Input, list []memory.RelationDraft, c clause, role, person string) []memory.RelationDraft {
	if rules.NoPerson(person) || shortened().MatchString(strings.TrimSuffix(person, ".")+".") {
		return list
	}
	if !capitalised(person) && !slices.ContainsFunc(list, func(d memory.RelationDraft) bool {
		return strings.EqualFold(d.Head, person) || strings.EqualFold(d.Tail, person)
	}) {
		return list
	}
	// In "Bert contact_of Acme" the head has the role. In "Acme primary_contact Bert" it is the tail.
	of := func(h extraction.Held) (holder, other string) {
		if hasRole(h.Relation, role) {
			return h.Head, h.Tail
		}
		return h.Tail, h.Head
	}
	var over []extraction.Held
	for _, h := range holders(t, c, role) {
		if holder, _ := of(h); memory.Canonical(holder) != memory.Canonical(person) {
			over = append(over, h)
		}
	}
	for _, h := range over {
		holder, other := of(h)
		if first, _ := of(over[0]); first != holder || elsewhere(t, c, other, person, holder) {
			return list
		}
	}
	for _, h := range over {
		list = succeeded(list, c, h, role, person, hasRole(h.Relation, role))
	}
	return list
}

// particles are the words of a name that have no capital.
var particles = strings.Fields("van von der den de del della di da dos du la le al bin ibn el ten ter zu")

// capitalised reports whether every word of a name has a capital, particles aside.
func capitalised(name string) bool {
	return !slices.ContainsFunc(strings.Fields(name), func(w string) bool {
		first, _ := utf8.DecodeRuneInString(w)
		return !unicode.IsUpper(first) && !slices.Contains(particles, w)
	})
}

// succeeded adds the end of a fact about the old holder of a role, and the same about the new one. heads says that the
// holder is the head.
func succeeded(list []memory.RelationDraft, c clause, h extraction.Held, role, person string,
	heads bool) []memory.RelationDraft {
	sure := confidence
	d := memory.RelationDraft{Head: h.Head, HeadType: h.HeadType, Relation: h.Relation, Tail: h.Tail, TailType: h.TailType,
		Quote: c.text, Confidence: &sure, Method: memory.MethodRuleHedged, News: true}
	old := d
	old.Ended, old.Handed = true, true
	old.Fact = rules.Sentence(h.Head, h.Relation, h.Tail, true)
	if heads {
		d.Head = person
	} else {
		d.Tail = person
	}
	d.Fact = rules.Sentence(d.Head, d.Relation, d.Tail, false)
	if h.Relation == "knows" {
		d.Fact = hasRoleOf(d.Tail, d.Head, strings.ReplaceAll(role, "_", " "))
		old.Fact = hasRoleOf(old.Tail, "no longer "+old.Head, strings.ReplaceAll(role, "_", " "))
	}
	if !slices.ContainsFunc(list, func(o memory.RelationDraft) bool { return o.Ended && sameFact(o, old) }) {
		list = append(list, old)
	}
	if !stated(list, d) {
		list = append(list, d)
	}
	return list
}

// keepers are the relations of those who look after a thing.
var keepers = []string{"owns", "leads", "maintains", "manages", "responsible_for"}

// keptBy adds the end of the one fact that somebody else looks after a thing, where the turn says who does now: "Julia
// owns the billing service now".
func keptBy(t extraction.Input, list []memory.RelationDraft) []memory.RelationDraft {
	for _, d := range list {
		if d.Ended || !slices.Contains(keepers, d.Relation) || !hasAny(strings.ToLower(t.Text), nowWords) ||
			!slices.ContainsFunc(own(t.Text, func(string) bool { return true }, func(c clause) bool { return c.keeps(d) }),
				func(c clause) bool { return c.keeps(d) }) {
			continue
		}
		h, ok := one(t.Facts(d.Tail, memory.In), func(h extraction.Held) bool {
			return h.Relation == d.Relation && memory.Canonical(h.Head) != memory.Canonical(d.Head)
		})
		if !ok {
			continue
		}
		sure := confidence
		over := memory.RelationDraft{Head: h.Head, HeadType: h.HeadType, Relation: h.Relation, Tail: h.Tail,
			TailType: h.TailType, Fact: rules.Sentence(h.Head, h.Relation, h.Tail, true), Quote: d.Quote,
			Confidence: &sure, Method: memory.MethodRuleHedged, Ended: true, News: true, Handed: true}
		if !stated(list, over) {
			list = append(list, over)
		}
	}
	return list
}

// keeps reports whether a clause tells a fact as a change of who looks after its tail.
func (c clause) keeps(d memory.RelationDraft) bool {
	return strings.Contains(c.lower, strings.ToLower(d.Tail)) && strings.Contains(c.lower, strings.ToLower(d.Head)) &&
		changeWords().MatchString(c.lower) && !added().MatchString(c.lower) && !doubtful().MatchString(c.before) &&
		!c.limited(strings.ToLower(d.Tail))
}

// stated reports whether a list has a fact, whatever is said of its end.
func stated(list []memory.RelationDraft, d memory.RelationDraft) bool {
	return slices.ContainsFunc(list, func(o memory.RelationDraft) bool { return sameFact(o, d) })
}

func sameFact(a, b memory.RelationDraft) bool {
	return a.Relation == b.Relation && memory.Canonical(a.Head) == memory.Canonical(b.Head) &&
		memory.Canonical(a.Tail) == memory.Canonical(b.Tail)
}

// elsewhere reports whether the clause's sentence is about another party than the given other end of a role: "my" is
// not the speaker's, or a known name is neither an end nor the new holder.
func elsewhere(t extraction.Input, c clause, other, person, holder string) bool {
	if self := memory.Canonical(other) == memory.Canonical(t.Self); mine().MatchString(c.lower) || self {
		return !self || !ours().MatchString(c.lower) // "my" and "our" say whose it is
	}
	ends := []string{memory.Canonical(other), memory.Canonical(person), memory.Canonical(holder)}
	for _, o := range clauses(t.Text) {
		if o.at == c.at && slices.ContainsFunc(mentions.Finder{}.Find(o.text, t.Known), func(m memory.Mention) bool {
			return !m.Unsure && !slices.Contains(ends, memory.Canonical(m.Name))
		}) {
			return true
		}
	}
	return false
}

// hasRole reports whether the head of such a fact has the role: contact_of, contact_for, manager_at.
func hasRole(relation, role string) bool {
	rest, ok := strings.CutPrefix(relation, role+"_")
	return ok && slices.Contains([]string{"of", "for", "at", "in", "to"}, rest)
}
