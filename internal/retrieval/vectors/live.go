package vectors

import (
	"context"
	"log/slog"
	"sync"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

// Live is a retrieval.VectorIndex of one embedding space. It ranks from an Index in memory after that is loaded, and
// from vec0 before. Each call first applies the writes of all processes since the last call, so every committed vector
// is found.
type Live struct {
	space
	log *slog.Logger

	mu     sync.RWMutex
	loaded loaded

	wanted chan struct{} // tells Run to load
}

// loaded is a copy of one generation. The zero value holds none.
type loaded struct {
	index *Index
	gen   int64
	seq   int64 // the last change of the feed that the index contains
}

// NewLive returns an index of the store's vectors of one identity and one kind. It works at once, but is only fast
// while Run runs.
func NewLive(st *store.Store, identity store.Identity, kind store.VectorKind, log *slog.Logger) *Live {
	return &Live{space: space{store: st, identity: identity, kind: kind}, log: log, wanted: make(chan struct{}, 1)}
}

// Run reads the active vectors into memory, now and whenever another generation becomes active, until ctx ends.
func (l *Live) Run(ctx context.Context) {
	for {
		if err := l.load(ctx); err != nil && ctx.Err() == nil {
			l.log.Warn("cannot read the vectors into memory; search is slower until this works", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-l.wanted:
		}
	}
}

// Wake tells Run that another generation may have become active. It never blocks.
func (l *Live) Wake() {
	select {
	case l.wanted <- struct{}{}:
	default: // already told
	}
}

func (l *Live) load(ctx context.Context) error {
	g, err := l.generation(ctx)
	if err == errOtherSpace {
		return nil
	}
	if err != nil || l.hasLoaded(g.ID) {
		return err
	}
	index := NewIndex(g.Dimensions)
	seq, err := l.store.LoadVectors(ctx, g.ID, l.kind, func(r store.VectorRow) error {
		index.Put(r)
		return nil
	})
	if err != nil {
		return err
	}
	n := index.Len() // read before others can change the index
	l.mu.Lock()
	l.loaded = loaded{index, g.ID, seq}
	l.mu.Unlock()
	l.log.Debug("vectors loaded", "of", l.kind, "n", n, "generation", g.ID)
	return nil
}

func (l *Live) hasLoaded(gen int64) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.loaded.index != nil && l.loaded.gen == gen
}

// Rank implements retrieval.VectorIndex.
func (l *Live) Rank(ctx context.Context, vec []int8, f memory.Filter, k int) (retrieval.Similarities, error) {
	g, err := l.generation(ctx)
	if err != nil {
		return retrieval.Similarities{}, err
	}
	if !l.hasLoaded(g.ID) {
		l.Wake()
		hits, err := l.store.NearestVec0(ctx, g.ID, l.kind, vec, f, k)
		return fromTop(hits, l.scaled()), err
	}
	if err := l.refresh(ctx, g.ID); err != nil {
		return retrieval.Similarities{}, err
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	return scaleAll(l.loaded.index.Rank(vec, f, k), l.scaled()), nil
}

// Cosines implements retrieval.VectorIndex. It sees at least the state that the last Rank saw.
func (l *Live) Cosines(ctx context.Context, vec []int8, namespace string, ids []int64) (map[int64]float64, error) {
	l.mu.RLock()
	index := l.loaded.index
	if index != nil {
		defer l.mu.RUnlock()
		return scaleEach(index.Cosines(vec, namespace, ids), l.scaled()), nil
	}
	l.mu.RUnlock()
	g, err := l.generation(ctx)
	if err != nil {
		return nil, err
	}
	cosines, err := l.store.CosinesVec0(ctx, g.ID, l.kind, vec, namespace, ids)
	return scaleEach(cosines, l.scaled()), err
}

// Vectors implements retrieval.VectorIndex.
func (l *Live) Vectors(ctx context.Context, namespace string, ids []int64) (map[int64][]int8, error) {
	l.mu.RLock()
	index := l.loaded.index
	if index != nil {
		defer l.mu.RUnlock()
		return index.Vectors(namespace, ids), nil
	}
	l.mu.RUnlock()
	g, err := l.generation(ctx)
	if err != nil {
		return nil, err
	}
	return l.store.VectorsVec0(ctx, g.ID, l.kind, namespace, ids)
}

// refresh applies the changes since the last call. Without changes it costs one seek.
func (l *Live) refresh(ctx context.Context, gen int64) error {
	for {
		l.mu.RLock()
		after := l.loaded.seq
		l.mu.RUnlock()
		newest, err := l.store.VectorSeq(ctx, gen, l.kind)
		if err != nil || newest == after {
			return err
		}
		changes, seq, err := l.store.VectorChanges(ctx, gen, l.kind, after)
		if err != nil || seq == after {
			return err
		}
		l.mu.Lock()
		if l.loaded.gen == gen && l.loaded.seq == after { // otherwise another call applied them: check again
			l.loaded.index.apply(changes)
			l.loaded.seq = seq
		}
		l.mu.Unlock()
	}
}

func (x *Index) apply(changes []store.VectorChange) {
	for _, c := range changes {
		if c.Deleted {
			x.Delete(c.ID)
			continue
		}
		x.Put(c.VectorRow)
	}
}

// fromTop assumes a distribution of all cosines if only the nearest are known.
func fromTop(hits []memory.Hit, scale embedding.Scale) retrieval.Similarities {
	s := scaleAll(retrieval.Similarities{Top: hits}, scale)
	s.Mean, s.Std = retrieval.AssumedMean, retrieval.AssumedStd
	return s
}
