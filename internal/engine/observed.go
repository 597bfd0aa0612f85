package engine

import (
	"context"

	"memory-graph/internal/facts"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// Observe makes entities as the reference memory server does.
func (e *Engine) Observe(ctx context.Context, scope memory.Scope, list []memory.Observed, o store.Observing,
	by memory.Caller) ([]memory.ObservedWrite, error) {
	return observing(ctx, e, func(w *facts.Writer) ([]memory.ObservedWrite, error) {
		return w.Observe(ctx, scope, list, o, by)
	})
}

// Relate makes relations between names.
func (e *Engine) Relate(ctx context.Context, scope memory.Scope, list []memory.ObservedRelation, o store.Observing,
	by memory.Caller) ([]memory.ObservedWrite, error) {
	return observing(ctx, e, func(w *facts.Writer) ([]memory.ObservedWrite, error) {
		return w.Relate(ctx, scope, list, o, by)
	})
}

// AddNotes adds sentences to entities that are there, and gives those that are new.
func (e *Engine) AddNotes(ctx context.Context, scope memory.Scope, list []memory.ObservedNotes, o store.Observing,
	by memory.Caller) ([]memory.ObservedNotes, error) {
	return observing(ctx, e, func(w *facts.Writer) ([]memory.ObservedNotes, error) {
		return w.AddNotes(ctx, scope, list, o, by)
	})
}

// DropNotes takes sentences away from entities.
func (e *Engine) DropNotes(ctx context.Context, scope memory.Scope, list []memory.ObservedNotes, o store.Observing,
	by memory.Caller) error {
	_, err := observing(ctx, e, func(w *facts.Writer) (struct{}, error) {
		return struct{}{}, w.DropNotes(ctx, scope, list, o, by)
	})
	return err
}

// DropObserved takes entities out of the graph with their facts.
func (e *Engine) DropObserved(ctx context.Context, scope memory.Scope, names []string, o store.Observing,
	by memory.Caller) error {
	_, err := observing(ctx, e, func(w *facts.Writer) (struct{}, error) {
		return struct{}{}, w.DropObserved(ctx, scope, names, o, by)
	})
	return err
}

// Unrelate ends relations.
func (e *Engine) Unrelate(ctx context.Context, scope memory.Scope, list []memory.ObservedRelation, o store.Observing,
	by memory.Caller) error {
	_, err := observing(ctx, e, func(w *facts.Writer) (struct{}, error) {
		return struct{}{}, w.Unrelate(ctx, scope, list, o, by)
	})
	return err
}

// observing runs a write, behind which new vectors are to be made.
func observing[T any](ctx context.Context, e *Engine, do func(*facts.Writer) (T, error)) (T, error) {
	s, err := e.wait(ctx)
	if err != nil {
		var none T
		return none, err
	}
	defer s.space.poke()
	return do(s.facts)
}

// ObservedEntities visits the entities of a namespace as the reference memory server has them.
func (e *Engine) ObservedEntities(ctx context.Context, namespace string, visit func(memory.Observed) error) error {
	s, err := e.wait(ctx)
	if err != nil {
		return err
	}
	return s.store.ObservedEntities(ctx, namespace, visit)
}

// ObservedRelations visits the active relations of a namespace in the same way.
func (e *Engine) ObservedRelations(ctx context.Context, namespace string,
	visit func(memory.ObservedRelation) error) error {
	s, err := e.wait(ctx)
	if err != nil {
		return err
	}
	return s.store.ObservedRelations(ctx, namespace, visit)
}
