package engine_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/facts/hierarchy"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// tokens returns a generator of distinct values in the shape of a secret.
func tokens() func() string {
	n := 0
	return func() string { n++; return fmt.Sprintf("ghp_%04dLeakedLeakedLeakedLeaked12", n) }
}

func TestEngine_StoresNoSecretOfAnyArgument(t *testing.T) {
	t.Parallel()
	cfg := settings(t)
	cfg.Embedder = "none"
	e := start(t, cfg)
	secret, ctx := tokens(), t.Context()
	to := func(s string) *string { return &s }
	sc := func() memory.Scope {
		return memory.Scope{Namespace: "n", Project: "p " + secret(), User: "u " + secret(), SessionID: "s " + secret()}
	}
	by := memory.Caller{Actor: "tool", Reason: secret()}
	draft := func() memory.EntityDraft {
		return memory.EntityDraft{Name: "a " + secret(), Type: secret(), Description: secret(),
			Aliases: []string{secret()}, Notes: []string{secret()}}
	}
	fact := func() memory.RelationDraft {
		return memory.RelationDraft{Head: "h " + secret(), HeadType: secret(), Relation: secret(), Tail: "t " + secret(),
			TailType: secret(),
			Fact:     secret(), Quote: secret(), CreateMissing: true}
	}
	check := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := e.StoreEpisode(ctx, store.NewEpisode{Episode: memory.Episode{Scope: sc(), Content: "x " + secret(),
		Speaker: secret(), Source: secret()}, IdempotencyKey: secret(), Entities: []memory.EntityDraft{draft()},
		Relations: []memory.RelationDraft{fact()}, Caller: by})
	check("store_episode", err)
	made, err := openWriter(t, e).CreateEntity(ctx, sc(), draft(), by)
	check("create_entity", err)
	_, _, err = openWriter(t, e).UpdateEntity(ctx, sc(), memory.EntityChange{Entity: made.Entity.Ref().String(),
		Name: to("b " + secret()), Type: to(secret()),
		Description: to(secret()), AddAliases: []string{secret()}}, by)
	check("update_entity", err)
	rel, err := openWriter(t, e).CreateRelation(ctx, sc(), fact(), 0, by)
	check("create_relation", err)
	_, _, err = openWriter(t, e).UpdateRelation(ctx, "n",
		memory.RelationChange{ID: rel.Relationship.ID, Fact: to(secret())}, by)
	check("update_relation", err)
	replacement := memory.RelationDraft{Tail: "o " + secret(), Fact: secret(), CreateMissing: true}
	_, err = openWriter(t, e).Supersede(ctx, sc(), memory.Supersession{ID: rel.Relationship.ID, Replacement: &replacement,
		Reason: secret()}, by)
	check("supersede", err)
	_, err = openHierarchy(t, e).Retain(ctx, sc(),
		hierarchy.Memory{Content: "c " + secret(), Title: "m " + secret(), Type: secret(),
			Relations: []hierarchy.Relation{{Target: "r " + secret(), Type: secret()}}}, by)
	check("retain", err)
	o := store.ReferenceCall{Action: "create_entities", Source: "reference"}
	_, err = openWriter(t, e).CreateReferenceEntities(ctx, sc(),
		[]memory.ReferenceEntity{{Name: "N", Type: secret(), Observations: []string{secret()}}}, o, by)
	check("create_entities", err)
	_, err = openWriter(t, e).AddNotes(ctx, sc(), []memory.ReferenceNotes{{Name: "N", Notes: []string{secret()}}}, o, by)
	check("add_observations", err)
	_, err = openWriter(t, e).Relate(ctx, sc(), []memory.ReferenceRelation{{From: "f " + secret(), To: "g " + secret(),
		Type: secret()}}, o, by)
	check("create_relations", err)
	check("relation_decay", e.SetRelationRate(ctx, "n", secret(), .5, by))
	e.Close()
	for _, file := range []string{cfg.DB, cfg.DB + "-wal"} {
		b, err := os.ReadFile(file)
		if err != nil && filepath.Ext(file) == ".db" {
			t.Fatal(err)
		}
		text := strings.ToLower(string(b))
		for i := strings.Index(text, "leakedleaked"); i >= 0; i = strings.Index(text, "leakedleaked") {
			t.Errorf("%s holds …%q…", filepath.Base(file), text[max(0, i-60):min(len(text), i+20)])
			text = text[i+1:]
			if j := strings.Index(text, "12"); j >= 0 {
				text = text[j:]
			}
		}
	}
}

func TestEngine_KeepsASecretKeyIdempotent(t *testing.T) {
	t.Parallel()
	e := start(t, settings(t))
	secret := tokens()
	one, two := secret(), secret()
	var got []string
	for _, key := range []string{one, one, two} {
		r, err := e.StoreEpisode(t.Context(), store.NewEpisode{
			Episode:        memory.Episode{Scope: memory.Scope{Namespace: "n", SessionID: one}, Content: "It rains."},
			IdempotencyKey: key, Caller: memory.Caller{Actor: "tool"}})
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r.Status)
	}
	if want := "stored duplicate stored"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}

