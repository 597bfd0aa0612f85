package store

import (
	"context"
	"slices"

	"memory-graph/internal/memory"
)

// EdgesWithin returns the edges of nodes for which an episode of the filter is evidence, each once, in one statement
// for any number of nodes. Of each node and direction it reads at most q.PerNode: the highest stored confidence first,
// then the last observed, then the older id. cut reports that a node had more. Nodes of another namespace have none. At
// a KnownAt an edge was last observed when its version began.
//
// Without times that order is the order of a covering index. Only its first PerNode entries are read, so that a hub
// costs what any node of PerNode edges costs. Relations or classes in the query make it pass over more of a hub's
// index.
func (s *Store) EdgesWithin(ctx context.Context, q memory.EdgeQuery, f memory.Filter) (edges []memory.Edge, cut bool,
	err error) {
	f.Namespace = q.Namespace
	err = s.readOne(ctx, "read edges", func(c *conn) (err error) {
		edges, cut, err = readEdges(ctx, c, q, f, s.now())
		return err
	})
	if err != nil {
		return nil, false, err
	}
	return edges, cut, nil
}

// RelationshipsAmong gives the facts that hold between two of the query's nodes, one of them among Touching where that
// is given, whole, those of the highest stored confidence first, and says whether there are more than limit: one
// statement, and a second one at a KnownAt. The query's relations and classes and the filter's episodes narrow it;
// direction and PerNode have no meaning here.
func (s *Store) RelationshipsAmong(ctx context.Context, q memory.EdgeQuery, f memory.Filter,
	limit int) (list []memory.Relationship, more bool, err error) {
	f.Namespace = q.Namespace
	facts := factsHolding(q.At, s.now())
	w := new(where)
	w.and(facts.where, facts.args...)
	w.in("r.relation", q.Relations)
	w.in("r.edge_class", q.Classes)
	w.evidence(f, facts.id)
	from, args := factsAmong(q.At, q.Nodes, q.Touching)
	err = s.readOne(ctx, "read relationships among", func(c *conn) (err error) {
		// What is read whole is chosen first: evidence and names of a row cost ten times what finding it does.
		const order = ` ORDER BY r.confidence DESC, r.`
		chosen := `FROM (SELECT r.rowid AS id ` + from + ` WHERE ` + w.sql.String() + order + facts.id +
			` LIMIT ?) chosen CROSS JOIN ` + facts.table + ` r ON r.rowid = chosen.id`
		list, err = queryRelationships(ctx, c, q.At, chosen, `r.namespace = ?`+order+facts.id,
			append(slices.Concat(args, w.args), limit+1, q.Namespace)...)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	if len(list) > limit {
		return list[:limit], true, nil
	}
	return list, false, nil
}
