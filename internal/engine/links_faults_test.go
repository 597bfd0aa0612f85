package engine_test

import (
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3"

	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/waitfor"
	"memory-graph/store"
)

// A failed link job changes nothing else, is counted, and is retried with the stored vector (docs/sources.md,
// memories-codes).
func TestLinks_ComeAgainWithTheStoredVectors(t *testing.T) {
	t.Parallel()
	url, embedded := angles(t)
	cfg, turned := settings(t), &clock{}
	cfg.Embedder, cfg.EmbeddingBaseURL, cfg.EmbeddingModel, cfg.EmbeddingDimensions = "openai", url, "angles", 3
	e, err := engine.Start(cfg, slog.New(slog.DiscardHandler), engine.WithClock(turned.now),
		engine.WithPoll(20*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	first := noteAt(t, e, 0, "a")
	waitSettled(t, e)
	raw := func(sql string) {
		t.Helper()
		c, err := sqlite3.Open(cfg.DB)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(c.Exec("PRAGMA busy_timeout = 5000"), c.Exec(sql), c.Close()); err != nil {
			t.Fatal(err)
		}
	}
	raw(`CREATE TRIGGER broken BEFORE INSERT ON mg_relationships WHEN new.head_id > new.tail_id
		BEGIN SELECT RAISE(ABORT, 'broken'); END`)
	second := noteAt(t, e, 10, "b")
	st, err := e.Store(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	waitfor.Until(t, "the failure is counted", func() bool {
		list, err := st.Counters(t.Context(), "n")
		return err == nil && len(list) == 1 && list[0].Code == engine.CodeLinksFailed && list[0].N >= 1 &&
			list[0].LastError != ""
	})
	expect(t, e, first) // neither direction, because it is one transaction
	expect(t, e, second)
	if state, err := st.State(t.Context(), "n"); err != nil || state.Pending+state.Failed == 0 {
		t.Errorf("nothing waits: %+v, %v", state, err)
	}
	before := embedded.Load()
	raw(`DROP TRIGGER broken`)
	looks := 0
	waitfor.Until(t, "they are linked", func() bool {
		if looks++; looks%40 == 1 {
			turned.turn(5 * time.Minute)
		}
		return settled(t, e)
	})
	expect(t, e, first, "similar_to 10 b 0.98")
	expect(t, e, second, "similar_to 0 a 0.98")
	if n := embedded.Load() - before; n != 0 {
		t.Errorf("%d texts were embedded to look again", n)
	}
}

// enqueueLink queues another link job for a memory, as if its vector had just been stored.
func enqueueLink(t *testing.T, st *store.Store, of int64) {
	t.Helper()
	c, err := sqlite3.Open(st.Path())
	if err != nil {
		t.Fatal(err)
	}
	sql := fmt.Sprintf(`INSERT INTO mg_jobs (kind, namespace, subject, status, next_at, created_at)
		VALUES ('%s', 'n', 'm%d', 'pending', '%s', '%[3]s') ON CONFLICT (kind, subject) WHERE status <> 'done' DO NOTHING`,
		store.KindLink, of, memory.Millis(time.Now()))
	if err := errors.Join(c.BusyTimeout(time.Minute), c.Exec(sql), c.Close()); err != nil {
		t.Fatal(err)
	}
}

// A second link job without changes writes nothing: no version, no event, no link.
func TestLinks_AnotherLookWritesNothing(t *testing.T) {
	t.Parallel()
	e, _ := onAngles(t)
	a := noteAt(t, e, 0, "a")
	for i := range 7 {
		noteAt(t, e, float64(3*i+3), "n")
	}
	waitSettled(t, e)
	st, err := e.Store(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	changes := func() int {
		events, _, err := st.Changes(t.Context(), "n", time.Time{}, time.Time{}, 0, 0, 1000)
		if err != nil {
			t.Fatal(err)
		}
		return len(events)
	}
	before, links := changes(), linksOf(t, e, a)
	for id := int64(1); id <= 9; id++ {
		enqueueLink(t, st, id)
	}
	waitSettled(t, e)
	if got := changes(); got != before {
		t.Errorf("%d events, %d before", got, before)
	}
	if d := cmp.Diff(links, linksOf(t, e, a)); d != "" {
		t.Errorf("links (-before +after):\n%s", d)
	}
}

// Traversal and the strategy hybrid follow similar_to links.
func TestLinks_LeadOn(t *testing.T) {
	t.Parallel()
	e, _ := onAngles(t)
	noteAt(t, e, 0, "violin lessons")
	b := noteAt(t, e, 20, "string practice")
	if _, err := openWriter(t, e).CreateRelation(t.Context(), scope,
		memory.RelationDraft{Head: b.Ref().String(), Relation: "is_about", Tail: "Music School",
			CreateMissing: true}, 0, memory.Caller{Actor: "tool"}); err != nil {
		t.Fatal(err)
	}
	waitSettled(t, e)
	got, err := e.Traverse(t.Context(), retrieval.TraverseRequest{Scope: memory.Scope{Namespace: "n"},
		Start: "0 violin lessons", MaxHops: 2, Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	depth := map[string]int{}
	for _, n := range got.Entities {
		depth[n.Entity.Name] = n.Depth
	}
	if d := cmp.Diff(map[string]int{"20 string practice": 1, "Music School": 2}, depth); d != "" {
		t.Errorf("reached (-want +got):\n%s", d)
	}
	a, err := e.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: "n"},
		Query:    "What are 0 violin lessons like?",
		Strategy: retrieval.Hybrid, Limit: 10, BudgetTokens: 500,
		Graph: &retrieval.GraphScope{MaxHops: 2}})
	if err != nil {
		t.Fatal(err)
	}
	facts := map[string]float64{}
	for _, f := range a.Relations {
		facts[f.Relationship.Head.Name+" "+f.Relationship.Relation+" "+f.Relationship.Tail.Name] = f.Score
	}
	// weight 1 × strength .94 × confidence .9 / hop 1; for the fact at hop 2, 1 × 1 × .9 / 2
	want := map[string]float64{"0 violin lessons similar_to 20 string practice": .846,
		"20 string practice similar_to 0 violin lessons": .846, "20 string practice is_about Music School": .45}
	if d := cmp.Diff(want, facts, cmp.Comparer(func(a, b float64) bool { return a-b < .001 && b-a < .001 })); d != "" {
		t.Errorf("facts (-want +got):\n%s", d)
	}
}
