package store_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

var linkScope = memory.Scope{Namespace: "default"}

// linkable creates a memory and returns its id.
func linkable(t testing.TB, s *store.Store, name string, origin memory.Origin) int64 {
	t.Helper()
	made, err := s.CreateEntity(context.Background(), linkScope,
		memory.EntityDraft{Name: name, Type: "concept", Kind: memory.NodeMemory, Description: "about " + name,
			Origin: origin, Method: memory.MethodSupplied}, memory.Caller{Actor: "tool"})
	if err != nil {
		t.Fatal(err)
	}
	return made.Entity.ID
}

// alike links a with each of others in both directions, and returns the result.
func alike(t *testing.T, s *store.Store, a int64, strength float64, others ...int64) store.Relinked {
	t.Helper()
	return relink(t, s, a, others, func(store.Linkable) memory.LinkChange {
		var c memory.LinkChange
		for _, b := range others {
			c.Want = append(c.Want, memory.NewLink{Head: a, Tail: b, Relation: "similar_to", Strength: strength},
				memory.NewLink{Head: b, Tail: a, Relation: "similar_to", Strength: strength})
		}
		return c
	})
}

func relink(t testing.TB, s *store.Store, a int64, near []int64,
	plan func(store.Linkable) memory.LinkChange) store.Relinked {
	t.Helper()
	out, err := s.Relink(context.Background(),
		store.Relinking{Namespace: "default", Subject: a, Near: near, Relations: []string{"similar_to"},
			Method: memory.MethodSimilarity}, plan)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// linksOf returns the links of a node that Relink passes to a plan.
func linksOf(t testing.TB, s *store.Store, a int64) []memory.Link {
	t.Helper()
	var seen []memory.Link
	relink(t, s, a, nil, func(l store.Linkable) memory.LinkChange { seen = l.Links; return memory.LinkChange{} })
	return seen
}

func ends(list []memory.Link) map[string]memory.LinkState {
	out := map[string]memory.LinkState{}
	for _, l := range list {
		out[fmt.Sprintf("%d-%d", l.Head, l.Tail)] = l.State
	}
	return out
}

// counts returns the number of versions and of events in the file.
func counts(t testing.TB, s *store.Store) [2]int64 {
	t.Helper()
	return [2]int64{number(t, s, `SELECT count(*) FROM mg_relationship_versions`),
		number(t, s, `SELECT count(*) FROM mg_events`)}
}

func TestRelink_TwiceWritesOnce(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	a, b := linkable(t, s, "a", memory.OriginUser), linkable(t, s, "b", memory.OriginTool)
	if got := alike(t, s, a, .9, b); got.Made != 2 {
		t.Fatalf("%+v", got)
	}
	before := counts(t, s)
	if got := alike(t, s, a, .9, b); !cmp.Equal(got, store.Relinked{}) || counts(t, s) != before {
		t.Errorf("the second time: %+v, versions and events %v to %v", got, before, counts(t, s))
	}
	got := linksOf(t, s, b)
	want := []memory.Link{ // the cap is that of tool, the origin of b
		{Head: a, Tail: b, Relation: "similar_to", Strength: .9, Confidence: .4, State: memory.LinkOurs},
		{Head: b, Tail: a, Relation: "similar_to", Strength: .9, Confidence: .4, State: memory.LinkOurs},
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreFields(memory.Link{}, "ID")); d != "" {
		t.Errorf("links (-want +got):\n%s", d)
	}
	if got := alike(t, s, a, .95, b); got.Changed != 2 || got.Made != 0 {
		t.Errorf("another cosine: %+v", got)
	}
	isSound(t, s)
}

func TestRelink_LeavesAloneWhatSomebodySaid(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	ctx := context.Background()
	a, b, c, d := linkable(t, s, "a", memory.OriginAgent), linkable(t, s, "b", memory.OriginAgent), linkable(t, s, "c",
		memory.OriginAgent), linkable(t, s, "d", memory.OriginAgent)
	alike(t, s, a, .9, b, c, d)
	by := memory.Caller{Actor: "tool"}
	// b is also stated by a call, c is changed by a call, d is ended by a call.
	if _, err := s.CreateRelation(ctx, linkScope,
		memory.RelationDraft{Head: "a", Relation: "similar_to", Tail: "b", Origin: memory.OriginAgent,
			Method: memory.MethodSupplied}, 0, by); err != nil {
		t.Fatal(err)
	}
	half := .5
	for _, l := range linksOf(t, s, a) {
		if l.Head == a && l.Tail == c {
			if _, _, err := s.UpdateRelation(ctx, "default", memory.RelationChange{ID: l.ID, Strength: &half}, by); err != nil {
				t.Fatal(err)
			}
		}
		if l.Head == a && l.Tail == d {
			if _, err := s.Supersede(ctx, linkScope, memory.Supersession{ID: l.ID}, by); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := map[string]memory.LinkState{}
	for _, other := range []struct {
		id    int64
		state memory.LinkState
	}{{b, memory.LinkSaid}, {c, memory.LinkSaid}, {d, memory.LinkRefused}} {
		want[fmt.Sprintf("%d-%d", a, other.id)], want[fmt.Sprintf("%d-%d", other.id, a)] = other.state, memory.LinkOurs
	}
	if d := cmp.Diff(want, ends(linksOf(t, s, a))); d != "" {
		t.Fatalf("states (-want +got):\n%s", d)
	}
	before := linksOf(t, s, a)
	got := relink(t, s, a, nil, func(l store.Linkable) memory.LinkChange { // even if the plan ends all of them
		var c memory.LinkChange
		for _, e := range l.Links {
			c.End = append(c.End, e.ID)
		}
		return c
	})
	if got.Ended != 3 {
		t.Errorf("ended %d links, want the three that no call changed, of %+v", got.Ended, before)
	}
	for _, l := range linksOf(t, s, a) {
		if l.State == memory.LinkOurs {
			t.Errorf("%+v is still there", l)
		}
	}
	isSound(t, s)
}

func TestLinks_GoWithTheirNode(t *testing.T) {
	t.Parallel()
	by := memory.Caller{Actor: "tool"}
	ctx := context.Background()
	for name, hide := range map[string]func(*testing.T, *store.Store, int64){
		"forgotten": func(t *testing.T, s *store.Store, a int64) {
			if _, err := s.Forget(ctx, "default", []memory.ID{{Kind: memory.KindMemory, Num: a}}, true, by); err != nil {
				t.Fatal(err)
			}
		},
		"merged": func(t *testing.T, s *store.Store, a int64) {
			if _, err := s.MergeEntities(ctx, "default", "c", "a", by); err != nil {
				t.Fatal(err)
			}
		},
		"undone": func(t *testing.T, s *store.Store, a int64) {
			undone, err := s.Undo(ctx, "default", "", by) // the newest call of a caller: links have no call
			if err != nil || undone.Action != "create_entity" {
				t.Fatalf("%+v, %v", undone, err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openNew(t)
			b, _ := linkable(t, s, "b", memory.OriginAgent), linkable(t, s, "c", memory.OriginAgent)
			a := linkable(t, s, "a", memory.OriginAgent)
			alike(t, s, a, .9, b)
			hide(t, s, a)
			if got := linksOf(t, s, b); len(got) != 0 {
				t.Errorf("b has %+v", got)
			}
			isSound(t, s)
		})
	}
}

func TestLinks_ComeBackWithTheirNode(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	ctx, by := context.Background(), memory.Caller{Actor: "tool"}
	b, _ := linkable(t, s, "b", memory.OriginAgent), linkable(t, s, "c", memory.OriginAgent)
	a := linkable(t, s, "a", memory.OriginAgent)
	alike(t, s, a, .9, b)
	want := linksOf(t, s, b)
	if _, err := s.MergeEntities(ctx, "default", "c", "a", by); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Unmerge(ctx, "default", "a", by); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, linksOf(t, s, b)); d != "" {
		t.Errorf("after unmerge (-want +got):\n%s", d)
	}
	undone, err := s.Undo(ctx, "default", "", by) // undoes unmerge
	if err != nil {
		t.Fatal(err)
	}
	for undone.Action != "create_entity" {
		if undone, err = s.Undo(ctx, "default", "", by); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Undo(ctx, "default", undone.UndoneBy, by); err != nil { // redoes it
		t.Fatal(err)
	}
	if d := cmp.Diff(want, linksOf(t, s, b)); d != "" {
		t.Errorf("after undo and redo (-want +got):\n%s", d)
	}
	isSound(t, s)
}

func TestLinks_KeepNoNodeThatOnlyAForgottenTurnMade(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	ctx := context.Background()
	other := linkable(t, s, "other", memory.OriginAgent)
	turn := record(t, s, turn("s", "I tell you about it.")).Episode.ID
	made, err := s.Retain(ctx, linkScope, store.NewMemory{Title: "it", Content: "all about it", Episode: turn,
		Origin: memory.OriginAgent, Method: memory.MethodSupplied}, memory.Caller{Actor: "tool", CallID: "c"})
	if err != nil {
		t.Fatal(err)
	}
	alike(t, s, made.Memory.ID, .9, other)
	rel := func(head int64, condition string) {
		t.Helper()
		_, err := s.Relink(ctx, store.Relinking{Namespace: "default", Subject: head, Relations: []string{"conditional_on"},
			Method: memory.MethodModelLinked},
			func(store.Linkable) memory.LinkChange {
				return memory.LinkChange{Want: []memory.NewLink{{Head: head, Condition: condition, Relation: "conditional_on",
					Strength: 1}}}
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	rel(made.Memory.ID, "time:morning")
	rel(made.Memory.ID, "place:office")
	rel(other, "Time:Morning")
	if n := number(t, s, `SELECT count(*) FROM mg_entities WHERE kind = 'condition'`); n != 2 {
		t.Errorf("%d conditions", n)
	}
	if _, err := s.Forget(ctx, "default", []memory.ID{made.Memory.Ref()}, true, memory.Caller{Actor: "tool"}); err != nil {
		t.Fatal(err)
	}
	if n := number(t, s, `SELECT count(*) FROM mg_entities WHERE kind = 'condition'`); n != 1 {
		t.Errorf("%d conditions are left, want the one of another memory", n)
	}
	if n := number(t, s, `SELECT count(*) FROM mg_relationships`); n != 1 {
		t.Errorf("%d links are left", n)
	}
	isSound(t, s)
}

func TestRelink_WritesNothingForAJobThatAnotherHolds(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	ctx := context.Background()
	a, b := linkable(t, s, "a", memory.OriginAgent), linkable(t, s, "b", memory.OriginAgent)
	if err := s.EnqueueJob(ctx, store.KindLink, "default", "m1"); err != nil {
		t.Fatal(err)
	}
	jobs, err := s.ClaimJobs(ctx, store.Claim{Kind: store.KindLink, Holder: "h", Lease: 1e9, Limit: 1})
	if err != nil || len(jobs) != 1 {
		t.Fatal(jobs, err)
	}
	try := func(holder string) store.Relinked {
		t.Helper()
		out, err := s.Relink(ctx, store.Relinking{Namespace: "default", Subject: a, Near: []int64{b},
			Relations: []string{"similar_to"}, Method: memory.MethodSimilarity,
			Jobs: store.Held{Holder: holder, IDs: []int64{jobs[0].ID}}}, func(store.Linkable) memory.LinkChange {
			return memory.LinkChange{Want: []memory.NewLink{{Head: a, Tail: b, Relation: "similar_to", Strength: .9}}}
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if got := try("other"); got.Made != 0 {
		t.Errorf("another made %d", got.Made)
	}
	if got := try("h"); got.Made != 1 {
		t.Errorf("the holder made %d", got.Made)
	}
	if got := try("h"); got.Made != 0 { // the job is done
		t.Errorf("made %d again", got.Made)
	}
}

func number(t testing.TB, s *store.Store, sql string) int64 {
	t.Helper()
	got, err := s.QueryInts(sql)
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	return got[0]
}

func TestRelink_WritesWhatCanBeAndNamesTheRest(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	a, b := linkable(t, s, "a", memory.OriginAgent), linkable(t, s, "b", memory.OriginAgent)
	half, none := .5, -1.0
	got := relink(t, s, a, []int64{b}, func(store.Linkable) memory.LinkChange {
		return memory.LinkChange{Want: []memory.NewLink{
			{Head: a, Tail: 99, Relation: "similar_to", Strength: .9},
			{Head: a, Tail: a, Relation: "similar_to", Strength: .9},
			{Head: a, Tail: b, Relation: "similar_to", Strength: 1.1},
			{Head: a, Tail: b, Relation: "similar_to", Strength: .9, Confidence: &none},
			{Head: a, Condition: "\u200b", Relation: "conditional_on", Strength: 1},
			{Head: b, Tail: a, Relation: "similar_to", Strength: .9, Confidence: &half},
		}, End: []int64{1, 99}}
	})
	if got.Made != 1 || len(got.Refused) != 5 {
		t.Errorf("%+v", got)
	}
	if n := number(t, s, `SELECT count(*) FROM mg_relationships WHERE confidence = .5`); n != 1 {
		t.Errorf("%d links", n)
	}
	isSound(t, s)
}

// A file from before links gets its link jobs once, and again when another generation becomes active.
func TestCatchUpLinks_QueuesOnceForEachGeneration(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	ctx := context.Background()
	linkable(t, s, "a", memory.OriginAgent)
	if _, err := s.CreateEntity(ctx, linkScope,
		memory.EntityDraft{Name: "Ann", Type: "person", Origin: memory.OriginAgent,
			Method: memory.MethodSupplied}, memory.Caller{Actor: "tool"}); err != nil {
		t.Fatal(err)
	}
	try := func(want bool, of ...store.LinkedBy) {
		t.Helper()
		if got, err := s.CatchUpLinks(ctx, of); err != nil || got != want {
			t.Errorf("queued %v, %v", got, err)
		}
	}
	open := func() []string {
		t.Helper()
		got, err := s.QueryTexts(`SELECT subject FROM mg_jobs WHERE kind = 'link' ORDER BY subject`)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	try(false, store.MemoriesByLikeness) // no generation is active, so there are no vectors
	ensure(t, s, identityA)
	try(true, store.MemoriesByLikeness)
	try(false, store.MemoriesByLikeness)
	if d := cmp.Diff([]string{"m1"}, open()); d != "" {
		t.Errorf("jobs (-want +got):\n%s", d)
	}
	try(true, store.MemoriesByLikeness, store.EntitiesByLikeness)
	if d := cmp.Diff([]string{"e2", "m1"}, open()); d != "" {
		t.Errorf("jobs (-want +got):\n%s", d)
	}
}
