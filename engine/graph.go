package engine

import (
	"context"
	"time"

	"memory-graph/memory"
	"memory-graph/retrieval"
)

// Links gives an entity's facts.
func (e *Engine) Links(ctx context.Context, req retrieval.LinksRequest) (retrieval.Links, error) {
	type part interface {
		Links(context.Context, retrieval.LinksRequest) (retrieval.Links, error)
	}
	p, err := partOf[part](ctx, e, "Links")
	if err != nil {
		return retrieval.Links{}, err
	}
	return p.Links(ctx, req)
}

// Traverse gives what lies around an entity, or between two.
func (e *Engine) Traverse(ctx context.Context, req retrieval.TraverseRequest) (retrieval.Traversal, error) {
	type part interface {
		Traverse(context.Context, retrieval.TraverseRequest) (retrieval.Traversal, error)
	}
	p, err := partOf[part](ctx, e, "Traverse")
	if err != nil {
		return retrieval.Traversal{}, err
	}
	return p.Traverse(ctx, req)
}

// ResolveEntity gives the entity that an id, a name or an alias means.
func (e *Engine) ResolveEntity(ctx context.Context, namespace string, ref string, typ string, at memory.AsOf) (memory.Entity, error) {
	type part interface {
		ResolveEntity(context.Context, string, string, string, memory.AsOf) (memory.Entity, error)
	}
	p, err := partOf[part](ctx, e, "ResolveEntity")
	if err != nil {
		return memory.Entity{}, err
	}
	return p.ResolveEntity(ctx, namespace, ref, typ, at)
}

// History gives the versions of an entity or a relationship.
func (e *Engine) History(ctx context.Context, namespace string, id memory.ID, offset int, limit int) ([]memory.Version, bool, error) {
	type part interface {
		History(context.Context, string, memory.ID, int, int) ([]memory.Version, bool, error)
	}
	p, err := partOf[part](ctx, e, "History")
	if err != nil {
		return nil, false, err
	}
	return p.History(ctx, namespace, id, offset, limit)
}

// Changes gives what changed between two instants.
func (e *Engine) Changes(ctx context.Context, namespace string, since time.Time, until time.Time, entity int64, offset int, limit int) ([]memory.Event, bool, error) {
	type part interface {
		Changes(context.Context, string, time.Time, time.Time, int64, int, int) ([]memory.Event, bool, error)
	}
	p, err := partOf[part](ctx, e, "Changes")
	if err != nil {
		return nil, false, err
	}
	return p.Changes(ctx, namespace, since, until, entity, offset, limit)
}

// UpdateRelation changes a fact and gives the number of its new version.
func (e *Engine) UpdateRelation(ctx context.Context, namespace string, ch memory.RelationChange, by memory.Caller) (memory.Relationship, int, error) {
	type part interface {
		UpdateRelation(context.Context, string, memory.RelationChange, memory.Caller) (memory.Relationship, int, error)
	}
	p, err := partOf[part](ctx, e, "UpdateRelation")
	if err != nil {
		return memory.Relationship{}, 0, err
	}
	return p.UpdateRelation(ctx, namespace, ch, by)
}

// MergeEntities makes two entities one.
func (e *Engine) MergeEntities(ctx context.Context, namespace string, into string, from string, by memory.Caller) (memory.Merge, error) {
	type part interface {
		MergeEntities(context.Context, string, string, string, memory.Caller) (memory.Merge, error)
	}
	p, err := partOf[part](ctx, e, "MergeEntities")
	if err != nil {
		return memory.Merge{}, err
	}
	return p.MergeEntities(ctx, namespace, into, from, by)
}

// Unmerge takes a merge back.
func (e *Engine) Unmerge(ctx context.Context, namespace string, entity string, by memory.Caller) (memory.Undone, error) {
	type part interface {
		Unmerge(context.Context, string, string, memory.Caller) (memory.Undone, error)
	}
	p, err := partOf[part](ctx, e, "Unmerge")
	if err != nil {
		return memory.Undone{}, err
	}
	return p.Unmerge(ctx, namespace, entity, by)
}

// Undo takes back what one call changed.
func (e *Engine) Undo(ctx context.Context, namespace string, callID string, by memory.Caller) (memory.Undone, error) {
	type part interface {
		Undo(context.Context, string, string, memory.Caller) (memory.Undone, error)
	}
	p, err := partOf[part](ctx, e, "Undo")
	if err != nil {
		return memory.Undone{}, err
	}
	return p.Undo(ctx, namespace, callID, by)
}

// Forget deletes for good, with confirm; without, it counts.
func (e *Engine) Forget(ctx context.Context, namespace string, ids []memory.ID, confirm bool, by memory.Caller) (memory.Forgotten, error) {
	type part interface {
		Forget(context.Context, string, []memory.ID, bool, memory.Caller) (memory.Forgotten, error)
	}
	p, err := partOf[part](ctx, e, "Forget")
	if err != nil {
		return memory.Forgotten{}, err
	}
	return p.Forget(ctx, namespace, ids, confirm, by)
}

// RelationRates gives the decay rates that were set, per day.
func (e *Engine) RelationRates(ctx context.Context, namespace string) (map[string]float64, error) {
	type part interface {
		RelationRates(context.Context, string) (map[string]float64, error)
	}
	p, err := partOf[part](ctx, e, "RelationRates")
	if err != nil {
		return nil, err
	}
	return p.RelationRates(ctx, namespace)
}

// SetRelationRate sets how fast a relation fades, per day.
func (e *Engine) SetRelationRate(ctx context.Context, namespace string, relation string, rate float64, by memory.Caller) error {
	type part interface {
		SetRelationRate(context.Context, string, string, float64, memory.Caller) error
	}
	p, err := partOf[part](ctx, e, "SetRelationRate")
	if err != nil {
		return err
	}
	return p.SetRelationRate(ctx, namespace, relation, rate, by)
}

// GraphStats counts a namespace's graph.
func (e *Engine) GraphStats(ctx context.Context, namespace string) (memory.GraphStats, error) {
	type part interface {
		GraphStats(context.Context, string) (memory.GraphStats, error)
	}
	p, err := partOf[part](ctx, e, "GraphStats")
	if err != nil {
		return memory.GraphStats{}, err
	}
	return p.GraphStats(ctx, namespace)
}

// State counts what is not finished yet in a namespace.
func (e *Engine) State(ctx context.Context, namespace string) (memory.State, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return memory.State{}, err
	}
	return s.store.State(ctx, namespace)
}

// partOf gives the part of the open engine that has the methods of T.
func partOf[T any](ctx context.Context, e *Engine, name string) (T, error) {
	var none T
	s, err := e.wait(ctx)
	if err != nil {
		return none, err
	}
	for _, candidate := range []any{s.store, s.retriever} {
		if p, ok := candidate.(T); ok {
			return p, nil
		}
	}
	return none, memory.Errorf(memory.Unavailable, "%s is not part of this version.", name)
}
