// Package graph holds the registry of relations and pure graph algorithms: confidence, decay, traversal, spreading
// activation, walks. It does no I/O and reads no clock.
package graph

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memory-graph/internal/memory"
)

// Relation holds the properties of a relation. See docs/decisions.md, "One registry of relations".
type Relation struct {
	Name      string
	Class     string   // the default edge class
	Weight    float64  // in retrieval, 0.25..1.5: the relation's own weight, else its class's weight
	Rate      float64  // decay of confidence, per day; DefaultRate for most relations
	One       bool     // a head has one active tail at a time …
	ManyFor   []string // … unless the head is of one of these types
	Inverse   string   // the relation that says the same in the other direction; "" for none
	Turned    bool     // its facts are stored as those of its inverse
	Symmetric bool     // the relation says the same in both directions
	Places    bool     // its tails are places: one within another is no second tail (Breadth)
	Kinds     bool     // told as a change, it ends the same of another tail of the same kind (SameKind)
	Excludes  []string // relations that contradict it for the same head and tail
}

// ScheduledFor is the relation of a plan to its time. A plan holds before the time that it is for.
const ScheduledFor = "scheduled_for"

// DefaultRate is the decay rate of relations without a rate of their own, per day: a half-life of some 70 days.
const DefaultRate = .01

// OneTail reports whether a head of this type has one active tail at a time.
func (r Relation) OneTail(headType string) bool {
	if !r.One {
		return false
	}
	for _, t := range r.ManyFor {
		if t == headType {
			return false
		}
	}
	return true
}

// Lookup returns the registry's entry of a relation in snake_case. Another name of a registered relation has that one's
// class and rate. An unknown relation is semantic, allows many tails and has DefaultRate.
func Lookup(relation string) Relation {
	if r, ok := registry[relation]; ok {
		return r
	}
	if links := named[relation]; len(links) > 0 {
		r := registry[links[0].to]
		return Relation{Name: relation, Class: r.Class, Weight: r.Weight, Rate: r.Rate}
	}
	return Relation{Name: relation, Class: memory.Semantic, Weight: ClassWeight(memory.Semantic), Rate: DefaultRate}
}

// Known returns the names of all registered relations, sorted.
func Known() []string { return slices.Sorted(maps.Keys(registry)) }

// IsKnown reports whether a relation is registered.
func IsKnown(relation string) bool {
	_, ok := registry[relation]
	return ok
}

// ClassWeight returns the weight of an edge class in retrieval, 0.5 for an unknown class. See docs/decisions.md, "Edge
// weights".
func ClassWeight(class string) float64 {
	switch class {
	case memory.Causal:
		return 1.2
	case memory.Semantic:
		return 1
	case memory.Temporal:
		return .9
	case memory.Hierarchical:
		return .8
	}
	return .5
}

// Weight returns the weight of an edge in retrieval, 0.25..1.5: the relation's own, else the weight of the edge's
// class. A caller may have chosen another class than the registry.
func Weight(relation, class string) float64 {
	if w, ok := ownWeights[relation]; ok {
		return w
	}
	return ClassWeight(class)
}

// MaxRelationBytes is the maximum length of a relation's name.
const MaxRelationBytes = 128

// Snake returns a relation's name in snake_case: lower case, words joined by single underscores, nothing else. It
// returns "" if the label has no letter or digit. "worksAt", "works at" and "WORKS_AT" have the same result.
func Snake(label string) string {
	var b strings.Builder
	gap, lower := false, false
	for _, r := range label {
		if r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			gap, lower = b.Len() > 0, false
			continue
		}
		small := unicode.ToLower(r)
		// A capital after a lower-case letter or a digit begins a word. A capital without a lower-case form does not:
		// Snake(Snake(x)) must be Snake(x).
		if gap || small != r && lower {
			b.WriteByte('_')
			gap = false
		}
		lower = unicode.IsLower(r) || unicode.IsDigit(r)
		b.WriteRune(small)
	}
	return b.String()
}
