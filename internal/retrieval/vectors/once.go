package vectors

import (
	"context"
	"reflect"
	"sync"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

// Once is a retrieval.VectorIndex for a process that answers one question and ends. It reads the vectors of a namespace
// when they are first needed, without their attributes; a filter is evaluated in the database. This takes a tenth of
// the time of loading a Live. Once does not see later writes.
type Once struct {
	space

	mu   sync.Mutex
	read map[string]*Index // by namespace; filters cannot be applied to them

	filtering sync.Mutex
	filtered  *filtered // of the latest narrow filter
}

// filtered are the episodes that pass a filter.
type filtered struct {
	by      memory.Filter
	passing map[int64]bool
}

// NewOnce returns an index of the store's vectors of one identity and one kind.
func NewOnce(st *store.Store, identity store.Identity, kind store.VectorKind) *Once {
	return &Once{space: space{store: st, identity: identity, kind: kind}, read: map[string]*Index{}}
}

// Read reads the vectors of a filter's namespace and the episodes that pass the filter ahead, so that the first
// question need not wait for them.
func (o *Once) Read(ctx context.Context, f memory.Filter) error {
	_, err := o.index(ctx, f.Namespace)
	if err == nil && o.filters(f) {
		_, err = o.passing(ctx, f)
	}
	return err
}

// filters reports whether a filter restricts the vectors of its namespace.
func (o *Once) filters(f memory.Filter) bool { return o.kind == store.OfEpisodes && f.Narrow() }

// passing returns the episodes that pass a filter. Later ones have no vectors here.
func (o *Once) passing(ctx context.Context, f memory.Filter) (map[int64]bool, error) {
	o.filtering.Lock()
	defer o.filtering.Unlock()
	if o.filtered != nil && reflect.DeepEqual(o.filtered.by, f) {
		return o.filtered.passing, nil
	}
	ids, err := o.store.EpisodeIDs(ctx, f)
	if err != nil {
		return nil, err
	}
	o.filtered = &filtered{by: f, passing: make(map[int64]bool, len(ids))}
	for _, id := range ids {
		o.filtered.passing[id] = true
	}
	return o.filtered.passing, nil
}

// Wake does nothing, since Once never reloads.
func (o *Once) Wake() {}

// Rank implements retrieval.VectorIndex.
func (o *Once) Rank(ctx context.Context, vec []int8, f memory.Filter, k int) (retrieval.Similarities, error) {
	x, err := o.index(ctx, f.Namespace)
	if err != nil {
		return retrieval.Similarities{}, err
	}
	if !o.filters(f) {
		return scaleAll(x.rank(vec, f.Namespace, k, nil), o.scaled()), nil
	}
	passing, err := o.passing(ctx, f)
	if err != nil {
		return retrieval.Similarities{}, err
	}
	pass := func(id int64, _ *attributes) bool { return passing[id] }
	return scaleAll(x.rank(vec, f.Namespace, k, pass), o.scaled()), nil
}

// Cosines implements retrieval.VectorIndex.
func (o *Once) Cosines(ctx context.Context, vec []int8, namespace string, ids []int64) (map[int64]float64, error) {
	x, err := o.index(ctx, namespace)
	if err != nil {
		return nil, err
	}
	return scaleEach(x.Cosines(vec, namespace, ids), o.scaled()), nil
}

// Vectors implements retrieval.VectorIndex.
func (o *Once) Vectors(ctx context.Context, namespace string, ids []int64) (map[int64][]int8, error) {
	x, err := o.index(ctx, namespace)
	if err != nil {
		return nil, err
	}
	return x.Vectors(namespace, ids), nil
}

// index returns the vectors of a namespace.
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
		x.add(namespace, id, vec)
		return nil
	})
	if err != nil {
		return nil, err
	}
	x.added(namespace)
	o.read[namespace] = x
	return x, nil
}
