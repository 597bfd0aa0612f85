package engine_test

import (
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/episodes"
	"memory-graph/extraction/llm/llmtest"
	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/waitfor"
	"memory-graph/store"
)

var update = flag.Bool("update", false, "renew testdata/faults.txt")

// stillClock advances only when a test advances it.
type stillClock struct {
	offset  atomic.Int64
	hanging atomic.Bool // the endpoint does not answer; the timeout expires soon
}

var began = time.Now().Round(0)

func (c *stillClock) now() time.Time          { return began.Add(time.Duration(c.offset.Load())) }
func (c *stillClock) advance(d time.Duration) { c.offset.Add(int64(d)) }

// answers is the timer for the model's answers: it expires only while the fault is a hang, and then
// after 20 ms.
func (c *stillClock) answers(time.Duration) <-chan time.Time {
	if c.hanging.Load() {
		return time.After(20 * time.Millisecond)
	}
	return nil
}

// withModel returns settings with an endpoint. Only the model finds facts, and there is no other background work.
func withModel(t *testing.T, s *llmtest.Server) *config.Config {
	t.Helper()
	cfg := settings(t)
	cfg.Embedder, cfg.Rules, cfg.Heartbeat.Enabled = "none", false, false
	cfg.LLMBaseURL, cfg.LLMModel, cfg.LLMAPIKey, cfg.ExtractionTimeoutSecs = s.URL(), llmtest.Model, s.Key(), 60
	return cfg
}

