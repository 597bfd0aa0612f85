package store

import (
	"context"

	"memory-graph/internal/memory"
)

// CommunityMember is what a summary reads of a member.
type CommunityMember struct {
	memory.Node
	Community  int64
	Confidence float64
	Origin     memory.Origin
}

func (c *conn) communityNodes(ctx context.Context, namespace string, ids []int64) (map[int64]CommunityMember, error) {
	nodes := map[int64]CommunityMember{}
	if len(ids) == 0 {
		return nodes, nil
	}
	err := c.query(ctx, `SELECT e.id, e.kind, e.name, e.type, e.confidence, e.origin, e.community_id
		FROM json_each(?1) j CROSS JOIN mg_entities e ON e.id = j.value WHERE e.namespace = ?2 AND `+shownEntity,
		func(row cursor) error {
			nodes[row.int64(0)] = CommunityMember{Node: memory.Node{ID: row.int64(0), Kind: memory.NodeKind(row.text(1)),
				Name: row.text(2), Type: row.text(3)}, Confidence: row.float(4), Origin: memory.Origin(row.text(5)),
				Community: row.int64(6)}
			return nil
		}, idList(ids), namespace)
	return nodes, err
}

// CommunityFact is what a summary reads of a fact.
type CommunityFact struct {
	ID         int64
	Head, Tail int64
	Relation   string
	Confidence float64 // as stored
	Origin     memory.Origin
}

// CommunityTexts returns what summaries say of members and facts, by id, without those that must not be rendered
// because only turns in quarantine say them.
func (s *Store) CommunityTexts(ctx context.Context, namespace string, members, facts []int64) (
	nodes map[int64]CommunityMember, edges map[int64]CommunityFact, err error) {
	edges = map[int64]CommunityFact{}
	err = s.read(ctx, "read what communities say", func(c *conn) error {
		if nodes, err = c.communityNodes(ctx, namespace, members); err != nil {
			return err
		}
		if err := c.query(ctx, `SELECT r.id, r.head_id, r.tail_id, r.relation, r.confidence, r.origin FROM json_each(?1) j
			CROSS JOIN mg_relationships r ON r.id = j.value WHERE r.namespace = ?2 AND r.valid_until IS NULL`,
			func(row cursor) error {
				edges[row.int64(0)] = CommunityFact{row.int64(0), row.int64(1), row.int64(2), row.text(3), row.float(4),
					memory.Origin(row.text(5))}
				return nil
			}, idList(facts), namespace); err != nil {
			return err
		}
		return c.query(ctx, withheldQuery, func(row cursor) error {
			if row.bool(0) {
				delete(edges, row.int64(1))
			} else {
				delete(nodes, row.int64(1))
			}
			return nil
		}, idList(members), idList(facts), namespace)
	})
	return nodes, edges, err
}
