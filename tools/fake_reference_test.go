package tools_test

import (
	"context"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func (m *fakeMemory) Observe(_ context.Context, scope memory.Scope, list []memory.Observed, o store.Observing,
	by memory.Caller) ([]memory.ObservedWrite, error) {
	m.note(&by, scope, list, o)
	if m.observed != nil {
		return m.observed, m.err
	}
	done := make([]memory.ObservedWrite, len(list))
	for i := range done {
		done[i].Created = true
	}
	return done, m.err
}

func (m *fakeMemory) Relate(_ context.Context, scope memory.Scope, list []memory.ObservedRelation, o store.Observing,
	by memory.Caller) ([]memory.ObservedWrite, error) {
	m.note(&by, scope, list, o)
	return make([]memory.ObservedWrite, len(list)), m.err
}

func (m *fakeMemory) AddNotes(_ context.Context, scope memory.Scope, list []memory.ObservedNotes, o store.Observing,
	by memory.Caller) ([]memory.ObservedNotes, error) {
	m.note(&by, scope, list, o)
	return list, m.err
}

func (m *fakeMemory) DropNotes(_ context.Context, scope memory.Scope, list []memory.ObservedNotes, o store.Observing,
	by memory.Caller) error {
	m.note(&by, scope, list, o)
	return m.err
}

func (m *fakeMemory) DropObserved(_ context.Context, scope memory.Scope, names []string, o store.Observing,
	by memory.Caller) error {
	m.note(&by, scope, names, o)
	return m.err
}

func (m *fakeMemory) Unrelate(_ context.Context, scope memory.Scope, list []memory.ObservedRelation, o store.Observing,
	by memory.Caller) error {
	m.note(&by, scope, list, o)
	return m.err
}

func (m *fakeMemory) ObservedEntities(_ context.Context, namespace string, _ func(memory.Observed) error) error {
	m.note(nil, namespace)
	return m.err
}

func (m *fakeMemory) ObservedRelations(_ context.Context, namespace string,
	_ func(memory.ObservedRelation) error) error {
	m.note(nil, namespace)
	return m.err
}
