package store_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

const ns = "n"

var inN = memory.Scope{Namespace: ns}

// told records a turn with its supplied facts, as a separate call.
func told(t *testing.T, s *store.Store, call, content string, entities []memory.EntityDraft,
	relations ...memory.RelationDraft) store.Recorded {
	t.Helper()
	out, err := s.RecordEpisode(t.Context(),
		store.NewEpisode{Episode: memory.Episode{Scope: inN, Role: memory.RoleUser, Content: content,
			Origin: memory.OriginUser, Status: memory.StatusDone}, Entities: entities, Relations: relations,
			Caller: memory.Caller{CallID: call, Actor: "test"}})
	if err != nil || len(out.Errors) > 0 {
		t.Fatalf("%v, %+v", err, out.Errors)
	}
	return out
}

func forget(t *testing.T, s *store.Store, confirm bool, ids ...memory.ID) memory.Forgotten {
	t.Helper()
	out, err := s.Forget(t.Context(), ns, ids, confirm, memory.Caller{Actor: "test", CallID: "forget", Reason: "quixotic"})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func refs(ids ...string) []memory.ID {
	out := []memory.ID{}
	for _, s := range ids {
		id, err := memory.ParseID(s)
		if err != nil {
			panic(err)
		}
		out = append(out, id)
	}
	return out
}

func isSound(t *testing.T, s *store.Store) {
	t.Helper()
	findings, err := s.IntegrityCheck(t.Context())
	if err != nil || len(findings) > 0 {
		t.Errorf("%v, %v", findings, err)
	}
	faults, err := s.CheckGraph(t.Context())
	if err != nil || len(faults) > 0 {
		t.Errorf("%+v, %v", faults, err)
	}
}

func TestForget_TakesWhatOnlyTheTurnMadeAndLeavesTheRest(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	person := func(name string) memory.EntityDraft {
		return memory.EntityDraft{Name: name, Type: "person", Origin: memory.OriginAgent, Method: memory.MethodSupplied}
	}
	first := told(t, s, "c1", "Ann uses Go and Rust.", []memory.EntityDraft{person("Ann")}, draft("Ann", "uses", "Go"),
		draft("Ann", "uses", "Rust"))
	second := told(t, s, "c2", "Ann uses Go indeed, Bob too.", nil, draft("Ann", "uses", "Go"), draft("Bob", "uses", "Go"))
	id := func(r memory.RelationWrite) memory.ID { return memory.RelationshipID(r.Relationship.ID) }
	rust := first.Relations[1].Relationship.Tail

	dry := forget(t, s, false, memory.EpisodeID(first.Episode.ID))
	want := memory.Forgotten{DryRun: true, Episodes: 1, Relationships: 1, Entities: 1,
		Objects: []memory.ID{memory.EpisodeID(first.Episode.ID), id(first.Relations[1]), rust.Ref()}}
	if diff := cmp.Diff(want, dry); diff != "" {
		t.Fatalf("dry run: %s", diff)
	}
	if all, err := s.Relationships(t.Context(), ns, []int64{1, 2, 3}, memory.AsOf{}); err != nil || len(all) != 3 {
		t.Fatalf("a dry run changed something: %v, %v", all, err)
	}
	want.DryRun = false
	if diff := cmp.Diff(want, forget(t, s, true, memory.EpisodeID(first.Episode.ID))); diff != "" {
		t.Fatalf("forgotten: %s", diff)
	}
	left, err := s.Relationships(t.Context(), ns, []int64{1, 2, 3}, memory.AsOf{})
	if err != nil || len(left) != 2 {
		t.Fatalf("%v, %v", left, err)
	}
	if diff := cmp.Diff([]int64{second.Episode.ID}, left[0].Evidence); diff != "" {
		t.Errorf("a fact that another turn says too keeps that evidence alone: %s", diff)
	}
	if _, err := s.ResolveEntity(t.Context(), ns, "Rust", "", memory.AsOf{}); code(err) != memory.NotFound {
		t.Errorf("Rust: %v", err)
	}
	if _, err := s.ResolveEntity(t.Context(), ns, "Ann", "", memory.AsOf{}); err != nil {
		t.Errorf("Ann: %v", err)
	}
	if _, err := s.Forget(t.Context(), ns, refs("t1"), true, agent); code(err) != memory.NotFound {
		t.Errorf("forgetting what is forgotten: %v", err)
	}
	if _, err := s.Undo(t.Context(), ns, "forget", agent); err == nil {
		t.Error("forgetting is undone")
	}
	isSound(t, s)
}

func TestForget_OfAnEntityTakesItsFactsAndWhatCallsLeftForThem(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	old := relate(t, s, draft("Ann", "works_at", "Acme"))
	relate(t, s, draft("Ann", "works_at", "Globex")) // ends the first
	relate(t, s, draft("Bob", "knows", "Ann"))
	entity, err := s.CreateEntity(t.Context(), inN,
		memory.EntityDraft{Name: "Team", Type: "organization", Origin: memory.OriginAgent,
			Method: memory.MethodSupplied}, memory.Caller{CallID: "by hand"})
	if err != nil {
		t.Fatal(err)
	}
	child := "Bob"
	if _, _, err := s.UpdateEntity(t.Context(), ns, memory.EntityChange{Entity: child, Parent: ptr("Team")},
		memory.Caller{CallID: "by hand 2"}); err != nil {
		t.Fatal(err)
	}
	globex, err := s.ResolveEntity(t.Context(), ns, "Globex", "", memory.AsOf{})
	if err != nil {
		t.Fatal(err)
	}
	forget(t, s, true, globex.Ref(), entity.Entity.Ref())
	left, err := s.Relationships(t.Context(), ns, []int64{1, 2, 3}, memory.AsOf{})
	if err != nil || len(left) != 2 {
		t.Fatalf("%v, %v", left, err)
	}
	if left[0].ID != old.Relationship.ID || left[0].ValidUntil.IsZero() || left[0].SupersededBy != 0 {
		t.Errorf("a fact superseded by a forgotten one must stay ended, without superseded_by: %+v", left[0])
	}
	if n, err := s.QueryInts(`SELECT count(*) FROM mg_episodes`); err != nil || n[0] != 2 {
		t.Errorf("the call's own turn stays: %v, %v", n, err)
	}
	if e, err := s.ResolveEntity(t.Context(), ns, "Bob", "", memory.AsOf{}); err != nil || e.ParentID != 0 {
		t.Errorf("a child of what was forgotten: %+v, %v", e, err)
	}
	isSound(t, s)
}

func TestForget_LeavesNothingOfTheTextInTheFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	s := open(t, path, store.Options{})
	gen, err := s.EnsureGeneration(t.Context(), store.Identity{Provider: "test", Model: "m", Dimensions: 8})
	if err != nil {
		t.Fatal(err)
	}
	const word = "zanzibarese"
	filler := func(n int) {
		for range n {
			record(t, s, turn("s", "Filler turns make the index merge its parts, so that words move about in the file."))
			record(t, s, turn("s", "And so that pages are freed."))
		}
	}
	filler(60)
	e := memory.EntityDraft{Name: word, Type: "language", Description: "A " + word + " tongue",
		Aliases: []string{word + "-2"}, Origin: memory.OriginAgent, Method: memory.MethodSupplied}
	r := draft(word, "related_to", "Go")
	r.Fact, r.Quote = "About "+word+" and Go", word
	out := told(t, s, "c", "We spoke "+word+" all day.", []memory.EntityDraft{e}, r, draft("Ann", word+"_with", "Go"))
	vec := []int8{101, 102, 103, 104, 105, 106, 107, 108}
	if _, err := s.SaveVectors(t.Context(), gen.ID, []store.Vector{{Kind: store.OfEpisodes, ID: out.Episode.ID, Vec: vec},
		{Kind: store.OfEntities, ID: out.Entities[0].Entity.ID, Vec: vec}}, store.Held{}); err != nil {
		t.Fatal(err)
	}
	if err := s.SaveRelationVectors(t.Context(), gen.ID, []store.RelationVector{{Namespace: ns, Relation: word + "_with",
		Vec: vec}}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.UpdateEntity(t.Context(), ns,
		memory.EntityChange{Entity: word, Description: ptr("Not " + word + " any more")}, memory.Caller{CallID: "c",
			Reason: word}); err != nil {
		t.Fatal(err)
	}
	// A node that was merged for some time: the versions of the other node have its name.
	if _, err := s.MergeEntities(t.Context(), ns, "Go", word, memory.Caller{CallID: "c"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Unmerge(t.Context(), ns, out.Entities[0].Entity.Ref().String(),
		memory.Caller{CallID: "c"}); err != nil {
		t.Fatal(err)
	}
	told(t, s, "d", "Go is here to stay.", nil, draft("Ann", "uses", "Go"))
	filler(60)
	forget(t, s, true, memory.EpisodeID(out.Episode.ID), out.Entities[0].Entity.Ref())
	isSound(t, s)
	for _, name := range []string{path, path + "-wal"} {
		raw, err := os.ReadFile(name)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for _, secret := range [][]byte{[]byte(word), []byte("anzibares"), {101, 102, 103, 104, 105, 106},
			[]byte("quixotic")} {
			if at := bytes.Index(bytes.ToLower(raw), secret); at >= 0 {
				t.Errorf("%q is in %s: %q", secret, filepath.Base(name), raw[max(0, at-60):min(len(raw), at+60)])
			}
		}
	}
	if err := s.ExecOnWriter("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
}

func TestForget_RefusesWhatIsNotThere(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	relate(t, s, draft("Ann", "uses", "Go"))
	if _, err := s.MergeEntities(t.Context(), ns, "Ann", "Go", memory.Caller{CallID: "merge"}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		namespace string
		ids       []memory.ID
		want      memory.Code
	}{
		{ns, nil, memory.InvalidArgument},
		{ns, refs("c1"), memory.InvalidArgument},
		{ns, refs("r1", "r9"), memory.NotFound},
		{ns, refs("m1"), memory.NotFound},
		{ns, refs("m2"), memory.NotFound}, // an entity that was merged into another
		{"other", refs("r1"), memory.NotFound},
		{"other", refs("e1"), memory.NotFound},
		{"other", refs("t1"), memory.NotFound},
	} {
		if _, err := s.Forget(context.Background(), c.namespace, c.ids, true, agent); code(err) != c.want {
			t.Errorf("%s %v: %v; want %s", c.namespace, c.ids, err, c.want)
		}
	}
	if n, err := s.QueryInts(`SELECT count(*) FROM mg_relationships`); err != nil || n[0] != 1 {
		t.Errorf("%v, %v", n, err)
	}
}
