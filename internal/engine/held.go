package engine

import (
	"context"
	"math"
	"slices"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
)

const (
	// facts of one name that a turn can set right; a name with more is too common for "not Postgres" to mean one
	mostHeld = 64
	justSaid = 6 // turns of the session before, of both sides, that count as just said
)

// Held gives the facts that hold of a name as the head or the tail, as far as the turn's project sees them, for what
// sets right what was said. It fails softly: what cannot be read is not known.
func (n *names) Held(ctx context.Context, e memory.Episode, name string, as memory.Direction) []extraction.Held {
	ns := e.Scope.Namespace
	list, err := n.heldOf(ctx, e, name, as)
	if err != nil {
		n.log.Warn("what the graph holds cannot be read; what a turn sets right is read without it", "error", err)
		return nil
	}
	if len(list) == 0 {
		return nil
	}
	if e.Seq == 0 { // it is not stored yet
		e.Seq = math.MaxInt64
	}
	before, err := n.store.TurnsBefore(ctx, e, justSaid)
	if err != nil {
		n.log.Warn("the turns before cannot be read; nothing counts as just said", "namespace", ns, "error", err)
	}
	out := make([]extraction.Held, len(list))
	for i, r := range list {
		just := slices.ContainsFunc(before, func(t memory.Episode) bool { return slices.Contains(r.Evidence, t.ID) })
		out[i] = extraction.Held{Head: r.Head.Name, HeadType: r.Head.Type, Relation: r.Relation, Tail: r.Tail.Name,
			TailType: r.Tail.Type, Just: just}
	}
	return out
}

func (n *names) heldOf(ctx context.Context, e memory.Episode, name string, as memory.Direction) ([]memory.Relationship,
	error) {
	ns := e.Scope.Namespace
	nodes, err := n.store.EntitiesNamed(ctx, ns, []string{memory.Canonical(name)}, memory.AsOf{})
	if err != nil || len(nodes) == 0 {
		return nil, err
	}
	q := memory.EdgeQuery{Namespace: ns, Direction: as}
	for _, node := range nodes {
		q.Nodes = append(q.Nodes, node.ID)
	}
	list, more, err := n.store.LinksOf(ctx, q,
		memory.Filter{Project: e.Scope.Project, User: e.Scope.User, Unassigned: true}, 0, mostHeld)
	if err != nil || more {
		return nil, err
	}
	return list, nil
}
