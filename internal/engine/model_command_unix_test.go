//go:build unix

package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/waitfor"
	"memory-graph/store"
)

// refusing answers questions about any number of turns with nothing, and fails if the prompt names Poison.
const refusing = `#!/bin/sh
prompt=$(cat)
case "$prompt" in *Poison*) echo refused >&2; exit 1;; esac
n=$(echo "$prompt" | grep -c '^<<[0-9a-f]* turn ')
echo "$n" >> "$0.sizes"
turns=
for i in $(seq "$n"); do turns="$turns${turns:+,}{\"turn\":$i,\"entities\":[],\"relations\":[]}"; done
echo "{\"turns\":[$turns]}"
`

// A command that has answered nothing yet fails at the oldest turn: the others are read all the same, and that turn
// stays pending.
func TestExtraction_ATurnThatACommandRefusesHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	cfg := settings(t)
	cfg.Embedder, cfg.Rules, cfg.Heartbeat.Enabled, cfg.LLMConcurrency = "none", false, false, 1
	file := filepath.Join(t.TempDir(), "ask")
	if err := os.WriteFile(file, []byte(refusing), 0o700); err != nil {
		t.Fatal(err)
	}
	cfg.LLMCommand, cfg.Env, cfg.LLMCommandGather = "sh '"+file+"'", os.Environ(), 0
	var c stillClock
	writer := startPolling(t, cfg, engine.WithClock(c.now), engine.As(engine.Writer))
	var ids []int64
	for _, text := range []string{"Poison runs on port 7000 these days.", "Atlas runs on port 8000 these days.",
		"Bravo runs on port 9000 these days."} {
		res, err := writer.StoreEpisode(t.Context(), store.NewEpisode{Episode: memory.Episode{
			Scope: memory.Scope{Namespace: "n", SessionID: text[:5]}, Content: text, Role: memory.RoleUser}})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, res.EpisodeID.Num)
	}
	e := startPolling(t, cfg, engine.WithClock(c.now))
	st := openStore(t, e)
	statuses := func() (out [3]string) {
		list, err := st.Episodes(t.Context(), "n", ids)
		if err != nil {
			t.Fatal(err)
		}
		for i, id := range ids {
			for _, turn := range list {
				if turn.ID == id {
					out[i] = turn.Status
				}
			}
		}
		return out
	}
	waitfor.Until(t, "the others are read", func() bool {
		c.advance(200 * time.Millisecond)
		s := statuses()
		return s[1] == memory.StatusDone && s[2] == memory.StatusDone
	})
	if s := statuses(); s[0] != memory.StatusPending {
		t.Errorf("the refused turn is %s", s[0])
	}
	waitfor.Until(t, "the refused turn says why it waits", func() bool {
		jobs, err := st.FailedJobs(t.Context(), store.JobFilter{Namespace: "n"}, 10)
		return err == nil && len(jobs) == 1 && jobs[0].Attempts <= 1
	})
}

// Every run of a command costs its own prompt, so a turn waits a while for others, unless there are enough.
func TestExtraction_ACommandIsRunForSeveralTurns(t *testing.T) {
	t.Parallel()
	cfg := settings(t)
	cfg.Embedder, cfg.Rules, cfg.Heartbeat.Enabled, cfg.LLMConcurrency = "none", false, false, 1
	file := filepath.Join(t.TempDir(), "ask")
	if err := os.WriteFile(file, []byte(refusing), 0o700); err != nil {
		t.Fatal(err)
	}
	cfg.LLMCommand, cfg.Env, cfg.LLMCommandGather = "sh '"+file+"'", os.Environ(), 20*time.Second
	var c stillClock
	e := startPolling(t, cfg, engine.WithClock(c.now))
	say := func(n int) {
		t.Helper()
		for i := range n {
			if _, err := e.StoreEpisode(t.Context(), store.NewEpisode{Episode: memory.Episode{Role: memory.RoleUser,
				Scope:   memory.Scope{Namespace: "n", SessionID: "s"},
				Content: fmt.Sprintf("Atlas runs on port %d these days.", 8000+100*n+i)}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	sizes := func(want string) {
		t.Helper()
		waitfor.Until(t, "questions of "+want+" turns", func() bool {
			b, _ := os.ReadFile(file + ".sizes")
			return strings.Join(strings.Fields(string(b)), " ") == want && settled(t, e)
		})
	}
	say(8)
	sizes("8")
	say(3)
	for range 3 { // the polls of the queue until then find nothing to take
		c.advance(6 * time.Second)
		if state, err := e.State(t.Context(), "n"); err != nil || state.Pending != 3 {
			t.Errorf("%+v, %v: the turns do not wait", state, err)
		}
	}
	c.advance(3 * time.Second)
	sizes("8 3")
}

// A prompt that is larger than the rest of the day's tokens waits, but smaller ones do not.
func TestExtraction_APromptBeyondTheBudgetHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	cfg := settings(t)
	cfg.Embedder, cfg.Rules, cfg.Heartbeat.Enabled, cfg.LLMConcurrency = "none", false, false, 1
	file := filepath.Join(t.TempDir(), "ask")
	if err := os.WriteFile(file, []byte(refusing), 0o700); err != nil {
		t.Fatal(err)
	}
	cfg.LLMCommand, cfg.Env, cfg.LLMCommandGather = "sh '"+file+"'", os.Environ(), 0
	cfg.LLMDailyTokens, cfg.ExtractBytes = 20000, 1<<20
	var c stillClock
	writer := startPolling(t, cfg, engine.WithClock(c.now), engine.As(engine.Writer))
	say := func(w *engine.Engine, text string) int64 {
		t.Helper()
		res, err := w.StoreEpisode(t.Context(), store.NewEpisode{Episode: memory.Episode{
			Scope: memory.Scope{Namespace: "n", SessionID: "s"}, Content: text, Role: memory.RoleUser}})
		if err != nil {
			t.Fatal(err)
		}
		return res.EpisodeID.Num
	}
	long := strings.Repeat("The port of the Atlas service is written down in the wiki of the team. ", 1500)
	ids := []int64{say(writer, "Bravo runs on port 9000 these days."), say(writer, long),
		say(writer, "Atlas runs on port 8000 these days.")}
	e := startPolling(t, cfg, engine.WithClock(c.now))
	st := openStore(t, e)
	status := func(id int64) string {
		list, err := st.Episodes(t.Context(), "n", []int64{id})
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		return list[0].Status
	}
	waitfor.Until(t, "the others are read", func() bool {
		c.advance(200 * time.Millisecond)
		return status(ids[0]) == memory.StatusDone && status(ids[2]) == memory.StatusDone
	})
	waitfor.Until(t, "the long turn says why it waits", func() bool {
		jobs, err := st.FailedJobs(t.Context(), store.JobFilter{Namespace: "n"}, 10)
		return err == nil && len(jobs) == 1 && jobs[0].Attempts == 0 && status(ids[1]) == memory.StatusPending &&
			strings.Contains(jobs[0].LastError, "tokens") && strings.Contains(jobs[0].LastError, "llm_daily_tokens (20000)")
	})
	if state, err := e.State(t.Context(), "n"); err != nil || len(state.Degraded) > 0 {
		t.Errorf("%+v, %v", state, err)
	}
	later := say(e, "Delta runs on port 7000 these days.")
	waitfor.Until(t, "a turn that comes later is read", func() bool {
		c.advance(200 * time.Millisecond)
		return status(later) == memory.StatusDone
	})
}