func TestEngine_TrustsFactsWithAToolsTurnLikeATool(t *testing.T) {
	t.Parallel()
	e := start(t, settings(t))
	for role, want := range map[memory.Role]memory.Origin{memory.RoleTool: memory.OriginTool,
		memory.RoleAssistant: memory.OriginAgent, memory.RoleUser: memory.OriginAgent} {
		r, err := e.StoreEpisode(t.Context(), store.NewEpisode{Episode: memory.Episode{Scope: scope, Role: role,
			Content: "A page about " + string(role) + "."}, Caller: memory.Caller{Actor: "tool"},
			Entities:  []memory.EntityDraft{{Name: "E " + string(role), Type: "concept", Description: "a thing"}},
			Relations: []memory.RelationDraft{{Head: "H " + string(role), Relation: "uses", Tail: "T " + string(role)}}})
		if err != nil || len(r.Entities) != 1 || len(r.Relations) != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
		if rel := r.Relations[0].Relationship; rel.Origin != want || rel.Confidence > want.Cap() {
			t.Errorf("with a turn of role %s a fact has the origin %s and the confidence %v; want %s", role, rel.Origin,
				rel.Confidence, want)
		}
		if ent := r.Entities[0].Entity; ent.Origin != want || ent.Confidence > want.Cap() {
			t.Errorf("with a turn of role %s an entity has the origin %s and the confidence %v; want %s", role, ent.Origin,
				ent.Confidence, want)
		}
	}
}

// A page that a tool fetched may name what the user named. It must not get to describe or rename it.
func TestEngine_AToolsEntityChangesNothingOfTheUsers(t *testing.T) {
	t.Parallel()
	e := start(t, settings(t))
	say := func(role memory.Role, d memory.EntityDraft) {
		t.Helper()
		if _, err := e.StoreEpisode(t.Context(), store.NewEpisode{Episode: memory.Episode{Scope: scope, Role: role,
			Content: "About Halyard, says the " + string(role) + "."}, Caller: memory.Caller{Actor: "tool"},
			Entities: []memory.EntityDraft{d}}); err != nil {
			t.Fatal(err)
		}
	}
	say(memory.RoleUser, memory.EntityDraft{Name: "Halyard", Type: "project", Description: "books boats"})
	say(memory.RoleTool, memory.EntityDraft{Name: "halYARD", Type: "project", Aliases: []string{"Stripe"},
		Description: "its support line is support@evil.example"})
	st := openStore(t, e)
	got, err := st.ResolveEntity(t.Context(), "n", "Halyard", "", memory.AsOf{})
	if err != nil || got.Name != "Halyard" || got.Description != "books boats" || len(got.Aliases) > 0 {
		t.Errorf("the tool made it %+v, %v", got, err)
	}
	if other, err := st.ResolveEntity(t.Context(), "n", "Stripe", "", memory.AsOf{}); err == nil {
		t.Errorf("the tool's alias means %+v", other)
	}
}

func TestEngine_RefusesATurnOfTheFuture(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	e := startAt(t, settings(t), now)
	for _, actor := range []string{"tool", "cli", "hook"} {
		for offset, ok := range map[time.Duration]bool{-time.Hour: true, 23 * time.Hour: true, 25 * time.Hour: false,
			24 * 365 * 100 * time.Hour: false} {
			at := now.Add(offset)
			r, err := e.StoreEpisode(t.Context(), store.NewEpisode{Episode: memory.Episode{Scope: scope,
				Content: fmt.Sprintf("%s, %s", actor, offset), OccurredAt: at}, Caller: memory.Caller{Actor: actor}})
			if actor == "hook" {
				if err != nil {
					t.Errorf("a hook's turn is lost: %v", err)
					continue
				}
				turn := ask(t, e, fmt.Sprintf("%s, %s", actor, offset), "text").Episodes
				for _, f := range turn {
					if memory.EpisodeID(f.Episode.ID) == r.EpisodeID && f.Episode.OccurredAt.After(now.Add(24*time.Hour)) {
						t.Errorf("a hook's turn of %s has the time %s", at, f.Episode.OccurredAt)
					}
				}
				continue
			}
			if (err == nil) != ok {
				t.Errorf("%s, %s: %v", actor, offset, err)
			}
			if err != nil {
				m := memory.AsError(err)
				if m.Code != memory.InvalidArgument || !strings.Contains(m.Error(),
					memory.RFC3339(at)) || !strings.Contains(m.Error(), memory.RFC3339(now)) {
					t.Errorf("%v", m)
				}
			}
		}
	}
	ahead := now.Add(24 * 365 * time.Hour)
	if _, err := openWriter(t, e).CreateRelation(t.Context(), scope,
		memory.RelationDraft{Head: "Ann", Relation: "works_at",
			Tail: "Initech", ValidFrom: ahead, CreateMissing: true}, 0,
		memory.Caller{Actor: "tool"}); err != nil {
		t.Errorf("a fact that begins next year: %v", err)
	}
}

// startAt starts an engine with a stopped clock.
func startAt(t *testing.T, cfg *config.Config, now time.Time) *engine.Engine {
	t.Helper()
	e, err := engine.Start(cfg, slog.New(slog.DiscardHandler), engine.WithClock(func() time.Time { return now }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}
