package engine

import (
	"context"
	"errors"
	"log/slog"

	"memory-graph/episodes"
	"memory-graph/extraction"
	"memory-graph/extraction/llm"
	"memory-graph/heartbeat/jobs"
	"memory-graph/internal/facts"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// Codes of memory_state.degraded.
const (
	DegradedWaits = "extraction_waits_for_model" // turns wait for a model, and this process has none
	DegradedModel = "model_unavailable"          // the model's endpoint or command fails; turns wait for it
	DegradedSpent = "model_budget_spent"         // the model's daily budget is spent; turns wait for the next day
)

// reading reads turns: with the rules at once, and with the model after the answer.
type reading struct {
	store     *store.Store
	reader    *episodes.Reader
	model     *model // nil: no endpoint
	extractor *extractor
	pool      *jobs.Pool // nil if this process runs no extraction in the background
	log       *slog.Logger
}

// newReading returns the reading of this process, as configured.
func (e *Engine) newReading(st *store.Store, writer *facts.Writer, m *model, similar similarities) *reading {
	m.opened(st)
	var worth func(extraction.Input, int) bool
	if m != nil {
		worth = m.reader.Worth
	}
	r := &reading{store: st, model: m, log: e.log,
		reader: newReader(e.cfg, e.parts.rules, newNames(st, e.log), writer, worth)}
	r.extractor = &extractor{store: st, reader: r.reader, model: m, log: e.log, now: e.o.now,
		similar: similar, lost: e.o.lost}
	if m != nil && r.reader.On() && !e.cfg.ReadOnly && e.o.serves {
		r.pool = jobs.New(st, []jobs.Kind{r.extractor.kind()}, jobs.Options{Poll: e.o.poll, Log: e.log})
	}
	return r
}

// memory reads the text of a memory like a turn of a call.
func (r *reading) memory(ctx context.Context, text memory.Episode) store.NewEpisode {
	o := r.reader.Outcome(ctx, text)
	text.Status = o.Status
	return store.NewEpisode{Episode: text, Reading: o.Reading}
}

// run reads waiting turns until ctx ends.
func (r *reading) run(ctx context.Context) {
	if r.pool != nil {
		if err := r.store.ExtractNow(ctx); err != nil && ctx.Err() == nil {
			r.log.Warn("making deferred turns due failed; they keep their due times", "error", err)
		}
		r.pool.Run(ctx)
	}
	if r.model != nil {
		r.model.client.Close()
	}
}

// poke tells the workers that a turn waits.
func (r *reading) poke() {
	if r.pool != nil {
		r.pool.Poke()
	}
}

// degraded returns the codes for extraction that works less well than configured.
func (r *reading) degraded(ctx context.Context, namespace string) []string {
	if r.model != nil {
		var e *llm.Error
		if err := r.model.client.Available(); errors.As(err, &e) && e.Kind == llm.OverBudget {
			return []string{DegradedSpent}
		} else if err != nil {
			return []string{DegradedModel}
		}
	}
	if r.model != nil && r.reader.On() {
		return nil
	}
	waits, err := r.store.Waits(ctx, namespace, store.KindExtract)
	if err != nil {
		r.log.Debug("checking for turns that wait for a model failed", "error", err)
		return nil
	}
	if waits {
		return []string{DegradedWaits}
	}
	return nil
}
