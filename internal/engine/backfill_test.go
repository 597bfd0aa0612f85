package engine_test

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"memory-graph/episodes"
	"memory-graph/extraction/llm/llmtest"
	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
)

// command starts an engine as a command does, without background reading.
func command(t *testing.T, cfg *config.Config) *engine.Engine {
	t.Helper()
	e, err := engine.Start(cfg, slog.New(slog.DiscardHandler), engine.As(engine.Command))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

// before stores turns while no model is configured, and returns the settings with one.
func before(t *testing.T, s *llmtest.Server) *config.Config {
	t.Helper()
	with := withModel(t, s)
	with.Rules = true
	alone := *with
	alone.LLMBaseURL = ""
	e := command(t, &alone)
	for _, turn := range []string{"I work at Contoso.", "ok", "In the evening my cache of choice, Redis, hums along."} {
		if res := tell(t, e, "s", turn); res.Extraction != episodes.ExtractionDone {
			t.Errorf("%+v", res)
		}
	}
	if _, err := e.Backfill(t.Context(), engine.BackfillRequest{Namespace: "n",
		Model: true}); memory.AsError(err).Code != memory.InvalidArgument {
		t.Errorf("without a model: %v", err)
	}
	e.Close()
	return with
}

func TestBackfill_LetsTheModelReadWhatOnlyTheRulesHaveRead(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.OpenAI, town)
	e := command(t, before(t, s))
	request := engine.BackfillRequest{Namespace: "n"}
	if got, err := e.Backfill(t.Context(), request); err != nil || got != (engine.Backfilled{}) {
		t.Errorf("nobody asked for it: %+v, %v", got, err)
	}
	request.Model, request.DryRun = true, true
	if got, err := e.Backfill(t.Context(), request); err != nil || got != (engine.Backfilled{Found: 3}) || s.Calls() > 0 {
		t.Errorf("counting: %+v, %v, %d requests", got, err, s.Calls())
	}
	request.DryRun, request.Limit = false, 1
	if got, err := e.Backfill(t.Context(), request); err != nil || got.Turns != 1 || got.Again != 1 || s.Calls() != 1 {
		t.Errorf("one: %+v, %v, %d requests", got, err, s.Calls())
	}
	request.Limit = 0
	if got, err := e.Backfill(t.Context(), request); err != nil || got.Turns != 2 || s.Calls() != 2 {
		t.Errorf("the rest: %+v, %v, %d requests", got, err, s.Calls())
	}
	if got, err := e.Backfill(t.Context(), request); err != nil || got != (engine.Backfilled{}) || s.Calls() != 2 {
		t.Errorf("again: %+v, %v, %d requests", got, err, s.Calls())
	}
	want(t, e, "Ada uses Redis by model_stated 0.80", "Ada works_at Contoso by rule_and_model 0.95")
	if st := must(e.State(t.Context(), "n")); st.Pending+st.Failed > 0 {
		t.Errorf("%+v", st)
	}
}

func TestBackfill_OfWhatOnlyTheRulesHaveReadStopsWhereTheModelIsAway(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.OpenAI, town)
	s.Fail(llmtest.WrongKey)
	cfg := before(t, s)
	e := command(t, cfg)
	got, err := e.Backfill(t.Context(), engine.BackfillRequest{Namespace: "n", Model: true, Limit: 1})
	if err != nil || got.Turns != 0 || got.Waiting != 1 || got.Why == nil {
		t.Errorf("%+v, %v", got, err)
	}
	e.Close()
	s.Fail(llmtest.None)
	// The failed turn is deferred, and a process that starts reads it at once.
	server := startPolling(t, cfg)
	idle(t, server)
	want(t, server, "Ada works_at Contoso by rule_and_model 0.95")
}

