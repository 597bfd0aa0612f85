package store

import (
	"context"
	"maps"
	"math"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// MaxRate is the highest rate of decay of a fact, per day.
const MaxRate = 10

// RelationRates returns the rates of decay that were set in a namespace, by relation, per day; never nil. Any other
// relation decays at the rate in the registry (docs/decisions.md, "Facts decay when read").
func (s *Store) RelationRates(ctx context.Context, namespace string) (map[string]float64, error) {
	rates := map[string]float64{}
	err := s.readOne(ctx, "read relation rates", func(c *conn) error {
		return c.query(ctx, `SELECT relation, rate FROM mg_relation_rates WHERE namespace = ?`,
			func(row cursor) error {
				rates[row.text(0)] = row.float(1)
				return nil
			}, namespace)
	})
	if err != nil {
		return nil, err
	}
	for name, rate := range maps.Clone(rates) { // set before the names of relations were linked
		to := graph.Store(name, "", "").Relation
		if _, ok := rates[to]; !ok {
			rates[to] = rate
		}
	}
	return rates, nil
}

// SetRelationRate sets how fast facts of a relation decay in a namespace, 0 (never) to MaxRate per day. The rate only
// changes how facts are read, not their meaning: no version, no event. The error is InvalidArgument.
func (s *Store) SetRelationRate(ctx context.Context, namespace, relation string, rate float64, _ memory.Caller) error {
	name := graph.Store(graph.Snake(relation), "", "").Relation
	if name == "" || len(name) > graph.MaxRelationBytes {
		return memory.Errorf(memory.InvalidArgument, "relation: %q is not a verb of 1 to %d bytes.", clip(relation),
			graph.MaxRelationBytes).
			WithHint("Use a verb in snake_case, such as works_at.")
	}
	if math.IsNaN(rate) || rate < 0 || rate > MaxRate {
		return memory.Errorf(memory.InvalidArgument, "rate: %v is out of range.", rate).
			WithHint("Use a number from 0 (never fades) to %d per day; 0.01 halves a confidence in 70 days.", MaxRate)
	}
	return s.write(ctx, "set relation rate", func(c *conn) error {
		_, err := c.exec(ctx, `INSERT INTO mg_relation_rates (namespace, relation, rate) VALUES (?, ?, ?)
			ON CONFLICT DO UPDATE SET rate = excluded.rate`, namespace, name, rate)
		return err
	})
}
