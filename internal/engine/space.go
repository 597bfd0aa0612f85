package engine

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"memory-graph/heartbeat/jobs"
	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/retrieval/vectors"
	"memory-graph/store"
)

// space is the embedding space of this process in one store: the generation that its vectors go to, the workers that
// make them, and their copy in memory. Without an embedder it is empty. It is the retriever's VectorIndex.
type space struct {
	store     *store.Store
	embedder  embedding.Embedder
	readOnly  bool
	log       *slog.Logger
	links     *linker // is told of new vectors; nil where nothing is linked
	noWorkers bool    // no vectors are made here, and they are read when they are asked for: another process makes them
	preload   string  // namespace whose vectors are read at the start; "" for none

	ready atomic.Pointer[ready] // nil until the embedder's identity and generation are known
}

// ready is a space that can be ranked from and written to.
type ready struct {
	live     index // of episodes
	entities index
	pool     *jobs.Pool // nil when read-only
	gen      int64
}

// index is the vectors of a kind.
type index interface {
	retrieval.VectorIndex
	Elsewhere() bool // the active vectors were another embedder's when they were last looked at
	Wake()           // other vectors may have become the active ones
}

// index gives that of a kind: a copy in memory that is kept up to date, or for a process that asks once what it reads
// then.
func (s *space) index(identity store.Identity, kind store.VectorKind) index {
	if s.noWorkers {
		return vectors.NewOnce(s.store, identity, kind)
	}
	return vectors.NewLive(s.store, identity, kind, s.log)
}

// Codes of memory_state.degraded.
const (
	DegradedReembedding = "reembedding"           // the active vectors are another embedder's; search is by text meanwhile
	DegradedEmbedder    = "embedding_unavailable" // the embedder cannot be reached; search is by text meanwhile
)

// retryEmbedder is how often an embedder that did not answer is asked again.
const retryEmbedder = 10 * time.Second

func newSpace(st *store.Store, e embedding.Embedder, readOnly bool, log *slog.Logger) *space {
	return &space{store: st, embedder: e, readOnly: readOnly, log: log}
}

// enabled says whether there is an embedder at all. An endpoint whose dimensions are not known yet is one.
func (s *space) enabled() bool { return s.embedder.Identity().Provider != embedding.ProviderNone }

// begin makes the space ready where that needs no waiting for others.
func (s *space) begin(ctx context.Context) {
	if s.embedder.Identity().Enabled() {
		s.prepare(ctx)
	}
}

// prepare finds or makes the generation of this embedder.
func (s *space) prepare(ctx context.Context) {
	id := s.embedder.Identity()
	identity := store.Identity{Provider: id.Provider, Model: id.Model, Dimensions: id.Dimensions}
	r := &ready{
		live:     s.index(identity, store.OfEpisodes),
		entities: s.index(identity, store.OfEntities),
	}
	if !s.readOnly {
		gen, err := s.generation(ctx, identity)
		if err != nil {
			s.log.Warn("vectors cannot be made", "error", err)
			return
		}
		r.gen = gen.ID
		r.pool = jobs.New(s.store, []jobs.Kind{{
			Name:   store.KindEmbed,
			Prefix: store.EmbedPrefix(gen.ID),
			Batch:  embedBatch,
			Handle: s.embed,
		}}, jobs.Options{Log: s.log})
	}
	s.ready.Store(r)
}

// generation gives the one that this process's vectors go to.
func (s *space) generation(ctx context.Context, id store.Identity) (store.Generation, error) {
	if s.noWorkers {
		if gen, ok, err := s.store.UseGeneration(ctx, id); ok || err != nil {
			return gen, err
		}
	}
	return s.store.EnsureGeneration(ctx, id)
}

