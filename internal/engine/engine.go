// Package engine assembles the memory: the store, the embedder, the vectors in memory, the workers of the job queue,
// the recorder and the retriever. It opens in the background, so a server can answer its host at once.
package engine

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"memory-graph/episodes"
	"memory-graph/heartbeat"
	"memory-graph/internal/communities"
	"memory-graph/internal/config"
	"memory-graph/internal/facts"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/retrieval/contextblock"
	"memory-graph/store"
)

// Engine is the memory of one database file. Its methods are safe for concurrent use, and wait until the file is open.
type Engine struct {
	cfg   *config.Config
	log   *slog.Logger
	o     options
	parts ingredients
	watch *watch

	tried   chan struct{}           // closed when opening succeeded or failed for the first time
	opening atomic.Pointer[opening] // how the last attempt to open ended; nil before tried is closed

	stop context.CancelFunc
	done sync.WaitGroup
}

// opening is the result of an attempt to open the database.
type opening struct {
	services *services // nil if it failed
	err      error
}

// services are the parts of an open engine.
type services struct {
	store     *store.Store
	recorder  *episodes.Recorder
	facts     *facts.Writer
	retriever *retrieval.Retriever
	space     *space
	reading   *reading
	injector  *contextblock.Builder
	drainer   *drainer

	communities *communities.Refresher

	maxContent int // bytes per turn

	ratesChanged func(namespace string) // called after a decay rate was set
}

// ratesAge is how long a process may use decay rates that another process has changed.
const ratesAge = time.Minute

// retryOpen is the delay between attempts to open: a lock may be released, or a file restored.
const retryOpen = 500 * time.Millisecond

// Start begins to open the database and returns at once. An error means that the settings are invalid. Close stops the
// engine.
func Start(cfg *config.Config, log *slog.Logger, with ...Option) (*Engine, error) {
	watch := newWatch(log)
	embedder, err := NewEmbedder(cfg, watch.asked)
	if err != nil {
		return nil, err
	}
	o := newOptions(with)
	m, err := newModel(cfg, o, log)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	e := &Engine{cfg: cfg, log: log, o: o, watch: watch, parts: newIngredients(cfg, embedder, o),
		tried: make(chan struct{}), stop: stop}
	e.done.Go(func() { e.run(ctx, m) })
	e.done.Go(func() { // while the database opens; waiting turns are stored before a question is answered
		if o.readyToStore && cfg.Enabled {
			e.parts.readyToStore()
		}
		if o.readyToAsk {
			e.parts.readyToAsk(ctx)
			e.parts.readMessage(ctx, o.message)
		}
	})
	return e, nil
}

// run opens the store, retrying until it succeeds, then works in the background until ctx ends.
func (e *Engine) run(ctx context.Context, m *model) {
	embedder := e.parts.embedder
	until, release := e.untilDrained(ctx)
	st := e.open(until)
	release()
	if st == nil {
		return
	}
	sp := newSpace(st, embedder, e.cfg.ReadOnly, e.log)
	sp.noWorkers = !e.o.works
	if e.o.readyToAsk {
		sp.preload = e.o.asked(e.cfg.Namespace)
	}
	linker := e.newLinker(st, sp, m)
	sp.begin(ctx)
	writer := facts.New(st, facts.Options{MinConfidence: e.cfg.ConfidenceMinimum,
		Resolver: newResolver(e.cfg, st, sp, embedder, m, e.log),
		Suspects: e.parts.suspicious, Log: e.log})
	rates, changed := retrieval.CachedRates(st.RelationRates, ratesAge, e.o.now)
	retriever := &retrieval.Retriever{Episodes: st, Text: st, Vectors: sp, Embedder: e.parts.asked, Graph: st, Nearest: sp,
		Mentions: st, Replacements: st, Communities: communities.Reader{Store: st}, Holder: st,
		Settings: graphSettings(e.cfg), Rates: rates, Rules: st, Rollout: st, Now: e.o.now}
	reading := e.newReading(st, writer, m, retriever.Similarities)
	st.OnQueued(func(kind string) {
		switch kind {
		case store.KindEmbed:
			sp.poke()
		case store.KindExtract:
			reading.poke()
		}
	})
	s := &services{
		ratesChanged: changed,
		maxContent:   e.cfg.Limits.ContentBytes,

		store: st,
		facts: writer,
		recorder: episodes.New(st, episodes.Options{MaxContentBytes: e.cfg.Limits.ContentBytes, TrustRoles: e.cfg.TrustRoles,
			Facts: writer, Reader: reading.reader, Quarantine: e.parts.suspects, Now: e.o.now, Log: e.log}),
		retriever: retriever,
		space:     sp,
		reading:   reading,
	}
	s.injector = e.newInjector(s)
	s.communities = e.newRefresher(st, m)
	s.drainer = e.newDrainer()
	var background sync.WaitGroup
	if !e.cfg.ReadOnly {
		background.Go(func() { e.watch.run(ctx, st) })
	}
	if !e.cfg.ReadOnly && e.o.works {
		u := newUsage(st, e.log)
		s.retriever.Used = u.used
		background.Go(func() { u.run(ctx) })
		s.retriever.Measured = e.watch.measured
		if e.cfg.Traces.Enabled {
			s.retriever.Traced = e.watch.traced
		}
		background.Go(func() { reading.run(ctx) })
		background.Go(func() { linker.run(ctx) })
		if s.drainer.attends {
			background.Go(func() { e.keepDraining(ctx, s) })
		}
		if e.cfg.Heartbeat.Enabled && e.o.serves {
			background.Go(func() {
				heartbeat.New(st, upkeep(e.cfg, st, sp, s.communities), heartbeat.Options{Log: e.log}).Run(ctx)
			})
		}
	}
	e.ended(opening{services: s})
	if e.o.serves {
		background.Go(func() { e.answerHooks(ctx) })
	}
	sp.run(ctx)
	background.Wait()
	if err := st.Close(); err != nil {
		e.log.Warn("closing the database failed", "error", err)
	}
}

