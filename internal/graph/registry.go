// Package graph holds what is known about relations and the pure algorithms on graphs: confidence, decay, traversal,
// spreading activation, walks. It does no I/O and knows no clock.
package graph

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memory-graph/internal/memory"
)

// Relation is what is known of a relation (decisions 3, 4, 16).
type Relation struct {
	Name      string
	Class     string   // its edge class
	Weight    float64  // in retrieval, 0.25..1.5: the relation's own, else its class's
	Rate      float64  // decay of its confidence, per day; DefaultRate where it has none of its own
	One       bool     // a head has one live tail at a time …
	ManyFor   []string // … unless the head is of one of these types
	Inverse   string   // the relation that says the same from the tail; "" for none
	Symmetric bool     // it says the same from both ends
	Exclusive string   // the relation that cannot hold beside it between the same two; "" for none
}

// DefaultRate is the decay of relations that have none of their own, per day: a half-life of some 70 days (T6).
const DefaultRate = .01

// OneTail says whether a head of this type has one live tail at a time.
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

// Lookup gives what is known of a relation in snake_case. An unknown one is semantic, many-valued and fades at
// DefaultRate.
func Lookup(relation string) Relation {
	if r, ok := registry[relation]; ok {
		return r
	}
	return Relation{Name: relation, Class: memory.Semantic, Weight: ClassWeight(memory.Semantic), Rate: DefaultRate}
}

// Known gives the names of all registered relations, in order.
func Known() []string { return slices.Sorted(maps.Keys(registry)) }

// ClassWeight gives the weight of an edge class in retrieval (decision 4), 0.5 for a class that is none.
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

// Weight gives the weight of an edge of this relation and class in retrieval, 0.25..1.5: the relation's own (M7), else
// its class's, which a caller may have given otherwise than the registry has it (decision 4).
func Weight(relation, class string) float64 {
	if w, ok := ownWeights[relation]; ok {
		return w
	}
	return ClassWeight(class)
}

// MaxRelationBytes is the longest name of a relation.
const MaxRelationBytes = 128

// Snake gives a relation's name in snake_case: lower case, words joined by single underscores, nothing else; "" where
// no letter or digit is left. "worksAt", "works at" and "WORKS_AT" are one.
func Snake(label string) string {
	var b strings.Builder
	gap, lower := false, false
	for _, r := range label {
		if r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			gap, lower = b.Len() > 0, false
			continue
		}
		small := unicode.ToLower(r)
		if gap || small != r && lower { // a capital without a small letter begins no word: the name of a name must be itself
			b.WriteByte('_')
			gap = false
		}
		lower = unicode.IsLower(r) || unicode.IsDigit(r)
		b.WriteRune(small)
	}
	return b.String()
}
