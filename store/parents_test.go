package store_test

import (
	"context"
	"testing"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// Everything that reads whole nodes names a memory's parent m4, not e4, now and in the past. So does the answer of a
// write.
func TestParents_AreNamedByTheirKind(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	ctx := t.Context()
	programming, functional, experienced, erlang, _ := haskell(t, s)
	var made []memory.Entity
	for _, d := range []memory.EntityDraft{{Name: "Root"}, {Name: "Leaf", Parent: "Root"}} {
		d.Type, d.Origin, d.Method = "concept", memory.OriginAgent, memory.MethodSupplied
		out, err := s.CreateEntity(ctx, inN, d, agent)
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, out.Entity)
	}
	type read func(context.Context) ([]memory.Entity, error)
	byID := func(at memory.AsOf) read {
		return func(ctx context.Context) ([]memory.Entity, error) {
			return s.EntitiesByID(ctx, ns, []int64{experienced.ID}, at)
		}
	}
	later := time.Now().Add(time.Hour)
	family := func(at memory.AsOf) read {
		return func(ctx context.Context) ([]memory.Entity, error) {
			f, err := s.Siblings(ctx, ns, []int64{erlang.ID}, at, 9)
			return f[erlang.ID].Nodes, err
		}
	}
	for name, tc := range map[string]struct {
		read read
		want memory.ID
	}{
		"by id":         {byID(memory.AsOf{}), functional.Ref()},
		"by id, then":   {byID(memory.AsOf{KnownAt: later}), functional.Ref()},
		"siblings":      {family(memory.AsOf{}), functional.Ref()},
		"siblings then": {family(memory.AsOf{KnownAt: later}), functional.Ref()},
		"at an instant": {func(ctx context.Context) ([]memory.Entity, error) {
			return s.MemoriesAt(ctx, ns, []int64{experienced.ID}, memory.AsOf{ValidAt: later})
		}, functional.Ref()},
		"descendants": {func(ctx context.Context) ([]memory.Entity, error) {
			list, _, err := s.Descendants(ctx, ns, programming.ID, 0, 1)
			return []memory.Entity{list[0].Entity}, err
		}, programming.Ref()},
		"list": {func(ctx context.Context) ([]memory.Entity, error) {
			list, _, err := s.ListEntities(ctx, store.EntityFilter{Namespace: ns, Prefix: "has used"}, 0, 9)
			return list, err
		}, functional.Ref()},
		"history": {func(ctx context.Context) ([]memory.Entity, error) {
			versions, _, err := s.History(ctx, ns, experienced.Ref(), 0, 9)
			return []memory.Entity{*versions[0].Entity}, err
		}, functional.Ref()},
		"what retain gives": {func(context.Context) ([]memory.Entity, error) {
			return []memory.Entity{experienced}, nil
		}, functional.Ref()},
		"what create_entity gives": {func(context.Context) ([]memory.Entity, error) { return made[1:], nil }, made[0].Ref()},
	} {
		list, err := tc.read(ctx)
		if err != nil || len(list) == 0 {
			t.Errorf("%s: %d, %v", name, len(list), err)
			continue
		}
		if got, ok := list[0].Parent(); !ok || got != tc.want {
			t.Errorf("%s: the parent is %s; want %s", name, got, tc.want)
		}
	}
	if parent, ok := programming.Parent(); ok {
		t.Errorf("a domain stands under %s", parent)
	}
	_, _, err := s.UpdateEntity(ctx, ns, memory.EntityChange{Entity: functional.Ref().String(),
		Parent: ptr(experienced.Ref().String())}, agent)
	if want := experienced.Ref().String() + " cannot be the parent of " + functional.Ref().String() +
		", which is above it."; memory.AsError(err).Message != want {
		t.Errorf("%v; want %s", err, want)
	}
}
