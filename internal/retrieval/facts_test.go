package retrieval_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

func office(t *testing.T) world {
	t.Helper()
	w := newWorld(t)
	w.fact("Ann Lee", "works_at", "Initech", confidence(.9))
	w.fact("Ann Lee", "prefers", "Rust", confidence(.8))
	w.fact("Initech", "located_in", "Austin", confidence(.9))
	w.fact("Rust", "similar_to", "C++", confidence(.6))
	w.fact("Outage", "caused_by", "Rust", confidence(.6))
	w.fact("Bob", "uses", "Vim", confidence(.9))
	return w
}

func TestRetrieve_BringsTheFactsOfWhatAQuestionNames(t *testing.T) {
	t.Parallel()
	w := office(t)
	for _, c := range []struct {
		query string
		seeds []string
		want  []string
		match retrieval.Match
	}{
		{"Where does Ann Lee work?", []string{"Ann Lee"}, []string{"Ann Lee works_at Initech", "Ann Lee prefers Rust"},
			retrieval.Strong},
		{"what is ann lee's view of rust", []string{"Ann Lee", "Rust"},
			[]string{"Ann Lee prefers Rust", "Ann Lee works_at Initech", "Outage caused_by Rust",
				"Rust similar_to C++"}, retrieval.Strong},
		{`Tell me about "C++", please.`, []string{"C++"}, []string{"Rust similar_to C++"}, retrieval.Weak},
		{"Which editor does Bob use? Vim?", []string{"Bob", "Vim"}, []string{"Bob uses Vim"}, retrieval.Strong},
		{"rustacean outages", []string{"Outage"}, []string{"Outage caused_by Rust"}, retrieval.Weak}, // found by its words
		{"What about the weather?", nil, nil, retrieval.None},
	} {
		a := w.ask(retrieval.Request{Query: c.query, Strategy: retrieval.BFS, Graph: &retrieval.GraphScope{MaxHops: 1}})
		if diff := cmp.Diff(append([]string{}, c.seeds...), names(a.Seeds)); diff != "" {
			t.Errorf("%q: seeds (-want +got):\n%s", c.query, diff)
		}
		if diff := cmp.Diff(append([]string{}, c.want...), said(a.Relations)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.query, diff)
		}
		if a.Match != c.match || a.Strategy != retrieval.BFS {
			t.Errorf("%q: match %s by %s", c.query, a.Match, a.Strategy)
		}
	}
}

func TestRetrieve_ScoresByEachStrategysOwnFormula(t *testing.T) {
	t.Parallel()
	w := office(t)
	w.fact("Austin", "part_of", "Texas", confidence(.9), strength(.5))
	score := func(strategy retrieval.Strategy, hops int) map[string]float64 {
		a := w.ask(retrieval.Request{Query: "Ann Lee", Strategy: strategy, Graph: &retrieval.GraphScope{MaxHops: hops},
			Explain: true})
		out := map[string]float64{}
		for i, f := range a.Relations {
			out[said(a.Relations)[i]] = float64(int(f.Score*10000+.5)) / 10000
			if f.Why == nil || len(f.Path) != f.Hop || f.Path[f.Hop-1] != f.Relationship.ID {
				t.Errorf("%s: %+v", strategy, f)
			}
		}
		return out
	}
	for _, c := range []struct {
		strategy retrieval.Strategy
		hops     int
		want     map[string]float64
	}{
		// match 1 × 1/(1+hop) × confidence
		{retrieval.BFS, 2, map[string]float64{"Ann Lee works_at Initech": .45, "Ann Lee prefers Rust": .4,
			"Initech located_in Austin": .3, "Rust similar_to C++": .2, "Outage caused_by Rust": .2}},
		// weight × strength × confidence / hop: located_in .8, caused_by 1.5, similar_to 1
		{retrieval.Hybrid, 2, map[string]float64{"Ann Lee works_at Initech": .9, "Ann Lee prefers Rust": .8,
			"Initech located_in Austin": .36, "Rust similar_to C++": .3, "Outage caused_by Rust": .45}},
		// .85 × confidence × class, over Initech .765 and Rust .68
		{retrieval.Synapse, 2, map[string]float64{"Ann Lee works_at Initech": .765, "Ann Lee prefers Rust": .68,
			"Initech located_in Austin": .4682, "Rust similar_to C++": .3468, "Outage caused_by Rust": .4162}},
	} {
		if diff := cmp.Diff(c.want, score(c.strategy, c.hops)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.strategy, diff)
		}
	}
}

