package retrieval_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/retrieval/vectors"
	"memory-graph/internal/text"
	"memory-graph/store"
)

// bag embeds a text as the concepts of its words. Some words share a concept, so vectors find turns that text does not.
type bag struct{}

const bagDims = 64

var meanings = map[string]string{"automobil": "car", "dinghi": "boat"}

func (bag) Identity() embedding.Identity {
	return embedding.Identity{Provider: "bag", Model: "words", Dimensions: bagDims}
}

func (bag) Embed(_ context.Context, _ embedding.Mode, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, s := range texts {
		v := make([]float32, bagDims)
		v[0] = .01
		for _, tok := range text.Tokens(s) {
			w := tok.Stem
			if m, ok := meanings[w]; ok {
				w = m
			}
			if tok.Stop() {
				continue
			}
			h := fnv.New32()
			h.Write([]byte(w))
			v[1+h.Sum32()%(bagDims-1)]++
		}
		embedding.Normalize(v)
		out[i] = v
	}
	return out, nil
}

type fixture struct {
	*retrieval.Retriever
	store *store.Store
	gen   int64
	// closed when the vectors are ranked in memory
	loaded <-chan struct{}
}

// loadWatch is a log handler that notices when the vectors are in memory.
type loadWatch struct {
	slog.Handler
	once   *sync.Once
	loaded chan struct{}
}

func (w loadWatch) Enabled(context.Context, slog.Level) bool { return true }

func (w loadWatch) Handle(_ context.Context, r slog.Record) error {
	if r.Message == "vectors loaded" {
		w.once.Do(func() { close(w.loaded) })
	}
	return nil
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	id := bag{}.Identity()
	identity := store.Identity{Provider: id.Provider, Model: id.Model, Dimensions: id.Dimensions}
	gen, err := st.EnsureGeneration(t.Context(), identity)
	if err != nil {
		t.Fatal(err)
	}
	watch := loadWatch{slog.DiscardHandler, new(sync.Once), make(chan struct{})}
	live := vectors.NewLive(st, identity, store.OfEpisodes, slog.New(watch))
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); live.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	return fixture{&retrieval.Retriever{Episodes: st, Text: st, Vectors: live, Embedder: bag{}}, st, gen.ID, watch.loaded}
}

