package tools_test

import (
	"cmp"
	"context"
	"time"

	"memory-graph/episodes"
	"memory-graph/internal/communities"
	"memory-graph/internal/facts/hierarchy"
	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/retrieval/contextblock"
	"memory-graph/store"
	"memory-graph/tools"
)

// fakeMemory records what it was asked and returns its fields. asked holds the arguments of the last call, except the
// context and the caller.
type fakeMemory struct {
	asked          []any
	by             memory.Caller
	calls          int
	err            error
	tools.Operator // is never asked
	tools.Explored // is never asked

	// for StoreEpisode and Retrieve
	input   store.NewEpisode
	request retrieval.Request
	result  episodes.Result
	answer  func(retrieval.Request) retrieval.Answer

	links     retrieval.Links
	traversal retrieval.Traversal
	entity    memory.Entity
	created   bool
	version   int
	written   memory.RelationWrite
	ended     memory.Superseded
	entities  []memory.Entity
	facts     []memory.Relationship
	versions  []memory.Version
	events    []memory.Event
	more      bool
	merge     memory.Merge
	undone    memory.Undone
	forgotten memory.Forgotten
	rates     map[string]float64
	rollout   memory.RolloutMode
	stats     memory.GraphStats
	jobs      []memory.KindState
	state     memory.State
	observed  []memory.ReferenceWrite

	communities []memory.Community
	refreshed   communities.Outcome

	injection contextblock.Decision

	retained     store.Retained
	recollection hierarchy.Recollection
	reflected    hierarchy.Reflected
}

func (m *fakeMemory) note(by *memory.Caller, args ...any) {
	m.asked, m.calls = args, m.calls+1
	if by != nil {
		m.by = *by
	}
}

func (m *fakeMemory) Records(context.Context) (tools.Records, error) { return m, nil }
func (m *fakeMemory) Release(_ context.Context, _ string, turn int64, by memory.Caller) (memory.Released, error) {
	m.note(&by, turn)
	return memory.Released{ID: memory.EpisodeID(turn)}, m.err
}

func (m *fakeMemory) Facts(context.Context) (tools.Facts, error)   { return m, nil }
func (m *fakeMemory) Layers(context.Context) (tools.Layers, error) { return m, nil }

func (m *fakeMemory) ContextBlock(_ context.Context, req contextblock.Request) (contextblock.Decision, error) {
	m.note(nil, req)
	return m.injection, m.err
}

func (m *fakeMemory) StoreEpisode(_ context.Context, in store.NewEpisode) (episodes.Result, error) {
	m.note(&in.Caller, in)
	m.input = in
	return m.result, m.err
}

func (m *fakeMemory) Retrieve(_ context.Context, req retrieval.Request) (retrieval.Answer, error) {
	m.note(nil, req)
	m.request = req
	if m.answer == nil {
		return retrieval.Answer{Strategy: retrieval.Text, Match: retrieval.None}, m.err
	}
	return m.answer(req), m.err
}

func (m *fakeMemory) Links(_ context.Context, req retrieval.LinksRequest) (retrieval.Links, error) {
	m.note(nil, req)
	return m.links, m.err
}

func (m *fakeMemory) Traverse(_ context.Context, req retrieval.TraverseRequest) (retrieval.Traversal, error) {
	m.note(nil, req)
	return m.traversal, m.err
}

func (m *fakeMemory) CreateEntity(_ context.Context, scope memory.Scope, d memory.EntityDraft,
	by memory.Caller) (memory.EntityWrite, error) {
	m.note(&by, scope, d)
	return memory.EntityWrite{Entity: m.entity, Created: m.created}, m.err
}

func (m *fakeMemory) UpdateEntity(_ context.Context, scope memory.Scope, ch memory.EntityChange,
	by memory.Caller) (memory.Entity, int, error) {
	m.note(&by, scope, ch)
	return m.entity, m.version, m.err
}

func (m *fakeMemory) CreateRelation(_ context.Context, scope memory.Scope, d memory.RelationDraft, evidence int64,
	by memory.Caller) (memory.RelationWrite, error) {
	m.note(&by, scope, d, evidence)
	return m.written, m.err
}

func (m *fakeMemory) Supersede(_ context.Context, scope memory.Scope, s memory.Supersession,
	by memory.Caller) (memory.Superseded, error) {
	m.note(&by, scope, s)
	return m.ended, m.err
}

func (m *fakeMemory) ResolveEntity(_ context.Context, namespace, ref, typ string, at memory.AsOf) (memory.Entity,
	error) {
	m.note(nil, namespace, ref, typ, at)
	return m.entity, m.err
}

func (m *fakeMemory) EntitiesByID(_ context.Context, namespace string, ids []int64, at memory.AsOf) ([]memory.Entity,
	error) {
	m.calls++
	return m.entities, m.err
}

func (m *fakeMemory) Relationships(_ context.Context, namespace string, ids []int64,
	at memory.AsOf) ([]memory.Relationship, error) {
	m.calls++
	return m.facts, m.err
}

func (m *fakeMemory) EdgeHistory(_ context.Context, namespace string, source int64, predicate, relation string, offset,
	limit int) ([]memory.Relationship, bool, error) {
	m.note(nil, namespace, source, predicate, relation, offset, limit)
	return m.facts, m.more, m.err
}