func TestRetrieve_DefaultHopsAreTheStrategysOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 6 {
		w.fact(fmt.Sprintf("node %d", i), "uses", fmt.Sprintf("node %d", i+1))
	}
	for _, c := range []struct {
		name string
		req  retrieval.Request
		want int
	}{
		{"retrieve", retrieval.Request{}, 1},
		{"retrieve by bfs", retrieval.Request{Strategy: retrieval.BFS}, 2},
		{"retrieve by hybrid", retrieval.Request{Strategy: retrieval.Hybrid}, 1},
		{"retrieve by synapse", retrieval.Request{Strategy: retrieval.Synapse}, 3},
		{"search_graph", retrieval.Request{Graph: &retrieval.GraphScope{}}, 2},
		{"search_graph by text", retrieval.Request{Graph: &retrieval.GraphScope{}, Strategy: retrieval.Text}, 2},
		{"search_graph by hybrid", retrieval.Request{Graph: &retrieval.GraphScope{}, Strategy: retrieval.Hybrid}, 1},
		{"four hops", retrieval.Request{Graph: &retrieval.GraphScope{MaxHops: 4}, Strategy: retrieval.BFS}, 4},
		{"text alone", retrieval.Request{Strategy: retrieval.Text}, 0},
	} {
		c.req.Query = "node 0"
		if a := w.ask(c.req); traversed(a) != c.want {
			t.Errorf("%s: %v", c.name, said(a.Relations))
		}
	}
	set := retrieval.DefaultSettings()
	set.SpreadingActivation.Enabled = true
	w.Settings = &set
	if a := w.ask(retrieval.Request{Query: "node 0", Graph: &retrieval.GraphScope{}}); traversed(a) != 3 {
		t.Errorf("auto with spreading activation: %v", said(a.Relations))
	}
}

// traversed counts the facts of an answer that a traversal led to. Others are those of turns that answer the question.
func traversed(a retrieval.Answer) int {
	n := 0
	for _, f := range a.Relations {
		if f.Hop > 0 {
			n++
		}
	}
	return n
}

func TestRetrieve_LeadsFromFactsToTheirEpisodes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	record := func(content string, relations ...memory.RelationDraft) int64 {
		rec, err := w.store.RecordEpisode(t.Context(),
			store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "n"}, Role: memory.RoleUser,
				Content: content, Origin: memory.OriginUser, Status: memory.StatusDone}, Caller: memory.Caller{Actor: "test"},
				Relations: relations})
		if err != nil || len(rec.Errors) > 0 {
			t.Fatal(err, rec.Errors)
		}
		w.later(time.Minute)
		return rec.Episode.ID
	}
	draft := func(head, relation, tail string) memory.RelationDraft {
		return memory.RelationDraft{Head: head, Relation: relation, Tail: tail, CreateMissing: true,
			Origin: memory.OriginUser, Method: memory.MethodSupplied}
	}
	first := record("She moved over in March.", draft("Ann", "works_at", "Hooli"))
	second := record("They sit by the river.", draft("Hooli", "located_in", "Bonn"))
	record("Unrelated talk.", draft("Bob", "uses", "Vim"))
	a := w.ask(retrieval.Request{Query: "Ann", Strategy: retrieval.BFS, Explain: true})
	if diff := cmp.Diff([]string{memory.EpisodeID(first).String(), memory.EpisodeID(second).String()},
		ids(a)); diff != "" {
		t.Errorf("episodes (-want +got):\n%s", diff)
	}
	if a.Episodes[0].Why == nil || a.Episodes[0].Score < .4999 {
		t.Errorf("the first episode is %+v", a.Episodes[0])
	}
	a = w.ask(retrieval.Request{Query: "Ann", Strategy: retrieval.BFS, Limit: 1})
	if len(a.Episodes) != 1 || !a.More || len(a.Relations) != 1 {
		t.Errorf("the first page has %v and %v, more %v", ids(a), said(a.Relations), a.More)
	}
	a = w.ask(retrieval.Request{Query: "Ann", Strategy: retrieval.BFS, Until: day.Add(time.Second)})
	if diff := cmp.Diff([]string{memory.EpisodeID(first).String()}, ids(a)); diff != "" {
		t.Errorf("until the first (-want +got):\n%s", diff)
	}
}

