package facts

import (
	"context"

	"memory-graph/internal/memory"
	"memory-graph/internal/safety/secrets"
	"memory-graph/store"
)

// ReferenceStore is the part of the store that writes a graph in the model of the reference memory server.
type ReferenceStore interface {
	CreateReferenceEntities(ctx context.Context, scope memory.Scope, list []memory.ReferenceEntity, o store.ReferenceCall,
		by memory.Caller) ([]memory.ReferenceWrite, error)
	Relate(ctx context.Context, scope memory.Scope, list []memory.ReferenceRelation, o store.ReferenceCall,
		by memory.Caller) ([]memory.ReferenceWrite, error)
	AddNotes(ctx context.Context, scope memory.Scope, list []memory.ReferenceNotes, o store.ReferenceCall,
		by memory.Caller) ([]memory.ReferenceNotes, error)
	DropNotes(ctx context.Context, scope memory.Scope, list []memory.ReferenceNotes, o store.ReferenceCall,
		by memory.Caller) error
	DeleteReferenceEntities(ctx context.Context, scope memory.Scope, names []string, o store.ReferenceCall,
		by memory.Caller) error
	Unrelate(ctx context.Context, scope memory.Scope, list []memory.ReferenceRelation, o store.ReferenceCall,
		by memory.Caller) error
}

// CreateReferenceEntities creates entities as the reference memory server does (store.Store.CreateReferenceEntities)
// and masks secrets. It does not change list.
func (w *Writer) CreateReferenceEntities(ctx context.Context, scope memory.Scope, list []memory.ReferenceEntity,
	o store.ReferenceCall, by memory.Caller) ([]memory.ReferenceWrite, error) {
	o.Origin = originOr(o.Origin, by)
	ready := make([]memory.ReferenceEntity, len(list))
	for i, e := range list {
		var err error
		if ready[i].Name, err = clean("name", e.Name); err != nil {
			return nil, err
		}
		if ready[i].Type, err = clean("entityType", e.Type); err != nil {
			return nil, err
		}
		if ready[i].Observations, err = cleanAll("observations", e.Observations); err != nil {
			return nil, err
		}
		ready[i].Suspicion = w.suspicion(o.Origin,
			append([]string{ready[i].Name, ready[i].Type}, ready[i].Observations...)...)
	}
	return w.store.CreateReferenceEntities(ctx, secrets.Scope(scope), ready, o, masked(by))
}

// Relate creates relations between names (store.Store.Relate) and masks secrets. The error is InvalidArgument if the
// confidence of facts of this origin is below the minimum.
func (w *Writer) Relate(ctx context.Context, scope memory.Scope, list []memory.ReferenceRelation, o store.ReferenceCall,
	by memory.Caller) ([]memory.ReferenceWrite, error) {
	o.Origin = originOr(o.Origin, by)
	if most := memory.Capped(nil, o.Origin, memory.MethodSupplied); most < w.opts.MinConfidence {
		return nil, memory.Errorf(memory.InvalidArgument,
			"Facts of origin %s have a confidence of %v, below the minimum of %v.", o.Origin, most,
			w.opts.MinConfidence).
			WithHint("Lower confidence_minimum, or vouch for the file with --trusted.")
	}
	ready, err := cleanRelations(list)
	if err != nil {
		return nil, err
	}
	for i, r := range ready {
		ready[i].Suspicion = w.suspicion(o.Origin, r.From+" "+r.Type+" "+r.To)
	}
	return w.store.Relate(ctx, secrets.Scope(scope), ready, o, masked(by))
}

// AddNotes adds entity observations to existing entities (store.Store.AddNotes) and masks secrets.
func (w *Writer) AddNotes(ctx context.Context, scope memory.Scope, list []memory.ReferenceNotes, o store.ReferenceCall,
	by memory.Caller) ([]memory.ReferenceNotes, error) {
	o.Origin = originOr(o.Origin, by)
	ready, err := cleanNotes(list)
	if err != nil {
		return nil, err
	}
	for i, n := range ready {
		ready[i].Suspicion = w.suspicion(o.Origin, append([]string{n.Name}, n.Notes...)...)
	}
	return w.store.AddNotes(ctx, secrets.Scope(scope), ready, o, masked(by))
}

// DropNotes removes entity observations. It masks secrets first, since the stored text is masked too.
func (w *Writer) DropNotes(ctx context.Context, scope memory.Scope, list []memory.ReferenceNotes, o store.ReferenceCall,
	by memory.Caller) error {
	o.Origin = originOr(o.Origin, by)
	ready, err := cleanNotes(list)
	if err != nil {
		return err
	}
	return w.store.DropNotes(ctx, secrets.Scope(scope), ready, o, masked(by))
}

// DeleteReferenceEntities removes entities.
func (w *Writer) DeleteReferenceEntities(ctx context.Context, scope memory.Scope, names []string, o store.ReferenceCall,
	by memory.Caller) error {
	ready, err := cleanAll("entityNames", names)
	if err != nil {
		return err
	}
	return w.store.DeleteReferenceEntities(ctx, secrets.Scope(scope), ready, o, masked(by))
}

// Unrelate ends relations.
func (w *Writer) Unrelate(ctx context.Context, scope memory.Scope, list []memory.ReferenceRelation,
	o store.ReferenceCall, by memory.Caller) error {
	ready, err := cleanRelations(list)
	if err != nil {
		return err
	}
	return w.store.Unrelate(ctx, secrets.Scope(scope), ready, o, masked(by))
}

func originOr(o memory.Origin, by memory.Caller) memory.Origin {
	if o == "" {
		return memory.SuppliedOrigin(by.Actor)
	}
	return o
}

func cleanAll(argument string, list []string) ([]string, error) {
	if list == nil {
		return nil, nil
	}
	out := make([]string, len(list))
	for i, s := range list {
		var err error
		if out[i], err = clean(argument, s); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func cleanRelations(list []memory.ReferenceRelation) ([]memory.ReferenceRelation, error) {
	out := make([]memory.ReferenceRelation, len(list))
	for i, r := range list {
		parts, err := cleanAll("relations", []string{r.From, r.To, r.Type})
		if err != nil {
			return nil, err
		}
		out[i] = memory.ReferenceRelation{From: parts[0], To: parts[1], Type: parts[2]}
	}
	return out, nil
}

func cleanNotes(list []memory.ReferenceNotes) ([]memory.ReferenceNotes, error) {
	out := make([]memory.ReferenceNotes, len(list))
	for i, n := range list {
		name, err := clean("entityName", n.Name)
		if err != nil {
			return nil, err
		}
		notes, err := cleanAll("observations", n.Notes)
		if err != nil {
			return nil, err
		}
		out[i] = memory.ReferenceNotes{Name: name, Notes: notes}
	}
	return out, nil
}
