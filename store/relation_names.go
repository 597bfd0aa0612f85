package store

import (
	"context"
	"slices"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// relationNames are the stored relations that a filter of a read means (docs/decisions.md, "Linked relations").
type relationNames struct {
	direct []string // with head and tail as the caller means them; empty if the filter has no relations
	turned []string // with head and tail exchanged
}

// relationNames returns the stored relations for a filter. A read of a time before the names were linked uses the given
// names unchanged.
func (c *conn) relationNames(ctx context.Context, given []string, at memory.AsOf) (relationNames, error) {
	if len(given) == 0 {
		return relationNames{}, nil
	}
	if !at.KnownAt.IsZero() {
		linked, err := c.text(ctx, `SELECT value FROM mg_metadata WHERE key = 'names_linked_at'`)
		if err != nil || memory.Millis(at.KnownAt) < linked {
			return relationNames{direct: given}, err
		}
	}
	direct, turned := graph.Names(given)
	return relationNames{direct, turned}, nil
}

// all returns the names of both directions.
func (n relationNames) all() []string {
	out := slices.Clone(n.direct)
	for _, name := range n.turned {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// namedSide is a side of nodes whose edges are read, and the relations of these edges; no relations mean all.
type namedSide struct {
	edgeSide
	relations []string
}

// sides returns the sides to read for the caller's direction. An edge that is stored with head and tail exchanged is on
// the other side.
func (n relationNames) sides(d memory.Direction) ([]namedSide, error) {
	list, err := sidesOf(d)
	if err != nil {
		return nil, err
	}
	names := n.direct
	if len(list) == 2 {
		names = n.all()
	}
	var out []namedSide
	for _, side := range list {
		out = append(out, namedSide{side, names})
	}
	if len(list) == 1 && len(n.turned) > 0 {
		other := outEdges
		if list[0] == outEdges {
			other = inEdges
		}
		out = append(out, namedSide{other, n.turned})
	}
	return out, nil
}
