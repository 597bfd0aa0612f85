//go:build unix

package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memory-graph/internal/waitfor"
)

// reads answers a question about one turn like a model.
const reads = `cat > /dev/null
cat << 'END'
{"turns":[{"turn":1,"entities":[{"id":1,"name":"Contoso","type":"organization","description":null}],
"relations":[{"quote":"I work at Contoso","head":0,"relation":"works_at","tail":1,"edge_class":"semantic",
"basis":"stated","confidence":0.95,"ended":false,"valid_from":null,"valid_until":null}]}]}
END
`

// llmCommand writes a shell script that plays a command. Each run adds a line to runs.
func llmCommand(t *testing.T, file, does string) (runs string) {
	t.Helper()
	runs = file + ".runs"
	if err := os.WriteFile(file, []byte("#!/bin/sh\necho run >> '"+runs+"'\n"+does), 0o700); err != nil {
		t.Fatal(err)
	}
	return runs
}

// withCommand are the settings of a server whose command alone finds facts.
func withCommand(file string, more ...string) []string {
	return append([]string{"PATH=" + os.Getenv("PATH"), "MEMORY_GRAPH_EMBEDDER=none", "MEMORY_GRAPH_RULES=false",
		"MEMORY_GRAPH_TOOLSETS=all", "MEMORY_GRAPH_LLM_COMMAND_GATHER=0s",
		"MEMORY_GRAPH_LLM_COMMAND='" + file + "' --quiet"}, more...)
}

func lines(file string) int {
	b, _ := os.ReadFile(file)
	return strings.Count(string(b), "\n")
}

// extractJob returns what status says about the queue of extraction.
func (h *host) extractJob() (pending, failed int, why string) {
	h.t.Helper()
	raw, err := h.ask("tools/call", map[string]any{"name": "status", "arguments": arguments{}})
	if err != nil {
		h.t.Fatal(err)
	}
	var a struct {
		StructuredContent struct {
			Jobs []struct {
				Kind            string
				Pending, Failed int
				LastError       string `json:"last_error"`
			}
		}
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		h.t.Fatal(err)
	}
	for _, j := range a.StructuredContent.Jobs {
		if j.Kind == "extract" {
			pending, failed, why = j.Pending, j.Failed, j.LastError
		}
	}
	return pending, failed, why
}

// A command that gives no answer: the turn stays pending with the reason in status, the command is not run in a loop,
// and a command that works then reads the turn, once.
func TestLLMCommand_ThatGivesNoAnswerLosesNothing(t *testing.T) {
	t.Parallel()
	const said = "Since the spring I work at Contoso, in the mornings."
	for name, row := range map[string]struct{ does, why string }{
		"hangs":         {"sleep 1000 & sleep 1000\n", "did not answer in time and was killed"},
		"garbage":       {"head -c 3000 /dev/urandom\n", "did not answer in the requested form"},
		"chats":         {"echo 'Hello! How can I help?'\n", "it has no JSON object"},
		"exits 1":       {"echo 'Please run /login' >&2\nexit 1\n", "ended with code 1: Please run /login"},
		"prints 5 MB":   {"head -c 5000000 /dev/zero | tr '\\0' '{'\n", "printed more than 4 MiB and was killed"},
		"starts a hook": {hooksOfOurs, "it has no JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := newDB(t)
			file := filepath.Join(t.TempDir(), "ask")
			runs := llmCommand(t, file, row.does)
			limit := "90s"
			if name == "hangs" {
				limit = "1s" // the others must not be killed on a busy machine
			}
			settings := withCommand(file, "MEMORY_GRAPH_LLM_COMMAND_TIMEOUT="+limit)
			h := start(t, db, append(settings, "PROGRAM="+program, "SEEN="+file)...)
			h.initialize()
			h.store(arguments{"content": said, "user": "Ada", "idempotency_key": "k"})
			var why string
			waitfor.Until(t, "the reason is in status", func() bool { _, _, why = h.extractJob(); return why != "" })
			if !strings.Contains(why, row.why) || !strings.Contains(why, "llm_command ask ") {
				t.Errorf("status says %q, want %q", why, row.why)
			}
			if full || name == "chats" { // it takes twenty seconds
				waitfor.Until(t, "the command is paused", func() bool {
					a := h.retrieve(arguments{"limit": 1, "detail": "ids", "budget_tokens": 0})
					return strings.Contains(fmt.Sprint(a.MemoryState.Degraded), "model_unavailable")
				})
				if n := lines(runs); n < 3 || n > 4 {
					t.Errorf("the command ran %d times before it was paused, want 3", n)
				}
			}
			if pending, failed, _ := h.extractJob(); pending != 1 || failed != 0 {
				t.Errorf("%d turns pending, %d failed; want one pending", pending, failed)
			}
			if n := peek(t, db, `SELECT count(*) FROM mg_episodes WHERE status = 'pending'`); n != 1 {
				t.Errorf("%d turns wait, want the one that was stored", n)
			}
			h.stop()
			if name == "starts a hook" {
				b, err := os.ReadFile(file + ".seen")
				const want = "hook 0 \nserve 1 \nhook elsewhere 0 \nserve elsewhere 1 \n"
				if err != nil || !strings.HasPrefix(string(b), want) {
					t.Errorf("inside the command:\n%s\nwant\n%s%v", b, want, err)
				}
				if n := peek(t, db, `SELECT count(*) FROM mg_episodes`); n != 1 {
					t.Errorf("%d turns are stored, want 1", n)
				}
			}
			llmCommand(t, file, reads)
			next := start(t, db, settings...)
			next.initialize()
			next.settled()
			next.stop()
			readOnce(t, db)
		})
	}
}

