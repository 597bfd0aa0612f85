package store_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// namesakesOf is a store with a clock, for tests of names.
type namesakesOf struct {
	t     *testing.T
	s     *store.Store
	now   time.Time
	turns int
}

func newNamesakes(t *testing.T) *namesakesOf {
	t.Helper()
	n := &namesakesOf{t: t, now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)}
	n.s = open(t, filepath.Join(t.TempDir(), "memory.db"),
		store.Options{Synchronous: "off", Now: func() time.Time { return n.now }})
	return n
}

func (n *namesakesOf) scope() memory.Scope { return memory.Scope{Namespace: "n"} }

// create gives an entity a name and a type, as a caller does.
func (n *namesakesOf) create(name, typ string) memory.EntityWrite {
	n.t.Helper()
	out, err := n.s.CreateEntity(n.t.Context(), n.scope(), memory.EntityDraft{Name: name, Type: typ,
		Origin: memory.OriginAgent, Method: memory.MethodSupplied}, memory.Caller{Actor: "tool"})
	if err != nil {
		n.t.Fatal(err)
	}
	return out
}

// fact states a fact with a method, as a user does: head, head's type, relation, tail, tail's type.
func (n *namesakesOf) fact(m memory.Method, head, headType, relation, tail, tailType string) memory.Relationship {
	n.t.Helper()
	out, err := n.s.CreateRelation(n.t.Context(), n.scope(), memory.RelationDraft{Head: head, HeadType: headType,
		Relation: relation, Tail: tail, TailType: tailType, CreateMissing: true, Origin: memory.OriginUser, Method: m}, 0,
		memory.Caller{Actor: "tool"})
	if err != nil {
		n.t.Fatal(err)
	}
	return out.Relationship
}

// all returns "name (type)" of all entities, in order of creation.
func (n *namesakesOf) all() (out []string) {
	n.t.Helper()
	list, _, err := n.s.ListEntities(n.t.Context(), store.EntityFilter{Namespace: "n"}, 0, 100)
	if err != nil {
		n.t.Fatal(err)
	}
	slices.SortFunc(list, func(a, b memory.Entity) int { return int(a.ID - b.ID) })
	for _, e := range list {
		out = append(out, fmt.Sprintf("%s (%s)", e.Name, e.Type))
	}
	return out
}

func (n *namesakesOf) resolve(name string) (string, error) {
	e, err := n.s.ResolveEntity(n.t.Context(), "n", name, "", memory.AsOf{})
	return e.Ref().String() + " " + e.Name, err
}

