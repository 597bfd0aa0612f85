package store

import (
	"context"
	"slices"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// linkSwitched links the facts that one turn ends to the one that it states instead, however the switch is worded: "I
// don't use Vim any more, I use Helix now". Both have one head. A relation with one tail at a time has the other tail
// instead. What is used instead is of the same kind, or the only other thing if the kind of one of the two is unknown.
func (w *writing) linkSwitched(ctx context.Context, written []memory.RelationWrite) error {
	var over, used []memory.Relationship
	for _, r := range written {
		switch f := r.Relationship; {
		case !graph.Lookup(f.Relation).Kinds && !graph.Lookup(f.Relation).OneTail(f.Head.Type):
		case r.Status == memory.RelationEnded:
			over = append(over, f)
			for _, id := range r.Superseded { // the same use under another relation
				also, err := w.relationship(ctx, id)
				if err != nil {
					return err
				}
				over = append(over, also)
			}
		case !slices.ContainsFunc(used, func(o memory.Relationship) bool { return o.ID == f.ID }):
			used = append(used, f)
		}
	}
	for _, f := range over {
		var instead []memory.Relationship
		for _, n := range used {
			if n.Head.ID == f.Head.ID && n.Tail.ID != f.Tail.ID && insteadOf(n, f, oneTail(over) && oneTail(used)) &&
				!slices.ContainsFunc(instead, func(o memory.Relationship) bool { return o.Tail.ID == n.Tail.ID }) {
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

// oneTail reports whether facts are about one thing.
func oneTail(list []memory.Relationship) bool {
	return !slices.ContainsFunc(list, func(f memory.Relationship) bool { return f.Tail.ID != list[0].Tail.ID })
}

// insteadOf reports whether the fact n takes the place of f, both of one head. alone says that there is no other
// choice.
func insteadOf(n, f memory.Relationship, alone bool) bool {
	if one := graph.Lookup(f.Relation).OneTail(f.Head.Type); one || graph.Lookup(n.Relation).OneTail(n.Head.Type) {
		return one && n.Relation == f.Relation
	}
	unknown := len(graph.Kinds(n.Tail.Name)) == 0 || len(graph.Kinds(f.Tail.Name)) == 0
	return graph.SameKind(n.Tail.Name, f.Tail.Name) != "" || unknown && alone
}
