package graph

import (
	"strings"

	"memory-graph/internal/memory"
)

// ownWeights are the weights of relations that override the weights of their classes.
var ownWeights = map[string]float64{
	"caused_by":      1.5,
	"contradicts":    1.3,
	"supersedes":     1.2,
	"similar_to":     1,
	"depends_on":     .9,
	"prefers_over":   .8,
	"specializes":    .7,
	"conditional_on": .6,
	"shared_node":    .25,
}

// Decay rates other than DefaultRate. What people are, created or decided does not change (lasting). Where they work or
// live and what they like changes over years (slow).
const (
	lasting = 0
	slow    = .002
)

// registry is the table of known relations by name.
//
// A relation with One ends facts, so a wrong One ends true facts. It is set only if a second tail at the same time
// would be a contradiction. For example, "born in Hamburg" and "born in Germany" are both true, and many people report
// to two others: these relations allow many tails. Such facts end only when somebody says so, or by supersede.
var registry = byName(
	// People and their work.
	Relation{Name: "works_at", Inverse: "employs", Rate: slow, One: true},
	Relation{Name: "employs", Turned: true, Inverse: "works_at", Rate: slow},
	Relation{Name: "works_on", Rate: DefaultRate},
	Relation{Name: "works_with", Symmetric: true, Rate: DefaultRate},
	Relation{Name: "member_of", Inverse: "has_member", Class: memory.Hierarchical, Rate: DefaultRate},
	Relation{Name: "has_member", Turned: true, Inverse: "member_of", Class: memory.Hierarchical, Rate: DefaultRate},
	Relation{Name: "leads", Inverse: "led_by", Class: memory.Hierarchical, Rate: DefaultRate},
	Relation{Name: "led_by", Turned: true, Inverse: "leads", Class: memory.Hierarchical, Rate: DefaultRate},
	Relation{Name: "reports_to", Inverse: "manages", Class: memory.Hierarchical, Rate: DefaultRate},
	Relation{Name: "manages", Inverse: "reports_to", Class: memory.Hierarchical, Rate: DefaultRate},
	// A task has one assignee at a time; a person has many tasks.
	Relation{Name: "assigned_to", Rate: DefaultRate, One: true, ManyFor: []string{"person"}},
	Relation{Name: "responsible_for", Rate: DefaultRate},
	Relation{Name: "knows", Rate: DefaultRate},
	Relation{Name: "friend_of", Symmetric: true, Rate: slow},
	Relation{Name: "married_to", Symmetric: true, Rate: slow},
	Relation{Name: "parent_of", Turned: true, Inverse: "child_of", Class: memory.Hierarchical, Rate: lasting},
	Relation{Name: "child_of", Inverse: "parent_of", Class: memory.Hierarchical, Rate: lasting},
	Relation{Name: "sibling_of", Symmetric: true, Rate: lasting},
	Relation{Name: "relative_of", Symmetric: true, Rate: lasting},
	Relation{Name: "works_as", Rate: slow},
	Relation{Name: "studies_at", Rate: slow},
	Relation{Name: "attends", Rate: DefaultRate},
	Relation{Name: "skilled_in", Rate: slow},
	Relation{Name: "looks_after", Rate: DefaultRate},
	Relation{Name: "has_condition", Rate: slow},
	Relation{Name: "has_age", Rate: slow, One: true},
	// What people maintain they need not own.
	Relation{Name: "maintains", Rate: DefaultRate},
	Relation{Name: "speaks", Rate: lasting},
	Relation{Name: "allergic_to", Rate: lasting},

	// Places.
	Relation{Name: "lives_in", Rate: slow, One: true, Places: true},
	Relation{Name: "located_in", Inverse: "location_of", Class: memory.Hierarchical, Rate: slow, One: true, Places: true,
		ManyFor: []string{"location"}},
	Relation{Name: "location_of", Inverse: "located_in", Class: memory.Hierarchical, Rate: slow},
	Relation{Name: "has_address", Rate: slow},
	Relation{Name: "born_in", Rate: lasting},
	Relation{Name: "born_on", Class: memory.Temporal, Rate: lasting},

	// Likes, choices and changes.
	Relation{Name: "prefers", Rate: slow, Excludes: []string{"dislikes"}},
	Relation{Name: "likes", Rate: slow, Excludes: []string{"dislikes"}},
	Relation{Name: "dislikes", Rate: slow, Excludes: []string{"likes", "prefers"}},
	Relation{Name: "prefers_over", Rate: slow},
	Relation{Name: "interested_in", Rate: slow},
	Relation{Name: "uses", Inverse: "used_by", Rate: DefaultRate, Kinds: true},
	Relation{Name: "used_by", Turned: true, Inverse: "uses", Rate: DefaultRate},
	Relation{Name: "owns", Inverse: "owned_by", Rate: slow},
	Relation{Name: "owned_by", Turned: true, Inverse: "owns", Rate: slow},
	Relation{Name: "decides", Rate: lasting},
	Relation{Name: "decided_to_use", Rate: lasting},
	Relation{Name: "decided_against", Rate: lasting},
	Relation{Name: "switched_to", Class: memory.Temporal, Rate: slow},
	Relation{Name: "switched_from", Class: memory.Temporal, Rate: slow},
	Relation{Name: "replaced_by", Inverse: "replaces", Class: memory.Temporal, Rate: lasting},
	Relation{Name: "replaces", Turned: true, Inverse: "replaced_by", Class: memory.Temporal, Rate: lasting},
	Relation{Name: "buys_from", Rate: slow},
	Relation{Name: "has_price", Rate: DefaultRate},             // several offers have several prices
	Relation{Name: "has_status", Rate: DefaultRate, One: true}, // the current state of a thing

	// What things are and are made of.
	Relation{Name: "is_a", Class: memory.Hierarchical, Rate: lasting},
	Relation{Name: "same_as", Symmetric: true, Rate: lasting},
	Relation{Name: "part_of", Inverse: "contains", Class: memory.Hierarchical, Rate: lasting},
	Relation{Name: "contains", Turned: true, Inverse: "part_of", Class: memory.Hierarchical, Rate: lasting},
	Relation{Name: "specializes", Class: memory.Hierarchical, Rate: lasting},
	Relation{Name: "created_by", Inverse: "created", Rate: lasting},
	Relation{Name: "created", Turned: true, Inverse: "created_by", Rate: lasting},
	Relation{Name: "founded_by", Inverse: "founded", Rate: lasting},
	Relation{Name: "founded", Turned: true, Inverse: "founded_by", Rate: lasting},
	Relation{Name: "written_in", Rate: slow},
	Relation{Name: "has_version", Rate: DefaultRate},
	Relation{Name: "depends_on", Inverse: "required_by", Rate: DefaultRate},
	Relation{Name: "required_by", Turned: true, Inverse: "depends_on", Rate: DefaultRate},
	Relation{Name: "implements", Rate: DefaultRate},
	Relation{Name: "integrates_with", Symmetric: true, Rate: DefaultRate},
	Relation{Name: "compatible_with", Symmetric: true, Rate: DefaultRate},
	Relation{Name: "runs_on", Rate: DefaultRate, Kinds: true},
	Relation{Name: "deployed_to", Rate: DefaultRate, Kinds: true},

	// Causes and order.
	Relation{Name: "caused_by", Inverse: "causes", Class: memory.Causal, Rate: DefaultRate},
	Relation{Name: "causes", Turned: true, Inverse: "caused_by", Class: memory.Causal, Rate: DefaultRate},
	Relation{Name: "leads_to", Class: memory.Causal, Rate: DefaultRate},
	Relation{Name: "blocks", Inverse: "blocked_by", Class: memory.Causal, Rate: DefaultRate},
	Relation{Name: "blocked_by", Turned: true, Inverse: "blocks", Class: memory.Causal, Rate: DefaultRate},
	Relation{Name: "fixes", Inverse: "fixed_by", Class: memory.Causal, Rate: DefaultRate},
	Relation{Name: "fixed_by", Turned: true, Inverse: "fixes", Class: memory.Causal, Rate: DefaultRate},
	Relation{Name: "conditional_on", Class: memory.Causal, Rate: DefaultRate},
	Relation{Name: "precedes", Turned: true, Inverse: "follows", Class: memory.Temporal, Rate: lasting},
	Relation{Name: "follows", Inverse: "precedes", Class: memory.Temporal, Rate: lasting},
	Relation{Name: "has_deadline", Class: memory.Temporal, Rate: DefaultRate},
	Relation{Name: ScheduledFor, Class: memory.Temporal, Rate: DefaultRate},
	Relation{Name: "supersedes", Inverse: "superseded_by", Class: memory.Temporal, Rate: lasting},
	Relation{Name: "superseded_by", Turned: true, Inverse: "supersedes", Class: memory.Temporal, Rate: lasting},

	// Relations between notes, and relations of mere co-occurrence.
	Relation{Name: "contradicts", Symmetric: true, Rate: DefaultRate},
	Relation{Name: "supports", Inverse: "supported_by", Rate: DefaultRate},
	Relation{Name: "supported_by", Turned: true, Inverse: "supports", Rate: DefaultRate},
	// editing one of the two nodes ends it; it does not decay
	Relation{Name: "similar_to", Symmetric: true, Rate: lasting},
	Relation{Name: "is_about", Rate: DefaultRate},
	Relation{Name: "related_to", Symmetric: true, Rate: DefaultRate},
	Relation{Name: "mentions", Inverse: "mentioned_in", Class: memory.CoOccurrence, Rate: DefaultRate},
	Relation{Name: "mentioned_in", Turned: true, Inverse: "mentions", Class: memory.CoOccurrence, Rate: DefaultRate},
	Relation{Name: "co_occurs_with", Symmetric: true, Class: memory.CoOccurrence, Rate: DefaultRate},
	// what a caller said about a memory; a new version of it says it anew
	Relation{Name: "shared_node", Symmetric: true, Class: memory.CoOccurrence, Rate: lasting},
)

// roles are what people are to others, by decay rate. Each is a relation: "Ana sister_of Ben". The other direction is
// "Ben has_sister Ana".
var roles = map[float64]string{
	lasting: "mother father son daughter sister brother grandmother grandfather aunt uncle niece nephew cousin",
	slow: "wife husband partner neighbor roommate pet mentor contact client customer supplier doctor teacher landlord " +
		"assistant",
}

// byName adds the relations of roles, fills in the default class and the weights, and indexes the relations by name.
func byName(list ...Relation) map[string]Relation {
	for rate, words := range roles {
		for _, role := range strings.Fields(words) {
			of, has := role+"_of", "has_"+role
			list = append(list, Relation{Name: of, Inverse: has, Rate: rate},
				Relation{Name: has, Turned: true, Inverse: of, Rate: rate})
		}
	}
	table := make(map[string]Relation, len(list))
	for _, r := range list {
		if r.Class == "" {
			r.Class = memory.Semantic
		}
		r.Weight = Weight(r.Name, r.Class)
		table[r.Name] = r
	}
	return table
}