func TestRetrieve_FactsKeepToTypesScopeAndTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.entity("Ann", "person", "")
	w.entity("Rust", "language", "")
	w.factIn(memory.Scope{Project: "p"}, "Ann", "uses", "Rust")
	w.factIn(memory.Scope{Project: "q"}, "Ann", "uses", "Go")
	w.later(time.Hour)
	w.fact("Ann", "works_at", "Initech", from(day.AddDate(-2, 0, 0)))
	w.fact("Ann", "works_at", "Hooli", from(day.AddDate(-1, 0, 0)))
	ask := func(req retrieval.Request) retrieval.Answer {
		req.Query = "Ann"
		return w.ask(req)
	}
	if got := names(ask(retrieval.Request{Types: []string{"language"}}).Entities); !slices.Equal(got, []string{"Rust"}) {
		t.Errorf("languages: %v", got)
	}
	if got := said(ask(retrieval.Request{Scope: memory.Scope{Project: "q"}}).Relations); !slices.Equal(got,
		[]string{"Ann uses Go"}) {
		t.Errorf("project q: %v", got)
	}
	if got := said(ask(retrieval.Request{At: memory.AsOf{ValidAt: day.AddDate(-1, -6, 0)}}).Relations); !slices.Equal(got,
		[]string{"Ann works_at Initech"}) {
		t.Errorf("valid then: %v", got)
	}
	got := said(ask(retrieval.Request{At: memory.AsOf{KnownAt: day.Add(time.Minute)}}).Relations)
	slices.Sort(got)
	if !slices.Equal(got, []string{"Ann uses Go", "Ann uses Rust"}) {
		t.Errorf("known then: %v", got)
	}
	if got := ask(retrieval.Request{Graph: &retrieval.GraphScope{Relations: []string{"works_at"}},
		Strategy: retrieval.BFS}); !slices.Equal(said(got.Relations), []string{"Ann works_at Hooli"}) {
		t.Errorf("works_at alone: %v", said(got.Relations))
	}
}

func TestRetrieve_HidesWhatHasFadedAndSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("Ann", "uses", "Vim", confidence(.5))
	w.fact("Ann", "is_a", "Person")
	w.later(200 * 24 * time.Hour)
	a := w.ask(retrieval.Request{Query: "Ann", Strategy: retrieval.BFS})
	if !slices.Equal(said(a.Relations), []string{"Ann is_a Person"}) || a.BelowThreshold != 1 || a.BestBelow > .1 ||
		a.BestBelow < .06 {
		t.Errorf("%v, %d below at best %v", said(a.Relations), a.BelowThreshold, a.BestBelow)
	}
}

