package vectors

import (
	"context"

	"memory-graph/internal/embedding/kernel"
	"memory-graph/store"
)

// Relations compares vectors of relations. A question needs few of them, so none is kept in memory.
type Relations struct{ space }

// NewRelations returns the vectors of relations of one identity.
func NewRelations(st *store.Store, identity store.Identity) *Relations {
	return &Relations{space{store: st, identity: identity}}
}

// Cosines compares the vector with those of relations of a namespace. Relations without a vector, or with a zero
// vector, are left out.
func (r *Relations) Cosines(ctx context.Context, vec []int8, namespace string,
	relations []string) (map[string]float64, error) {
	g, err := r.generation(ctx)
	if err != nil {
		return nil, err
	}
	stored, err := r.store.RelationVectors(ctx, g.ID, namespace, relations)
	if err != nil {
		return nil, err
	}
	norm := inverseLength(vec)
	out := make(map[string]float64, len(stored))
	for relation, v := range stored {
		if n := inverseLength(v); n != 0 && len(v) == len(vec) {
			out[relation] = float64(float32(kernel.DotInt8(vec, v)) * norm * n)
		}
	}
	return scaleEach(out, r.scaled()), nil
}