// add stores a turn with its vector.
func (f fixture) add(t *testing.T, e store.NewEpisode) memory.ID {
	t.Helper()
	if e.Scope.Namespace == "" {
		e.Scope.Namespace = "n"
	}
	if e.Role == "" {
		e.Role = memory.RoleUser
	}
	e.Origin, e.Status, e.Caller.Actor = memory.OriginUser, memory.StatusPending, "test"
	rec, err := f.store.RecordEpisode(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	vecs, err := bag{}.Embed(t.Context(), embedding.Document, []string{e.Content})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.store.SaveVectors(t.Context(), f.gen,
		[]store.Vector{{ID: rec.Episode.ID, Vec: embedding.Quantize(vecs[0])}}, store.Held{}); err != nil {
		t.Fatal(err)
	}
	return memory.EpisodeID(rec.Episode.ID)
}

func (f fixture) ask(t *testing.T, req retrieval.Request) retrieval.Answer {
	t.Helper()
	if req.Scope.Namespace == "" {
		req.Scope.Namespace = "n"
	}
	if req.Limit == 0 {
		req.Limit = 10
	}
	a, err := f.Retrieve(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func ids(a retrieval.Answer) []string {
	out := []string{}
	for _, e := range a.Episodes {
		out = append(out, memory.EpisodeID(e.Episode.ID).String())
	}
	return out
}

func TestRetrieve_EachStrategyFindsItsOwn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	words := f.add(t, store.NewEpisode{Episode: memory.Episode{Content: "The automobile is in the garage."}})
	meaning := f.add(t, store.NewEpisode{Episode: memory.Episode{Content: "My car needs new tyres."}})
	f.add(t, store.NewEpisode{Episode: memory.Episode{Content: "Bread and butter."}})
	for _, c := range []struct {
		strategy, used retrieval.Strategy
		want           []string
	}{
		{retrieval.Text, retrieval.Text, []string{words.String()}},
		{retrieval.Vector, retrieval.Vector, []string{words.String(), meaning.String()}},
		{retrieval.Auto, retrieval.Fused, []string{words.String(), meaning.String()}},
	} {
		a := f.ask(t, retrieval.Request{Query: "automobile", Strategy: c.strategy, Explain: true})
		got := ids(a)
		if c.strategy == retrieval.Vector {
			slices.Sort(got)
		}
		if diff := cmp.Diff(c.want, got); diff != "" || a.Strategy != c.used {
			t.Errorf("%s answered by %s (-want +got):\n%s", c.strategy, a.Strategy, diff)
		}
		if a.Match != retrieval.Strong {
			t.Errorf("%s: match %s", c.strategy, a.Match)
		}
		for _, e := range a.Episodes {
			if e.Why == nil || len(e.Why.MatchedBy) == 0 || len(e.Why.Features) == 0 || e.Why.Features[0].Reason == "" {
				t.Errorf("%s does not explain %+v", c.strategy, e.Why)
			}
		}
	}
}

func TestRetrieve_ATurnWithoutItsVectorYetIsNotPutBehind(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for i := range 5 {
		f.add(t, store.NewEpisode{
			Episode: memory.Episode{Content: fmt.Sprintf("The car number %d is in the garage with the red door.", i)}})
	}
	for i := range 20 {
		f.add(t, store.NewEpisode{Episode: memory.Episode{Content: fmt.Sprintf("Bread and butter and %d eggs.", i)}})
	}
	rec, err := f.store.RecordEpisode(t.Context(),
		store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "n"}, Role: memory.RoleUser,
			Content: "The car is in the garage.", Origin: memory.OriginUser, Status: memory.StatusPending},
			Caller: memory.Caller{Actor: "test"}})
	if err != nil {
		t.Fatal(err)
	}
	a := f.ask(t, retrieval.Request{Query: "car garage"})
	if len(a.Episodes) == 0 || a.Episodes[0].Episode.ID != rec.Episode.ID {
		t.Errorf("the turn whose words fit best is not first: %v", ids(a))
	}
}

func TestRetrieve_ATurnWithoutItsVectorYetIsNotPutBehindSimilarOnes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.add(t, store.NewEpisode{Episode: memory.Episode{Content: "automobile"}})
	for i := range 60 {
		f.add(t, store.NewEpisode{Episode: memory.Episode{Content: fmt.Sprintf("Bread and butter and %d eggs.", i)}})
	}
	rec, err := f.store.RecordEpisode(t.Context(),
		store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "n"}, Role: memory.RoleUser,
			Content: "my car", Origin: memory.OriginUser, Status: memory.StatusPending}, Caller: memory.Caller{Actor: "test"}})
	if err != nil {
		t.Fatal(err)
	}
	a := f.ask(t, retrieval.Request{Query: "car"})
	if len(a.Episodes) == 0 || a.Episodes[0].Episode.ID != rec.Episode.ID {
		t.Errorf("the only turn with the word is not first: %v", ids(a))
	}
}

func TestRetrieve_AbstainsAndSaysWhatLiesBelow(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.add(t, store.NewEpisode{Episode: memory.Episode{Content: "Bread and butter."}})
	a := f.ask(t, retrieval.Request{Query: "submarine cables", BudgetTokens: 500})
	if a.Match != retrieval.None || len(a.Episodes) != 0 || a.BelowThreshold != 1 || a.Context != "" {
		t.Errorf("answer to what was never said: %+v", a)
	}
	if a := f.ask(t,
		retrieval.Request{
			Query: "what about butter, submarine cables, orchestras and giraffes"}); a.Match != retrieval.Weak || len(
		a.Episodes) != 1 {
		t.Errorf("one word of many: match %s, %d episodes", a.Match, len(a.Episodes))
	}
}

