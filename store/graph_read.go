package store

import (
	"context"
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

// ResolveEntity returns the entity or memory that ref means: an id (e12, m7), a name or an alias. typ selects among
// namesakes; "" allows any type. The order of lookup is the same as for writes (docs/facts.md, "Entities"). A merged id
// or name returns the entity it was merged into. With a KnownAt, the names and the answer are those of that time.
//
// Errors: InvalidArgument for an empty name, NotFound with the namesakes of other types, and Ambiguous with the
// candidates if none of them dominates. Mention nodes are not found.
func (s *Store) ResolveEntity(ctx context.Context, namespace, ref, typ string, at memory.AsOf) (memory.Entity, error) {
	var out memory.Entity
	err := s.read(ctx, "resolve entity", func(c *conn) (err error) {
		out, err = s.resolveEntity(ctx, c, namespace, ref, typ, at)
		return err
	})
	return out, err
}

func (s *Store) resolveEntity(ctx context.Context, c *conn, namespace, ref, typ string, at memory.AsOf) (memory.Entity,
	error) {
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
	list, err := s.entitiesCalled(ctx, c, namespace, canonical, at)
	if err != nil {
		return memory.Entity{}, err
	}
	nodes := make([]node, len(list))
	for i, f := range list {
		nodes[i] = node{id: f.ID, kind: f.Kind, name: f.Name, typ: f.Type, typing: f.typing}
		nodes[i].named(f.Canonical, canonical)
		nodes[i].namesake = nodes[i].namesake && at.KnownAt.IsZero() // the answer for an earlier time must not change
	}
	fit := pick(typ, nodes)
	n, ok, err := node{}, false, error(nil)
	if at.KnownAt.IsZero() {
		n, ok, err = settle(ctx, c, s.now(), ref, fit)
	} else { // as above
		n, ok, err = only(ref, fit)
	}
	if err != nil {
		return memory.Entity{}, err
	}
	for _, f := range list {
		if ok && f.ID == n.id {
			return f.Entity, nil
		}
	}
	return memory.Entity{}, otherType(ref, typ, namespace, nodes)
}

// entitiesCalled returns the entities that a canonical name may mean. A read of another time knows only the names that
// the entities had then.
func (s *Store) entitiesCalled(ctx context.Context, c *conn, namespace, canonical string, at memory.AsOf) ([]entityRow,
	error) {
	list, err := entitiesNamed(ctx, c, namespace, []string{canonical}, at)
	if err != nil || len(list) > 0 || !at.KnownAt.IsZero() {
		return list, err
	}
	for _, v := range s.variants(canonical) {
		list, err := entitiesNamed(ctx, c, namespace, []string{v.name}, at)
		if err != nil {
			return nil, err
		}
		list = slices.DeleteFunc(list, func(f entityRow) bool { return !v.fits(node{kind: f.Kind, typ: f.Type}) })
		if len(list) > 0 {
			return list, nil
		}
	}
	return nil, nil
}

// only returns the one node that fits. The error is Ambiguous if there are several.
func only(name string, fit []node) (n node, ok bool, err error) {
	switch len(fit) {
	case 0:
		return node{}, false, nil
	case 1:
		return fit[0], true, nil
	}
	e := memory.Errorf(memory.Ambiguous, "%q may be any of %d.", clip(name), len(fit)).WithHint("Say which by its id.")
	e.Candidates = candidates(fit)
	return node{}, false, e
}
