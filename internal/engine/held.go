package engine

import (
	"context"
	"math"
	"slices"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
)

const (
	// Most facts of one name that a correction may mean. A name with more is too common for "not Postgres" to mean one
	// of them.
	mostHeld  = 64
	mostRoles = 8 // facts of one role; with more, it is unclear which one is meant
	justSaid  = 6 // earlier turns of the session, from both sides, that count as just said
)

// Held returns the active facts with a name as head or tail that are visible in the turn's project. A correction may
// mean one of them. If the graph cannot be read, Held logs the error and returns nil.
func (n *names) Held(ctx context.Context, e memory.Episode, name string, as memory.Direction) []extraction.Held {
	ns := e.Scope.Namespace
	list, err := n.heldOf(ctx, e, name, as)
	if err != nil {
		n.log.Warn("reading active facts failed; corrections in the turn are read without them", "error", err)
		return nil
	}
	if len(list) == 0 {
		return nil
	}
	if e.Seq == 0 { // the turn is not stored yet
		e.Seq = math.MaxInt64
	}
	before, err := n.store.TurnsBefore(ctx, e, justSaid)
	if err != nil {
		n.log.Warn("reading the turns before a turn failed; no fact counts as just said", "namespace", ns, "error", err)
	}
	said, err := saidAt(ctx, n.store, ns, list)
	if err != nil {
		n.log.Warn("reading the turns of facts failed; their beginnings count as stated", "namespace", ns, "error", err)
	}
	out := make([]extraction.Held, len(list))
	for i, r := range list {
		just := slices.ContainsFunc(before, func(t memory.Episode) bool { return slices.Contains(r.Evidence, t.ID) })
		out[i] = heldFact(r, said)
		out[i].Just = just
	}
	return out
}

// Roles returns the active facts of a role that are visible in the turn's project, or none if there are more than
// mostRoles. If the graph cannot be read, Roles logs the error and returns nil.
func (n *names) Roles(ctx context.Context, e memory.Episode, role string) []extraction.Held {
	list, err := n.store.FactsOfRole(ctx, memory.Filter{Namespace: e.Scope.Namespace, Project: e.Scope.Project,
		User: e.Scope.User, Unassigned: true}, role, mostRoles+1)
	if err != nil {
		n.log.Warn("reading the facts of a role failed; the turn is read without them", "error", err)
		return nil
	}
	if len(list) > mostRoles {
		return nil
	}
	out := make([]extraction.Held, len(list))
	for i, r := range list {
		out[i] = heldFact(r, nil)
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
	q := memory.EdgeQuery{Namespace: ns, Direction: as, Ahead: true}
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