func TestRetrieve_NeverLeavesItsNamespace(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ours := f.add(t, store.NewEpisode{Episode: memory.Episode{Content: "The car is red.",
		Scope: memory.Scope{SessionID: "s"}}})
	theirs := f.add(t, store.NewEpisode{Episode: memory.Episode{Content: "The car is blue.",
		Scope: memory.Scope{Namespace: "other", SessionID: "s"}}})
	for _, strategy := range []retrieval.Strategy{retrieval.Auto, retrieval.Text, retrieval.Vector} {
		if got := ids(f.ask(t, retrieval.Request{Query: "car", Strategy: strategy})); !slices.Equal(got,
			[]string{ours.String()}) {
			t.Errorf("%s finds %v", strategy, got)
		}
	}
	if got := ids(f.ask(t, retrieval.Request{})); !slices.Equal(got, []string{ours.String()}) {
		t.Errorf("newest are %v", got)
	}
	_, err := f.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: "n"}, IDs: []memory.ID{theirs},
		Limit: 10})
	var e *memory.Error
	if !errors.As(err, &e) || e.Code != memory.NotFound {
		t.Errorf("another namespace's id gives %v", err)
	}
}

func TestRetrieve_FiltersNeighboursToo(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	day := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var all []memory.ID
	for i, role := range []memory.Role{memory.RoleUser, memory.RoleAssistant, memory.RoleUser, memory.RoleTool} {
		all = append(all, f.add(t, store.NewEpisode{Episode: memory.Episode{Content: fmt.Sprintf("car number %d", i),
			Role: role, OccurredAt: day.AddDate(0, 0, i),
			Scope: memory.Scope{SessionID: fmt.Sprint("s", i/2), Project: fmt.Sprint("p", i%2), User: "u"}}}))
	}
	for _, c := range []struct {
		name string
		req  retrieval.Request
		want []int
	}{
		{"role", retrieval.Request{Roles: []memory.Role{memory.RoleUser}}, []int{0, 2}},
		{"roles", retrieval.Request{Roles: []memory.Role{memory.RoleAssistant, memory.RoleTool}}, []int{1, 3}},
		{"since", retrieval.Request{Since: day.AddDate(0, 0, 2)}, []int{2, 3}},
		{"until is open", retrieval.Request{Until: day.AddDate(0, 0, 2)}, []int{0, 1}},
		{"session", retrieval.Request{Scope: memory.Scope{SessionID: "s1"}}, []int{2, 3}},
		{"project", retrieval.Request{Scope: memory.Scope{Project: "p1"}}, []int{1, 3}},
		{"all of them", retrieval.Request{Scope: memory.Scope{Project: "p1", User: "u", SessionID: "s0"},
			Roles: []memory.Role{memory.RoleAssistant}}, []int{1}},
		{"nobody", retrieval.Request{Scope: memory.Scope{User: "v"}}, nil},
	} {
		for _, query := range []string{"car", ""} {
			for _, strategy := range []retrieval.Strategy{retrieval.Auto, retrieval.Vector} {
				c.req.Query, c.req.Strategy = query, strategy
				got := ids(f.ask(t, c.req))
				slices.Sort(got)
				want := []string{}
				for _, i := range c.want {
					want = append(want, all[i].String())
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s, query %q by %s (-want +got):\n%s", c.name, query, strategy, diff)
				}
			}
		}
	}
}

func TestRetrieve_PagesWithoutGapOrRepeat(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for i := range 23 {
		f.add(t, store.NewEpisode{Episode: memory.Episode{Content: fmt.Sprintf("car %d", i)}})
	}
	for _, query := range []string{"car", ""} {
		seen := map[string]bool{}
		for offset := 0; ; offset += 5 {
			a := f.ask(t, retrieval.Request{Query: query, Limit: 5, Offset: offset})
			for _, id := range ids(a) {
				if seen[id] {
					t.Errorf("query %q gives %s twice", query, id)
				}
				seen[id] = true
			}
			if !a.More {
				break
			}
		}
		if len(seen) != 23 {
			t.Errorf("query %q pages through %d of 23", query, len(seen))
		}
	}
}