// startPolling starts an engine whose queue polls often.
func startPolling(t *testing.T, cfg *config.Config, with ...engine.Option) *engine.Engine {
	t.Helper()
	e, err := engine.Start(cfg, slog.New(slog.DiscardHandler), append(with, engine.WithPoll(5*time.Millisecond))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

func openStore(t *testing.T, e *engine.Engine) *store.Store {
	t.Helper()
	st, err := e.Store(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// settled reports whether the namespace "n" has no open background work.
func settled(t *testing.T, e *engine.Engine) bool {
	t.Helper()
	state, err := e.State(t.Context(), "n")
	return err == nil && state.Pending == 0
}

// contoso is what the model finds in the turns of the table.
var contoso = llmtest.Script(map[string][]llmtest.Fact{
	"Contoso": {{Relation: "works_at", Tail: "Contoso", TailType: "organization", Quote: "I work at Contoso"}},
})

// waiting is a turn in progress, and the state of its job.
type waiting struct {
	t         *testing.T
	e         *engine.Engine
	st        *store.Store
	c         *stillClock
	namespace string
	id        int64
}

func (w waiting) status() string {
	w.t.Helper()
	list, err := w.st.Episodes(w.t.Context(), w.namespace, []int64{w.id})
	if err != nil || len(list) != 1 {
		w.t.Fatalf("t%d: %v, %v", w.id, list, err)
	}
	return list[0].Status
}

// job returns the open job of the turn once it has failed or was deferred.
func (w waiting) job() (store.FailedJob, bool) {
	w.t.Helper()
	list, err := w.st.FailedJobs(w.t.Context(), store.JobFilter{}, 1000)
	if err != nil {
		w.t.Fatal(err)
	}
	i := slices.IndexFunc(list, func(j store.FailedJob) bool { return j.Namespace == w.namespace })
	if i < 0 {
		return store.FailedJob{}, false
	}
	return list[i], true
}

// next waits until the state of the job changes.
func (w waiting) next(before store.FailedJob) (now store.FailedJob, done bool) {
	w.t.Helper()
	waitfor.Until(w.t, w.namespace+": the turn comes to something", func() bool {
		if w.status() == memory.StatusDone {
			done = true
			return true
		}
		now, _ = w.job()
		return !now.NextAt.IsZero() && !now.Running &&
			(now.Attempts != before.Attempts || !now.NextAt.Equal(before.NextAt)) && now.NextAt.After(w.c.now())
	})
	return now, done
}

// anHour lets the queue try for an hour of the test's clock, or until the turn is done.
func (w waiting) anHour() (last store.FailedJob, tries int) {
	w.t.Helper()
	end := w.c.now().Add(time.Hour)
	for {
		now, done := w.next(last)
		tries++
		if done {
			return store.FailedJob{}, tries
		}
		last = now
		if !w.c.now().Before(end) {
			return last, tries
		}
		w.c.advance(now.NextAt.Sub(w.c.now()) + time.Millisecond)
	}
}

func (w waiting) facts() string {
	w.t.Helper()
	list, _, err := w.st.ListRelationships(w.t.Context(), store.RelationshipFilter{Namespace: w.namespace}, 0, 50)
	if err != nil {
		w.t.Fatal(err)
	}
	words := []string{}
	for _, f := range list {
		words = append(words, fmt.Sprintf("%s %s %s", f.Head.Name, f.Relation, f.Tail.Name))
		if !cmp.Equal(f.Evidence, []int64{w.id}) {
			w.t.Errorf("%s: %s has the evidence %v, want t%d once", w.namespace, words[len(words)-1], f.Evidence, w.id)
		}
	}
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, ", ")
}

// row exposes one turn to a fault for an hour, ends the fault, and returns the row of the table.
func row(t *testing.T, e *engine.Engine, c *stillClock, s *llmtest.Server, p llmtest.Profile, f llmtest.Fault) string {
	t.Helper()
	name := string(f)
	if f == llmtest.None {
		name = "none"
	}
	w := waiting{t: t, e: e, st: openStore(t, e), c: c, namespace: name}
	c.hanging.Store(f == llmtest.Hang)
	s.Fail(f)
	res, err := e.StoreEpisode(t.Context(), store.NewEpisode{
		Episode: memory.Episode{Scope: memory.Scope{Namespace: name, User: "Ada"},
			Content: "Since the spring I work at Contoso, in the mornings."}})
	if err != nil || res.Extraction != episodes.ExtractionQueued {
		t.Fatalf("%s: %+v, %v", name, res, err)
	}
	w.id = res.EpisodeID.Num
	last, tries := w.anHour()
	state, err := e.State(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	during := fmt.Sprintf("%-7s %8d %5d %7d %6d  %-17s  %s", w.status(), last.Attempts, tries, state.Pending, state.Failed,
		orDash(strings.Join(state.Degraded, " ")), w.facts())

	c.hanging.Store(false)
	s.Fail(llmtest.None)
	for rounds := 0; w.status() != memory.StatusDone; rounds++ {
		if rounds > 20 {
			t.Fatalf("%s: not done, though the endpoint answers: %+v", name, last)
		}
		c.advance(16 * time.Minute)
		last, _ = w.next(last)
	}
	if state, err = e.State(t.Context(), name); err != nil || state.Pending+state.Failed+len(state.Degraded) > 0 {
		t.Errorf("%s: %+v is left, though the turn is done (%v)", name, state, err)
	}
	return fmt.Sprintf("%-26s %-17s %s → %s", name, p, during, w.facts())
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

const tableHead = `# A turn whose model endpoint has a fault for an hour, by fault and kind of endpoint.
# The columns are: the turn's status after the hour, the counted attempts, the tries, the open jobs (pending, failed),
# memory_state.degraded, and the facts. The facts after the arrow are those once the endpoint works again.
# No fact is lost or duplicated.
# Renew with: go test ./internal/engine -run TestExtraction_FaultsAndEndpoints -update
# fault                    endpoint          status  attempts tries pending failed  degraded           facts
`

func TestExtraction_FaultsAndEndpoints(t *testing.T) {
	t.Parallel()
	rows := make([][]string, len(llmtest.Profiles))
	t.Run("endpoints", func(t *testing.T) {
		for i, p := range llmtest.Profiles {
			t.Run(string(p), func(t *testing.T) {
				t.Parallel()
				c := new(stillClock)
				s := llmtest.New(t, p, contoso)
				e := startPolling(t, withModel(t, s), engine.WithClock(c.now), engine.WithAnswerTimer(c.answers))
				for _, f := range llmtest.Faults {
					rows[i] = append(rows[i], row(t, e, c, s, p, f))
				}
			})
		}
	})
	var out strings.Builder
	out.WriteString(tableHead)
	for f := range llmtest.Faults {
		for i := range rows {
			if f < len(rows[i]) {
				out.WriteString(rows[i][f] + "\n")
			}
		}
	}
	path := filepath.Join("testdata", "faults.txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(out.String(), "\n")); diff != "" {
		t.Errorf("what becomes of turns changed; if that is meant, renew it with -update:\n%s", diff)
	}
}