// hooksOfOurs starts a hook and a server as the program of a model could, with the environment that it got, and without
// it. It notes their exit codes and what they print on stdout.
const hooksOfOurs = `cat > /dev/null
payload='{"session_id":"s","cwd":"/","prompt":"I work at Fabrikam and live in Oslo."}'
note() { printf '%s %s %s\n' "$1" "$2" "$3" >> "$SEEN.seen"; }
out=$(echo "$payload" | "$PROGRAM" hook claude-code UserPromptSubmit 2>/dev/null); note hook $? "$out"
out=$("$PROGRAM" serve 2>/dev/null < /dev/null); note serve $? "$out"
bare="env -i HOME=$HOME PATH=$PATH"
out=$(echo "$payload" | $bare "$PROGRAM" hook claude-code UserPromptSubmit 2>/dev/null); note 'hook elsewhere' $? "$out"
out=$($bare "$PROGRAM" serve 2>/dev/null < /dev/null); note 'serve elsewhere' $? "$out"
"$PROGRAM" backfill > /dev/null 2>&1
echo Hello
`

// What is counted holds over a restart and for two servers: the turns beyond the budget wait for the next day.
func TestLLMCommand_DailyBudgetIsSharedAndSurvivesARestart(t *testing.T) {
	t.Parallel()
	if now := time.Now().UTC(); now.Add(patience).Day() != now.Day() {
		t.Skip("the day is nearly over")
	}
	db := newDB(t)
	file := filepath.Join(t.TempDir(), "ask")
	runs := llmCommand(t, file, reads)
	settings := withCommand(file, "MEMORY_GRAPH_LLM_DAILY_CALLS=2")
	spent := func(h *host) {
		t.Helper()
		waitfor.Until(t, "the budget is spent", func() bool {
			_, _, why := h.extractJob()
			return strings.Contains(why, "budget")
		})
	}
	one, two := start(t, db, settings...), start(t, db, settings...)
	for i, h := range []*host{one, two} {
		h.initialize()
		h.store(arguments{"content": fmt.Sprintf("I work at Contoso, in room %d.", i), "user": "Ada"})
		h.settled()
	}
	one.store(arguments{"content": "I work at Contoso, as you know by now.", "user": "Ada"})
	spent(one)
	a := one.retrieve(arguments{"limit": 1, "detail": "ids", "budget_tokens": 0})
	if got := fmt.Sprint(a.MemoryState.Degraded); !strings.Contains(got, "model_budget_spent") {
		t.Errorf("degraded %s", got)
	}
	one.stop()
	two.stop()
	again := start(t, db, settings...)
	again.initialize()
	again.store(arguments{"content": "I work at Contoso, and that is all.", "user": "Ada"})
	spent(again)
	if pending, failed, why := again.extractJob(); pending != 2 || failed != 0 ||
		!strings.Contains(why, "2 requests") {
		t.Errorf("%d turns pending, %d failed, since %q", pending, failed, why)
	}
	again.stop()
	if n := lines(runs); n != 2 {
		t.Errorf("the command ran %d times, want 2", n)
	}
	if n := peek(t, db, `SELECT sum(calls) FROM mg_model_usage WHERE endpoint = 'command:ask'`); n != 2 {
		t.Errorf("%d calls are counted, want 2", n)
	}
	more := start(t, db, withCommand(file, "MEMORY_GRAPH_LLM_DAILY_CALLS=10")...)
	more.initialize()
	more.settled()
	more.stop()
}

// A file that a project brings along names no command.
func TestLLMCommand_IsNotTakenFromAProject(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "ask")
	runs := llmCommand(t, file, reads)
	project := filepath.Join(dir, "memory-graph.toml")
	if err := os.WriteFile(project, fmt.Appendf(nil, "[memory.graph]\nllm_command = %q\n", file), 0o600); err != nil {
		t.Fatal(err)
	}
	db := newDB(t)
	h := start(t, db, "MEMORY_GRAPH_CONFIG="+project, "MEMORY_GRAPH_EMBEDDER=none")
	h.initialize()
	h.store(arguments{"content": "I work at Contoso, in the mornings.", "user": "Ada"})
	h.settled()
	h.stop()
	if !strings.Contains(h.stderr.String(), "llm_command in "+project+" is ignored") {
		t.Errorf("no warning: %s", h.stderr.String())
	}
	cmd := exec.Command(program, "backfill", "--model", "--config", project, "--db", db)
	cmd.Env = environment(dir)
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "No language model is configured") {
		t.Errorf("backfill: %s, %v", out, err)
	}
	if n := lines(runs); n != 0 {
		t.Errorf("the command ran %d times", n)
	}
}
