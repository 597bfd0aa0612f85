package store

import (
	"context"
	"fmt"
	"slices"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// The toolset reference answers as the reference memory server of MCP does. Its entities are known by name alone, and
// it calls the notes of an entity observations.

// ReferenceCall holds the options of a write by the reference toolset.
type ReferenceCall struct {
	Action string        // for the event log
	Source string        // of the episode that is the evidence of relations
	Origin memory.Origin // of everything that is written
	// Merge adds notes to an entity that exists. Without it an existing entity is not changed.
	Merge bool
	// Raise gives existing content that is given again the trust of Origin, if it was trusted less.
	Raise bool
	// Each stores the valid items of a list and reports the others. Without it one invalid item undoes the whole call.
	Each bool
}

// CreateReferenceEntities creates the entities of the reference toolset, which knows them by name alone: a name is one
// entity, whatever its type. Names that differ only in case or white space are the same name, and the notes go to the
// entity that exists. The results are in the order of the list.
func (s *Store) CreateReferenceEntities(ctx context.Context, scope memory.Scope, list []memory.ReferenceEntity,
	o ReferenceCall, by memory.Caller) ([]memory.ReferenceWrite, error) {
	var out []memory.ReferenceWrite
	err := s.writeGraph(ctx, "create entities", o.Action, scope, by, func(ctx context.Context, w *writing) error {
		out = make([]memory.ReferenceWrite, len(list))
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

// mistake returns an item's error if it is the caller's and the other items can still be stored. Such an item has
// written nothing, because it is checked first. Any other error comes back as err.
func (o ReferenceCall) mistake(err error) (*memory.Error, error) {
	e := memory.AsError(err)
	if !o.Each || e.Code != memory.InvalidArgument {
		return nil, err
	}
	return e, nil
}

func (w *writing) observe(ctx context.Context, e memory.ReferenceEntity,
	o ReferenceCall) (memory.ReferenceWrite, error) {
	n, ok, err := w.nodeOf(ctx, e.Name, true)
	if err != nil {
		return memory.ReferenceWrite{}, err
	}
	typ, label := typeWord(e.Type)
	if !ok {
		_, err := w.newEntity(ctx, memory.EntityDraft{Name: e.Name, Type: typ, TypeLabel: label, Notes: e.Observations,
			Origin: o.Origin, Method: memory.MethodSupplied})
		return memory.ReferenceWrite{Created: true}, err
	}
	before, is, err := w.snapshots(ctx, n.id)
	if err != nil {
		return memory.ReferenceWrite{}, err
	}
	if n.assumed() && len(is.Notes) == 0 && is.Desc == "" { // only facts named it so far
		return memory.ReferenceWrite{Created: true}, w.explain(ctx, before, is, e, o)
	}
	out := memory.ReferenceWrite{Known: n.name}
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

// vouch gives origin to the notes, the type and the description that are given again.
func (s *said) vouch(e memory.ReferenceEntity, given []string, origin memory.Origin) vouched {
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

// WithOtherType returns the notes to store for e, given the type under which the entity exists. An entity has one type;
// a different one that is given becomes a note.
func WithOtherType(e memory.ReferenceEntity, here string) []string {
	given, _ := typeWord(e.Type)
	if word, _ := typeWord(here); given == word || given == memory.DefaultType {
		return slices.Clone(e.Observations)
	}
	return append(slices.Clone(e.Observations), typeNote+e.Type)
}

// SameName is a notice that an entity was given under another spelling of an existing name; "" otherwise.
func SameName(e memory.ReferenceEntity, w memory.ReferenceWrite) string {
	if w.Created || memory.Shown(e.Name) == w.Known {
		return ""
	}
	return fmt.Sprintf("%q is the same name as %q: they are one entity, with the observations of both", e.Name, w.Known)
}

// OtherType is a notice that an existing entity was given under another type; "" otherwise.
func OtherType(e memory.ReferenceEntity, w memory.ReferenceWrite) string {
	if w.Created || len(WithOtherType(e, w.Type)) == len(e.Observations) {
		return ""
	}
	return fmt.Sprintf("%q stays of type %q; that it was given as %q is an observation", w.Known, w.Type, e.Type)
}

// typeNote begins the note that keeps a type that was given for an entity of another type.
const typeNote = "entityType: "

// explain turns a node that only facts named into an entity with the name, type and notes that are given now.
func (w *writing) explain(ctx context.Context, before string, is entitySnapshot, e memory.ReferenceEntity,
	o ReferenceCall) error {
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

// rewrite replaces the notes and the description of a node. Its type, if it changed, has already been written. Every
// change of notes goes through here: it settles the trust, and writes a version with everything that changed since the
// snapshot before.
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

// known finds the entity that a name means. ok is false if no entity has the name, or if only facts named it.
func (w *writing) known(ctx context.Context, name string) (before string, is entitySnapshot, ok bool, err error) {
	n, ok, err := w.nodeOf(ctx, name, true)
	if err != nil || !ok {
		return "", is, false, err
	}
	before, is, err = w.snapshots(ctx, n.id)
	return before, is, !n.assumed() || len(is.Notes) > 0 || is.Desc != "", err
}

// nodeOf finds the entity that a name means; a name is never read as an id. Of several it takes the one that was
// created under exactly this spelling, then the oldest. With aliases it also finds entities by their other names.
func (w *writing) nodeOf(ctx context.Context, name string, aliases bool) (node, bool, error) {
	canonical := memory.Canonical(name)
	if canonical == "" {
		return node{}, false, emptyName(name)
	}
	found, err := nodesNamed(ctx, w.c, w.scope.Namespace, canonical)
	if err != nil {
		return node{}, false, err
	}
	rank := func(n node) int {
		switch {
		case n.kind != memory.NodeEntity, !n.exact && !aliases:
			return 0
		case !n.exact:
			return 1
		case n.assumed():
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

// typeWord returns the word under which a type is stored, and the type as it was given if that differs.
func typeWord(given string) (typ, label string) {
	if typ = graph.Snake(given); typ == "" || len(typ) > graph.MaxRelationBytes {
		typ = memory.DefaultType
	}
	if typ == given {
		return typ, ""
	}
	return typ, given
}
