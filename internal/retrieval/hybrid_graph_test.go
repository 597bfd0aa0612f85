package retrieval_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

// expanding returns a world whose retriever can expand.
func expanding(t *testing.T) world {
	t.Helper()
	w := newWorld(t)
	w.Mentions, w.Rules, w.Rollout, w.Replacements = w.store, w.store, w.store, w.store
	set := retrieval.DefaultSettings()
	set.HybridGraph.Timeout = 0 // a slow machine expands as well
	w.Settings = &set
	return w
}

// tell stores a turn of the user with its mentions and returns its id. Each turn is a minute later than the one before.
func (w world) tell(session, content string, mentions ...string) string {
	w.t.Helper()
	in := store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "n", SessionID: session},
		Role: memory.RoleUser, Content: content, OccurredAt: *w.clock, Origin: memory.OriginUser,
		Status: memory.StatusDone}, Caller: memory.Caller{Actor: "test"}}
	for _, m := range mentions {
		in.Found.Mentions = append(in.Found.Mentions, memory.Mention{Name: m})
	}
	rec, err := w.store.RecordEpisode(w.t.Context(), in)
	if err != nil {
		w.t.Fatal(err)
	}
	w.later(time.Minute)
	return memory.EpisodeID(rec.Episode.ID).String()
}

// evidenced stores a fact that a turn says.
func (w world) evidenced(turn, head, relation, tail string, changes ...func(*memory.RelationDraft)) int64 {
	w.t.Helper()
	d := memory.RelationDraft{Head: head, Relation: relation, Tail: tail, CreateMissing: true, Origin: memory.OriginUser,
		Method: memory.MethodSupplied}
	for _, change := range changes {
		change(&d)
	}
	id, err := memory.ParseID(turn)
	if err != nil {
		w.t.Fatal(err)
	}
	wrote, err := w.store.CreateRelation(w.t.Context(), memory.Scope{Namespace: "n"}, d, id.Num,
		memory.Caller{Actor: "test"})
	if err != nil {
		w.t.Fatal(err)
	}
	return wrote.Relationship.ID
}

// alarms is a memory in which the answer about the alarms lies two hops away, in words that the question does not have.
func alarms(t *testing.T) (w world, hit, cause, far string) {
	t.Helper()
	w = expanding(t)
	for i := range 12 { // turns that the question finds too, but less
		w.tell("", fmt.Sprintf("Day %d: alarms were discussed at length in the weekly meeting of everybody.", i))
	}
	hit = w.tell("", "The rollout alarms fired in billing.", "billing")
	cause = w.tell("", "Redis went to version eight.", "Redis")
	far = w.tell("", "Dora keeps the keys of the cache.", "Dora")
	w.evidenced(cause, "billing", "caused_by", "Redis", confidence(.8))
	w.evidenced(far, "Redis", "depends_on", "Dora", confidence(.5), strength(.5))
	return w, hit, cause, far
}

func (w world) expand(req retrieval.Request) retrieval.Answer {
	w.t.Helper()
	req.Strategy = retrieval.HybridGraph
	return w.ask(req)
}

func tiers(a retrieval.Answer) []string {
	out := []string{}
	for _, f := range a.Episodes {
		how := string(f.Tier)
		if f.Expanded != nil {
			how = "graph"
		}
		out = append(out, memory.EpisodeID(f.Episode.ID).String()+" "+how)
	}
	return out
}

func TestHybridGraph_TheBaselineHasThreeTiers(t *testing.T) {
	t.Parallel()
	w := expanding(t)
	w.tell("old", "The boat is in the harbour, and the boat is blue.")
	w.tell("old", "Never paint a boat without asking.")
	w.tell("now", "Which boat?")
	w.tell("now", "Well, my boat has a leak since the storm came over the western islands last night.")
	w.tell("now", "Bread and butter.")
	w.tell("old", "I never saw the sea, and I always wanted to, did I not tell you so?")
	w.tell("old", "Thanks. From now on, answer in German.")
	w.rollout(memory.RolloutOff)
	a := w.expand(retrieval.Request{Query: "boat", Scope: memory.Scope{SessionID: "now"}})
	if diff := cmp.Diff([]string{"t7 rules", "t2 rules", "t4 working", "t5 working", "t3 working", "t1 long_term",
		"t6 long_term"}, tiers(a)); diff != "" {
		t.Errorf("tiers (-want +got):\n%s", diff)
	}
	if a.Strategy != retrieval.Baseline {
		t.Errorf("strategy %s", a.Strategy)
	}
	first, second := w.expand(retrieval.Request{Query: "boat", Limit: 2}), w.expand(retrieval.Request{Query: "boat",
		Limit: 2, Offset: 2})
	if whole := w.expand(retrieval.Request{Query: "boat", Limit: 4}); !first.More ||
		!slices.Equal(slices.Concat(ids(first), ids(second)), ids(whole)) {
		t.Errorf("the pages %v and %v are not %v", ids(first), ids(second), ids(whole))
	}
}

