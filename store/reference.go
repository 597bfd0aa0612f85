package store

import (
	"context"
	"fmt"
	"slices"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
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

// Observe makes entities by their names alone, as the reference memory server does: a name is one entity, whatever its
// type. A name that differs from another in case or white space is the same name here, and its observations go to the
// one that there is. The results are in the order of the list.
func (s *Store) Observe(ctx context.Context, scope memory.Scope, list []memory.Observed, o Observing,
	by memory.Caller) ([]memory.ObservedWrite, error) {
	var out []memory.ObservedWrite
	err := s.writeGraph(ctx, "create entities", o.Action, scope, by, func(ctx context.Context, w *writing) error {
		out = make([]memory.ObservedWrite, len(list))
		for i, e := range list {
			err := w.holding(ctx, e.Suspicion, o.Origin, func() (err error) {
				out[i], err = w.observe(ctx, e, o)
				return err
			})
			if err != nil {
				if out[i].Mistake, err = o.mistake(err); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return out, err
}

// mistake says whether an item's error is one of the caller's that others of the list need not suffer from. Such an
// item has written nothing: what can be wrong with it is looked at first.
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
		_, err := w.newEntity(ctx, memory.EntityDraft{Name: e.Name, Type: typ, TypeLabel: label, Notes: e.Observations,
			Origin: o.Origin, Method: memory.MethodSupplied})
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
	if memory.Shown(e.Name) == n.name && !o.Merge {
		return out, nil
	}
	given := WithOtherType(e, n.typ)
	out.Added = slices.DeleteFunc(slices.Clone(given),
		func(s string) bool { return slices.Contains(shownNotes(is.Desc, is.Notes), s) })
	to := is.said()
	to.notes = append(to.notes, notesBy(o.Origin, out.Added)...)
	var by vouched
	if o.Raise {
		by = to.vouch(e, given, o.Origin)
	}
	out.Raised, err = w.rewrite(ctx, before, is, to, by)
	return out, err
}

// vouch lets an origin stand for what of this was given again.
func (s *said) vouch(e memory.Observed, given []string, origin memory.Origin) vouched {
	for i := range s.notes {
		if slices.Contains(given, s.notes[i].text) {
			s.notes[i].origin = memory.MostTrusted(s.notes[i].origin, origin)
		}
	}
	by := vouched{raise: true}
	if typ, _ := typeWord(e.Type); typ == s.typ || s.typ == memory.DefaultType {
		by.typ = origin
	}
	if s.own == "" || slices.Contains(given, s.own) {
		by.own = origin
	}
	return by
}

// WithOtherType gives the observations of an entity that is here under a type: an entity has one, and another one that
// is given is a sentence about it.
func WithOtherType(e memory.Observed, here string) []string {
	given, _ := typeWord(e.Type)
	if word, _ := typeWord(here); given == word || given == memory.DefaultType {
		return slices.Clone(e.Observations)
	}
	return append(slices.Clone(e.Observations), typeNote+e.Type)
}

// SameName words that an entity was given in another spelling of a name that is here; "" where it was not.
func SameName(e memory.Observed, w memory.ObservedWrite) string {
	if w.Created || memory.Shown(e.Name) == w.Known {
		return ""
	}
	return fmt.Sprintf("%q is the same name as %q: they are one entity, with the observations of both", e.Name, w.Known)
}

// OtherType words that an entity which is here was given under another type; "" where it was not.
func OtherType(e memory.Observed, w memory.ObservedWrite) string {
	if w.Created || len(WithOtherType(e, w.Type)) == len(e.Observations) {
		return ""
	}
	return fmt.Sprintf("%q stays of type %q; that it was given as %q is an observation", w.Known, w.Type, e.Type)
}

// typeNote begins the sentence that keeps the type under which an entity of another type was given.
const typeNote = "entityType: "

// explain makes an entity of a node that was only the end of facts: now its name, type and observations are given.
func (w *writing) explain(ctx context.Context, before string, is entitySnapshot, e memory.Observed, o Observing) error {
	typ, label := typeWord(e.Type)
	_, taken, err := w.c.int64(ctx,
		`SELECT 1 FROM mg_entities WHERE namespace = ? AND canonical_name = ? AND type = ? AND kind = 'entity' AND merged_into
			IS NULL AND id <> ?`,
		w.scope.Namespace, is.Canonical, typ, is.ID)
	if err != nil {
		return err
	}
	if taken {
		typ, label = is.Type, ""
	}
	if _, err := w.c.exec(ctx,
		`UPDATE mg_entities SET name = ?2, type = ?3, type_label = ?4, type_assumed = 0, updated_at = ?5, last_seen_at = ?5
			WHERE id = ?1`,
		is.ID, memory.Shown(e.Name), typ, nullable(label), memory.Millis(w.now)); err != nil {
		return err
	}
	_, err = w.rewrite(ctx, before, is, said{typ: typ, notes: notesBy(o.Origin, e.Observations)},
		vouched{typ: o.Origin, own: o.Origin})
	return err
}

// rewrite makes what is said of a node something else, its type apart, which is written already: whatever changes
// sentences goes this way. It settles the trust, and writes the version of everything that changed since the snapshot
// before.
func (w *writing) rewrite(ctx context.Context, before string, is entitySnapshot, to said, by vouched) (raised bool,
	err error) {
	if err := w.setNotes(ctx, is.ID, to.notes); err != nil {
		return false, err
	}
	if description := describe(to.own, textsOf(to.notes)); description != is.Desc {
		if _, err := w.c.exec(ctx,
			`UPDATE mg_entities SET description = ?2, updated_at = ?3, last_seen_at = max(last_seen_at, ?3), `+unfade+
				` WHERE id = ?1`,
			is.ID, description, memory.Millis(w.now)); err != nil {
			return false, err
		}
	}
	if raised, err = w.settleTrust(ctx, is, to, by); err != nil {
		return false, err
	}
	if err := w.entityChanged(ctx, is.ID, causeUpdated, before); err != nil {
		return false, err
	}
	return raised, w.reindexEntity(ctx, is.ID, before)
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

// nodeOf gives the entity that a name means, never an id. Of several the one that was made with the name, as it is
// written, then the oldest; with aliases also what is called so otherwise.
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
		case n.name != memory.Shown(name):
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
