package engine_test

import (
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/extraction/llm/llmtest"
	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/waitfor"
	"memory-graph/store"
)

var heading = regexp.MustCompile(`(?s)<<[0-9a-f]{16} note (\d+), of [^>]*>>\n(.*?)\n<<`)

// numberOf returns the number of the memory with the words in a question, "" if the question does not contain it.
func numberOf(q llmtest.Request, words string) string {
	for _, m := range heading.FindAllStringSubmatch(q.User, -1) {
		if strings.Contains(m[2], words) {
			return m[1]
		}
	}
	return ""
}

// reader answers like a model that knows a few words: "never" contradicts "always" and refines "mostly", "morning" is a
// condition, and "wet" is caused by "rain".
func reader(q llmtest.Request) (string, bool) {
	fresh := heading.FindStringSubmatch(q.User)[2]
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	switch q.Name {
	case "links_contradict":
		if strings.Contains(fresh, "never") {
			if n := numberOf(q, "always"); n != "" {
				add(`{"memory":%s,"class":"contradicts","confidence":0.95}`, n)
			}
			if n := numberOf(q, "mostly"); n != "" {
				add(`{"memory":%s,"class":"refines","confidence":0.8}`, n)
			}
		}
		return `{"verdicts":[` + strings.Join(out, ",") + `]}`, true
	case "links_relate":
		if strings.Contains(fresh, "in the morning") {
			add(`{"from":0,"relation":"conditional_on","to":null,"condition":"time:morning","evidence":"in the morning","confidence":0.9}`)
		}
		if n := numberOf(q, "rain"); strings.Contains(fresh, "wet") && n != "" {
			add(`{"from":0,"relation":"caused_by","to":%s,"condition":null,"evidence":"wet","confidence":0.65}`, n)
		}
		if n := numberOf(q, "rain"); strings.Contains(fresh, "puddle") && n != "" {
			add(`{"from":0,"relation":"left_over_from","to":%s,"condition":null,"evidence":"puddle","confidence":0.9,`+
				`"strength":0.5}`, n)
		}
		return `{"edges":[` + strings.Join(out, ",") + `]}`, true
	}
	return "", false
}

// clock is a clock that tests advance.
type clock struct {
	ahead   atomic.Int64
	hanging atomic.Bool // the endpoint does not answer; the timeout expires soon
}

func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }
func (c *clock) answers(time.Duration) <-chan time.Time {
	if c.hanging.Load() {
		return time.After(20 * time.Millisecond)
	}
	return nil
}
func (c *clock) turn(d time.Duration) { c.ahead.Add(int64(d)) }

// readingEngine starts an engine with the angles embedder and a model that reads memories.
type readingEngine struct {
	*engine.Engine
	model    *llmtest.Server
	embedded *atomic.Int64
	clock    *clock
	cfg      *config.Config
}

func withReader(t *testing.T) readingEngine {
	t.Helper()
	url, embedded := angles(t)
	srv := llmtest.New(t, llmtest.OpenAI, reader)
	cfg := settings(t)
	cfg.Embedder, cfg.EmbeddingBaseURL, cfg.EmbeddingModel, cfg.EmbeddingDimensions = "openai", url, "angles", 3
	cfg.LLMBaseURL, cfg.LLMModel, cfg.LLMAPIKey, cfg.ExtractionTimeoutSecs = srv.URL(), llmtest.Model, srv.Key(), 60
	cfg.NoteLinking.LLMEnabled, cfg.Heartbeat.Enabled = true, false
	r := readingEngine{model: srv, embedded: embedded, clock: &clock{}, cfg: cfg}
	r.Engine = r.open(t)
	return r
}