func (m *fakeMemory) History(_ context.Context, namespace string, id memory.ID, offset, limit int) ([]memory.Version,
	bool, error) {
	m.note(nil, namespace, id, offset, limit)
	return m.versions, m.more, m.err
}

func (m *fakeMemory) Changes(_ context.Context, namespace string, since, until time.Time, entity int64, offset,
	limit int) ([]memory.Event, bool, error) {
	m.note(nil, namespace, since, until, entity, offset, limit)
	return m.events, m.more, m.err
}

func (m *fakeMemory) UpdateRelation(_ context.Context, namespace string, ch memory.RelationChange,
	by memory.Caller) (memory.Relationship, int, error) {
	m.note(&by, namespace, ch)
	return m.written.Relationship, m.version, m.err
}

func (m *fakeMemory) MergeEntities(_ context.Context, namespace, into, from string, by memory.Caller) (memory.Merge,
	error) {
	m.note(&by, namespace, into, from)
	return m.merge, m.err
}

func (m *fakeMemory) Unmerge(_ context.Context, namespace, entity string, by memory.Caller) (memory.Undone, error) {
	m.note(&by, namespace, entity)
	return m.undone, m.err
}

func (m *fakeMemory) Undo(_ context.Context, namespace, callID string, by memory.Caller) (memory.Undone, error) {
	m.note(&by, namespace, callID)
	return m.undone, m.err
}

func (m *fakeMemory) Forget(_ context.Context, namespace string, ids []memory.ID, confirm bool,
	by memory.Caller) (memory.Forgotten, error) {
	m.note(&by, namespace, ids, confirm)
	return m.forgotten, m.err
}

func (m *fakeMemory) RolloutMode(_ context.Context, namespace string) (memory.RolloutMode, error) {
	m.note(nil, namespace)
	return cmp.Or(m.rollout, memory.DefaultRollout), m.err
}

func (m *fakeMemory) SetRolloutMode(_ context.Context, namespace string, mode memory.RolloutMode,
	by memory.Caller) error {
	m.note(&by, namespace, mode)
	m.rollout = mode
	return m.err
}

func (m *fakeMemory) ExpansionCounts(_ context.Context, _ string, _ time.Time, _ time.Duration) (memory.Expansions,
	memory.Expansions, error) {
	return memory.Expansions{Tried: 20, Fallbacks: 4, Errors: 1, Covered: 8, Added: 24}, memory.Expansions{}, m.err
}

func (m *fakeMemory) RelationRates(_ context.Context, namespace string) (map[string]float64, error) {
	m.calls++
	return m.rates, m.err
}

func (m *fakeMemory) RelationDecay(_ context.Context, namespace, relation string,
	rates graph.Rates) ([]memory.Decay, error) {
	m.note(nil, namespace, relation, rates)
	return []memory.Decay{{Relation: "works_at", Rate: rates.Of("works_at"), Facts: 2, Hidden: 1, Mean: .25}}, m.err
}

func (m *fakeMemory) SetRelationRate(_ context.Context, namespace, relation string, rate float64,
	by memory.Caller) error {
	m.note(&by, namespace, relation, rate)
	return m.err
}

func (m *fakeMemory) ListCommunities(_ context.Context, f store.CommunityFilter, offset,
	limit int) ([]memory.Community, bool, error) {
	m.note(nil, f, offset, limit)
	return m.communities, m.more, m.err
}

func (m *fakeMemory) CommunityNamed(_ context.Context, namespace, ref string) (memory.Community, error) {
	m.note(nil, namespace, ref)
	return append(m.communities, memory.Community{ID: 5})[0], m.err
}

func (m *fakeMemory) RefreshCommunities(_ context.Context, namespace string) (communities.Outcome, error) {
	m.note(nil, namespace)
	return m.refreshed, m.err
}

func (m *fakeMemory) ListEntities(_ context.Context, f store.EntityFilter, offset, limit int) ([]memory.Entity, bool,
	error) {
	m.note(nil, f, offset, limit)
	return m.entities, m.more, m.err
}

func (m *fakeMemory) ListRelationships(_ context.Context, f store.RelationshipFilter, offset,
	limit int) ([]memory.Relationship, bool, error) {
	m.note(nil, f, offset, limit)
	return m.facts, m.more, m.err
}

func (m *fakeMemory) OpenJobs(context.Context, string) ([]memory.KindState, error) {
	return m.jobs, m.err
}

func (m *fakeMemory) GraphStats(_ context.Context, namespace string) (memory.GraphStats, error) {
	m.note(nil, namespace)
	return m.stats, m.err
}

func (m *fakeMemory) LabelsOf(context.Context, string, []int64) (map[int64][]memory.Label, error) {
	return nil, m.err
}

func (m *fakeMemory) State(context.Context, string) (memory.State, error) { return m.state, m.err }

func (m *fakeMemory) Retain(_ context.Context, scope memory.Scope, in hierarchy.Memory,
	by memory.Caller) (store.Retained, error) {
	m.note(&by, scope, in)
	return m.retained, m.err
}

func (m *fakeMemory) Recall(_ context.Context, q hierarchy.RecallQuery) (hierarchy.Recollection, error) {
	m.note(nil, q)
	return m.recollection, m.err
}

func (m *fakeMemory) Reflect(_ context.Context, r hierarchy.Reflection, by memory.Caller) (hierarchy.Reflected, error) {
	m.note(&by, r)
	return m.reflected, m.err
}
