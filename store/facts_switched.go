package store

import (
	"context"
	"slices"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// linkSwitched links the facts that a turn ends to the fact that it states in their place: "I don't use Vim any more, I
// use Helix now". Both facts have the same head. For a relation with one tail at a time, the new fact has another tail.
// Otherwise the new tail must be of the same kind, or the only other tail if the kind of one of the two is unknown. A
// fact that was handed over ("Petra is my boss now") is replaced by one of the same relation with one of its ends.
func (w *writing) linkSwitched(ctx context.Context, written []memory.RelationWrite) error {
	var over []memory.RelationWrite
	var used []memory.Relationship
	for _, r := range written {
		switch f := r.Relationship; {
		case r.Status == memory.RelationEnded:
			if !r.Handed && !takesPlace(f) {
				break
			}
			over = append(over, r)
			for _, id := range r.Superseded { // the same use under another relation
				also, err := w.relationship(ctx, id)
				if err != nil {
					return err
				}
				over = append(over, memory.RelationWrite{Relationship: also})
			}
		case !slices.ContainsFunc(used, func(o memory.Relationship) bool { return o.ID == f.ID }):
			used = append(used, f)
		}
	}
	ended := make([]memory.Relationship, len(over))
	for i, r := range over {
		ended[i] = r.Relationship
	}
	alone := oneTail(ended) && oneTail(used)
	for _, r := range over {
		f := r.Relationship
		var instead []memory.Relationship
		for _, n := range used {
			head, tail := n.Head.ID == f.Head.ID, n.Tail.ID == f.Tail.ID
			known := slices.ContainsFunc(instead, func(o memory.Relationship) bool { return o.Tail.ID == n.Tail.ID })
			if !known && (r.Handed && n.Relation == f.Relation && head != tail ||
				takesPlace(f) && takesPlace(n) && head && !tail && insteadOf(n, f, alone)) {
				instead = append(instead, n)
			}
		}
		now, err := w.factByID(ctx, f.ID)
		if err != nil {
			return err
		}
		if len(instead) != 1 || now.supersededBy != 0 || w.leadsTo(ctx, instead[0].ID, f.ID) {
			continue
		}
		if err := w.change(ctx, f.ID, causeSuperseded, `superseded_by = ?2`, instead[0].ID); err != nil {
			return err
		}
	}
	return nil
}

// takesPlace reports whether a fact of this relation may take the place of another fact of its head.
func takesPlace(f memory.Relationship) bool {
	return graph.Lookup(f.Relation).Kinds || graph.Lookup(f.Relation).OneTail(f.Head.Type)
}

// oneTail reports whether all of the facts that may take a place, of which there is one at least, have one tail.
func oneTail(list []memory.Relationship) bool {
	list = slices.DeleteFunc(slices.Clone(list), func(f memory.Relationship) bool { return !takesPlace(f) })
	return len(list) > 0 && !slices.ContainsFunc(list, func(f memory.Relationship) bool {
		return f.Tail.ID != list[0].Tail.ID
	})
}

// insteadOf reports whether the fact n takes the place of f. Both have the same head. alone says that n is the only
// choice.
func insteadOf(n, f memory.Relationship, alone bool) bool {
	if one := graph.Lookup(f.Relation).OneTail(f.Head.Type); one || graph.Lookup(n.Relation).OneTail(n.Head.Type) {
		return one && n.Relation == f.Relation
	}
	unknown := len(graph.Kinds(n.Tail.Name)) == 0 || len(graph.Kinds(f.Tail.Name)) == 0
	return graph.SameKind(n.Tail.Name, f.Tail.Name) != "" || unknown && alone
}

// settleConflicts removes the conflicts with facts that the same call has ended since.
func (w *writing) settleConflicts(ctx context.Context, lists ...[]memory.RelationWrite) error {
	over := map[int64]bool{}
	for _, list := range lists {
		for i := range list {
			for _, c := range list[i].Conflicts {
				f, err := w.factByID(ctx, c.ID)
				if err != nil {
					return err
				}
				over[c.ID] = f.validUntil != "" || f.expiresAt != "" && f.expiresAt <= memory.Seconds(w.now)
			}
			list[i].Conflicts = slices.DeleteFunc(list[i].Conflicts, func(c memory.FactConflict) bool { return over[c.ID] })
		}
	}
	return nil
}
