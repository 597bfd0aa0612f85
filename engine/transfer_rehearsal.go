package engine

import (
	"slices"
	"strings"

	"memory-graph/graph"
	"memory-graph/memory"
)

// rehearsal knows what stood before in a file that is only looked at: what is written of it is taken back at once, so that
// the next part of the file would not find it. The zero value knows nothing and learns nothing.
type rehearsal struct {
	named     map[string]memory.Observed // by canonical name, with all observations so far
	relations map[string]bool
	turns     map[string]bool // by key
}

func newRehearsal() rehearsal {
	return rehearsal{map[string]memory.Observed{}, map[string]bool{}, map[string]bool{}}
}

// entities gives what stood before under the names of a list, and learns the list.
func (r rehearsal) entities(list []memory.Observed) []memory.Observed {
	if r.named == nil {
		return nil
	}
	var before []memory.Observed
	asked := map[string]bool{}
	for _, e := range list {
		name := memory.Canonical(e.Name)
		was, known := r.named[name]
		if known && !asked[name] {
			before = append(before, was)
		}
		asked[name] = true
		if !known {
			was = memory.Observed{Name: e.Name, Type: e.Type}
		}
		was.Observations = slices.Clip(was.Observations)
		for _, o := range e.Observations {
			if !slices.Contains(was.Observations, o) {
				was.Observations = append(was.Observations, o)
			}
		}
		r.named[name] = was
	}
	return before
}

// relation says whether a relation stood before, and learns it.
func (r rehearsal) relation(d memory.ObservedRelation) bool {
	return learn(r.relations, strings.Join([]string{memory.Canonical(d.From), graph.Snake(d.Type), memory.Canonical(d.To)}, "\x00"))
}

// turn says whether the turn of a key stood before, and learns it.
func (r rehearsal) turn(key string) bool { return learn(r.turns, key) }

func learn(known map[string]bool, what string) bool {
	if known == nil {
		return false
	}
	before := known[what]
	known[what] = true
	return before
}
