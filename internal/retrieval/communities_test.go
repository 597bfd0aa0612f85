package retrieval_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

func TestBroad_IsAQuestionAboutEverything(t *testing.T) {
	t.Parallel()
	for _, q := range []string{"What do I know about Acme?", "what do you know about me?", "Tell me about Ann",
		"Tell me everything about Ann", "Give me an overview of Falcon", "Summarise what I told you about work",
		"everything you know about Lisbon", "What have I told you about Ann?", "summary of my projects"} {
		if !retrieval.Broad(q) {
			t.Errorf("%q is broad", q)
		}
	}
	for _, q := range []string{"Where does Ann work?", "What did Ann say yesterday?", "Who knows Ann?", "What time is it?",
		"When did I tell you my address?", "How is Ann related to Acme?", "What is Ann's boss called?"} {
		if retrieval.Broad(q) {
			t.Errorf("%q is not broad", q)
		}
	}
}

// groups are communities for tests: each entity's by its id.
type groups struct {
	of     map[int64]int64
	list   []memory.Community // the largest first
	newest []int64
	sees   func(memory.Filter, memory.Community) bool // nil: everything
}

func (g groups) CommunitiesWithin(_ context.Context, f memory.Filter, ids []int64) (out []memory.Community, _ error) {
	for _, id := range ids {
		for _, c := range g.list {
			if c.ID == id && (g.sees == nil || g.sees(f, c)) {
				out = append(out, c)
			}
		}
	}
	return out, nil
}

func (g groups) NewestCommunities(context.Context, memory.Filter) ([]int64, error) {
	return g.newest, nil
}

func (g groups) LargestCommunities(_ context.Context, _ string, limit int) ([]memory.Community, error) {
	return g.list[:min(limit, len(g.list))], nil
}

func (g groups) CommunityOf(context.Context, string, []int64) (map[int64]int64, error) {
	return g.of, nil
}

func (w world) id(name string) int64 {
	w.t.Helper()
	e, err := w.store.ResolveEntity(w.t.Context(), "n", name, "", memory.AsOf{})
	if err != nil {
		w.t.Fatal(err)
	}
	return e.ID
}

