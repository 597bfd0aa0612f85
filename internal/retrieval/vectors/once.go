package vectors

import (
	"context"
	"sync"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

// Once is the retrieval.VectorIndex of a process that asks something and ends: the vectors of a namespace are read when
// they are first asked for, and nothing of what they are of, which the database tells where a filter wants to know.
// That takes a tenth of the time of loading a Live. What is written later is not seen.
type Once struct {
	space

	mu   sync.Mutex
	read map[string]*Index // by namespace; filters cannot be applied to them
}

// NewOnce makes an index of the store's vectors of one identity and one kind.
func NewOnce(st *store.Store, identity store.Identity, kind store.VectorKind) *Once {
	return &Once{space: space{store: st, identity: identity, kind: kind}, read: map[string]*Index{}}
}

// Read reads a namespace's vectors ahead, so that the first question need not wait for them.
func (o *Once) Read(ctx context.Context, namespace string) error {
	_, err := o.index(ctx, namespace)
	return err
}

// Wake does nothing: what was read stays.
func (o *Once) Wake() {}

// Rank implements retrieval.VectorIndex.
func (o *Once) Rank(ctx context.Context, vec []int8, f memory.Filter, k int) (retrieval.Similarities, error) {
	x, err := o.index(ctx, f.Namespace)
	if err != nil {
		return retrieval.Similarities{}, err
	}
	if o.kind == store.OfEntities || !f.Narrow() {
		return x.rank(vec, f.Namespace, k, nil), nil
	}
	ids, err := o.store.EpisodeIDs(ctx, f)
	if err != nil {
		return retrieval.Similarities{}, err
	}
	passing := make(map[int64]bool, len(ids))
	for _, id := range ids {
		passing[id] = true
	}
	return x.rank(vec, f.Namespace, k, func(id int64, _ *attributes) bool { return passing[id] }), nil
}

// Cosines implements retrieval.VectorIndex.
func (o *Once) Cosines(ctx context.Context, vec []int8, namespace string, ids []int64) (map[int64]float64, error) {
	x, err := o.index(ctx, namespace)
	if err != nil {
		return nil, err
	}
	return x.Cosines(vec, namespace, ids), nil
}

// Vectors implements retrieval.VectorIndex.
func (o *Once) Vectors(ctx context.Context, namespace string, ids []int64) (map[int64][]int8, error) {
	x, err := o.index(ctx, namespace)
	if err != nil {
		return nil, err
	}
	return x.Vectors(namespace, ids), nil
}

// index gives the vectors of a namespace.
func (o *Once) index(ctx context.Context, namespace string) (*Index, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if x := o.read[namespace]; x != nil {
		return x, nil
	}
	g, err := o.generation(ctx)
	if err != nil {
		return nil, err
	}
	x := NewIndex(g.Dimensions)
	err = o.store.VectorsOf(ctx, g.ID, o.kind, namespace, func(id int64, vec []int8) error {
		x.Put(store.VectorRow{ID: id, Namespace: namespace, Vec: vec})
		return nil
	})
	if err != nil {
		return nil, err
	}
	o.read[namespace] = x
	return x, nil
}
