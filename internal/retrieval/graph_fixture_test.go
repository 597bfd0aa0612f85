package retrieval_test

import (
	"path/filepath"
	"testing"
	"time"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

// day is the first day of the tests' clock.
var day = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// world is a retriever over a real file, with a clock that tests can set.
type world struct {
	*retrieval.Retriever
	t     *testing.T
	store *store.Store
	clock *time.Time
	used  *[]int64
}

func newWorld(t *testing.T) world {
	t.Helper()
	clock := day
	now := func() time.Time { return clock }
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	var used []int64
	w := world{t: t, store: st, clock: &clock, used: &used}
	w.Retriever = &retrieval.Retriever{Episodes: st, Text: st, Embedder: embedding.None{}, Graph: st, Now: now,
		Used: func(_ string, ids []int64) { used = append(used, ids...) }}
	return w
}

func (w world) later(d time.Duration) { *w.clock = w.clock.Add(d) }

// fact stores a fact and returns its number.
func (w world) fact(head, relation, tail string, changes ...func(*memory.RelationDraft)) int64 {
	return w.factIn(memory.Scope{}, head, relation, tail, changes...)
}

func (w world) factIn(scope memory.Scope, head, relation, tail string, changes ...func(*memory.RelationDraft)) int64 {
	w.t.Helper()
	if scope.Namespace == "" {
		scope.Namespace = "n"
	}
	d := memory.RelationDraft{Head: head, Relation: relation, Tail: tail, CreateMissing: true, Origin: memory.OriginUser,
		Method: memory.MethodSupplied}
	for _, change := range changes {
		change(&d)
	}
	wrote, err := w.store.CreateRelation(w.t.Context(), scope, d, 0, memory.Caller{Actor: "test"})
	if err != nil {
		w.t.Fatalf("%s %s %s: %v", head, relation, tail, err)
	}
	return wrote.Relationship.ID
}

func confidence(c float64) func(*memory.RelationDraft) {
	return func(d *memory.RelationDraft) { d.Confidence = &c }
}

func strength(s float64) func(*memory.RelationDraft) {
	return func(d *memory.RelationDraft) { d.Strength = &s }
}

func from(at time.Time) func(*memory.RelationDraft) {
	return func(d *memory.RelationDraft) { d.ValidFrom = at }
}

// entity stores an entity and returns its number.
func (w world) entity(name, typ, description string, aliases ...string) int64 {
	w.t.Helper()
	wrote, err := w.store.CreateEntity(w.t.Context(), memory.Scope{Namespace: "n"},
		memory.EntityDraft{Name: name, Type: typ, Description: description,
			Aliases: aliases, Origin: memory.OriginUser, Method: memory.MethodSupplied}, memory.Caller{Actor: "test"})
	if err != nil {
		w.t.Fatal(err)
	}
	return wrote.Entity.ID
}

// bulk stores many facts with few turns: head, relation, tail.
func (w world) bulk(facts [][3]string) {
	w.t.Helper()
	for len(facts) > 0 {
		in := store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "n"}, Role: memory.RoleUser,
			Content: "many facts " +
				facts[0][0] + facts[0][2], Origin: memory.OriginUser, Status: memory.StatusDone},
			Caller: memory.Caller{Actor: "test"}}
		for _, f := range facts[:min(200, len(facts))] {
			in.Relations = append(in.Relations, memory.RelationDraft{Head: f[0], Relation: f[1], Tail: f[2], CreateMissing: true,
				Origin: memory.OriginUser, Method: memory.MethodSupplied})
		}
		facts = facts[len(in.Relations):]
		if rec, err := w.store.RecordEpisode(w.t.Context(), in); err != nil || len(rec.Errors) > 0 {
			w.t.Fatal(err, rec.Errors)
		}
	}
}

func (w world) ask(req retrieval.Request) retrieval.Answer {
	w.t.Helper()
	if req.Scope.Namespace == "" {
		req.Scope.Namespace = "n"
	}
	if req.Limit == 0 {
		req.Limit = 10
	}
	a, err := w.Retrieve(w.t.Context(), req)
	if err != nil {
		w.t.Fatalf("%q: %v", req.Query, err)
	}
	return a
}

func (w world) traverse(req retrieval.TraverseRequest) retrieval.Traversal {
	w.t.Helper()
	req = traversal(req)
	got, err := w.Traverse(w.t.Context(), req)
	if err != nil {
		w.t.Fatalf("%q: %v", req.Start, err)
	}
	return got
}

// traversal sets the fields that the tests do not care about.
func traversal(req retrieval.TraverseRequest) retrieval.TraverseRequest {
	if req.Scope.Namespace == "" {
		req.Scope.Namespace = "n"
	}
	if req.Limit == 0 {
		req.Limit = 20
	}
	if req.MaxHops == 0 {
		req.MaxHops = 2
	}
	return req
}

// said returns facts as "Ann uses Go".
func said(list []retrieval.FoundRelation) []string {
	out := []string{}
	for _, f := range list {
		out = append(out, f.Relationship.Head.Name+" "+f.Relationship.Relation+" "+f.Relationship.Tail.Name)
	}
	return out
}

func names(list []retrieval.FoundEntity) []string {
	out := []string{}
	for _, f := range list {
		out = append(out, f.Entity.Name)
	}
	return out
}
