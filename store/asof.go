package store

import (
	"context"
	"time"

	"memory-graph/internal/memory"
)

// EdgesAt gives the facts of an entity that were true at an instant, as is believed now (Z35): `valid_from <= at` and
// no end up to it, scheduled ends included. They come in the stored order, paged as LinksOf pages. The error is
// NotFound for an entity that the namespace does not have.
func (s *Store) EdgesAt(ctx context.Context, namespace string, entity int64, at time.Time, offset,
	limit int) (edges []memory.Relationship, more bool, err error) {
	q := memory.EdgeQuery{Namespace: namespace, Nodes: []int64{entity}, At: memory.AsOf{ValidAt: at}}
	err = s.read(ctx, "read edges at an instant", func(c *conn) error {
		if err := needNode(ctx, c, namespace, entity); err != nil {
			return err
		}
		edges, more, err = linksOf(ctx, c, q, memory.Filter{Namespace: namespace}, s.now(), offset, limit)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	return edges, more, nil
}

// Reached is what a search from a node found.
type Reached struct {
	Entities []memory.Entity       // the start first, then by depth, then by id
	Edges    []memory.Relationship // each once, in the order in which they were met
	Depth    map[int64]int         // of each entity, 0 for the start
	Cut      bool                  // a node had more than DefaultPerNode edges in a direction
}

// maxHops is how far a traversal may go (the tool contract).
const maxHops = 6

// BFSAt gives what can be reached from a node in at most hops steps, 1–6, over facts that were true at an instant
// (Z36): a breadth-first search that meets each node once, so that circles end. It runs hops + 3 statements at most.
func (s *Store) BFSAt(ctx context.Context, namespace string, start int64, hops int, at time.Time) (Reached, error) {
	if hops < 1 || hops > maxHops {
		return Reached{}, memory.Errorf(memory.InvalidArgument, "max_hops: %d is out of range.",
			hops).WithHint("Use 1 to %d.", maxHops)
	}
	var out Reached
	err := s.read(ctx, "search at an instant", func(c *conn) error {
		if err := needNode(ctx, c, namespace, start); err != nil {
			return err
		}
		order := []int64{start}
		out = Reached{Depth: map[int64]int{start: 0}}
		var edges []int64
		met := map[int64]bool{}
		q := memory.EdgeQuery{Namespace: namespace, At: memory.AsOf{ValidAt: at}}
		for depth, from := 1, 0; depth <= hops && from < len(order); depth++ {
			q.Nodes, from = order[from:], len(order)
			found, cut, err := readEdges(ctx, c, q, memory.Filter{Namespace: namespace}, s.now())
			if err != nil {
				return err
			}
			out.Cut = out.Cut || cut
			for _, e := range found {
				if !met[e.ID] {
					met[e.ID] = true
					edges = append(edges, e.ID)
				}
				for _, node := range [2]int64{e.Head, e.Tail} {
					if _, known := out.Depth[node]; !known {
						out.Depth[node] = depth
						order = append(order, node)
					}
				}
			}
		}
		list, err := entitiesByID(ctx, c, namespace, order, memory.AsOf{})
		for _, f := range list {
			out.Entities = append(out.Entities, f.Entity)
		}
		if err != nil {
			return err
		}
		out.Edges, err = relationships(ctx, c, memory.Filter{Namespace: namespace}, edges, q.At)
		return err
	})
	if err != nil {
		return Reached{}, err
	}
	return out, nil
}

// needNode fails with NotFound where the namespace has no such node.
func needNode(ctx context.Context, c *conn, namespace string, id int64) error {
	_, ok, err := c.int64(ctx, `SELECT 1 FROM mg_entities WHERE id = ? AND namespace = ?`, id, namespace)
	if err == nil && !ok {
		err = unknownEntity(memory.NodeID(memory.NodeEntity, id).String(), namespace)
	}
	return err
}