func TestRetrieve_WithoutVectorsRanksByTheOtherFeatures(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.add(t, store.NewEpisode{Episode: memory.Episode{Content: "My car needs new tyres."}})
	plain := &retrieval.Retriever{Episodes: f.store, Text: f.store, Embedder: embedding.None{}}
	a, err := plain.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: "n"}, Query: "tyres", Limit: 1})
	if err != nil || a.Strategy != retrieval.Fused || len(a.Episodes) != 1 || a.Match != retrieval.Strong ||
		len(a.State.Degraded) != 0 {
		t.Errorf("auto gives %+v, %v", a, err)
	}
	for _, s := range []retrieval.Strategy{retrieval.Vector, retrieval.Fused} {
		_, err := plain.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: "n"}, Query: "tyres", Limit: 1,
			Strategy: s})
		var e *memory.Error
		if !errors.As(err, &e) || e.Code != memory.Unavailable || e.Hint == "" {
			t.Errorf("%s gives %v", s, err)
		}
	}
}

type broken struct{ bag }

func (broken) Embed(context.Context, embedding.Mode, []string) ([][]float32, error) {
	return nil, memory.Errorf(memory.Unavailable, "the endpoint is away")
}

func TestRetrieve_AnEmbedderThatIsAwayDegradesAndIsSaid(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.add(t, store.NewEpisode{Episode: memory.Episode{Content: "My car needs new tyres."}})
	f.Retriever.Embedder = broken{}
	a := f.ask(t, retrieval.Request{Query: "tyres"})
	if a.Strategy != retrieval.Fused || len(a.Episodes) != 1 ||
		!slices.Equal(a.State.Degraded, []string{"vectors_unavailable"}) {
		t.Errorf("auto gives %+v", a)
	}
}

// The number of statements of a question must not grow with the file.
func TestRetrieve_RunsTheSameFewStatementsAtAnySize(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	count := func() int {
		ctx, n := store.CountStatements(t.Context())
		if _, err := f.Retrieve(ctx, retrieval.Request{Scope: memory.Scope{Namespace: "n"}, Query: "which car did we see?",
			Limit: 10, BudgetTokens: 500}); err != nil {
			t.Fatal(err)
		}
		return n.Load()
	}
	for i := range 10 {
		f.add(t, store.NewEpisode{Episode: memory.Episode{Content: fmt.Sprintf("car %d", i),
			Scope: memory.Scope{SessionID: "s"}}})
	}
	<-f.loaded
	count() // the first question also loads caches
	few := count()
	for i := range 700 {
		f.add(t, store.NewEpisode{Episode: memory.Episode{Content: fmt.Sprintf("another car %d", i),
			Scope: memory.Scope{SessionID: fmt.Sprint("s", i%9)}}})
	}
	count() // applies the writes of the meantime
	many := count()
	if few != many || many > maxStatements {
		t.Errorf("%d statements with 10 turns, %d with 710; at most %d are allowed", few, many, maxStatements)
	}
}

// maxStatements counts the active generation (before and after embedding), its position in the change feed, the
// frequencies of words, the number of episodes, the namespaces, the text hits, the candidates, their neighbours, the
// page, and memory_state.
const maxStatements = 12

// A host stores a question before its agent searches for it. The question must not take the scores of the answers.
func TestRetrieve_AStoredQuestionChangesNoScoreOfOthers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	<-f.loaded
	for _, said := range []string{"The Halcyon gateway listens on port 9191.",
		"The gateway of the bank listens on port 7272.", "The boat leaves at noon.", "Bread and butter.",
		"The gateway is green."} {
		f.add(t, store.NewEpisode{Episode: memory.Episode{Content: said}})
	}
	const question = "Which port does the Halcyon gateway use?"
	scores := func() map[string]float64 {
		out := map[string]float64{}
		for _, e := range f.ask(t, retrieval.Request{Query: question}).Episodes {
			if e.Episode.Content != question {
				out[e.Episode.Content] = e.Score
			}
		}
		return out
	}
	before := scores()
	if len(before) < 3 {
		t.Fatalf("only %v", before)
	}
	f.add(t, store.NewEpisode{Episode: memory.Episode{Content: question,
		Scope: memory.Scope{Namespace: "n", SessionID: "s"}}})
	for said, score := range scores() {
		if math.Abs(score-before[said]) > .06 { // the question changes how rare its words are
			t.Errorf("%q had %.2f and has %.2f", said, before[said], score)
		}
	}
}