// open opens the store, and retries until it succeeds. It returns nil if ctx ends first.
func (e *Engine) open(ctx context.Context) *store.Store {
	for {
		st, err := store.Open(ctx, e.cfg.DB, store.Options{
			ReadOnly:    e.cfg.ReadOnly,
			Synchronous: e.cfg.Synchronous,
			BusyTimeout: e.cfg.BusyTimeout,
			CacheDir:    e.cfg.Paths.Cache,
			Now:         e.o.now,
			RetryFailed: e.cfg.Heartbeat.Retry,
			LateWriter:  e.o.reads,
			Log:         e.log,
		})
		if err == nil {
			return st
		}
		if ctx.Err() == nil && e.ended(opening{err: err}) {
			e.log.Warn("opening the database failed; retrying", "path", e.cfg.DB, "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(retryOpen):
		}
	}
}

// ended records the result of an attempt to open, and reports whether it was the first attempt, which calls wait for.
// Attempts run one after another.
func (e *Engine) ended(o opening) (first bool) {
	if first = e.opening.Swap(&o) == nil; first {
		close(e.tried)
	}
	return first
}

// openPatience is how long a call waits for an attempt to open that has not failed. The very first start compiles
// SQLite, which takes seconds on a slow machine. A locked file is different: opening fails after the busy time-out.
const openPatience = 30 * time.Second

// wait returns the services of the open engine. It waits for the first attempt to open the file. If the last attempt
// failed, it returns that error at once; later calls succeed once another attempt has succeeded.
func (e *Engine) wait(ctx context.Context) (*services, error) {
	if e.opening.Load() == nil {
		patience := time.NewTimer(e.cfg.BusyTimeout + openPatience)
		defer patience.Stop()
		select {
		case <-e.tried:
		case <-ctx.Done():
			return nil, memory.Errorf(memory.Unavailable, "The call was cancelled before the database was open: %w.", ctx.Err())
		case <-patience.C:
			return nil, memory.Errorf(memory.Unavailable, "The database %s is still being opened.", e.cfg.DB).
				WithHint("Another process may hold it. Try again, or check it with `memory-graph doctor`.")
		}
	}
	o := e.opening.Load()
	if o.err != nil {
		return nil, o.err
	}
	o.services.drainer.first(ctx, o.services.storeSpooled)
	return o.services, nil
}

// StoreEpisode records a turn. It returns when the turn is durable; its vector follows later.
func (e *Engine) StoreEpisode(ctx context.Context, in store.NewEpisode) (episodes.Result, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return episodes.Result{}, err
	}
	result, err := s.recorder.Record(ctx, in)
	if err != nil {
		return episodes.Result{}, err
	}
	result.State.Degraded = s.degraded(ctx, in.Scope.Namespace, result.State.Degraded)
	return result, nil
}

// Retrieve answers a question.
func (e *Engine) Retrieve(ctx context.Context, req retrieval.Request) (retrieval.Answer, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return retrieval.Answer{}, err
	}
	answer, err := s.retriever.Retrieve(ctx, req)
	if err != nil {
		return retrieval.Answer{}, err
	}
	answer.State.Degraded = s.degraded(ctx, req.Scope.Namespace, answer.State.Degraded)
	return answer, nil
}

// Close stops the background work, waits for it, and closes the file.
func (e *Engine) Close() {
	e.stop()
	e.done.Wait()
}
