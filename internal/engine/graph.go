package engine

import (
	"context"
	"slices"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/safety/secrets"
	"memory-graph/store"
)

// Links gives an entity's facts.
func (e *Engine) Links(ctx context.Context, req retrieval.LinksRequest) (retrieval.Links, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return retrieval.Links{}, err
	}
	found, err := s.retriever.Links(ctx, req)
	found.State.Degraded = s.degraded(ctx, req.Scope.Namespace, found.State.Degraded)
	return found, err
}

// Traverse gives what lies around an entity, or between two.
func (e *Engine) Traverse(ctx context.Context, req retrieval.TraverseRequest) (retrieval.Traversal, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return retrieval.Traversal{}, err
	}
	found, err := s.retriever.Traverse(ctx, req)
	found.State.Degraded = s.degraded(ctx, req.Scope.Namespace, found.State.Degraded)
	return found, err
}

// ResolveEntity gives the entity that an id, a name or an alias means.
func (e *Engine) ResolveEntity(ctx context.Context, namespace, ref, typ string, at memory.AsOf) (memory.Entity, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return memory.Entity{}, err
	}
	return s.store.ResolveEntity(ctx, namespace, ref, typ, at)
}

// EntitiesByID gives the entities of ids; unknown ones are left out.
func (e *Engine) EntitiesByID(ctx context.Context, namespace string, ids []int64, at memory.AsOf) ([]memory.Entity,
	error) {
	s, err := e.wait(ctx)
	if err != nil {
		return nil, err
	}
	return s.store.EntitiesByID(ctx, namespace, ids, at)
}

// Relationships gives the facts of ids; unknown ones are left out.
func (e *Engine) Relationships(ctx context.Context, namespace string, ids []int64,
	at memory.AsOf) ([]memory.Relationship, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return nil, err
	}
	return s.store.Relationships(ctx, namespace, ids, at)
}

// EdgeHistory gives a page of the facts that a node was ever head of, the latest first (Z37).
func (e *Engine) EdgeHistory(ctx context.Context, namespace string, source int64, predicate, relation string, offset,
	limit int) (facts []memory.Relationship, more bool, err error) {
	s, err := e.wait(ctx)
	if err != nil {
		return nil, false, err
	}
	return s.store.EdgeHistory(ctx, namespace, source, predicate, relation, offset, limit)
}

// History gives the versions of an entity or a relationship, the newest first.
func (e *Engine) History(ctx context.Context, namespace string, id memory.ID, offset,
	limit int) (versions []memory.Version, more bool, err error) {
	s, err := e.wait(ctx)
	if err != nil {
		return nil, false, err
	}
	return s.store.History(ctx, namespace, id, offset, limit)
}

// Changes gives what changed between two instants, the newest first.
func (e *Engine) Changes(ctx context.Context, namespace string, since, until time.Time, entity int64, offset,
	limit int) (events []memory.Event, more bool, err error) {
	s, err := e.wait(ctx)
	if err != nil {
		return nil, false, err
	}
	return s.store.Changes(ctx, namespace, since, until, entity, offset, limit)
}

// ListEntities gives a page of entities.
func (e *Engine) ListEntities(ctx context.Context, f store.EntityFilter, offset, limit int) (list []memory.Entity,
	more bool, err error) {
	s, err := e.wait(ctx)
	if err != nil {
		return nil, false, err
	}
	return s.store.ListEntities(ctx, f, offset, limit)
}

// ListRelationships gives a page of facts.
func (e *Engine) ListRelationships(ctx context.Context, f store.RelationshipFilter, offset,
	limit int) (list []memory.Relationship, more bool, err error) {
	s, err := e.wait(ctx)
	if err != nil {
		return nil, false, err
	}
	return s.store.ListRelationships(ctx, f, offset, limit)
}

// GraphStats counts a namespace's graph.
func (e *Engine) GraphStats(ctx context.Context, namespace string) (memory.GraphStats, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return memory.GraphStats{}, err
	}
	return s.store.GraphStats(ctx, namespace)
}

// UpdateRelation changes a fact and gives the number of its new version.
func (e *Engine) UpdateRelation(ctx context.Context, namespace string, ch memory.RelationChange,
	by memory.Caller) (memory.Relationship, int, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return memory.Relationship{}, 0, err
	}
	return s.facts.UpdateRelation(ctx, namespace, ch, by)
}

// MergeEntities makes two entities one.
func (e *Engine) MergeEntities(ctx context.Context, namespace, into, from string, by memory.Caller) (memory.Merge,
	error) {
	s, err := e.wait(ctx)
	if err != nil {
		return memory.Merge{}, err
	}
	defer s.space.poke()
	return s.store.MergeEntities(ctx, namespace, into, from, by)
}

// Unmerge takes a merge back.
func (e *Engine) Unmerge(ctx context.Context, namespace, entity string, by memory.Caller) (memory.Undone, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return memory.Undone{}, err
	}
	defer s.space.poke()
	return s.store.Unmerge(ctx, namespace, entity, by)
}

// Undo takes back what one call changed; "" is the last call that changed something.
func (e *Engine) Undo(ctx context.Context, namespace, callID string, by memory.Caller) (memory.Undone, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return memory.Undone{}, err
	}
	defer s.space.poke()
	return s.store.Undo(ctx, namespace, callID, by)
}

// RelationRates gives the decay rates that were set in a namespace, per day.
func (e *Engine) RelationRates(ctx context.Context, namespace string) (map[string]float64, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return nil, err
	}
	return s.store.RelationRates(ctx, namespace)
}

// SetRelationRate sets how fast a relation fades, per day.
func (e *Engine) SetRelationRate(ctx context.Context, namespace, relation string, rate float64,
	by memory.Caller) error {
	s, err := e.wait(ctx)
	if err != nil {
		return err
	}
	defer s.ratesChanged(namespace)
	relation, _ = secrets.Mask(relation)
	return s.store.SetRelationRate(ctx, namespace, relation, rate, by)
}

// Forget deletes for good with confirm; without, it counts what would go.
func (e *Engine) Forget(ctx context.Context, namespace string, ids []memory.ID, confirm bool,
	by memory.Caller) (memory.Forgotten, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return memory.Forgotten{}, err
	}
	defer s.space.poke()
	return s.store.Forget(ctx, namespace, ids, confirm, by)
}

// State counts what is not finished yet in a namespace.
func (e *Engine) State(ctx context.Context, namespace string) (memory.State, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return memory.State{}, err
	}
	st, err := s.store.State(ctx, namespace)
	st.Degraded = s.degraded(ctx, namespace, st.Degraded)
	return st, err
}

// OpenJobs tells of which kind the open jobs of a namespace are.
func (e *Engine) OpenJobs(ctx context.Context, namespace string) ([]memory.KindState, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return nil, err
	}
	return s.store.OpenJobs(ctx, namespace)
}

// degraded adds what of the vectors and of extraction works less well than configured.
func (s *services) degraded(ctx context.Context, namespace string, codes []string) []string {
	for _, code := range append(s.space.degraded(), s.reading.degraded(ctx, namespace)...) {
		if !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	return codes
}
