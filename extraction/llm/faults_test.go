package llm_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/extraction"
	"memory-graph/extraction/llm"
	"memory-graph/extraction/llm/llmtest"
	"memory-graph/internal/memory"
	"memory-graph/internal/waitfor"
)

var update = flag.Bool("update", false, "renew testdata/faults.txt")

// contoso is the endpoint's answer for the turns below.
var contoso = llmtest.Script(map[string][]llmtest.Fact{
	"Contoso": {{Relation: "works_at", Tail: "Contoso", TailType: "organization", Quote: "I work at Contoso",
		ValidFrom: "2024-03"}},
	"Redis": {{Relation: "uses", Tail: "Redis", TailType: "tool", Quote: "we use Redis"}},
})

var said = time.Date(2026, 3, 18, 9, 30, 0, 0, time.UTC)

var turns = []extraction.Input{
	{Role: memory.RoleUser, Self: "Ada", Text: "Since March 2024 I work at Contoso.", OccurredAt: said},
	{Role: memory.RoleUser, Self: "Ada", Text: "For the cache we use Redis, as ever.", OccurredAt: said},
}

// clock is a clock that a test advances.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func newExtractor(t *testing.T, s *llmtest.Server, change func(*llm.Options)) *llm.Extractor {
	t.Helper()
	return llm.NewExtractor(newClient(t, s, change), llm.Limits{})
}

// outcome describes the results of the turns, once if they are equal.
func outcome(results []llm.Result) string {
	var parts []string
	for _, r := range results {
		parts = append(parts, became(r))
	}
	return strings.Join(slices.Compact(parts), "; ")
}

// became describes the result of a turn: its facts, the dropped parts, or the kind of error.
func became(r llm.Result) string {
	var e *llm.Error
	if errors.As(r.Err, &e) {
		return string(e.Kind)
	}
	if r.Err != nil {
		return r.Err.Error()
	}
	words := []string{"no facts"}
	if n := len(r.Found.Relations); n == 1 {
		words[0] = r.Found.Relations[0].Tail
	} else if n > 1 {
		words[0] = fmt.Sprintf("%d facts", n)
	}
	for _, why := range slices.Sorted(maps.Keys(r.Found.Dropped)) {
		words = append(words, fmt.Sprintf("−%d %s", r.Found.Dropped[why], why))
	}
	return strings.Join(words, " ")
}

// The table records how this package handles every fault of every kind of endpoint. A changed table is a changed
// behaviour.
func TestExtract_FaultsAndProfiles(t *testing.T) {
	t.Parallel()
	type row struct {
		fault   llmtest.Fault
		profile llmtest.Profile
	}
	var rows []row
	for _, f := range llmtest.Faults {
		for _, p := range llmtest.Profiles {
			rows = append(rows, row{f, p})
		}
	}
	lines := make([]string, len(rows))
	t.Cleanup(func() { compareTable(t, lines) }) // after all subtests
	for i, r := range rows {
		t.Run(string(r.fault)+" "+string(r.profile), func(t *testing.T) {
			t.Parallel()
			lines[i] = meet(t, r.fault, r.profile)
		})
	}
}

// compareTable compares the table with the committed one.
func compareTable(t *testing.T, lines []string) {
	t.Helper()
	if slices.Contains(lines, "") {
		return // only some of the subtests ran
	}
	header := "# Two turns in one question, by fault and kind of endpoint. The columns are: the outcome (of each turn " +
		"if they\n" +
		"# differ), the requests by form, the pause of the endpoint, and, after the fault has ended, the outcome and the\n" +
		"# form of a question about one turn. Forms: S json_schema strict, L json_schema, O json_object, T text.\n" +
		"# Renew with: go test ./extraction/llm -run TestExtract_FaultsAndProfiles -update\n" +
		fmt.Sprintf("%-26s %-17s %-76s %-13s %-6s %s\n", "# fault", "endpoint", "outcome", "requests", "pause", "afterwards")
	got := header + strings.Join(lines, "\n") + "\n"
	file := filepath.Join("testdata", "faults.txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// meet runs a new extractor with a fault, and then without it.
func meet(t *testing.T, f llmtest.Fault, p llmtest.Profile) string {
	s := llmtest.New(t, p, contoso)
	s.Fail(f)
	c := &clock{at: said}
	client := newClient(t, s, func(o *llm.Options) {
		o.Now = c.now
		if f == llmtest.Hang {
			o.After = onceAsked(s)
		}
	})
	x := llm.NewExtractor(client, llm.Limits{})
	name := string(f)
	if f == llmtest.None {
		name = "none"
	}
	results := x.Extract(context.Background(), turns)
	first := s.Questions()
	for _, r := range results {
		checkGrounded(t, r)
	}
	pause := "-"
	var e *llm.Error
	if err := x.Available(); errors.As(err, &e) {
		pause = e.RetryAfter.String()
	}
	s.Fail(llmtest.None)
	c.at = c.at.Add(llm.MaxPause)
	after := x.Extract(context.Background(), turns[:1])
	second := s.Questions()[len(first):]
	return fmt.Sprintf("%-26s %-17s %-76s %-13s %-6s %s %s", name, p, outcome(results), forms(first), pause,
		outcome(after), forms(second))
}

// onceAsked returns timers of which the first ends when the server has the first question. The others never end.
func onceAsked(s *llmtest.Server) func(time.Duration) <-chan time.Time {
	var once sync.Once
	return func(time.Duration) <-chan time.Time {
		over := make(chan time.Time)
		once.Do(func() {
			go func() {
				waitfor.Within(waitfor.Patience, func() bool { return s.Calls() > 0 })
				close(over)
			}()
		})
		return over
	}
}

// forms returns the forms of questions, one letter each.
func forms(questions []llmtest.Request) string {
	letters := map[string]string{"json_schema strict": "S", "json_schema": "L", "json_object": "O", "text": "T"}
	var b strings.Builder
	for _, q := range questions {
		b.WriteString(letters[q.Format])
	}
	return b.String()
}

// checkGrounded checks the invariants of every result: it is not partial, and contains only what the turn says.
func checkGrounded(t *testing.T, r llm.Result) {
	t.Helper()
	if r.Err != nil {
		if diff := cmp.Diff(memory.Findings{}, r.Found); diff != "" {
			t.Errorf("found something beside an error:\n%s", diff)
		}
		return
	}
	for _, d := range r.Found.Relations {
		text := ""
		for _, turn := range turns {
			if strings.Contains(turn.Text, d.Quote) {
				text = turn.Text
			}
		}
		if text == "" || !strings.Contains(text, d.Tail) || d.Head != "Ada" {
			t.Errorf("%s %s %s (%q) is not said", d.Head, d.Relation, d.Tail, d.Quote)
		}
	}
}