func TestRetrieve_CountsTheFactsItUses(t *testing.T) {
	t.Parallel()
	w := office(t)
	w.ask(retrieval.Request{Query: "Ann Lee"})
	if !slices.Equal(slices.Sorted(slices.Values(*w.used)), []int64{1, 2}) {
		t.Errorf("used %v", *w.used)
	}
	w.ask(retrieval.Request{Query: "Ann Lee", At: memory.AsOf{ValidAt: day.Add(time.Hour)}})
	if len(*w.used) != 2 {
		t.Errorf("a question about another time counts: %v", *w.used)
	}
}

func TestRetrieve_RecencyRaisesWhatWasSeenLately(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("Ann", "is_a", "Pilot", confidence(.9))
	w.later(300 * 24 * time.Hour)
	w.fact("Ann", "is_a", "Baker", confidence(.6))
	order := func() []string { return said(w.ask(retrieval.Request{Query: "Ann"}).Relations) }
	if got := order(); got[0] != "Ann is_a Pilot" {
		t.Errorf("without recency: %v", got)
	}
	set := retrieval.DefaultSettings()
	set.TemporalDecayRate = .1
	w.Settings = &set
	if got := order(); got[0] != "Ann is_a Baker" { // .3 + .3 over .45 + .03
		t.Errorf("with recency: %v", got)
	}
}

// slow answers the first read of edges and blocks the next until its time is over.
type slow struct {
	*store.Store
	reads *int
}

func (s slow) EdgesWithin(ctx context.Context, q memory.EdgeQuery, f memory.Filter) ([]memory.Edge, bool, error) {
	if *s.reads++; *s.reads > 1 {
		<-ctx.Done()
		return nil, false, memory.Errorf(memory.Unavailable, "cancelled: %w", ctx.Err())
	}
	return s.Store.EdgesWithin(ctx, q, f)
}

func TestSynapse_AnswersWithWhatItHasWhenTimeIsOver(t *testing.T) {
	t.Parallel()
	w := office(t)
	set := retrieval.DefaultSettings()
	set.SpreadingActivation.Timeout = 2 * time.Second
	w.Settings = &set
	w.Graph = slow{w.store, new(int)}
	a := w.ask(retrieval.Request{Query: "Ann Lee", Strategy: retrieval.Synapse})
	if !a.Truncated || !slices.Equal(said(a.Relations), []string{"Ann Lee works_at Initech", "Ann Lee prefers Rust"}) {
		t.Errorf("truncated %v: %v", a.Truncated, said(a.Relations))
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := w.Retrieve(ctx, retrieval.Request{Scope: memory.Scope{Namespace: "n"}, Query: "Ann Lee",
		Strategy: retrieval.Synapse, Limit: 5}); err == nil {
		t.Error("a call that was given up answers")
	}
}

type brokenGraph struct{ *store.Store }

func (brokenGraph) EntitiesNamed(context.Context, string, []string, memory.AsOf) ([]memory.Entity, error) {
	return nil, memory.Errorf(memory.Unavailable, "the disk is away")
}

func TestRetrieve_AnswersWithEpisodesWhereTheGraphFails(t *testing.T) {
	t.Parallel()
	w := office(t)
	w.Graph = brokenGraph{w.store}
	a := w.ask(retrieval.Request{Query: "Ann Lee"})
	if len(a.Episodes) == 0 || !slices.Equal(a.State.Degraded, []string{"graph_unavailable"}) {
		t.Errorf("answer %+v", a)
	}
	_, err := w.Retrieve(t.Context(), retrieval.Request{Strategy: retrieval.BFS, Query: "Ann Lee", Limit: 5,
		Scope: memory.Scope{Namespace: "n"}})
	var e *memory.Error
	if !errors.As(err, &e) || e.Code != memory.Unavailable {
		t.Errorf("bfs gives %v", err)
	}
	for _, s := range []retrieval.Strategy{retrieval.Auto, retrieval.Text, retrieval.BFS, retrieval.Hybrid,
		retrieval.Synapse, retrieval.Walk} {
		a := w.ask(retrieval.Request{Query: "Ann Lee", Strategy: s, Graph: &retrieval.GraphScope{}})
		if len(a.Episodes) == 0 || a.Fallback != memory.FallbackError || len(a.State.Degraded) != 0 {
			t.Errorf("search_graph with %s answers %+v", s, a)
		}
	}
}

// A search of the graph runs at most max_hops + 2 statements from the seeds to the complete result. A question for
// which the graph has nothing costs two more statements.
func TestRetrieve_RunsFewStatementsForFacts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var facts [][3]string
	for i := range 900 {
		facts = append(facts, [3]string{"hub", "uses", fmt.Sprintf("spoke %d", i)},
			[3]string{fmt.Sprintf("spoke %d", i), "knows", fmt.Sprintf("rim %d", i%7)})
	}
	w.bulk(facts)
	count := func(r retrieval.Retriever, req retrieval.Request) int {
		req.Scope.Namespace, req.Limit = "n", 10
		ctx, n := store.CountStatements(t.Context())
		if _, err := r.Retrieve(ctx, req); err != nil {
			t.Fatal(err)
		}
		return n.Load()
	}
	plain := *w.Retriever
	plain.Graph = nil
	for _, query := range []string{"zebra", "is there anything?"} {
		if more := count(*w.Retriever, retrieval.Request{Query: query}) - count(plain,
			retrieval.Request{Query: query}); more > 2 {
			t.Errorf("%q costs %d statements more than without a graph", query, more)
		}
	}
	const around = 1 + 1 + 1 + 1 // the names, the episodes that mention, the episodes, memory_state
	for strategy, hops := range map[retrieval.Strategy]int{retrieval.BFS: 4, retrieval.Hybrid: 4, retrieval.Synapse: 4} {
		ran := count(*w.Retriever, retrieval.Request{Query: "hub", Strategy: strategy,
			Graph: &retrieval.GraphScope{MaxHops: hops}})
		if ran > around+hops+2 {
			t.Errorf("%s runs %d statements for %d hops", strategy, ran, hops)
		}
	}
}

