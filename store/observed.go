package store

import (
	"context"
	"slices"
	"strings"

	"memory-graph/graph"
	"memory-graph/memory"
)

// Observing says how a graph of the reference memory server is written.
type Observing struct {
	Action string        // for the event log
	Source string        // of the episode that is the evidence of relations
	Origin memory.Origin // of everything
	// Merge adds observations to an entity that is there; without it such an entity stays as it is.
	Merge bool
	// Raise lets what is there and is said again be trusted as Origin is, where it was trusted less.
	Raise bool
	// Each stores what can be stored and says of the rest why not; without it one mistake undoes all.
	Each bool
}

// Observe makes entities by their names alone, as the reference memory server does: a name is one entity, whatever its type.
// A name that differs from another in case or white space is the same name here, and its observations go to the one that
// there is. The results are in the order of the list.
func (s *Store) Observe(ctx context.Context, scope memory.Scope, list []memory.Observed, o Observing, by memory.Caller) ([]memory.ObservedWrite, error) {
	var out []memory.ObservedWrite
	err := s.writeGraph(ctx, "create entities", o.Action, scope, by, func(ctx context.Context, w *writing) error {
		out = make([]memory.ObservedWrite, len(list))
		for i, e := range list {
			var err error
			if out[i], err = w.observe(ctx, e, o); err != nil {
				if out[i].Mistake, err = o.mistake(err); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return out, err
}

// mistake says whether an item's error is one of the caller's that others of the list need not suffer from. Such an item has
// written nothing: what can be wrong with it is looked at first.
func (o Observing) mistake(err error) (*memory.Error, error) {
	e := memory.AsError(err)
	if !o.Each || e.Code != memory.InvalidArgument {
		return nil, err
	}
	return e, nil
}

func (w *writing) observe(ctx context.Context, e memory.Observed, o Observing) (memory.ObservedWrite, error) {
	n, ok, err := w.nodeOf(ctx, e.Name, true)
	if err != nil {
		return memory.ObservedWrite{}, err
	}
	typ, label := typeWord(e.Type)
	if !ok {
		_, err := w.newEntity(ctx, memory.EntityDraft{Name: e.Name, Type: typ, TypeLabel: label, Notes: e.Observations, Origin: o.Origin, Method: memory.MethodSupplied})
		return memory.ObservedWrite{Created: true}, err
	}
	before, is, err := w.snapshots(ctx, n.id)
	if err != nil {
		return memory.ObservedWrite{}, err
	}
	if n.assumed && len(is.Notes) == 0 && is.Desc == "" { // only facts named it so far
		return memory.ObservedWrite{Created: true}, w.explain(ctx, before, is, e, o)
	}
	out := memory.ObservedWrite{Known: n.name}
	if out.Type, err = w.c.text(ctx, `SELECT `+typeAsGiven+` FROM mg_entities e WHERE e.id = ?`, n.id); err != nil {
		return out, err
	}
	if e.Name == n.name && !o.Merge {
		return out, nil
	}
	out.Added = slices.DeleteFunc(WithOtherType(e, n.typ), func(s string) bool { return slices.Contains(shownNotes(is.Desc, is.Notes), s) })
	if out.Raised, err = w.trustObserved(ctx, is, e.Observations, len(out.Added) > 0, o); err != nil {
		return out, err
	}
	return out, w.renote(ctx, before, is, slices.Concat(is.Notes, out.Added), o.Origin)
}

// WithOtherType gives the observations of an entity that is here under a type: an entity has one, and another one that is
// given is a sentence about it.
func WithOtherType(e memory.Observed, here string) []string {
	given, _ := typeWord(e.Type)
	if word, _ := typeWord(here); given == word || given == memory.DefaultType {
		return slices.Clone(e.Observations)
	}
	return append(slices.Clone(e.Observations), typeNote+e.Type)
}

// typeNote begins the sentence that keeps the type under which an entity of another type was given.
const typeNote = "entityType: "

// explain makes an entity of a node that was only the end of facts: now its name, type and observations are given.
func (w *writing) explain(ctx context.Context, before string, is entitySnapshot, e memory.Observed, o Observing) error {
	typ, label := typeWord(e.Type)
	_, taken, err := w.c.int64(ctx, `SELECT 1 FROM mg_entities WHERE namespace = ? AND canonical_name = ? AND type = ? AND kind = 'entity' AND merged_into IS NULL AND id <> ?`,
		w.scope.Namespace, is.Canonical, typ, is.ID)
	if err != nil {
		return err
	}
	if taken {
		typ, label = is.Type, ""
	}
	if _, err := w.c.exec(ctx, `UPDATE mg_entities SET name = ?2, type = ?3, type_label = ?4, type_assumed = 0, updated_at = ?5, last_seen_at = ?5 WHERE id = ?1`,
		is.ID, strings.TrimSpace(e.Name), typ, nullable(label), memory.Millis(w.now)); err != nil {
		return err
	}
	return w.renote(ctx, before, is, e.Observations, o.Origin)
}

// renote gives a node other sentences, and writes the version of everything that changed since the snapshot before.
func (w *writing) renote(ctx context.Context, before string, is entitySnapshot, notes []string, origin memory.Origin) error {
	return w.rewrite(ctx, before, is, ownWords(is.Desc, is.Notes), notes, origin)
}

// rewrite is renote with what the description says besides.
func (w *writing) rewrite(ctx context.Context, before string, is entitySnapshot, own string, notes []string, origin memory.Origin) error {
	if err := w.setNotes(ctx, is.ID, is.Notes, notes, origin); err != nil {
		return err
	}
	if description := describe(own, notes); description != is.Desc {
		if _, err := w.c.exec(ctx, `UPDATE mg_entities SET description = ?2, updated_at = ?3, last_seen_at = max(last_seen_at, ?3), `+unfade+` WHERE id = ?1`,
			is.ID, description, memory.Millis(w.now)); err != nil {
			return err
		}
	}
	if err := w.entityChanged(ctx, is.ID, causeUpdated, before); err != nil {
		return err
	}
	return w.reindexEntity(ctx, is.ID, before)
}

// AddNotes adds sentences to entities that are there, leaving out those that they have, and gives what was added. The error
// for a name that is no entity is NotFound, and nothing of the call is stored.
func (s *Store) AddNotes(ctx context.Context, scope memory.Scope, list []memory.ObservedNotes, o Observing, by memory.Caller) ([]memory.ObservedNotes, error) {
	var out []memory.ObservedNotes
	err := s.writeGraph(ctx, "add observations", o.Action, scope, by, func(ctx context.Context, w *writing) error {
		out = make([]memory.ObservedNotes, len(list))
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
			out[i] = memory.ObservedNotes{Name: in.Name, Notes: added}
			if err := w.renote(ctx, before, is, slices.Concat(is.Notes, added), o.Origin); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// DropNotes takes sentences away from entities; names that are no entities are passed over.
func (s *Store) DropNotes(ctx context.Context, scope memory.Scope, list []memory.ObservedNotes, o Observing, by memory.Caller) error {
	return s.writeGraph(ctx, "delete observations", o.Action, scope, by, func(ctx context.Context, w *writing) error {
		for _, in := range list {
			before, is, ok, err := w.known(ctx, in.Name)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			own := ownWords(is.Desc, is.Notes)
			if slices.Contains(in.Notes, own) {
				own = ""
			}
			if err := w.rewrite(ctx, before, is, own, without(is.Notes, in.Notes), o.Origin); err != nil {
				return err
			}
		}
		return nil
	})
}

// DropObserved takes entities out of the graph with their facts: the facts end, and what is left of the entity is a hidden
// name. What was believed before stays readable, and undo brings it back. Names that are no entities are passed over.
func (s *Store) DropObserved(ctx context.Context, scope memory.Scope, names []string, o Observing, by memory.Caller) error {
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

// retract ends the facts of a node, takes what stands below it out, and leaves a hidden name.
func (w *writing) retract(ctx context.Context, n node) error {
	for _, end := range []string{"r.head_id", "r.tail_id"} {
		live, err := w.activeOn(ctx, `r.namespace = ? AND `+end+` = ?`, w.scope.Namespace, n.id)
		if err != nil {
			return err
		}
		for _, f := range live {
			if err := w.endAt(ctx, f, max(memory.Seconds(w.now), f.validFrom), f.supersededBy, causeEnded); err != nil {
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
	return w.restoreEntities(ctx, []entityTarget{{before: before, is: is, want: want}}, causeUpdated, func(int64, int64) error { return nil })
}

// known gives the entity that a name means, if somebody made it.
func (w *writing) known(ctx context.Context, name string) (before string, is entitySnapshot, ok bool, err error) {
	n, ok, err := w.nodeOf(ctx, name, true)
	if err != nil || !ok {
		return "", is, false, err
	}
	before, is, err = w.snapshots(ctx, n.id)
	return before, is, !n.assumed || len(is.Notes) > 0 || is.Desc != "", err
}

// nodeOf gives the entity that a name means, never an id. Of several the one that was made with the name, as it is written,
// then the oldest; with aliases also what is called so otherwise.
func (w *writing) nodeOf(ctx context.Context, name string, aliases bool) (node, bool, error) {
	canonical := memory.Canonical(name)
	if canonical == "" {
		return node{}, false, emptyName(name)
	}
	found, err := w.nodesNamed(ctx, canonical)
	if err != nil {
		return node{}, false, err
	}
	rank := func(n node) int {
		switch {
		case n.kind != memory.NodeEntity, !n.exact && !aliases:
			return 0
		case !n.exact:
			return 1
		case n.assumed:
			return 2
		case n.name != name:
			return 3
		}
		return 4
	}
	var best node
	for _, n := range found {
		if rank(n) > rank(best) {
			best = n
		}
	}
	return best, best.id != 0, nil
}

// typeWord gives the word under which a type is kept, and the type as it was given where that is another.
func typeWord(given string) (typ, label string) {
	if typ = graph.Snake(given); typ == "" || len(typ) > graph.MaxRelationBytes {
		typ = memory.DefaultType
	}
	if typ == given {
		return typ, ""
	}
	return typ, given
}
