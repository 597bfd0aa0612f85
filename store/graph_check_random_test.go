package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// act does one random call on a small graph. A refused call is not an error.
func act(ctx context.Context, s *store.Store, r *rand.Rand) (string, error) {
	ns, by := memory.Scope{Namespace: "default"}, memory.Caller{Actor: "tool"}
	name := func() string { return fmt.Sprint("thing ", r.IntN(7)) }
	var err error
	var done string
	switch op := r.IntN(12); {
	case op < 3:
		done = "create relation"
		_, err = s.CreateRelation(ctx, ns, memory.RelationDraft{Head: name(),
			Relation: []string{"uses", "lives_in", "prefers", "dislikes"}[r.IntN(4)], Tail: name(),
			CreateMissing: true, Ended: r.IntN(6) == 0, Origin: memory.OriginUser, Method: memory.MethodSupplied}, 0, by)
	case op == 3:
		done = "supersede"
		_, err = s.Supersede(ctx, ns, memory.Supersession{ID: r.Int64N(20) + 1}, by)
	case op < 6:
		done = "set parent"
		parent := name()
		if r.IntN(4) == 0 {
			parent = ""
		}
		_, _, err = s.UpdateEntity(ctx, ns.Namespace, memory.EntityChange{Entity: name(), Parent: &parent}, by)
	case op == 6:
		done = "merge"
		_, err = s.MergeEntities(ctx, ns.Namespace, name(), name(), by)
	case op == 7:
		done = "unmerge"
		_, err = s.Unmerge(ctx, ns.Namespace, fmt.Sprint("e", r.IntN(12)+1), by)
	case op == 8:
		done = "undo"
		_, err = s.Undo(ctx, ns.Namespace, "", by)
	case op > 9:
		done = "say"
		d := memory.RelationDraft{Head: "User", HeadType: "person", Relation: "lives_in", Tail: name(),
			CreateMissing: true, Origin: memory.OriginUser, Method: memory.MethodRule, Ended: r.IntN(3) == 0}
		words := "I live in " + d.Tail
		if r.IntN(2) == 0 {
			d = memory.RelationDraft{Head: "User", HeadType: "person", Relation: "same_as", Tail: name(), TailType: "person",
				NamesSpeaker: true, CreateMissing: true, Origin: memory.OriginUser, Method: memory.MethodRule}
			words = "I am " + d.Tail
		}
		_, err = s.RecordEpisode(ctx, store.NewEpisode{Episode: memory.Episode{Scope: ns, Role: memory.RoleUser,
			Content: words, Origin: memory.OriginUser, Status: memory.StatusDone}, Caller: by,
			Reading: store.Reading{Found: memory.Findings{Relations: []memory.RelationDraft{d}}}})
	default:
		done = "forget"
		id := []memory.ID{memory.EpisodeID(r.Int64N(15) + 1), memory.RelationshipID(r.Int64N(20) + 1),
			memory.NodeID(memory.NodeEntity, r.Int64N(12)+1)}[r.IntN(3)]
		_, err = s.Forget(ctx, ns.Namespace, []memory.ID{id}, true, by)
	}
	if e := (*memory.Error)(nil); errors.As(err, &e) && e.Code != memory.Internal && e.Code != memory.Unavailable {
		return done + " refused: " + e.Message, nil
	}
	return done, err
}

// The rules that doctor checks hold after any sequence of calls.
func TestCheckGraph_IsSoundAfterRandomCalls(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			s, r := openNew(t), rand.New(rand.NewPCG(seed, 4))
			var log []string
			for range 120 {
				done, err := act(t.Context(), s, r)
				log = append(log, done)
				if err != nil {
					t.Fatalf("%v after %q", err, log)
				}
				faults, err := s.CheckGraph(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff([]store.GraphFault{}, faults); diff != "" {
					t.Fatalf("after %q (-want +got):\n%s", log, diff)
				}
			}
		})
	}
}
