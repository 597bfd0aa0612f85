package hierarchy

import (
	"context"
	"slices"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// candidates is the number of possible parents proposed for a memory.
const candidates = 3

// Reflection is a request to Reflect: the assignments to make first, and the orphans to list.
type Reflection struct {
	Scope  memory.Scope
	Layer  *int  // of the orphans; nil for all layers
	Only   int64 // the only memory to look at; 0 for all
	Limit  int
	Offset int
	Assign []store.Assignment
}

// Orphan is a memory without a parent, with the nearest possible parents: nodes one layer up.
type Orphan struct {
	Memory     memory.Entity
	Candidates []Candidate // nearest first; never nil
}

// Candidate is a possible parent.
type Candidate struct {
	Entity memory.Entity
	Score  float64
}

// Reflected is the answer of Reflect.
type Reflected struct {
	Assigned []store.Assigned   // never nil
	Errors   []memory.ItemError // assignments that failed; never nil
	Orphans  []Orphan           // the remaining orphans, the topmost layer first; never nil
	More     bool
	State    memory.State
}

// Reflect makes the given assignments one by one, and returns the memories that still have no parent, each with
// possible parents.
func (h *Hierarchy) Reflect(ctx context.Context, r Reflection, by memory.Caller) (Reflected, error) {
	out := Reflected{Assigned: []store.Assigned{}, Errors: []memory.ItemError{}, Orphans: []Orphan{}}
	ns := r.Scope.Namespace
	if len(r.Assign) > 0 {
		done, mistakes, err := h.Store.AssignParents(ctx, r.Scope, r.Assign, by)
		if err != nil {
			return Reflected{}, err
		}
		out.Assigned, out.Errors = append(out.Assigned, done...), append(out.Errors, mistakes...)
	}
	orphans, more, err := h.orphans(ctx, r)
	if err != nil {
		return Reflected{}, err
	}
	out.More = more
	texts := make([]string, len(orphans))
	for i, o := range orphans {
		texts[i] = o.Name + ": " + o.Description
	}
	found, meaning, err := h.find(ctx, ns, embedding.Document, anyCosine, texts)
	if err != nil {
		return Reflected{}, err
	}
	for i, o := range orphans {
		list, err := h.candidates(ctx, ns, o, found[i])
		if err != nil {
			return Reflected{}, err
		}
		out.Orphans = append(out.Orphans, Orphan{o, list})
	}
	out.State, err = h.state(ctx, ns, meaning || len(orphans) == 0)
	return out, err
}

// orphans returns the memories without a parent that are asked for.
func (h *Hierarchy) orphans(ctx context.Context, r Reflection) (list []memory.Entity, more bool, err error) {
	if r.Only == 0 {
		return h.Store.Orphans(ctx, r.Scope.Namespace, r.Layer, r.Offset, r.Limit)
	}
	list, err = h.Store.EntitiesByID(ctx, r.Scope.Namespace, []int64{r.Only}, memory.AsOf{})
	return slices.DeleteFunc(list, func(e memory.Entity) bool {
		_, has := e.Parent()
		return has || e.Kind != memory.NodeMemory
	}), false, err
}

// candidates returns the best of found that are one layer above the orphan.
func (h *Hierarchy) candidates(ctx context.Context, namespace string, orphan memory.Entity, found []score) ([]Candidate,
	error) {
	layer := 2
	if orphan.Layer != nil {
		layer = *orphan.Layer
	}
	nodes, err := h.Store.EntitiesByID(ctx, namespace, ids(found), memory.AsOf{})
	if err != nil {
		return nil, err
	}
	values := map[int64]float64{}
	for _, s := range found {
		values[s.id] = s.value
	}
	out := []Candidate{}
	for _, e := range nodes {
		if len(out) < candidates && values[e.ID] > 0 && e.ID != orphan.ID && e.Layer != nil && *e.Layer == layer-1 {
			out = append(out, Candidate{e, values[e.ID]})
		}
	}
	return out, nil
}
