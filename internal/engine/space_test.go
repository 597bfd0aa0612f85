package engine_test

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"memory-graph/extraction/llm/llmtest"
	"memory-graph/internal/engine"
	"memory-graph/internal/facts"
	"memory-graph/internal/facts/hierarchy"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/waitfor"
	"memory-graph/store"
)

func make1(t *testing.T, e *engine.Engine, d memory.EntityDraft) memory.EntityWrite {
	t.Helper()
	made, err := openWriter(t, e).CreateEntity(t.Context(), memory.Scope{Namespace: "n"}, d, memory.Caller{Actor: "tool"})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func openWriter(t *testing.T, e *engine.Engine) *facts.Writer {
	t.Helper()
	w, err := e.Writer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func openHierarchy(t *testing.T, e *engine.Engine) *hierarchy.Hierarchy {
	t.Helper()
	h, err := e.Hierarchy(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func waitSettled(t *testing.T, e *engine.Engine) {
	t.Helper()
	waitfor.Until(t, "everything is embedded", func() bool { return settled(t, e) })
}

// With resolution by vectors on, names with the same meaning are one entity, and ambiguous ones are proposed
// (docs/sources.md, zeph-resolution-by-meaning).
func TestEngine_ResolvesEntitiesByMeaningWhereThatIsSwitchedOn(t *testing.T) {
	t.Parallel()
	cfg := settings(t)
	cfg.UseEmbeddingResolution = true
	e := start(t, cfg)
	first := make1(t, e, memory.EntityDraft{Name: "PostgreSQL", Type: "tool"})
	waitSettled(t, e)
	again := make1(t, e, memory.EntityDraft{Name: "Postgres", Type: "technology"})
	if again.Created || again.Entity.ID != first.Entity.ID {
		t.Errorf("Postgres became %+v", again)
	}
	person := make1(t, e, memory.EntityDraft{Name: "The Postgres", Type: "person"})
	if !person.Created {
		t.Errorf("a person became %+v", person)
	}
	near := make1(t, e, memory.EntityDraft{Name: "PostgreSQL 16", Type: "tool"})
	if !near.Created {
		t.Fatalf("PostgreSQL 16 became %+v", near)
	}
	links, err := e.Links(t.Context(), retrieval.LinksRequest{Scope: memory.Scope{Namespace: "n"},
		Entity: near.Entity.Ref().String(), Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(links.Links, func(r retrieval.FoundRelation) bool {
		return r.Relationship.Relation == "similar_to" && r.Relationship.Tail.ID == first.Entity.ID
	}) {
		t.Errorf("PostgreSQL 16 has %+v", links.Links)
	}
}

// Between the thresholds a model decides.
func TestEngine_AsksAModelWhetherANameIsAKnownEntity(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t, llmtest.OpenAI, func(q llmtest.Request) (string, bool) {
		if !strings.Contains(q.System, "whether a new name") {
			return "", false
		}
		if strings.Contains(q.User, "20 grad") {
			return `{"same":1}`, true
		}
		return `{"same":0}`, true
	})
	cfg := withModel(t, model)
	url, _ := angles(t)
	cfg.Embedder, cfg.EmbeddingBaseURL, cfg.EmbeddingModel, cfg.EmbeddingDimensions = "openai", url, "angles", 3
	cfg.UseEmbeddingResolution, cfg.EntitySimilarityThreshold = true, .95
	e := start(t, cfg)
	make1(t, e, memory.EntityDraft{Name: "0 degrees", Type: "tool"})
	waitSettled(t, e)
	if made := make1(t, e, memory.EntityDraft{Name: "325 grad", Type: "tool"}); !made.Created { // cosine .82
		t.Errorf("325 grad became %+v", made)
	}
	waitSettled(t, e)
	if made := make1(t, e, memory.EntityDraft{Name: "20 grad", Type: "tool"}); made.Created { // cosine .94
		t.Errorf("20 grad became %+v", made)
	}
	usage, err := openStore(t, e).ModelUsages(t.Context(), time.Time{})
	if err != nil || len(usage) != 1 || usage[0].Purpose != store.PurposeResolve {
		t.Errorf("%+v, %v", usage, err)
	}
}

// An unreachable endpoint does not prevent storing (docs/sources.md, zeph-resolution-fallback).
func TestEngine_MatchesNamesExactlyWhileTheEndpointIsAway(t *testing.T) {
	t.Parallel()
	var on atomic.Bool
	cfg := settings(t)
	cfg.Embedder, cfg.EmbeddingBaseURL, cfg.EmbeddingModel, cfg.EmbeddingDimensions = "openai", fakeEndpoint(t, 8,
		&on), "m", 8
	cfg.UseEmbeddingResolution = true
	e := start(t, cfg)
	first := make1(t, e, memory.EntityDraft{Name: "PostgreSQL", Type: "tool"})
	again := make1(t, e, memory.EntityDraft{Name: "postgresql", Type: "technology"})
	other := make1(t, e, memory.EntityDraft{Name: "Postgress", Type: "tool"})
	if !first.Created || again.Created || again.Entity.ID != first.Entity.ID || !other.Created {
		t.Errorf("%+v, %+v, %+v", first, again, other)
	}
}