// run works until ctx ends: it makes the space ready if it is not, embeds, and keeps the copy in memory.
func (s *space) run(ctx context.Context) {
	if !s.enabled() {
		<-ctx.Done()
		return
	}
	for s.ready.Load() == nil {
		if p, ok := s.embedder.(Prober); ok && !s.embedder.Identity().Enabled() {
			if err := p.Probe(ctx); err != nil {
				s.log.Warn("the embedding endpoint does not answer; search is by text meanwhile", "error", err)
			}
		}
		s.begin(ctx)
		if s.ready.Load() == nil {
			select {
			case <-ctx.Done():
				return
			case <-time.After(retryEmbedder):
			}
		}
	}
	var work sync.WaitGroup
	r := s.ready.Load()
	for _, x := range []index{r.live, r.entities} {
		if live, ok := x.(*vectors.Live); ok {
			work.Go(func() { live.Run(ctx) })
		}
	}
	if s.preload != "" {
		work.Go(func() { // one after the other, which leaves a connection to the question
			for _, x := range []index{r.live, r.entities} {
				if once, ok := x.(*vectors.Once); ok {
					_ = once.Read(ctx, s.preload) // who asks gets the error
				}
			}
		})
	}
	if r.pool != nil && !s.noWorkers {
		work.Go(func() { r.pool.Run(ctx) })
		work.Go(func() {
			if err := s.catchUp(ctx); err != nil && ctx.Err() == nil {
				s.log.Warn("looking for missing vectors failed", "error", err)
			}
		})
	}
	work.Wait()
	<-ctx.Done()
}

// embeds says whether this process makes vectors.
func (s *space) embeds() bool {
	r := s.ready.Load()
	return r != nil && r.pool != nil
}

// catchUp queues the vectors that this process's generation lacks: of what was stored before it, and by processes
// without an embedder. Each process does it when it starts, and the heartbeat now and then.
func (s *space) catchUp(ctx context.Context) error {
	if !s.embeds() {
		return nil
	}
	r := s.ready.Load()
	err := s.store.CatchUp(ctx, r.gen)
	r.pool.Poke()
	if err != nil {
		return err
	}
	return s.links.catchUp(ctx)
}

// poke says that a turn or an entity was written.
func (s *space) poke() {
	if s.embeds() {
		s.ready.Load().pool.Poke()
	}
}

// degraded tells what does not work as configured.
func (s *space) degraded() []string {
	r := s.ready.Load()
	switch {
	case !s.enabled():
		return nil
	case r == nil:
		return []string{DegradedEmbedder}
	case r.live.Elsewhere():
		return []string{DegradedReembedding}
	}
	return nil
}

// Ready implements retrieval.VectorIndex.
func (s *space) Ready(ctx context.Context) error {
	r := s.ready.Load()
	if r == nil {
		return errNotReady
	}
	return r.live.Ready(ctx)
}

// Rank implements retrieval.VectorIndex.
func (s *space) Rank(ctx context.Context, vec []int8, f memory.Filter, k int) (retrieval.Similarities, error) {
	r := s.ready.Load()
	if r == nil {
		return retrieval.Similarities{}, errNotReady
	}
	return r.live.Rank(ctx, vec, f, k)
}

// Cosines implements retrieval.VectorIndex.
func (s *space) Cosines(ctx context.Context, vec []int8, namespace string, ids []int64) (map[int64]float64, error) {
	r := s.ready.Load()
	if r == nil {
		return nil, errNotReady
	}
	return r.live.Cosines(ctx, vec, namespace, ids)
}

// Vectors implements retrieval.VectorIndex.
func (s *space) Vectors(ctx context.Context, namespace string, ids []int64) (map[int64][]int8, error) {
	r := s.ready.Load()
	if r == nil {
		return nil, errNotReady
	}
	return r.live.Vectors(ctx, namespace, ids)
}

// RankEntities gives the k entities and memories of the namespace whose meaning is nearest to the vector, with their
// cosines, the nearest first. What was merged or hidden within the last moments may be among them: reading them by
// their ids tells.
func (s *space) RankEntities(ctx context.Context, vec []int8, namespace string, k int) ([]memory.Hit, error) {
	r := s.ready.Load()
	if r == nil {
		return nil, errNotReady
	}
	similar, err := r.entities.Rank(ctx, vec, memory.Filter{Namespace: namespace}, k)
	return similar.Top, err
}

// CosinesEntities compares the vector with those of the given entities; those without one are left out.
func (s *space) CosinesEntities(ctx context.Context, vec []int8, namespace string, ids []int64) (map[int64]float64,
	error) {
	r := s.ready.Load()
	if r == nil {
		return nil, errNotReady
	}
	return r.entities.Cosines(ctx, vec, namespace, ids)
}

var errNotReady = memory.Errorf(memory.Unavailable,
	"The embedder does not answer yet.").WithHint("Use strategy text or auto meanwhile; the log tells more.")
