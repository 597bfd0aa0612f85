package store

import (
	"context"
	"slices"

	"memory-graph/internal/memory"
)

// AddNotes adds notes to existing entities and returns those that were new. If a name has no entity, the error is
// NotFound and nothing of the call is stored.
func (s *Store) AddNotes(ctx context.Context, scope memory.Scope, list []memory.ReferenceNotes, o ReferenceCall,
	by memory.Caller) ([]memory.ReferenceNotes, error) {
	var out []memory.ReferenceNotes
	err := s.writeGraph(ctx, "add observations", o.Action, scope, by, func(ctx context.Context, w *writing) error {
		out = make([]memory.ReferenceNotes, len(list))
		for i, in := range list {
			before, is, ok, err := w.known(ctx, in.Name)
			if err != nil {
				return err
			}
			if !ok {
				return memory.Errorf(memory.NotFound, "Entity with name %s not found", in.Name)
			}
			have := shownNotes(is.Desc, is.Notes)
			added := slices.DeleteFunc(slices.Clone(in.Notes), func(s string) bool { return slices.Contains(have, s) })
			out[i] = memory.ReferenceNotes{Name: in.Name, Notes: added}
			to := is.said()
			to.notes = append(to.notes, notesBy(o.Origin, added)...)
			if err := w.holding(ctx, in.Suspicion, o.Origin, func() error {
				_, err := w.rewrite(ctx, before, is, to, vouched{})
				return err
			}); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// DropNotes removes notes from entities. It skips names that have no entity.
func (s *Store) DropNotes(ctx context.Context, scope memory.Scope, list []memory.ReferenceNotes, o ReferenceCall,
	by memory.Caller) error {
	return s.writeGraph(ctx, "delete observations", o.Action, scope, by, func(ctx context.Context, w *writing) error {
		for _, in := range list {
			before, is, ok, err := w.known(ctx, in.Name)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			to := is.said()
			to.notes = slices.DeleteFunc(to.notes, func(n note) bool { return slices.Contains(in.Notes, n.text) })
			if slices.Contains(in.Notes, to.own) {
				to.own = ""
			}
			if _, err := w.rewrite(ctx, before, is, to, vouched{}); err != nil {
				return err
			}
		}
		return nil
	})
}

// DeleteReferenceEntities removes entities from the graph for the reference toolset: their facts end, and a hidden name
// remains. History still shows what was believed before, and undo restores it. It skips names that have no entity.
func (s *Store) DeleteReferenceEntities(ctx context.Context, scope memory.Scope, names []string, o ReferenceCall,
	by memory.Caller) error {
	return s.writeGraph(ctx, "delete entities", o.Action, scope, by, func(ctx context.Context, w *writing) error {
		for _, name := range names {
			n, ok, err := w.nodeOf(ctx, name, false)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			if err := w.retract(ctx, n); err != nil {
				return err
			}
		}
		return nil
	})
}

// retract ends the facts of a node, detaches its children, and leaves a hidden name.
func (w *writing) retract(ctx context.Context, n node) error {
	for _, end := range []string{"r.head_id", "r.tail_id"} {
		live, err := w.activeOn(ctx, `r.namespace = ? AND `+end+` = ?`, w.scope.Namespace, n.id)
		if err != nil {
			return err
		}
		for _, f := range live {
			if err := w.endAt(ctx, f, w.present().after(f.begin()), f.supersededBy, causeEnded); err != nil {
				return err
			}
		}
	}
	children, err := w.children(ctx, n.id)
	if err != nil {
		return err
	}
	if err := w.orphan(ctx, children); err != nil {
		return err
	}
	before, is, err := w.snapshots(ctx, n.id)
	if err != nil {
		return err
	}
	want := is.mention()
	want.Desc = ""
	return w.restoreEntities(ctx, []entityTarget{{before: before, is: is, want: want}}, causeUpdated,
		func(int64, int64) error { return nil })
}
