package tools_test

import (
	"context"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func (m *fakeMemory) CreateReferenceEntities(_ context.Context, scope memory.Scope, list []memory.ReferenceEntity,
	o store.ReferenceCall, by memory.Caller) ([]memory.ReferenceWrite, error) {
	m.note(&by, scope, list, o)
	if m.observed != nil {
		return m.observed, m.err
	}
	done := make([]memory.ReferenceWrite, len(list))
	for i := range done {
		done[i].Created = true
	}
	return done, m.err
}

func (m *fakeMemory) Relate(_ context.Context, scope memory.Scope, list []memory.ReferenceRelation,
	o store.ReferenceCall, by memory.Caller) ([]memory.ReferenceWrite, error) {
	m.note(&by, scope, list, o)
	return make([]memory.ReferenceWrite, len(list)), m.err
}

func (m *fakeMemory) AddNotes(_ context.Context, scope memory.Scope, list []memory.ReferenceNotes,
	o store.ReferenceCall, by memory.Caller) ([]memory.ReferenceNotes, error) {
	m.note(&by, scope, list, o)
	return list, m.err
}

func (m *fakeMemory) DropNotes(_ context.Context, scope memory.Scope, list []memory.ReferenceNotes,
	o store.ReferenceCall, by memory.Caller) error {
	m.note(&by, scope, list, o)
	return m.err
}

func (m *fakeMemory) DeleteReferenceEntities(_ context.Context, scope memory.Scope, names []string,
	o store.ReferenceCall, by memory.Caller) error {
	m.note(&by, scope, names, o)
	return m.err
}

func (m *fakeMemory) Unrelate(_ context.Context, scope memory.Scope, list []memory.ReferenceRelation,
	o store.ReferenceCall, by memory.Caller) error {
	m.note(&by, scope, list, o)
	return m.err
}

func (m *fakeMemory) ReferenceEntities(_ context.Context, namespace string,
	_ func(memory.ReferenceEntity) error) error {
	m.note(nil, namespace)
	return m.err
}

func (m *fakeMemory) ReferenceRelations(_ context.Context, namespace string,
	_ func(memory.ReferenceRelation) error) error {
	m.note(nil, namespace)
	return m.err
}
