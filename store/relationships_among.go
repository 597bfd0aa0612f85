package store

import (
	"context"
	"slices"

	"memory-graph/internal/memory"
)

// EdgesWithin returns the edges of nodes for which an episode of the filter is evidence, each once, in one statement
// for any number of nodes. For each node and direction it reads at most q.PerNode: the highest stored confidence first,
// then the last observed, then the older id. cut reports that a node had more. Nodes of another namespace have none.
// With a KnownAt an edge counts as last observed when its version began.
//
// Without times a covering index has this order, and only its first PerNode entries are read. So a hub costs as much as
// a node with PerNode edges. With relations or classes in the query it skips over more of a hub's index.
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

// RelationshipsAmong returns the whole facts that are active between two of the query's nodes, highest stored
// confidence first. If Touching is set, one of the two nodes is among it. more reports that there are more than limit.
// It runs one statement, and a second one with a KnownAt. The query's relations and classes and the filter's episodes
// narrow the result; direction and PerNode are ignored.
func (s *Store) RelationshipsAmong(ctx context.Context, q memory.EdgeQuery, f memory.Filter,
	limit int) (list []memory.Relationship, more bool, err error) {
	f.Namespace = q.Namespace
	facts := factsHolding(q.At, s.now())
	from, args := factsAmong(q.At, q.Nodes, q.Touching)
	err = s.readOne(ctx, "read relationships among", func(c *conn) (err error) {
		names, err := c.relationNames(ctx, q.Relations, q.At)
		if err != nil {
			return err
		}
		w := new(where)
		w.and(facts.where, facts.args...)
		w.in("r.relation", names.all())
		w.in("r.edge_class", q.Classes)
		w.evidence(f, facts.id)
		// The rows are chosen before they are read whole, because evidence and names of a row cost ten times as much as
		// finding it.
		const order = ` ORDER BY r.confidence DESC, r.`
		chosen := `FROM (SELECT r.` + facts.row + ` AS id, r.confidence, r.` + facts.id + ` ` + from + ` WHERE ` +
			w.sql.String() +
			order + facts.id + ` LIMIT ?) chosen CROSS JOIN ` + facts.table + ` r ON r.` + facts.row + ` = chosen.id`
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

// RelationshipsEvidenced returns up to limit facts that have one of these episodes as evidence, the surest first, and
// the shared_node facts of memories with a label of one of the episodes. They are active at the query's instant; with
// ended, a query about now also returns those that have ended. The query's Nodes are not used. The filter narrows the
// evidence further.
func (s *Store) RelationshipsEvidenced(ctx context.Context, q memory.EdgeQuery, f memory.Filter, episodes []int64,
	ended bool, limit int) (list []memory.Relationship, err error) {
	f.Namespace = q.Namespace
	facts := factsHolding(q.At, s.now())
	err = s.readOne(ctx, "read the facts of episodes", func(c *conn) (err error) {
		names, err := c.relationNames(ctx, q.Relations, q.At)
		if err != nil {
			return err
		}
		said, args := `SELECT DISTINCT v.relationship_id AS id FROM json_each(?) j CROSS JOIN mg_evidence v ON v.episode_id =
			j.value`, []any{idList(episodes)}
		if q.At.Now() { // memories with a label of such a turn
			said += ` UNION SELECT id FROM (SELECT r.id FROM json_each(?) j CROSS JOIN mg_mentions m ON m.episode_id =
				j.value AND m.role = '` + memory.MentionTag + `' CROSS JOIN mg_relationships r ON r.tail_id = m.entity_id
				AND r.valid_until IS NULL AND r.method = '` + string(memory.MethodMetadata) + `' LIMIT ?)`
			args = append(args, idList(episodes), limit)
		} else if !q.At.KnownAt.IsZero() {
			said, args = said+` AND v.created_at <= ?`, append(args, memory.Millis(q.At.KnownAt))
		}
		w := new(where)
		w.and("r.namespace = ?", q.Namespace)
		if ended && q.At.Now() {
			facts.table = "mg_facts"
			w.and(begun, memory.Seconds(s.now()))
		} else {
			w.and(facts.where, facts.args...)
		}
		w.in("r.relation", names.all())
		w.in("r.edge_class", q.Classes)
		w.evidence(f, facts.id)
		list, err = queryRelationships(ctx, c, q.At,
			`FROM (`+said+`) said CROSS JOIN `+facts.table+` r ON r.`+facts.id+` = said.id`,
			w.sql.String()+` ORDER BY r.confidence DESC, r.`+facts.id+` LIMIT ?`, append(slices.Concat(args, w.args), limit)...)
		return err
	})
	return list, err
}

// FactsOfRole returns up to limit active facts, those that begin later included, whose
// relation has a role as one of its words: contact_of and
// primary_contact for contact. Of the filter, episodes that are evidence narrow the result.
func (s *Store) FactsOfRole(ctx context.Context, f memory.Filter, role string, limit int) (list []memory.Relationship,
	err error) {
	facts := factsActive(s.now())
	like := escapeLike(role)
	w := new(where)
	w.and("r.namespace = ?", f.Namespace)
	w.and(facts.where, facts.args...)
	w.and(`(r.relation = ? OR r.relation LIKE ? ESCAPE '\' OR r.relation LIKE ? ESCAPE '\')`, role, like+`\_%`, `%\_`+like)
	w.evidence(f, facts.id)
	err = s.readOne(ctx, "read the facts of a role", func(c *conn) (err error) {
		list, err = queryRelationships(ctx, c, memory.AsOf{}, `FROM mg_relationships r INDEXED BY mg_relationships_active`,
			w.sql.String()+` ORDER BY r.id LIMIT ?`, append(w.args, limit)...)
		return err
	})
	return list, err
}