func TestRetrieve_ABroadQuestionGetsTheCommunityWithinTheBudget(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("Ann", "works_at", "Acme")
	w.fact("Bo", "likes", "Tea")
	work := memory.Community{ID: 1, Name: "Work", Summary: "Ann works\nat <Acme>.", Size: 2, Origin: memory.OriginUser,
		Fingerprint: []byte{1}}
	files := memory.Community{ID: 2, Name: "Files", Summary: "Bo likes tea.", Size: 2, Origin: memory.OriginTool,
		Fingerprint: []byte{1}}
	w.Communities = groups{of: map[int64]int64{w.id("Ann"): 1, w.id("Bo"): 2}, list: []memory.Community{work, files}}
	ask := func(q string, budget int, change func(*retrieval.Request)) retrieval.Answer {
		t.Helper()
		req := retrieval.Request{Scope: memory.Scope{Namespace: "n"}, Query: q, Graph: &retrieval.GraphScope{}, Limit: 5,
			BudgetTokens: budget}
		if change != nil {
			change(&req)
		}
		a, err := w.Retrieve(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	a := ask("What do I know about Ann?", 500, nil)
	if len(a.Communities) != 1 || a.Communities[0].ID != 1 ||
		!strings.Contains(a.Context, "Communities:\n- Work (2 members): Ann works at &lt;Acme&gt;.\n") {
		t.Errorf("%+v\n%s", a.Communities, a.Context)
	}
	if a := ask("What do I know about Bo?", 500, nil); len(a.Communities) != 1 || strings.Contains(a.Context, "Files") {
		t.Errorf("a summary of what tools say: %+v\n%s", a.Communities, a.Context)
	}
	if a := ask("What do I know about Ann?", 40, nil); retrieval.EstimateTokens(a.Context) > 40 {
		t.Errorf("over the budget: %s", a.Context)
	}
	for name, change := range map[string]func(*retrieval.Request){
		"of the past":       func(r *retrieval.Request) { r.At.ValidAt = day.Add(time.Hour) },
		"without the graph": func(r *retrieval.Request) { r.Graph = nil },
		"a narrow question": func(r *retrieval.Request) { r.Query = "Where does Ann work?" },
	} {
		if a := ask("What do I know about Ann?", 500, change); len(a.Communities) > 0 {
			t.Errorf("%s: %+v", name, a.Communities)
		}
	}
}

func TestRetrieve_ABroadQuestionGetsWhatIsRelevantToIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("User", "works_at", "Contoso")
	w.fact("Rose", "grows_in", "Garden")
	w.fact("Ann", "plays", "Chess")
	c := func(id int64, name, summary string) memory.Community {
		return memory.Community{ID: id, Name: name, Summary: summary, Size: 20 - int(id), Origin: memory.OriginUser,
			Fingerprint: []byte{1}}
	}
	w.Communities = groups{newest: []int64{3, 2}, list: []memory.Community{c(1, "Garden", "Rose grows in Garden."),
		c(2, "Contoso", "The user works at Contoso."), c(3, "Chess", "Ann plays Chess.")},
		of: map[int64]int64{w.id("User"): 2, w.id("Contoso"): 2, w.id("Rose"): 1, w.id("Garden"): 1, w.id("Ann"): 3,
			w.id("Chess"): 3},
		sees: func(f memory.Filter, c memory.Community) bool { return f.Project != "p" || c.ID == 1 }}
	for q, want := range map[string]string{
		"What has been going on at work lately?":     "c2",
		"what's new at my job?":                      "c2",
		"anything new?":                              "c3 c2",
		"Anything new about the garden or Contoso?":  "c2 c1",
		"what's happening in the garden?":            "c1",
		"What do you know about me?":                 "c2",
		"Summarise everything":                       "c1 c2 c3",
		"What do I know about quantum physics?":      "",
		"What do you know about my dentist?":         "",
		"Tell me about Zurich":                       "",
		"any news from the orchestra?":               "",
		"What has been going on with Ann?":           "c3",
		"Where does Ann play chess?":                 "",
		"project p: what's happening in the garden?": "c1",
		"project p: anything new?":                   "",
		"project p: what is new at work?":            "",
	} {
		req := retrieval.Request{Query: q, Graph: &retrieval.GraphScope{}, Limit: 5}
		if rest, ok := strings.CutPrefix(q, "project p: "); ok {
			req.Query, req.Scope.Project = rest, "p"
		}
		var got []string
		for _, c := range w.ask(req).Communities {
			got = append(got, c.Ref().String())
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %q, want %q", q, s, want)
		}
	}
}

func TestRetrieve_CommunitiesByID(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Communities = groups{list: []memory.Community{{ID: 1, Name: "Work"}}}
	req := retrieval.Request{Scope: memory.Scope{Namespace: "n"}, Limit: 5,
		IDs: []memory.ID{{Kind: memory.KindCommunity, Num: 1}}}
	if a, err := w.Retrieve(t.Context(), req); err != nil || len(a.Communities) != 1 || a.Match != retrieval.Strong {
		t.Errorf("%+v, %v", a, err)
	}
	req.IDs = append(req.IDs, memory.CommunityID(9))
	if _, err := w.Retrieve(t.Context(), req); err == nil || !strings.Contains(err.Error(), "c9") {
		t.Errorf("%v", err)
	}
}

func TestSynapse_TakesAFewSeedsOfACommunity(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	g := groups{of: map[int64]int64{}}
	for _, name := range []string{"Alpha", "Beta", "Gamma", "Delta"} {
		w.fact(name, "likes", name+" Tea")
		w.fact(name, "uses", name+" Cup")
		g.of[w.id(name)] = 1
	}
	w.fact("Omega", "likes", "Omega Tea")
	w.Communities = g
	heads := func() (list []string) {
		a, err := w.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: "n"}, Limit: 50,
			Query: "Alpha, Beta, Gamma, Delta and Omega", Strategy: retrieval.Synapse, Graph: &retrieval.GraphScope{}})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Relations {
			if h := f.Relationship.Head.Name; !slices.Contains(list, h) {
				list = append(list, h)
			}
		}
		slices.Sort(list)
		return list
	}
	if got := heads(); len(got) != 4 || !slices.Contains(got, "Omega") {
		t.Errorf("three of one community and Omega: %v", got)
	}
	set := retrieval.DefaultSettings()
	set.SpreadingActivation.SeedCommunityCap = 0
	w.Retriever.Settings = &set
	if got := heads(); len(got) != 5 {
		t.Errorf("without a limit: %v", got)
	}
}

// "I" and "know" are not what such a question asks for.
func TestSearchGraph_ABroadQuestionAsksForItsSubject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("User", "knows", "Ben")
	w.fact("User", "knows", "Ann")
	w.fact("Otto", "plays", "chess")
	for query, want := range map[string]string{"What do I know about chess?": "Otto plays chess",
		"what do you know about chess": "Otto plays chess", "Tell me everything about Otto.": "Otto plays chess"} {
		a := w.ask(retrieval.Request{Query: query, Graph: &retrieval.GraphScope{}, Limit: 5})
		if got := said(a.Relations); len(got) == 0 || got[0] != want || slices.Contains(got, "User knows Ben") {
			t.Errorf("%q: %v, want %s", query, got, want)
		}
		if a.Match != retrieval.Strong {
			t.Errorf("%q: match %s", query, a.Match)
		}
	}
	if got := said(w.ask(retrieval.Request{Query: "What do you know about me?", Graph: &retrieval.GraphScope{},
		Limit: 5}).Relations); !slices.Contains(got, "User knows Ben") {
		t.Errorf("about me: %v", got)
	}
}