func TestRetrieve_ShowsNoEpisodeThatWasNotKnownYet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	record := func(content string, occurred time.Time) {
		_, err := w.store.RecordEpisode(t.Context(),
			store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "n"}, Role: memory.RoleUser,
				Content: content, OccurredAt: occurred, Origin: memory.OriginUser, Status: memory.StatusDone},
				Caller: memory.Caller{Actor: "test"}})
		if err != nil {
			t.Fatal(err)
		}
	}
	record("the boat is red", day)
	w.later(24 * time.Hour)
	record("the boat is blue", *w.clock)
	record("the boat was green", day.AddDate(0, -1, 0)) // told later
	for name, req := range map[string]retrieval.Request{
		"asked":  {Query: "boat"},
		"newest": {},
		"by id":  {IDs: []memory.ID{memory.EpisodeID(1)}},
	} {
		req.At.KnownAt = day.Add(time.Hour)
		if diff := cmp.Diff([]string{"t1"}, ids(w.ask(req))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if a := w.ask(retrieval.Request{IDs: []memory.ID{memory.EpisodeID(2)},
		At: memory.AsOf{KnownAt: day}}); len(a.Episodes) != 0 || a.Match != retrieval.None {
		t.Errorf("an episode that was not told yet gives %+v", a)
	}
}

// A person has many facts, and most of them answer another question. The newest facts must not crowd out the answer.
func TestRetrieve_RanksTheFactsByTheQuestion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("Ann", "reports_to", "Bob")
	for i := range 12 {
		w.fact("Ann", "likes", fmt.Sprintf("Hobby%d", i))
	}
	a := w.ask(retrieval.Request{Query: "who does Ann report to?"})
	if len(a.Relations) == 0 || said(a.Relations)[0] != "Ann reports_to Bob" {
		t.Errorf("%v", said(a.Relations))
	}
}
