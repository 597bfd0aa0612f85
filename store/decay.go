package store

import (
	"context"
	"maps"
	"slices"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// RelationDecay computes the decay of the facts that hold now: for each relation of the namespace the number of facts,
// the number of hidden ones, and the mean effective confidence. relation selects one, "" all. The list is sorted by
// relation. Nothing is written.
func (s *Store) RelationDecay(ctx context.Context, namespace, relation string, rates graph.Rates) ([]memory.Decay,
	error) {
	now := s.now()
	facts := factsHolding(memory.AsOf{}, now)
	w := new(where)
	w.and("r.namespace = ?", namespace)
	w.and(facts.where, facts.args...)
	if relation != "" {
		w.and("r.relation = ?", relation)
	}
	by := map[string]*memory.Decay{}
	err := s.readOne(ctx, "recalculate confidences", func(c *conn) error {
		return c.query(ctx, `SELECT r.relation, r.confidence, r.last_observed_at FROM mg_relationships r WHERE `+
			w.sql.String(), func(row cursor) error {
			observed, err := memory.ParseStored(row.text(2))
			if err != nil {
				return err
			}
			name := row.text(0)
			d := by[name]
			if d == nil {
				d = &memory.Decay{Relation: name, Rate: rates.Of(name)}
				by[name] = d
			}
			left := graph.EffectiveConfidence(row.float(1), d.Rate, graph.Days(max(0, now.Sub(observed)).Round(time.Second)))
			d.Facts++
			d.Mean += left
			if graph.Hidden(left) {
				d.Hidden++
			}
			return nil
		}, w.args...)
	})
	if err != nil {
		return nil, err
	}
	out := make([]memory.Decay, 0, len(by))
	for _, name := range slices.Sorted(maps.Keys(by)) {
		d := *by[name]
		d.Mean /= float64(d.Facts)
		out = append(out, d)
	}
	return out, nil
}
