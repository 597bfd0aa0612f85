package llm

import "slices"

// signature is the types that a relation's ends may have; nil for any. A type that the model made up fits any
// signature.
type signature struct{ heads, tails []string }

var (
	people    = []string{"person"}
	actors    = []string{"person", "organization"}
	places    = []string{"location"}
	employers = []string{"organization", "project", "tool", "technology"} // "I work at Docker"

	// signatures are those of relations for which other types are clearly wrong.
	signatures = map[string]signature{
		"works_at": {actors, employers}, "located_in": {nil, places}, "born_in": {people, places}, "reports_to": {actors,
			actors},
		"knows": {people, people}, "friend_of": {people, people}, "married_to": {people, people}, "child_of": {people,
			people},
		"sibling_of": {people, people}, "works_with": {actors, actors}, "leads": {actors, nil}, "founded_by": {nil, actors},
		"created_by": {nil, []string{"person", "organization", "project"}}, "written_in": {nil,
			[]string{"language", "technology", "tool"}},
		"works_on": {actors, nil}, "prefers": {actors, nil}, "dislikes": {actors, nil}, "interested_in": {actors, nil},
		"responsible_for": {actors, nil}, "member_of": {nil, []string{"organization", "project", "event"}},
	}
)

// fitting reports whether the types of two ends fit a relation.
func fitting(verb string, head, tail end) bool {
	s := signatures[verb]
	return allows(s.heads, head) && allows(s.tails, tail)
}

func allows(types []string, e end) bool {
	return types == nil || e.madeUp || slices.Contains(types, e.typ)
}