func TestHybridGraph_MemoriesThatAreRulesAreInTheFirstTier(t *testing.T) {
	t.Parallel()
	w := expanding(t)
	w.tell("", "The boat is blue.")
	for _, m := range []store.NewMemory{{Title: "Tabs", Content: "Indent Go with tabs.", Type: "rule"},
		{Title: "Boats", Content: "Boats float.", Type: "concept"}} {
		m.Origin, m.Method = memory.OriginUser, memory.MethodSupplied
		if _, err := w.store.Retain(t.Context(), memory.Scope{Namespace: "n"}, m, memory.Caller{Actor: "test"}); err != nil {
			t.Fatal(err)
		}
	}
	a := w.expand(retrieval.Request{Query: "boat"})
	if !slices.Equal(names(a.Entities), []string{"Tabs"}) || a.Entities[0].Tier != retrieval.TierRules {
		t.Errorf("entities %+v", a.Entities)
	}
	if a := w.expand(retrieval.Request{Query: "boat", Scope: memory.Scope{Project: "p"}}); len(a.Entities) != 0 {
		t.Errorf("a project that no rule was told in has %v", names(a.Entities))
	}
}

func TestHybridGraph_AddsWhatTheHitsLeadTo(t *testing.T) {
	t.Parallel()
	w, hit, cause, far := alarms(t)
	a := w.expand(retrieval.Request{Query: "rollout alarms", Explain: true})
	if a.Strategy != retrieval.HybridGraph || a.Fallback != "" || ids(a)[0] != hit {
		t.Fatalf("strategy %s, fallback %q, turns %v", a.Strategy, a.Fallback, ids(a))
	}
	if diff := cmp.Diff([]string{"billing caused_by Redis", "Redis depends_on Dora"}, said(a.Relations)); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	type way struct {
		id, node, edge, seed string
		hops                 int
		score                float64
	}
	var got []way
	for _, f := range a.Episodes {
		if x := f.Expanded; x != nil {
			if x.WhyIncluded != "graph_expansion" || f.Why == nil || !slices.Contains(f.Why.MatchedBy, "graph_expansion") {
				t.Errorf("provenance %+v, why %+v", x, f.Why)
			}
			got = append(got, way{memory.EpisodeID(f.Episode.ID).String(), x.LinkedNode.Name, x.EdgeType, x.Seed, x.HopCount,
				f.Score})
		}
	}
	// weight × strength × confidence / hops: 1.5 × 1 × .8 / 1, and .9 × .5 × .5 / 2
	want := []way{{cause, "Redis", "caused_by", hit, 1, 1.2}, {far, "Dora", "depends_on", hit, 2, .1125}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(way{}), near); diff != "" {
		t.Errorf("turns that the graph added (-want +got):\n%s", diff)
	}
	for _, f := range a.Relations {
		if f.Expanded == nil || f.Expanded.HopCount != f.Hop || f.Expanded.LinkedNode.ID == "" {
			t.Errorf("%v has the provenance %+v", said([]retrieval.FoundRelation{f}), f.Expanded)
		}
	}
	if diff := cmp.Diff([]string{"Redis", "billing", "Dora"}, names(a.Entities)); diff != "" {
		t.Errorf("entities (-want +got):\n%s", diff)
	}
	var paged []string
	for offset := 0; offset < 20; offset += 4 {
		paged = append(paged, ids(w.expand(retrieval.Request{Query: "rollout alarms", Limit: 4, Offset: offset}))...)
	}
	whole := ids(w.expand(retrieval.Request{Query: "rollout alarms", Limit: 20}))
	slices.Sort(whole)
	slices.Sort(paged)
	if diff := cmp.Diff(whole, paged); diff != "" {
		t.Errorf("the pages do not have each turn once (-whole +pages):\n%s", diff)
	}
}

// near compares scores that decay by the millisecond.
var near = cmp.Comparer(func(a, b float64) bool { return a-b < 1e-3 && b-a < 1e-3 })

func TestHybridGraph_ANodeThatFewTurnsMentionConnectsThem(t *testing.T) {
	t.Parallel()
	w, _, _, _ := alarms(t)
	beside := w.tell("", "The dashboard of billing is purple.", "billing")
	a := w.expand(retrieval.Request{Query: "rollout alarms"})
	at := slices.Index(ids(a), beside)
	if at < 0 || a.Episodes[at].Expanded == nil || a.Episodes[at].Expanded.EdgeType != "shared_node" ||
		a.Episodes[at].Score != .25 {
		t.Fatalf("%s is not connected: %+v", beside, tiers(a))
	}
}

