package store

import (
	"context"
	"strings"

	"memory-graph/internal/memory"
)

// ResolveEntity returns the entity or memory that ref means: an id (e12, m7), a name or an alias. typ selects among
// namesakes; "" allows any type. The order of lookup is the same as for writes (docs/facts.md, "Entities"). A merged id
// or name returns the entity it was merged into. With a KnownAt, the names and the answer are those of that time.
//
// Errors: InvalidArgument for an empty name, NotFound with the namesakes of other types, and Ambiguous with the
// candidates. Mention nodes are not found.
func (s *Store) ResolveEntity(ctx context.Context, namespace, ref, typ string, at memory.AsOf) (memory.Entity, error) {
	var out memory.Entity
	err := s.read(ctx, "resolve entity", func(c *conn) (err error) {
		out, err = resolveEntity(ctx, c, namespace, ref, typ, at)
		return err
	})
	return out, err
}

func resolveEntity(ctx context.Context, c *conn, namespace, ref, typ string, at memory.AsOf) (memory.Entity, error) {
	id, err := memory.ParseID(strings.TrimSpace(ref))
	isNode := err == nil && (id.Kind == memory.KindEntity || id.Kind == memory.KindMemory)
	if isNode {
		list, err := entitiesByID(ctx, c, namespace, []int64{id.Num}, at)
		if err != nil {
			return memory.Entity{}, err
		}
		// e7 does not name a memory, but the node that e7 was merged into may be one.
		if len(list) > 0 && (list[0].Ref() == id || list[0].ID != id.Num) {
			return list[0].Entity, nil
		}
	}
	canonical := memory.Canonical(ref)
	if canonical == "" {
		return memory.Entity{}, emptyName(ref)
	}
	list, err := entitiesNamed(ctx, c, namespace, []string{canonical}, at)
	if err != nil {
		return memory.Entity{}, err
	}
	nodes := make([]node, len(list))
	for i, f := range list {
		nodes[i] = node{id: f.ID, kind: f.Kind, name: f.Name, typ: f.Type, assumed: f.assumed,
			exact: f.Canonical == canonical}
	}
	e, ok, err := pickEntity(ref, typ, nodes, list)
	if err == nil && !ok {
		err = otherType(ref, typ, namespace, nodes)
	}
	return e, err
}

// pickEntity is pick for entities that were read whole. nodes has the values that pick needs, in the order of list.
func pickEntity(ref, typ string, nodes []node, list []entityRow) (memory.Entity, bool, error) {
	n, ok, err := pick(ref, typ, nodes)
	if err != nil {
		return memory.Entity{}, false, err
	}
	for i, f := range list {
		if ok && f.ID == n.id || !ok && nodes[i].exact && nodes[i].assumed {
			return f.Entity, true, nil
		}
	}
	return memory.Entity{}, false, nil
}