func TestBackfill_SaysThatNothingCanRead(t *testing.T) {
	t.Parallel()
	cfg := quarantining(t)
	cfg.Rules = false
	e := command(t, cfg)
	if res := tell(t, e, "s", "I work at Contoso."); res.Extraction != episodes.ExtractionDisabled {
		t.Errorf("%+v", res)
	}
	if _, err := e.Backfill(t.Context(),
		engine.BackfillRequest{Namespace: "n"}); memory.AsError(err).Code != memory.InvalidArgument {
		t.Errorf("%v", err)
	}
	e.Close()
	cfg.Rules = true
	later := command(t, cfg)
	if got, err := later.Backfill(t.Context(), engine.BackfillRequest{Namespace: "n"}); err != nil || got.Turns != 1 ||
		got.Facts != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestBackfill_WithoutTheHostsModelLeavesItsQueueOpen(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.OpenAI, town)
	s.Fail(llmtest.WrongKey)
	cfg := withModel(t, s)
	cfg.Rules = true
	host := command(t, cfg)
	if res := tell(t, host, "s",
		"I work at Contoso. In the evening my cache of choice, Redis, hums along."); res.Extraction != episodes.ExtractionQueued {
		t.Errorf("%+v", res)
	}
	host.Close()
	alone := *cfg
	alone.LLMBaseURL = ""
	shell := command(t, &alone)
	for range 2 {
		got, err := shell.Backfill(t.Context(), engine.BackfillRequest{Namespace: "n"})
		if err != nil || got != (engine.Backfilled{Found: 1, NoModel: 1}) {
			t.Errorf("%+v, %v", got, err)
		}
		if st := must(shell.State(t.Context(), "n")); st.Pending != 1 {
			t.Errorf("%+v", st)
		}
	}
	shell.Close()
	s.Fail(llmtest.None)
	server := startPolling(t, cfg)
	idle(t, server)
	want(t, server, "Ada uses Redis by model_stated 0.80", "Ada works_at Contoso by rule_and_model 0.95")
}

// The rules read a turn that a host without rules has queued, and the turn still waits for the model.
func TestBackfill_ReadsWithTheRulesWhatWaitsForAModel(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.OpenAI, town)
	cfg := withModel(t, s)
	host := command(t, cfg)
	tell(t, host, "s", "I work at Contoso.")
	host.Close()
	alone := *cfg
	alone.LLMBaseURL, alone.Rules = "", true
	shell := command(t, &alone)
	if got, err := shell.Backfill(t.Context(), engine.BackfillRequest{Namespace: "n"}); err != nil ||
		got != (engine.Backfilled{Found: 1, Turns: 1, Facts: 1, NoModel: 1}) {
		t.Errorf("%+v, %v", got, err)
	}
	if st := must(shell.State(t.Context(), "n")); st.Pending != 1 {
		t.Errorf("%+v", st)
	}
}

func TestBackfill_WaitsForWhatAKilledProcessHeld(t *testing.T) {
	t.Parallel()
	cfg := quarantining(t)
	must(command(t, cfg).Store(t.Context())) // compile SQLite outside the synctest bubble
	synctest.Test(t, func(t *testing.T) {
		silent := *cfg
		silent.Enabled = false
		e := command(t, &silent)
		first := tell(t, e, "s", "I work at Contoso.").EpisodeID.Num
		second := tell(t, e, "s", "I live in Bergen.").EpisodeID.Num
		e.Close()
		e = command(t, cfg)
		db := must(e.Store(t.Context()))
		const lease = 15 * time.Second
		if _, ok, err := db.ClaimTurn(t.Context(), "n", first, "killed", lease); !ok || err != nil {
			t.Fatal(ok, err)
		}
		alive, ok, err := db.ClaimTurn(t.Context(), "n", second, "alive", lease)
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		ctx, stop := context.WithCancel(t.Context())
		renewing := make(chan struct{})
		go func() {
			defer close(renewing)
			for ctx.Err() == nil {
				_, _ = db.RenewJobs(ctx, "alive", []int64{alive.ID}, lease)
				time.Sleep(lease / 10)
			}
		}()
		got, err := e.Backfill(t.Context(), engine.BackfillRequest{Namespace: "n"})
		if err != nil || got.Turns != 1 || got.Facts != 1 || got.Elsewhere != 1 || got.Until.IsZero() {
			t.Errorf("%+v, %v", got, err)
		}
		stop()
		<-renewing
	})
}
