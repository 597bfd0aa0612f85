package llm

import "memory-graph/internal/graph"

// offered are the relations that the model may choose from, with a gloss for ambiguous ones. Of a relation and its
// inverse only one is offered. If the built-in rules use one of the two, it is that one, so both extractors find the
// same fact.
var offered = []struct{ name, gloss string }{
	{"works_at", "person, employer"}, {"works_as", "person, job"}, {"works_on", ""}, {"works_with", ""},
	{"member_of", "person, team or department"}, {"leads", ""}, {"reports_to", ""}, {"responsible_for", ""},
	{"assigned_to", "task, person"}, {"maintains", ""},
	{"studies_at", "person, school or course"}, {"attends", "person, event or class"}, {"teacher_of", "teacher, pupil"},
	{"skilled_in", ""},
	{"married_to", ""}, {"partner_of", ""}, {"child_of", "child, parent"}, {"sibling_of", ""}, {"relative_of", ""},
	{"friend_of", ""}, {"knows", "person, person"}, {"looks_after", ""}, {"has_age", ""}, {"has_condition", "illness"},
	{"lives_in", ""}, {"has_address", ""}, {"located_in", "thing, place"}, {"born_in", ""}, {"born_on", ""},
	{"speaks", "person, language"}, {"allergic_to", ""}, {"prefers", "likes best"}, {"likes", ""}, {"dislikes", ""},
	{"interested_in", ""}, {"uses", ""}, {"owns", ""}, {"buys_from", ""}, {"has_price", ""},
	{"decided_to_use", ""}, {"decided_against", ""}, {"replaced_by", "old, new"},
	{"has_status", ""}, {"scheduled_for", "event or task, date"}, {"has_deadline", "task, date"},
	{"is_a", ""}, {"same_as", ""}, {"part_of", ""},
	{"created_by", "work, maker"}, {"founded_by", ""}, {"has_version", ""}, {"written_in", ""},
	{"depends_on", "needs"}, {"implements", ""}, {"integrates_with", ""}, {"compatible_with", ""}, {"runs_on", ""},
	{"deployed_to", ""}, {"caused_by", "effect, cause"}, {"leads_to", ""}, {"blocks", ""}, {"fixes", ""},
	{"follows", ""}, {"specializes", ""},
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
	if inverse := graph.Lookup(verb).Inverse; !isOffered[verb] && isOffered[inverse] {
		return inverse, true
	}
	return verb, false
}