func TestHybridGraph_CausalFactsOutrankOlderPreferences(t *testing.T) {
	t.Parallel()
	w := expanding(t)
	hit := w.tell("", "What the team thinks of the build system.", "team")
	preferred := w.tell("", "Make over Bazel, they said.")
	w.evidenced(preferred, "team", "prefers_over", "Bazel")
	w.evidenced(preferred, "team", "prefers", "Make")
	w.later(24 * time.Hour)
	caused := w.tell("", "Nobody can wait any more since the monorepo.")
	w.evidenced(caused, "team", "caused_by", "monorepo")
	a := w.expand(retrieval.Request{Query: "what does the team think of the build system"})
	want := []string{"team caused_by monorepo", "team prefers Make", "team prefers_over Bazel"}
	if diff := cmp.Diff(want, said(a.Relations)); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if got := ids(a); !slices.Equal(got[:3], []string{hit, caused, preferred}) {
		t.Errorf("turns %v, want first %s, %s, %s", tiers(a), hit, caused, preferred)
	}
}

func (w world) rollout(mode memory.RolloutMode) {
	w.t.Helper()
	if err := w.store.SetRolloutMode(w.t.Context(), "n", mode, memory.Caller{Actor: "test"}); err != nil {
		w.t.Fatal(err)
	}
}

// count adds expansions to the present span.
func (w world) count(e memory.Expansions) {
	w.t.Helper()
	if err := w.store.AddExpansions(w.t.Context(), map[string]memory.Expansions{"n": e},
		2*retrieval.QualityWindow); err != nil {
		w.t.Fatal(err)
	}
}

func TestHybridGraph_NeverLeavesItsScope(t *testing.T) {
	t.Parallel()
	w, hit, _, _ := alarms(t)
	a := w.expand(retrieval.Request{Query: "rollout alarms", Scope: memory.Scope{Namespace: "other"}})
	if len(a.Episodes)+len(a.Relations)+len(a.Entities) != 0 {
		t.Errorf("another namespace answers %v %v", ids(a), said(a.Relations))
	}
	if a := w.expand(retrieval.Request{Query: "rollout alarms", Scope: memory.Scope{Project: "p"}}); len(a.Episodes)+
		len(a.Relations) != 0 {
		t.Errorf("another project answers %v %v", ids(a), said(a.Relations))
	}
	a = w.expand(retrieval.Request{Query: "rollout alarms", Until: day.Add(13 * time.Minute)})
	if !slices.Contains(ids(a), hit) || slices.ContainsFunc(a.Episodes, func(f retrieval.FoundEpisode) bool {
		return !f.Episode.OccurredAt.Before(day.Add(13 * time.Minute))
	}) {
		t.Errorf("until the thirteenth minute the turns are %v", ids(a))
	}
}

func TestHybridGraph_RunsFewStatementsAtAnySize(t *testing.T) {
	t.Parallel()
	w, _, _, _ := alarms(t)
	count := func() int {
		ctx, n := store.CountStatements(t.Context())
		if _, err := w.Retrieve(ctx, retrieval.Request{Scope: memory.Scope{Namespace: "n"}, Query: "rollout alarms",
			Strategy: retrieval.HybridGraph, Limit: 10}); err != nil {
			t.Fatal(err)
		}
		return n.Load()
	}
	small := count()
	var facts [][3]string
	for i := range 600 {
		facts = append(facts, [3]string{"billing", "uses", fmt.Sprintf("part %d", i)},
			[3]string{fmt.Sprintf("part %d", i), "knows", "Redis"})
	}
	w.bulk(facts)
	if large := count(); large > small || small > 26 {
		t.Errorf("%d statements, and %d in the larger memory", small, large)
	}
}

// The baseline finds nothing, or something else, and the hub has more edges than are read.
func TestHybridGraph_AFactBetweenTwoNamesComesFirst(t *testing.T) {
	t.Parallel()
	w := expanding(t)
	var many [][3]string
	for i := range 260 {
		many = append(many, [3]string{"Xavier", "uses", fmt.Sprintf("Gadget%d", i)})
	}
	w.bulk(many)
	ask := func(query string, want []string, match retrieval.Match, fallback memory.Fallback) {
		t.Helper()
		a := w.expand(retrieval.Request{Query: query, Graph: &retrieval.GraphScope{}, Limit: 9})
		got := said(a.Relations)
		if diff := cmp.Diff(want, got[:min(len(got), max(1, len(want)))]); diff != "" {
			t.Errorf("%q (-want +got):\n%s", query, diff)
		}
		if a.Match != match || a.Fallback != fallback {
			t.Errorf("%q: match %s, fallback %q, want %s, %q", query, a.Match, a.Fallback, match, fallback)
		}
		for _, f := range a.Relations {
			if x := f.Expanded; x.EdgeType != "uses" || x.LinkedNode.Name == "" || x.HopCount != 1 {
				t.Errorf("%q: provenance %+v", query, x)
			}
		}
	}
	ask("How is Xavier related to Gadget3?", []string{"Xavier uses Gadget3"}, retrieval.Strong, "")
	ask("How is Gadget4 related to Gadget3?", []string{}, retrieval.None, memory.FallbackGuardrail)
	w.tell("", "Xavier went to the lake.", "Xavier")
	ask("How is Xavier related to Gadget3?", []string{"Xavier uses Gadget3"}, retrieval.Strong, "")
}
