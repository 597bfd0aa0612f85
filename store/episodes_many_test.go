package store_test

import (
	"testing"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func TestRecordEpisodes_StoresTheOthersIfOneIsRefused(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	keyed := func(session, content, key string) store.NewEpisode {
		e := turn(session, content)
		e.IdempotencyKey, e.Imported, e.Source = key, true, "import:x"
		return e
	}
	odd := keyed("a", "three", "k3")
	odd.Relations = []memory.RelationDraft{{Head: "", Relation: "uses", Tail: "b", CreateMissing: true}}
	by := memory.Caller{Actor: "import", CallID: "c1"}
	list := []store.NewEpisode{keyed("a", "one", "k1"), keyed("b", "two", "k2"), keyed("a", "one again", "k1"), odd}
	got, err := s.RecordEpisodes(t.Context(), list, by)
	if err != nil || got[0].Duplicate || got[1].Duplicate || !got[2].SameKey || got[3].Duplicate ||
		len(got[3].Errors) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if got[3].Episode.Seq != 2 || got[1].Episode.Seq != 1 {
		t.Errorf("order in the session: %d, %d", got[3].Episode.Seq, got[1].Episode.Seq)
	}
	known := map[string]store.StoredTurn{}
	if err := s.SessionTurns(t.Context(), "default", "a",
		func(x store.StoredTurn) { known[x.Key] = x }); err != nil {
		t.Fatal(err)
	}
	if len(known) != 2 || known["k1"].Hooked || known["k1"].Called || known["k1"].ID != got[0].Episode.ID {
		t.Errorf("%+v", known)
	}
	if _, err := s.Undo(t.Context(), "default", "c1", by); err != nil {
		t.Fatal(err)
	}
	if err := s.SessionTurns(t.Context(), "default", "a",
		func(x store.StoredTurn) { t.Errorf("%+v", x) }); err != nil {
		t.Fatal(err)
	}
}

func TestClaimJobs_TakesTheNewestFirstIfAsked(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	gen, err := s.EnsureGeneration(t.Context(), store.Identity{Provider: "p", Model: "m", Dimensions: 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"one", "two", "three"} {
		record(t, s, turn("a", text))
	}
	jobs, err := s.ClaimJobs(t.Context(), store.Claim{Kind: store.KindEmbed, Prefix: store.EmbedPrefix(gen.ID),
		Holder: "h", Lease: 1e10, Limit: 1, Newest: true})
	if err != nil || len(jobs) != 1 || jobs[0].Subject != store.EmbedPrefix(gen.ID)+"t3" {
		t.Errorf("%+v, %v", jobs, err)
	}
}
