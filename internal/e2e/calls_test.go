package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memory-graph/internal/waitfor"
)

// arguments are those of one tool call.
type arguments map[string]any

// answer is what these tests read of a tool's structured content, of both tools.
type answer struct {
	EpisodeID   string    `json:"episode_id"`
	Status      string    `json:"status"`
	Strategy    string    `json:"strategy"`
	Match       string    `json:"match"`
	Episodes    []episode `json:"episodes"`
	NextCursor  string    `json:"next_cursor"`
	MemoryState struct {
		Pending  int      `json:"pending"`
		Failed   int      `json:"failed"`
		Degraded []string `json:"degraded"`
	} `json:"memory_state"`
}

type episode struct {
	ID      string `json:"id"`
	Content string `json:"content"`
}

// has reports whether a turn is among those found.
func (a answer) has(id string) bool {
	return slices.ContainsFunc(a.Episodes, func(e episode) bool { return e.ID == id })
}

// toolError is a result with isError.
type toolError struct{ Code, Message, Hint string }

func (e *toolError) Error() string { return fmt.Sprintf("%s: %s (%s)", e.Code, e.Message, e.Hint) }

// read gives a tool's answer, or the *toolError that it is.
func (r reply) read() (answer, error) {
	if r.err != nil {
		return answer{}, r.err
	}
	var result struct {
		IsError           bool            `json:"isError"`
		StructuredContent json.RawMessage `json:"structuredContent"`
	}
	if err := json.Unmarshal(r.raw, &result); err != nil {
		return answer{}, fmt.Errorf("result %.200q: %w", r.raw, err)
	}
	if result.IsError {
		var body struct{ Error toolError }
		if err := json.Unmarshal(result.StructuredContent, &body); err != nil || body.Error.Code == "" {
			return answer{}, fmt.Errorf("isError without code: %.200q", r.raw)
		}
		return answer{}, &body.Error
	}
	var a answer
	if err := json.Unmarshal(result.StructuredContent, &a); err != nil {
		return answer{}, fmt.Errorf("content %.200q: %w", result.StructuredContent, err)
	}
	return a, nil
}

// begin calls a tool; the answer comes to the channel.
func (h *host) begin(to chan<- reply, tool string, args arguments) int {
	return h.request(to, "tools/call", map[string]any{"name": tool, "arguments": args})
}

func (h *host) call(tool string, args arguments) (answer, error) {
	raw, err := h.ask("tools/call", map[string]any{"name": tool, "arguments": args})
	return reply{raw: raw, err: err}.read()
}

// store expects a turn to be stored and gives its id.
func (h *host) store(args arguments) string {
	h.t.Helper()
	a, err := h.call("store_episode", args)
	if err != nil || a.Status != "stored" {
		h.t.Fatalf("store %.80v: %s, %v", args, a.Status, err)
	}
	return a.EpisodeID
}

// retrieve expects an answer.
func (h *host) retrieve(args arguments) answer {
	h.t.Helper()
	a, err := h.call("retrieve", args)
	if err != nil {
		h.t.Fatalf("retrieve %.80v: %v", args, err)
	}
	return a
}

// refuses expects the contract's error with one of the codes, worded for a caller.
func (h *host) refuses(tool string, args arguments, codes ...string) *toolError {
	h.t.Helper()
	a, err := h.call(tool, args)
	var refused *toolError
	if !errors.As(err, &refused) {
		h.t.Fatalf("%s %.80v: %+v, %v; want an error", tool, args, a, err)
	}
	if !slices.Contains(codes, refused.Code) || refused.Message == "" || refused.Hint == "" {
		h.t.Errorf("%s %.80v: %v; want code %v with message and hint", tool, args, refused, codes)
	}
	return refused
}

// eventually calls until it gets an answer.
func (h *host) eventually(tool string, args arguments) answer {
	h.t.Helper()
	var a answer
	var err error
	waitfor.Within(waitfor.Patience, func() bool {
		a, err = h.call(tool, args)
		return err == nil || errors.Is(err, errGone)
	})
	if err != nil {
		h.t.Fatalf("%s %.80v: %v", tool, args, err)
	}
	return a
}

// settled waits until all vectors are made. A holder that died keeps its jobs for 15 seconds.
func (h *host) settled() {
	h.t.Helper()
	var a answer
	if !waitfor.Within(waitfor.Patience, func() bool {
		a = h.retrieve(arguments{"limit": 1, "detail": "ids", "budget_tokens": 0})
		return a.MemoryState.Failed == 0 && a.MemoryState.Pending == 0 && len(a.MemoryState.Degraded) == 0
	}) {
		h.t.Fatalf("not settled: %+v", a.MemoryState)
	}
}

// all gives every turn, read through the pages of the newest, as id → content.
func (h *host) all() map[string]string {
	h.t.Helper()
	found := map[string]string{}
	args := arguments{"limit": 50, "detail": "full", "budget_tokens": 0}
	for {
		a := h.retrieve(args)
		for _, e := range a.Episodes {
			if _, twice := found[e.ID]; twice {
				h.t.Errorf("%s is on two pages", e.ID)
			}
			found[e.ID] = e.Content
		}
		if a.NextCursor == "" {
			return found
		}
		args["cursor"] = a.NextCursor
	}
}

// diagnosis is what these tests read of the doctor's report.
type diagnosis struct {
	OK       bool
	Findings []struct{ Severity, Message, Hint string }
	Places   struct{ Cache string }
	Database struct {
		State, Integrity  string
		Episodes, Vectors int
	}
}

// warnings gives the texts of the warnings.
func (d diagnosis) warnings() string {
	var all strings.Builder
	for _, f := range d.Findings {
		if f.Severity == "warning" {
			fmt.Fprintln(&all, f.Message, f.Hint)
		}
	}
	return all.String()
}

// doctor looks at a database.
func doctor(t testing.TB, db string, settings ...string) diagnosis {
	t.Helper()
	cmd := exec.Command(program, "doctor", "--json")
	cmd.Env = environment(filepath.Dir(db), append([]string{"MEMORY_GRAPH_DB=" + db}, settings...)...)
	out, err := cmd.Output() // exit code 1 where something is broken
	var d diagnosis
	if e := json.Unmarshal(out, &d); e != nil {
		t.Fatalf("doctor: %v, %v\n%s", err, e, out)
	}
	return d
}

// sound expects a whole database with so many turns, each with its vector.
func sound(t testing.TB, db string, episodes int, settings ...string) {
	t.Helper()
	d := doctor(t, db, settings...)
	if !d.OK || d.Database.Integrity != "sound" || d.Database.Episodes != episodes || d.Database.Vectors != episodes {
		t.Errorf("doctor: %+v; want a sound database of %d episodes and vectors", d, episodes)
	}
}
