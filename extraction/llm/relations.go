package llm

import "memory-graph/internal/graph"

// offered are the relations that the model may choose from, with a gloss for ambiguous ones. Of a relation and its
// inverse only one is offered. If the built-in rules use one of the two, it is that one, so both extractors find the
// same fact.
var offered = []struct{ name, gloss string }{
	{"uses", ""}, {"works_at", "a person, the employer"}, {"works_on", "a person or team, a project"}, {"works_with",
		""}, {"leads", ""},
	{"member_of", ""}, {"reports_to", ""}, {"assigned_to", "a task, a person"}, {"responsible_for", ""}, {"knows",
		""}, {"friend_of", ""},
	{"married_to", ""}, {"child_of", ""}, {"sibling_of", ""}, {"located_in", "also where somebody lives"}, {"born_in", ""},
	{"prefers", "likes, or likes best"}, {"dislikes", ""}, {"prefers_over", ""}, {"interested_in", ""}, {"owns", ""},
	{"decided_to_use", ""}, {"decided_against", ""}, {"replaced_by", "the old, the new"}, {"has_status", ""},
	{"is_a", ""}, {"same_as", ""}, {"part_of", ""}, {"specializes", ""}, {"created_by",
		"a work, its maker"}, {"founded_by", ""},
	{"written_in", ""}, {"depends_on", ""}, {"implements", ""}, {"integrates_with", ""}, {"compatible_with",
		""}, {"runs_on", ""}, {"deployed_to", ""},
	{"caused_by", "the effect, its cause"}, {"leads_to", ""}, {"blocks", ""}, {"fixes", ""}, {"follows", ""},
}

// choices returns the offered relations as the prompt lists them.
func choices() []string {
	list := make([]string, len(offered))
	for i, r := range offered {
		list[i] = r.name
		if r.gloss != "" {
			list[i] += " (" + r.gloss + ")"
		}
	}
	return list
}

var (
	isOffered = func() map[string]bool {
		set := map[string]bool{}
		for _, r := range offered {
			set[r.name] = true
		}
		return set
	}()
	// registered are the relations with a known class.
	registered = func() map[string]bool {
		set := map[string]bool{}
		for _, r := range graph.Known() {
			set[r] = true
		}
		return set
	}()
	// reserved are relations that the memory creates between its own records. People do not state them.
	reserved = map[string]bool{
		"similar_to": true, "contradicts": true, "supersedes": true, "superseded_by": true, "shared_node": true,
		"conditional_on": true,
		"mentions":       true, "mentioned_in": true, "co_occurs_with": true, "is_about": true, "supports": true,
		"supported_by": true,
	}
)

// directed returns the offered form of a relation; swap means that its ends must be swapped.
func directed(verb string) (as string, swap bool) {
	if verb == "lives_in" {
		return "located_in", false
	}
	if inverse := graph.Lookup(verb).Inverse; !isOffered[verb] && isOffered[inverse] {
		return inverse, true
	}
	return verb, false
}
