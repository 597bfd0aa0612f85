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

// space holds the vectors of this process in one store: the embedding generation it writes to, the workers that embed,
// and the copy in memory. Without an embedder it is empty. It implements retrieval.VectorIndex.
type space struct {
	store     *store.Store
	embedder  embedding.Embedder
	readOnly  bool
	log       *slog.Logger
	links     *linker       // is told of new vectors; nil if nothing is linked
	noWorkers bool          // another process embeds; this one reads vectors when they are needed
	preload   memory.Filter // its vectors are read at the start; without a namespace none are

	ready atomic.Pointer[ready] // nil until the embedder's identity and generation are known

	measuring sync.Mutex
	measured  bool // the base cosine is stored; guarded by measuring
}

// ready is a space that can rank and write vectors.
type ready struct {
	live      index // of episodes
	entities  index
	relations *vectors.Relations
	pool      *jobs.Pool // nil when read-only
	gen       int64
}

// index holds the vectors of episodes or of entities.
type index interface {
	retrieval.VectorIndex
	Elsewhere() bool // another embedder's vectors were active at the last check
	Wake()           // other vectors may have become active
}

// index returns the vectors of a kind: a copy in memory that is kept up to date, or for a process that asks once,
// vectors read when they are needed.
func (s *space) index(identity store.Identity, kind store.VectorKind) index {
	if s.noWorkers {
		return vectors.NewOnce(s.store, identity, kind)
	}
	return vectors.NewLive(s.store, identity, kind, s.log)
}

// Codes of memory_state.degraded.
const (
	DegradedReembedding = "reembedding"           // another embedder's vectors are active; text search meanwhile
	DegradedEmbedder    = "embedding_unavailable" // the embedder cannot be reached; text search meanwhile
)

// retryEmbedder is the delay before an embedder that did not answer is asked again.
const retryEmbedder = 10 * time.Second

func newSpace(st *store.Store, e embedding.Embedder, readOnly bool, log *slog.Logger) *space {
	return &space{store: st, embedder: e, readOnly: readOnly, log: log}
}

// enabled reports whether an embedder is configured. An endpoint counts even while its dimensions are unknown.
func (s *space) enabled() bool { return s.embedder.Identity().Provider != embedding.ProviderNone }

// begin makes the space ready if the embedder's dimensions are known.
func (s *space) begin(ctx context.Context) {
	if s.embedder.Identity().Enabled() {
		s.prepare(ctx)
	}
}

// prepare finds or creates the generation of this embedder.
func (s *space) prepare(ctx context.Context) {
	id := s.embedder.Identity()
	identity := store.Identity{Provider: id.Provider, Model: id.Model, Dimensions: id.Dimensions}
	r := &ready{
		live:      s.index(identity, store.OfEpisodes),
		entities:  s.index(identity, store.OfEntities),
		relations: vectors.NewRelations(s.store, identity),
	}
	if !s.readOnly {
		gen, err := s.generation(ctx, identity)
		if err != nil {
			s.log.Warn("preparing the embedding generation failed; no vectors are made", "error", err)
			return
		}
		r.gen = gen.ID
		r.pool = jobs.New(s.store, []jobs.Kind{{
			Name:   store.KindEmbed,
			Prefix: store.EmbedPrefix(gen.ID),
			Batch:  embedBatch,
			Newest: true, // after an import, new turns do not wait for thousands of old ones
			Handle: s.embed,
		}}, jobs.Options{Log: s.log})
	}
	s.ready.Store(r)
}

// generation returns the generation to which this process writes its vectors.
func (s *space) generation(ctx context.Context, id store.Identity) (store.Generation, error) {
	if s.noWorkers {
		if gen, ok, err := s.store.UseGeneration(ctx, id); ok || err != nil {
			return gen, err
		}
	}
	return s.store.EnsureGeneration(ctx, id)
}

// run makes the space ready if it is not, then embeds and updates the copy in memory until ctx ends.
func (s *space) run(ctx context.Context) {
	if !s.enabled() {
		<-ctx.Done()
		return
	}
	for s.ready.Load() == nil {
		if p, ok := s.embedder.(Prober); ok && !s.embedder.Identity().Enabled() {
			if err := p.Probe(ctx); err != nil {
				s.log.Warn("the embedding endpoint does not answer; using text search meanwhile", "error", err)
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
	if s.preload.Namespace != "" {
		work.Go(func() { // one after the other, to leave a connection for the question
			for _, x := range []index{r.entities, r.live} { // entities are few
				if once, ok := x.(*vectors.Once); ok {
					_ = once.Read(ctx, s.preload) // the caller that searches gets the error
				}
			}
		})
	}
	if r.pool != nil && !s.noWorkers {
		work.Go(func() { r.pool.Run(ctx) })
		work.Go(func() {
			if err := s.catchUp(ctx); err != nil && ctx.Err() == nil {
				s.log.Warn("queueing missing vectors failed", "error", err)
			}
		})
	}
	work.Wait()
	<-ctx.Done()
}

// embeds reports whether this process can queue vectors.
func (s *space) embeds() bool {
	r := s.ready.Load()
	return r != nil && r.pool != nil
}

// catchUp queues the vectors that this process's generation lacks: of nodes and episodes stored before the generation
// existed, or by processes without an embedder. Each process calls it at its start, and the heartbeat periodically.
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
	if err := s.embedRelations(ctx, r.gen); err != nil {
		return err
	}
	s.measure(ctx, r.gen)
	return s.links.catchUp(ctx)
}

// poke tells the workers that a turn or an entity was written.
func (s *space) poke() {
	if s.embeds() {
		s.ready.Load().pool.Poke()
	}
}

// degraded returns the codes for vectors that work less well than configured.
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

// Rank implements retrieval.VectorIndex. Like all cosines of a space, these are on the scale of the built-in embedder
// once the base cosine of the generation is stored (measure).
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

// RankEntities returns the k entities and memories of the namespace with the highest cosines, highest first. They may
// include nodes that were merged or hidden moments ago; callers read them by id to check.
func (s *space) RankEntities(ctx context.Context, vec []int8, namespace string, k int) ([]memory.Hit, error) {
	r := s.ready.Load()
	if r == nil {
		return nil, errNotReady
	}
	similar, err := r.entities.Rank(ctx, vec, memory.Filter{Namespace: namespace}, k)
	return similar.Top, err
}

// CosinesEntities returns the cosines of the vector with those of the given entities. Entities without a vector are
// left out.
func (s *space) CosinesEntities(ctx context.Context, vec []int8, namespace string, ids []int64) (map[int64]float64,
	error) {
	r := s.ready.Load()
	if r == nil {
		return nil, errNotReady
	}
	return r.entities.Cosines(ctx, vec, namespace, ids)
}

// CosinesRelations returns the cosines of the vector with those of the given relations. Relations without a vector are
// left out.
func (s *space) CosinesRelations(ctx context.Context, vec []int8, namespace string,
	relations []string) (map[string]float64, error) {
	r := s.ready.Load()
	if r == nil {
		return nil, errNotReady
	}
	return r.relations.Cosines(ctx, vec, namespace, relations)
}

var errNotReady = memory.Errorf(memory.Unavailable,
	"The embedder is not ready yet.").WithHint("Use strategy text or auto meanwhile; see the log for the reason.")
