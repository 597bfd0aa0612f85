package graph

import (
	"cmp"
	"slices"
)

// Active lists the active nodes, the most active first.
func (a *Activation) Active() []Activated {
	out := make([]Activated, 0, len(a.active))
	for _, n := range a.active {
		out = append(out, *n)
	}
	slices.SortFunc(out, func(x, y Activated) int {
		return cmp.Or(cmp.Compare(y.Activation, x.Activation), cmp.Compare(x.Hop, y.Hop), cmp.Compare(x.Node, y.Node))
	})
	return out
}

// CheckKinds reads the shipped table of kinds.
func CheckKinds() error { _, err := kindsOf(); return err }

// CheckKindsIn reads a table of kinds.
func CheckKindsIn(text string) error { _, err := parseKinds(text); return err }