func TestNames_AKnownNameIsTheKnownThing(t *testing.T) {
	t.Parallel()
	rule, supplied := memory.MethodRule, memory.MethodSupplied
	for name, tc := range map[string]struct {
		play func(n *namesakesOf)
		want []string
	}{
		"a guessed person": {func(n *namesakesOf) {
			n.fact(rule, "Larder", "project", "uses", "MySQL", "tool")
			n.fact(rule, "larder", "person", "uses", "Postgres", "tool")
		}, []string{"Larder (project)", "MySQL (tool)", "Postgres (tool)"}},
		"no type": {func(n *namesakesOf) {
			n.create("Larder", "project")
			n.fact(supplied, "larder", "", "uses", "Larder Cloud", "")
			n.fact(supplied, "Larder Cloud", "", "part_of", "Larder", "")
		}, []string{"Larder (project)", "Larder Cloud (concept)"}},
		"another word of a caller": {func(n *namesakesOf) {
			n.create("Larder", "project")
			n.fact(supplied, "Larder", "organization", "uses", "Go", "service")
			n.fact(supplied, "Larder", "person", "uses", "Go", "")
			n.create("Larder", "web_app")
		}, []string{"Larder (project)", "Go (service)"}},
		"a caller's type replaces a guess": {func(n *namesakesOf) {
			n.fact(rule, "Larder", "person", "uses", "Go", "")
			n.create("Larder", "project")
			n.fact(rule, "Larder", "person", "uses", "Rust", "")
		}, []string{"Larder (project)", "Go (concept)", "Rust (concept)"}},
		"a place is not the person of its name": {func(n *namesakesOf) {
			n.fact(rule, "Sydney", "person", "works_at", "Acme", "organization")
			n.fact(rule, "Ann", "person", "lives_in", "Sydney", "location")
			n.fact(supplied, "Sydney", "person", "knows", "Ann", "")
		}, []string{"Sydney (person)", "Acme (organization)", "Ann (person)", "Sydney (location)"}},
		"an extractor does not make a person of a place": {func(n *namesakesOf) {
			n.fact(rule, "Ann", "person", "lives_in", "Ghent", "location")
			n.fact(rule, "Ghent", "person", "uses", "Go", "")
		}, []string{"Ann (person)", "Ghent (location)", "Go (concept)"}},
		"two stated types that exclude each other": {func(n *namesakesOf) {
			n.create("Mercury", "project")
			n.create("Mercury", "location")
			n.create("Mercury", "person")
		}, []string{"Mercury (project)", "Mercury (location)", "Mercury (person)"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNamesakes(t)
			tc.play(n)
			if diff := cmp.Diff(tc.want, n.all()); diff != "" {
				t.Errorf("entities (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNames_OneTechnologyIsOneNode(t *testing.T) {
	t.Parallel()
	n := newNamesakes(t)
	for _, name := range []string{"PostgreSQL", "Postgres", "the PostgreSQL database", "our Postgres", "pgsql"} {
		n.fact(memory.MethodSupplied, "billing", "project", "uses", name, "tool")
	}
	n.fact(memory.MethodRule, "billing", "project", "uses", "k8s", "tool")
	n.create("Kubernetes", "platform")
	n.create("the Postgres server", "tool")
	n.fact(memory.MethodSupplied, "the billing app", "", "uses", "Go", "language")
	n.create("Django", "technology")
	n.fact(memory.MethodSupplied, "Django app", "", "uses", "Golang", "")
	want := []string{"billing (project)", "PostgreSQL (tool)", "Kubernetes (platform)", "Go (language)",
		"Django (technology)", "Django app (concept)"}
	if diff := cmp.Diff(want, n.all()); diff != "" {
		t.Errorf("entities (-want +got):\n%s", diff)
	}
	if got, err := n.resolve("K8S"); err != nil || got != "e3 Kubernetes" {
		t.Errorf("k8s is %s, %v", got, err)
	}
	n.create("Go", "person") // somebody's cat
	if got, err := n.resolve("golang"); err != nil || got != "e4 Go" {
		t.Errorf("golang is %s, %v", got, err)
	}
}

func TestNames_ATechnologyIsOneNodeWhateverNameComesFirst(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ names, want []string }{
		"a description first": {[]string{"Postgres database", "PostgreSQL"}, []string{"PostgreSQL (tool)"}},
		"with an article":     {[]string{"the PostgreSQL database", "Postgres"}, []string{"Postgres (tool)"}},
		"two descriptions":    {[]string{"our Postgres db", "the PostgreSQL database"}, []string{"our Postgres db (tool)"}},
		"it stays the name": {[]string{"Go language", "Golang", "the Go language", "Go language"},
			[]string{"Golang (tool)"}},
		"of another kind": {[]string{"the Kafka broker", "Apache Kafka"}, []string{"Apache Kafka (tool)"}},
		"another thing of the name": {[]string{"Postgres exporter", "Redis cluster of billing", "Kafka topic", "Go library",
			"Postgres", "Redis", "Kafka", "Go"}, []string{"Postgres exporter (tool)", "Redis cluster of billing (tool)",
			"Kafka topic (tool)", "Go library (tool)", "Postgres (tool)", "Redis (tool)", "Kafka (tool)", "Go (tool)"}},
	} {
		facts, entities, both := newNamesakes(t), newNamesakes(t), newNamesakes(t)
		for i, thing := range tc.names {
			facts.fact(memory.MethodSupplied, "billing", "project", "uses", thing, "tool")
			entities.create(thing, "tool")
			if i == 0 {
				both.create(thing, "tool")
			} else {
				both.fact(memory.MethodRule, "billing", "project", "uses", thing, "tool")
			}
		}
		with := func(i int) []string { return slices.Insert(slices.Clone(tc.want), i, "billing (project)") }
		for _, got := range []struct {
			by   string
			all  []string
			want []string
		}{{"facts", facts.all(), with(0)}, {"entities", entities.all(), tc.want}, {"both", both.all(), with(1)}} {
			if diff := cmp.Diff(got.want, got.all); diff != "" {
				t.Errorf("%s, by %s (-want +got):\n%s", name, got.by, diff)
			}
		}
	}
}

// A project that is called after a technology is not found by the technology's other names.
func TestNames_OnlyATechnologyHasTheNamesOfOne(t *testing.T) {
	t.Parallel()
	n := newNamesakes(t)
	n.create("Postgres database", "project")
	n.fact(memory.MethodSupplied, "billing", "project", "uses", "PostgreSQL", "technology")
	want := []string{"Postgres database (project)", "billing (project)", "PostgreSQL (technology)"}
	if diff := cmp.Diff(want, n.all()); diff != "" {
		t.Errorf("entities (-want +got):\n%s", diff)
	}
}

func TestNames_TheDotOfAnAbbreviationTellsNothingApart(t *testing.T) {
	t.Parallel()
	n := newNamesakes(t)
	for _, name := range []string{"Acme Inc.", "Acme Inc", "Cask & Co", "Cask & Co.", "Co", "Co."} {
		n.fact(memory.MethodSupplied, "Ann", "person", "works_at", name, "organization")
	}
	want := []string{"Ann (person)", "Acme Inc. (organization)", "Cask & Co (organization)", "Co (organization)",
		"Co. (organization)"}
	if diff := cmp.Diff(want, n.all()); diff != "" {
		t.Errorf("entities (-want +got):\n%s", diff)
	}
}

func TestNames_OfANewThingAreNoIdsOfOtherThings(t *testing.T) {
	t.Parallel()
	n := newNamesakes(t)
	known := n.fact(memory.MethodSupplied, "Ann", "person", "uses", "Vim", "tool")
	id := memory.RelationshipID(known.ID).String()
	_, err := n.s.CreateRelation(t.Context(), n.scope(), memory.RelationDraft{Head: "Ann", Relation: "likes", Tail: id,
		CreateMissing: true, Origin: memory.OriginAgent, Method: memory.MethodSupplied}, 0, memory.Caller{Actor: "tool"})
	if e := memory.AsError(err); e == nil || e.Code != memory.InvalidArgument || !strings.Contains(e.Message, "a fact") {
		t.Errorf("%s as a tail: %v", id, err)
	}
	n.fact(memory.MethodSupplied, "Ann", "person", "uses", "r999", "tool") // nothing has this id
	if diff := cmp.Diff([]string{"Ann (person)", "Vim (tool)", "r999 (tool)"}, n.all()); diff != "" {
		t.Errorf("entities (-want +got):\n%s", diff)
	}
}

func TestNames_OneOfSeveralMayDominate(t *testing.T) {
	t.Parallel()
	many := func(n *namesakesOf, id string, facts int) {
		for i := range facts {
			n.fact(memory.MethodSupplied, id, "", "mentions", fmt.Sprintf("thing %s %d", id, i), "")
		}
	}
	for name, tc := range map[string]struct {
		play      func(n *namesakesOf)
		ask, want string // want "" for a tie
	}{
		"more facts":        {func(n *namesakesOf) { many(n, "e1", 1); many(n, "e2", 4) }, "mercury", "e2 Mercury"},
		"hardly more facts": {func(n *namesakesOf) { many(n, "e1", 3); many(n, "e2", 4) }, "mercury", ""},
		"a day later": {func(n *namesakesOf) {
			many(n, "e1", 1)
			n.now = n.now.Add(25 * time.Hour)
			many(n, "e2", 1)
		}, "mercury", "e2 Mercury"},
		"later, but with fewer facts": {func(n *namesakesOf) {
			many(n, "e1", 3)
			n.now = n.now.Add(25 * time.Hour)
			many(n, "e2", 2)
		}, "mercury", ""},
		"nothing tells them apart": {func(*namesakesOf) {}, "Mercury", ""},
		"spelled so": {func(n *namesakesOf) {
			many(n, "e2", 9)
			n.create("MERCURY", "project")
		}, "MERCURY", "e1 MERCURY"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNamesakes(t)
			n.create("Mercury", "project")
			n.create("Mercury", "location")
			tc.play(n)
			got, err := n.resolve(tc.ask)
			if tc.want == "" {
				if refused := memory.AsError(err); refused == nil || refused.Code != memory.Ambiguous {
					t.Errorf("%s: %v; want a tie", got, err)
				}
			} else if err != nil || got != tc.want {
				t.Errorf("%s: %v; want %s", got, err, tc.want)
			}
		})
	}
}

// A thing that is filed twice is the one that has the facts. People and places of one name are two.
func TestNames_TheOnlyThingWithFactsIsMeant(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		types []string
		of    memory.Origin // of the fact of the first one
		want  string        // "" for a tie
	}{
		"a project and a tool":   {[]string{"project", "tool"}, memory.OriginUser, "e1 Larder"},
		"of three":               {[]string{"project", "tool", "event"}, memory.OriginUser, "e1 Larder"},
		"the fact is a tool's":   {[]string{"project", "tool"}, memory.OriginTool, ""},
		"a project and a person": {[]string{"project", "person"}, memory.OriginUser, ""},
		"a place and a project":  {[]string{"location", "project"}, memory.OriginUser, ""},
	} {
		n := newNamesakes(t)
		for _, typ := range tc.types {
			n.create("Larder", typ)
		}
		if got, err := n.resolve("Larder"); memory.AsError(err).Code != memory.Ambiguous {
			t.Errorf("%s, without facts: %s, %v; want a tie", name, got, err)
		}
		if _, err := n.s.CreateRelation(t.Context(), n.scope(), memory.RelationDraft{Head: "e1", Relation: "uses",
			Tail: "Redis", CreateMissing: true, Origin: tc.of, Method: memory.MethodSupplied}, 0,
			memory.Caller{Actor: "tool"}); err != nil {
			t.Fatal(err)
		}
		got, err := n.resolve("larder")
		if tied := memory.AsError(err) != nil && memory.AsError(err).Code == memory.Ambiguous; tc.want == "" && !tied ||
			tc.want != "" && got != tc.want {
			t.Errorf("%s: %s, %v; want %q", name, got, err, tc.want)
		}
	}
}

func TestNames_ATieListsWhatTellsTheCandidatesApart(t *testing.T) {
	t.Parallel()
	n := newNamesakes(t)
	n.create("Mercury", "project")
	n.create("Mercury", "location")
	n.fact(memory.MethodSupplied, "e1", "", "uses", "Go", "")
	_, err := n.resolve("Mercury")
	one, none := int64(1), int64(0)
	want := []memory.Candidate{
		{ID: "e1", Name: "Mercury", Type: "project", Facts: &one, Fact: "Mercury uses Go",
			LastMentioned: "2026-06-01T12:00:00Z"},
		{ID: "e2", Name: "Mercury", Type: "location", Facts: &none, LastMentioned: "2026-06-01T12:00:00Z"}}
	if diff := cmp.Diff(want, memory.AsError(err).Candidates); diff != "" {
		t.Errorf("candidates (-want +got):\n%s", diff)
	}
}
