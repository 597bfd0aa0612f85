package communities

import (
	"fmt"
	"slices"
	"strings"

	"memory-graph/prompts"
	"memory-graph/store"
)

// sentence is a fact in words.
type sentence struct {
	id, head, tail             int64
	subject, predicate, object string
}

// String returns the sentence without a full stop.
func (s sentence) String() string { return s.subject + " " + s.predicate + " " + s.object }

// called returns a name for use in a sentence. The name of a memory may be long, and is cut.
func called(m store.CommunityMember) string {
	if m.Name == "User" && m.Type == "person" {
		return "the user"
	}
	return prompts.Line(80, m.Name)
}

const (
	factsSaid     = 3 // facts in one sentence
	sentencesSaid = 2
	namesSaid     = 5 // further names
)

// summary states the strongest facts in one or two sentences: first the facts of the first fact's head, then those of
// an entity that they name, or else of another one. If one sentence states all facts, the second one has the other
// central names.
func (t told) summary() string {
	var out []string
	said, heads := map[int64]bool{}, map[int64]bool{}
	for len(out) < sentencesSaid {
		next := slices.IndexFunc(t.facts, func(f sentence) bool { return !heads[f.head] && said[f.head] })
		if next < 0 {
			next = slices.IndexFunc(t.facts, func(f sentence) bool { return !heads[f.head] })
		}
		if next < 0 {
			break
		}
		head := t.facts[next].head
		heads[head] = true
		var list []sentence
		for _, f := range t.facts {
			if f.head == head && len(list) < factsSaid {
				list = append(list, f)
				said[f.head], said[f.tail] = true, true
			}
		}
		out = append(out, ofOne(list))
	}
	if others := t.others(said); len(out) == 1 && others != "" {
		out = append(out, others)
	}
	return strings.Join(out, " ")
}

// ofOne states the facts of one head as one sentence. The tails of a relation stand together.
func ofOne(list []sentence) string {
	var clauses []string
	several := false
	for i, f := range list {
		if slices.ContainsFunc(list[:i], func(e sentence) bool { return e.predicate == f.predicate }) {
			continue
		}
		var tails []string
		for _, e := range list[i:] {
			if e.predicate == f.predicate {
				tails = append(tails, e.object)
			}
		}
		several = several || len(tails) > 1
		clauses = append(clauses, f.predicate+" "+and(tails, 0))
	}
	said := and(clauses, 0)
	if several && len(clauses) == 2 {
		said = strings.Join(clauses, ", and ")
	}
	return full(list[0].subject + " " + said)
}

// others names the most central of the other members.
func (t told) others(said map[int64]bool) string {
	var names []string
	for _, m := range t.members {
		if !said[m.ID] && len(names) < namesSaid {
			names = append(names, called(m))
		}
	}
	more := max(0, t.size-len(said)-len(names))
	switch len(names) {
	case 0:
		return ""
	case 1:
		if more == 0 {
			return full(names[0] + " belongs to this too")
		}
	}
	return full(and(names, more) + " belong to this too")
}

// full makes a sentence with a full stop. It does not change the first letter of a name.
func full(s string) string {
	if rest, ok := strings.CutPrefix(s, "the user"); ok {
		s = "The user" + rest
	}
	return strings.TrimSuffix(s, ".") + "."
}

// and joins names as prose: "A, B and 3 more".
func and(names []string, more int) string {
	if more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
