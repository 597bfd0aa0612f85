package store

import (
	"context"
	"encoding/json"
	"slices"

	"memory-graph/internal/memory"
)

// RelationVector is the vector of a relation's words, [dimensions]int8, for the facts of a namespace.
type RelationVector struct {
	Namespace string
	Relation  string // "works_at"
	Vec       []int8
}

// RelationsToEmbed returns up to limit relations without a vector in the embedding generation. There are none if the
// generation is not the one for new vectors.
func (s *Store) RelationsToEmbed(ctx context.Context, gen int64, limit int) (list []RelationVector, err error) {
	err = s.readOne(ctx, "find relations without a vector", func(c *conn) error {
		target, ok, err := writeTarget(ctx, c)
		if err != nil || !ok || target != gen {
			return err
		}
		return c.query(ctx, `SELECT namespace, relation FROM mg_relations WHERE embedder_id IS NOT ? LIMIT ?`,
			func(row cursor) error {
				list = append(list, RelationVector{Namespace: row.text(0), Relation: row.text(1)})
				return nil
			}, gen, limit)
	})
	return list, err
}

// SaveRelationVectors saves vectors of an embedding generation. Relations without facts get none.
func (s *Store) SaveRelationVectors(ctx context.Context, gen int64, list []RelationVector) error {
	return s.write(ctx, "save the vectors of relations", func(c *conn) error {
		target, ok, err := writeTarget(ctx, c)
		if err != nil || !ok || target != gen {
			return err
		}
		for _, v := range list {
			if _, err := c.exec(ctx, `UPDATE mg_relations SET embedder_id = ?, vec = ? WHERE namespace = ? AND relation = ?`,
				gen, asBytes(v.Vec), v.Namespace, v.Relation); err != nil {
				return err
			}
		}
		return nil
	})
}

// RelationVectors returns the vectors of relations in an embedding generation. Relations without one are left out.
func (s *Store) RelationVectors(ctx context.Context, gen int64, namespace string,
	relations []string) (map[string][]int8, error) {
	names, err := json.Marshal(relations)
	if err != nil {
		return nil, err
	}
	vectors := make(map[string][]int8, len(relations))
	err = s.readOne(ctx, "read the vectors of relations", func(c *conn) error {
		return c.query(ctx, `SELECT r.relation, r.vec FROM json_each(?) j CROSS JOIN mg_relations r ON r.namespace = ? AND
			r.relation = j.value WHERE r.embedder_id = ?`, func(row cursor) error {
			vectors[row.text(0)] = slices.Clone(asVector(row.rawBlob(1)))
			return nil
		}, string(names), namespace, gen)
	})
	return vectors, err
}

// StatedFacts returns the facts that a caller or a model took from the episodes, once for each of these episodes. Facts
// by rules are left out, since they have the words of their episodes, and so are links. The facts hold at an instant;
// with ended, a read of the present also returns those that have ended. It returns at most limit facts.
func (s *Store) StatedFacts(ctx context.Context, namespace string, episodes []int64, at memory.AsOf, ended bool,
	limit int) (list []memory.StatedFact, err error) {
	facts := factsHolding(at, s.now())
	w := new(where)
	w.and("r.namespace = ?", namespace)
	if ended && at.Now() {
		facts.table = "mg_facts"
		w.and(begun, memory.Seconds(s.now()))
	} else {
		w.and(facts.where, facts.args...)
	}
	args := []any{idList(episodes), string(memory.MethodSupplied), string(memory.MethodModelStated),
		string(memory.MethodModelImplied), string(memory.MethodAgreed)}
	known := ""
	if !at.KnownAt.IsZero() {
		known = ` AND v.created_at <= ?`
		args = append(args, memory.Millis(at.KnownAt))
	}
	err = s.readOne(ctx, "read what episodes state", func(c *conn) error {
		return c.query(ctx, `SELECT DISTINCT v.episode_id, r.head_id, r.relation, r.tail_id FROM json_each(?) j
			CROSS JOIN mg_evidence v ON v.episode_id = j.value AND v.method IN (?, ?, ?, ?)`+known+`
			CROSS JOIN `+facts.table+` r ON r.`+facts.id+` = v.relationship_id WHERE `+w.sql.String()+` LIMIT ?`,
			func(row cursor) error {
				list = append(list, memory.StatedFact{Episode: row.int64(0),
					Triple: memory.Triple{Head: row.int64(1), Relation: row.text(2), Tail: row.int64(3)}})
				return nil
			}, slices.Concat(args, w.args, []any{limit})...)
	})
	return list, err
}
