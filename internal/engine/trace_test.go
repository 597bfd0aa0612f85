package engine_test

import (
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/waitfor"
	"memory-graph/store"
)

// session starts an engine, lets it answer, closes it, and returns what it left in the file.
func session(t *testing.T, cfg *config.Config, use func(*engine.Engine),
	with ...engine.Option) []store.Trace {
	t.Helper()
	e, err := engine.Start(cfg, slog.New(slog.DiscardHandler), with...)
	if err != nil {
		t.Fatal(err)
	}
	use(e)
	e.Close() // writes what is queued
	st, err := store.Open(t.Context(), cfg.DB, store.Options{ReadOnly: true, CacheDir: cache})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	list, _, err := st.Traces(t.Context(), "n", 0, 50)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// tracing returns settings without background work of their own. A slow machine may take its time to expand.
func tracing(t *testing.T) *config.Config {
	t.Helper()
	cfg := settings(t)
	cfg.Embedder, cfg.Traces.Enabled, cfg.HybridGraph.Timeout = "none", true, time.Minute
	return cfg
}

const key = "sk-ant-api03-Zq3vX9Lk2Pw8Rt5Yb7Nc4Md6Hf1Gj0Sa9Du3Ve7Wo2Xi5Zp8Qr4Ty6"

func TestTraces_TellHowAQuestionWasAnswered(t *testing.T) {
	t.Parallel()
	list := session(t, tracing(t), func(e *engine.Engine) {
		put(t, e, "My sister Ann works at Acme.")
		put(t, e, "Acme is in Berlin.")
		ask(t, e, "Where does Ann work?", retrieval.HybridGraph)
		ask(t, e, "Where does Ann work?", retrieval.Auto)
	})
	if len(list) != 2 {
		t.Fatalf("%d traces", len(list))
	}
	var req retrieval.TraceRequest
	var answer retrieval.TraceAnswer
	if err := json.Unmarshal(list[1].Request, &req); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(list[1].Answer, &answer); err != nil {
		t.Fatal(err)
	}
	if req.Query != "Where does Ann work?" || req.Strategy != retrieval.HybridGraph || req.Asked != "retrieve" {
		t.Errorf("request %+v", req)
	}
	var steps []string
	for _, s := range answer.Timings {
		steps = append(steps, s.Step)
	}
	if diff := cmp.Diff([]string{"baseline", "rollout", "expansion", "total"}, steps); diff != "" {
		t.Errorf("timings (-want +got):\n%s", diff)
	}
	if answer.Strategy != retrieval.HybridGraph || answer.Rollout != memory.RolloutCanary || answer.Gate == nil ||
		answer.Gate.Status != retrieval.QualityInsufficient || len(answer.Seeds) == 0 || len(answer.Seeds[0].Features) == 0 {
		t.Errorf("answer %+v", answer)
	}
	if !slices.ContainsFunc(answer.Expansions, func(it retrieval.TraceItem) bool {
		return it.Name == "Ann works_at Acme" && it.Graph != nil && it.Graph.HopCount == 1 && len(it.Features) == 4
	}) {
		t.Errorf("expansions %+v", answer.Expansions)
	}
	if strings.Contains(string(list[1].Answer), "My sister") {
		t.Errorf("the trace has the content of a turn: %s", list[1].Answer)
	}
}

func TestTraces_HoldNoSecret(t *testing.T) {
	t.Parallel()
	list := session(t, tracing(t), func(e *engine.Engine) {
		put(t, e, "Ann uses the staging server.")
		for _, s := range []retrieval.Strategy{retrieval.HybridGraph, retrieval.Auto, retrieval.BFS} {
			_, err := e.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: "n", Project: key, User: key,
				SessionID: key}, Query: "What does Ann use with " + key + "? <private>my pin is 4711</private>", Strategy: s,
				Limit: 3})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	if len(list) != 3 {
		t.Fatalf("%d traces", len(list))
	}
	for _, tr := range list {
		whole := string(tr.Request) + string(tr.Answer)
		if strings.Contains(whole, key) || strings.Contains(whole, "4711") || !strings.Contains(whole, "What does Ann use") {
			t.Errorf("trace %s", whole)
		}
	}
}

func TestTraces_AreOptInAndChangeNoAnswer(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) // confidence decays with time
	answer := func(cfg *config.Config, traces int) (texts []string) {
		list := session(t, cfg, func(e *engine.Engine) {
			put(t, e, "My sister Ann works at Acme.")
			for _, explain := range []bool{false, true} {
				for _, s := range []retrieval.Strategy{retrieval.Auto, retrieval.Text, retrieval.BFS} {
					a, err := e.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: "n"}, Query: "Ann", Strategy: s,
						Limit: 3, Explain: explain})
					if err != nil {
						t.Fatal(err)
					}
					why := len(a.Episodes) > 0 && a.Episodes[0].Why != nil
					if why != explain {
						t.Errorf("explain %v: why is there: %v", explain, why)
					}
					text, err := json.Marshal(a.Episodes)
					if err != nil {
						t.Fatal(err)
					}
					texts = append(texts, string(text))
				}
			}
		}, engine.WithClock(func() time.Time { return noon }))
		if len(list) != traces {
			t.Errorf("%d traces, want %d", len(list), traces)
		}
		return texts
	}
	with, without := tracing(t), tracing(t)
	without.Traces.Enabled = false
	if diff := cmp.Diff(answer(without, 0), answer(with, 6)); diff != "" {
		t.Errorf("answers with traces differ (-without +with):\n%s", diff)
	}
}

func TestTraces_ExpireAlsoWhenTheyAreOffAgain(t *testing.T) {
	t.Parallel()
	cfg := tracing(t)
	session(t, cfg, func(e *engine.Engine) {
		put(t, e, "My sister Ann works at Acme.")
		ask(t, e, "Ann", retrieval.Auto)
	})
	later := time.Now().AddDate(0, 0, 8)
	cfg.Traces.Enabled = false
	e, err := engine.Start(cfg, slog.New(slog.DiscardHandler), engine.WithClock(func() time.Time { return later }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	st := openStore(t, e)
	waitfor.Until(t, "the expiry of the traces", func() bool {
		list, _, err := st.Traces(t.Context(), "n", 0, 1)
		return err == nil && len(list) == 0
	})
}