func (r readingEngine) open(t *testing.T) *engine.Engine {
	t.Helper()
	e, err := engine.Start(r.cfg, slog.New(slog.DiscardHandler), engine.WithClock(r.clock.now),
		engine.WithAnswerTimer(r.clock.answers), engine.WithPoll(50*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

func TestLinks_AskAModelOfTheirOwn(t *testing.T) {
	t.Parallel()
	r := withReader(t)
	r.Close()
	r.cfg.NoteLinking.LLMModel = "a-model-for-links"
	r.Engine = r.open(t)
	noteAt(t, r.Engine, 0, "we always deploy on fridays")
	noteAt(t, r.Engine, 35, "we never deploy on fridays")
	waitSettled(t, r.Engine)
	used, err := openStore(t, r.Engine).ModelUsages(t.Context(), time.Time{})
	if err != nil || len(used) != 1 || used[0].Purpose != store.PurposeLink || used[0].Model != "a-model-for-links" {
		t.Errorf("used %+v, %v", used, err)
	}
	for _, q := range r.model.Questions() {
		if q.Model != "a-model-for-links" {
			t.Errorf("asked %q", q.Model)
		}
	}
}

// modelled are the relations that a model may return.
var modelled = []string{"contradicts", "supersedes", "caused_by", "conditional_on"}

func TestLinks_AModelTellsWhatContradictsAndRefines(t *testing.T) {
	t.Parallel()
	r := withReader(t)
	always := noteAt(t, r.Engine, 0, "we always deploy on fridays")
	mostly := noteAt(t, r.Engine, 70, "we mostly deploy on fridays") // cos 35° = .82
	noteAt(t, r.Engine, 100, "always, but elsewhere")                // cos 65° = .42: not similar
	noteAt(t, r.Engine, 40, "always, the same")                      // cos 5° = .996: a duplicate
	waitSettled(t, r.Engine)
	never := noteAt(t, r.Engine, 35, "we never deploy on fridays")
	waitSettled(t, r.Engine)
	for of, want := range map[*memory.Entity][]string{
		&always: {"contradicts 35 we never deploy on fridays 1.00"},
		&never:  {"contradicts 0 we always deploy on fridays 1.00", "supersedes 70 we mostly deploy on fridays 1.00"},
		&mostly: {},
	} {
		if d := cmp.Diff(want, linksOf(t, r.Engine, *of, modelled...)); d != "" {
			t.Errorf("links of %s (-want +got):\n%s", of.Name, d)
		}
	}
	links, err := r.Links(t.Context(), retrieval.LinksRequest{Scope: memory.Scope{Namespace: "n"},
		Entity: never.Ref().String(), Relations: []string{"contradicts"}, Limit: 9})
	if err != nil || len(links.Links) != 2 {
		t.Fatal(links.Links, err)
	}
	if f := links.Links[0].Relationship; f.Method != memory.MethodModelLinked || f.Confidence != .7 ||
		f.Origin != memory.OriginAgent || len(f.Evidence) != 0 {
		t.Errorf("a link is %+v", f)
	}

	// An unchanged text is not read again, either after a restart or after re-embedding.
	calls := r.model.Calls()
	r.Close()
	again := r.open(t)
	waitSettled(t, again)
	if n := r.model.Calls(); n != calls {
		t.Errorf("%d questions about words that were read before", n-calls)
	}
	// A changed text is read again, and links that it does not support end.
	name := "35 we deploy on fridays, all of them"
	if _, _, err := openWriter(t, again).UpdateEntity(t.Context(), memory.Scope{Namespace: "n"},
		memory.EntityChange{Entity: never.Ref().String(), Name: &name}, memory.Caller{Actor: "tool"}); err != nil {
		t.Fatal(err)
	}
	waitSettled(t, again)
	for _, of := range []memory.Entity{always, never} {
		if d := cmp.Diff([]string{}, linksOf(t, again, of, modelled...)); d != "" {
			t.Errorf("links of %s after the edit (-want +got):\n%s", of.Name, d)
		}
	}
}

// Without a model, nothing can check the model's links after a change of the text, so they end. They stay while the
// text is unchanged.
func TestLinks_OfAModelEndWithTheWordsThatItRead(t *testing.T) {
	t.Parallel()
	r := withReader(t)
	a, b := noteAt(t, r.Engine, 90, "in the morning the grass is wet"), noteAt(t, r.Engine, 180,
		"coffee in the morning is fine")
	waitSettled(t, r.Engine)
	r.Close()
	r.cfg.LLMBaseURL = ""
	e := r.open(t)
	name := "91 the grass is dry at noon, it is said"
	if _, _, err := openWriter(t, e).UpdateEntity(t.Context(), memory.Scope{Namespace: "n"},
		memory.EntityChange{Entity: a.Ref().String(), Name: &name}, memory.Caller{Actor: "tool"}); err != nil {
		t.Fatal(err)
	}
	st, err := e.Store(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	enqueueLink(t, st, b.ID)
	waitSettled(t, e)
	for of, want := range map[*memory.Entity][]string{&a: {}, &b: {"conditional_on time:morning 1.00"}} {
		if d := cmp.Diff(want, linksOf(t, e, *of, modelled...)); d != "" {
			t.Errorf("links of %s (-want +got):\n%s", of.Name, d)
		}
	}
}

func TestLinks_AModelChoosesTheVerbAndItsStrength(t *testing.T) {
	t.Parallel()
	r := withReader(t)
	noteAt(t, r.Engine, 0, "it rains every day in march")
	waitSettled(t, r.Engine)
	a := noteAt(t, r.Engine, 90, "the puddle stays for weeks")
	waitSettled(t, r.Engine)
	want := []string{"left_over_from 0 it rains every day in march 0.50"}
	if d := cmp.Diff(want, linksOf(t, r.Engine, a, "left_over_from")); d != "" {
		t.Errorf("links (-want +got):\n%s", d)
	}
	name := "90 the yard is dry, it stays dry for weeks"
	if _, _, err := openWriter(t, r.Engine).UpdateEntity(t.Context(), memory.Scope{Namespace: "n"},
		memory.EntityChange{Entity: a.Ref().String(), Name: &name, Description: &name},
		memory.Caller{Actor: "tool"}); err != nil {
		t.Fatal(err)
	}
	waitSettled(t, r.Engine)
	if d := cmp.Diff([]string{}, linksOf(t, r.Engine, a, "left_over_from")); d != "" {
		t.Errorf("links of other words (-want +got):\n%s", d)
	}
}

func TestLinks_ConditionsAreShared(t *testing.T) {
	t.Parallel()
	r := withReader(t)
	rain := noteAt(t, r.Engine, 0, "it rains every day in march")
	waitSettled(t, r.Engine)
	a, b := noteAt(t, r.Engine, 90, "in the morning the grass is wet"), noteAt(t, r.Engine, 180,
		"coffee in the morning is fine")
	waitSettled(t, r.Engine)
	if d := cmp.Diff([]string{"caused_by 0 it rains every day in march 1.00", "conditional_on time:morning 1.00"},
		linksOf(t, r.Engine, a, modelled...)); d != "" {
		t.Errorf("links of a (-want +got):\n%s", d)
	}
	tail := func(of memory.Entity) int64 {
		got, err := r.Links(t.Context(), retrieval.LinksRequest{Scope: memory.Scope{Namespace: "n"},
			Entity: of.Ref().String(), Relations: []string{"conditional_on"}, Limit: 9})
		if err != nil || len(got.Links) != 1 {
			t.Fatal(got.Links, err)
		}
		return got.Links[0].Relationship.Tail.ID
	}
	if x, y := tail(a), tail(b); x != y {
		t.Errorf("two conditions, %d and %d", x, y)
	}
	if d := cmp.Diff([]string{}, linksOf(t, r.Engine, rain, modelled...)); d != "" {
		t.Errorf("links of the rain (-want +got):\n%s", d)
	}
}

// With any fault of the endpoint, the memory and its similar_to links are stored. After the fault, the model's links
// are added once, without embedding anything again (docs/sources.md, memories-best-effort and memories-codes).
func TestLinks_SurviveAnyFaultOfTheEndpoint(t *testing.T) {
	t.Parallel()
	for _, fault := range []llmtest.Fault{llmtest.ServerError, llmtest.TooManyUntil, llmtest.Hang, llmtest.WrongKey,
		llmtest.Reset, llmtest.Nothing,
		llmtest.Truncated, llmtest.Refuses, llmtest.HalfJSON} {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			r := withReader(t)
			always := noteAt(t, r.Engine, 0, "we always deploy in the morning")
			waitSettled(t, r.Engine)
			r.clock.hanging.Store(fault == llmtest.Hang)
			r.model.Fail(fault)
			never := noteAt(t, r.Engine, 31, "we never deploy in the morning") // cos .857: similar, not a duplicate
			counted := func() map[string]int64 {
				st, err := r.Store(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				list, err := st.Counters(t.Context(), "n")
				if err != nil {
					t.Fatal(err)
				}
				out := map[string]int64{}
				for _, c := range list {
					out[c.Code] = c.N
				}
				return out
			}
			waitfor.Until(t, "a failure is counted", func() bool {
				n := counted()
				return n[engine.CodeCompareFailed]+n[engine.CodeRelateFailed] > 0
			})
			waitfor.Until(t, "the likeness is there", func() bool { return len(linksOf(t, r.Engine, never, "similar_to")) == 1 })
			if got := linksOf(t, r.Engine, never, modelled...); len(got) > 0 {
				t.Errorf("links of nothing: %v", got)
			}
			embedded := r.embedded.Load()
			r.clock.hanging.Store(false)
			r.model.Fail(llmtest.None)
			looks := 0
			waitfor.Until(t, "the model has read it", func() bool {
				if looks++; looks%40 == 1 { // slower than a job, whose lease uses this clock, too
					r.clock.turn(5 * time.Minute)
				}
				return settled(t, r.Engine) && len(linksOf(t, r.Engine, never, modelled...)) == 2
			})
			if d := cmp.Diff([]string{"conditional_on time:morning 1.00", "contradicts 0 we always deploy in the morning 1.00"},
				linksOf(t, r.Engine, never, modelled...)); d != "" {
				t.Errorf("links (-want +got):\n%s", d)
			}
			if d := cmp.Diff([]string{"conditional_on time:morning 1.00", "contradicts 31 we never deploy in the morning 1.00"},
				linksOf(t, r.Engine, always, modelled...)); d != "" {
				t.Errorf("links of the other (-want +got):\n%s", d)
			}
			if n := r.embedded.Load() - embedded; n > 0 {
				t.Errorf("%d texts were embedded while the model was asked again", n)
			}
			st, err := r.Store(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if usage, err := st.ModelUsages(t.Context(), time.Time{}); err != nil || len(usage) == 0 ||
				usage[0].Purpose != store.PurposeLink {
				t.Errorf("the model's use: %+v, %v", usage, err)
			}
			if faults, err := st.CheckGraph(t.Context()); err != nil || len(faults) > 0 {
				t.Errorf("the graph: %+v, %v", faults, err)
			}
		})
	}
}
