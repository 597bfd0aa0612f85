package llm_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"memory-graph/extraction"
	"memory-graph/extraction/llm"
	"memory-graph/extraction/llm/llmtest"
	"memory-graph/internal/memory"
	"memory-graph/internal/waitfor"
)

// TestMain lets this test binary play a command: -play FILE does what the file says.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "-play" {
		os.Exit(play(os.Args[2]))
	}
	goleak.VerifyTestMain(m)
}

// play plays a command. It adds a line with the number of turns of the question to a file beside its own.
func play(file string) int {
	what, err := os.ReadFile(file)
	if err != nil {
		return 9
	}
	prompt, err := io.ReadAll(os.Stdin)
	if err != nil {
		return 9
	}
	q := llmtest.Request{User: string(prompt)}
	log, err := os.OpenFile(file+".log", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 9
	}
	fmt.Fprintln(log, len(q.Turns()))
	_ = log.Close()
	facts := map[string][]llmtest.Fact{}
	for i := range 30 {
		name := fmt.Sprintf("Widget%02d", i)
		facts[name] = []llmtest.Fact{{Relation: "uses", Tail: name, Quote: "I use " + name}}
	}
	answer, _ := llmtest.Script(facts)(q)
	switch how, of, _ := strings.Cut(string(what), " "); {
	case how == "answer", how == "refuse" && !strings.Contains(string(prompt), "I use "+of):
		fmt.Printf("Here is the JSON:\n```json\n%s\n```\n", answer)
	case how == "refuse", how == "exit":
		fmt.Fprintln(os.Stderr, "no credit left; key sk-ant-api03-"+strings.Repeat("a1B2", 20))
		return 1
	case how == "garbage":
		fmt.Print("Hello! How can I help you today?")
	case how == "echo":
		fmt.Print(string(prompt))
	case how == "other":
		fmt.Print(`{"error": "not logged in"}`)
	case how == "much":
		fmt.Print(strings.Repeat("{} ", 2_000_000))
	case how == "args":
		fmt.Fprintln(os.Stderr, strings.Join(os.Args[3:], " "))
		return 1
	case how == "nothing":
	case how == "hang":
		<-time.After(time.Hour)
	}
	return 0
}

// player is a command that does what a test says.
type player struct {
	t    *testing.T
	file string
}

func newPlayer(t *testing.T, what string) *player {
	p := &player{t, filepath.Join(t.TempDir(), "what")}
	p.do(what)
	return p
}

func (p *player) do(what string) {
	p.t.Helper()
	if err := os.WriteFile(p.file, []byte(what), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// sizes returns the number of turns in each question since the last call.
func (p *player) sizes() string {
	b, _ := os.ReadFile(p.file + ".log")
	_ = os.Remove(p.file + ".log")
	return strings.Join(strings.Fields(string(b)), " ")
}

// begun is a timer that expires when the next run of the command has begun.
func (p *player) begun(time.Duration) <-chan time.Time {
	read := func() string { b, _ := os.ReadFile(p.file + ".log"); return string(b) }
	before, over := read(), make(chan time.Time)
	go func() {
		waitfor.Within(waitfor.Patience, func() bool { return read() != before })
		close(over)
	}()
	return over
}

func (p *player) client(change func(*llm.Options)) *llm.Client {
	p.t.Helper()
	o := llm.Options{Command: []string{os.Args[0], "-play", p.file}, Env: os.Environ(), Timeout: time.Minute}
	if change != nil {
		change(&o)
	}
	c, err := llm.New(o)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(c.Close)
	return c
}

func widgets(n int) []extraction.Input {
	turns, _ := many(n, 20)
	return turns
}

func TestCommand_IsAskedLikeAnEndpoint(t *testing.T) {
	t.Parallel()
	p := newPlayer(t, "answer")
	results := llm.NewExtractor(p.client(nil), llm.Limits{}).Extract(context.Background(), widgets(10))
	if got := p.sizes(); got != "8 2" {
		t.Errorf("questions of %s turns, want 8 and 2", got)
	}
	var usage llm.Usage
	for i, r := range results {
		usage.Add(r.Usage)
		if r.Err != nil || len(r.Found.Relations) != 1 || r.Found.Relations[0].Tail != fmt.Sprintf("Widget%02d", i) {
			t.Errorf("turn %d: %+v", i, r)
		}
	}
	if usage.Calls != 2 || usage.PromptTokens < 2000 || usage.CompletionTokens < 200 {
		t.Errorf("usage %+v", usage)
	}
}

func TestCommand_WithoutAnAnswerFailsAsAWhole(t *testing.T) {
	t.Parallel()
	for what, row := range map[string]struct{ kind, says string }{
		"exit":    {"no_answer", "ended with code 1: no credit left"},
		"garbage": {"no_answer", "did not answer in the requested form: it has no JSON object"},
		"echo":    {"no_answer", "did not answer in the requested form"},
		"other":   {"no_answer", "did not answer in the requested form"},
		"much":    {"no_answer", "printed more than 4 MiB and was killed"},
		"nothing": {"no_answer", "printed nothing"},
		"hang":    {"timeout", "did not answer in time and was killed"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			p := newPlayer(t, what)
			var change func(*llm.Options)
			if what == "hang" {
				change = func(o *llm.Options) {
					o.After = p.begun
				}
			}
			c := p.client(change)
			x := llm.NewExtractor(c, llm.Limits{})
			for round := range 3 {
				for i, r := range x.Extract(context.Background(), widgets(3)) {
					e := asKind(t, r.Err, llm.Kind(row.kind))
					if !strings.Contains(e.Error(), row.says) || strings.Contains(e.Error(), "-play") {
						t.Errorf("round %d, turn %d: %v, want %q", round, i, e, row.says)
					}
					if strings.Contains(e.Error(), "a1B2a1B2") {
						t.Errorf("the error repeats a key: %v", e)
					}
					if !e.OfEndpoint() || e.Blames() {
						t.Errorf("round %d, turn %d: the turn is to blame", round, i)
					}
				}
			}
			wantKind(t, c.Available(), llm.Paused)
			if got := p.sizes(); got != "3 1 1" {
				t.Errorf("questions of %s turns; after a failure it should be asked about one turn at a time", got)
			}
		})
	}
}

// A turn that the command cannot answer must not wait for ever at the cost of the others: a failure directly after an
// answer counts as an attempt.
func TestCommand_ATurnIsToBlameIfOthersAreAnswered(t *testing.T) {
	t.Parallel()
	p := newPlayer(t, "refuse Widget01")
	x := llm.NewExtractor(p.client(nil), llm.Limits{})
	turns := widgets(2)
	for round, want := range []struct{ failed, blamed bool }{{false, false}, {true, true}, {true, false}, {false, false},
		{true, true}} {
		i := 0
		if want.failed {
			i = 1
		}
		r := x.Extract(context.Background(), turns[i:i+1])[0]
		var e *llm.Error
		if errors.As(r.Err, &e) != want.failed || want.failed && e.Blames() != want.blamed {
			t.Errorf("round %d: %v, want %+v", round, r.Err, want)
		}
	}
}

func TestCommand_MissingProgramIsNotTriedAgainAndAgain(t *testing.T) {
	t.Parallel()
	c, err := llm.New(llm.Options{Command: []string{"no-such-program-here", "--key", "hunter2"}})
	if err != nil {
		t.Fatal(err)
	}
	e := asKind(t, ask(t, c), llm.Misconfigured)
	if strings.Contains(e.Error(), "hunter2") || !strings.Contains(e.Error(), "llm_command no-such-program-here") {
		t.Errorf("error %v", e)
	}
	wantKind(t, c.Available(), llm.Paused)
	if _, err := c.Reach(context.Background(), time.Second); err == nil {
		t.Error("doctor would find the program")
	}
	if memory.AsError(e).Hint == "" {
		t.Error("no hint")
	}
}

func TestCommand_OfAKnownProgramHasNoToolsServersAndHooks(t *testing.T) {
	t.Parallel()
	p := newPlayer(t, "args")
	claude := filepath.Join(t.TempDir(), "claude")
	if runtime.GOOS == "windows" {
		claude += ".exe"
	}
	if err := os.Link(os.Args[0], claude); err != nil {
		t.Skip("the test binary cannot be linked:", err)
	}
	c := p.client(func(o *llm.Options) { o.Command[0] = claude })
	e := asKind(t, ask(t, c), llm.NoAnswer)
	for _, flag := range []string{"llm_command claude", "--tools", "--strict-mcp-config", "disableAllHooks"} {
		if !strings.Contains(e.Error(), flag) {
			t.Errorf("%q is missing: %v", flag, e)
		}
	}
}

// purse is a budget of some calls, and of tokens if there is a number of them.
type purse struct {
	left    int
	tokens  int64
	booked  []string
	waiting time.Duration
}

func (p *purse) Book(_ context.Context, r llm.Request, tokens int64) (llm.NoRoom, error) {
	switch {
	case p.left == 0:
		return llm.NoRoom{Why: "the daily budget is spent (2 requests)", Spent: true, Wait: p.waiting}, nil
	case p.tokens > 0 && tokens > p.tokens:
		return llm.NoRoom{Why: fmt.Sprintf("its prompt of %d tokens is too large", tokens), Wait: p.waiting}, nil
	}
	p.left--
	if p.tokens > 0 {
		p.tokens -= tokens
	}
	p.booked = append(p.booked, fmt.Sprint(r.Purpose, " ", r.Model, " ", tokens > 100))
	return llm.NoRoom{}, nil
}

func TestBudget_IsAskedBeforeEveryRequest(t *testing.T) {
	t.Parallel()
	p := newPlayer(t, "answer")
	now := time.Now()
	spent := &purse{left: 2, waiting: 5 * time.Hour}
	c := p.client(func(o *llm.Options) {
		o.Budget, o.Model, o.Now = spent, "haiku", func() time.Time { return now }
	})
	results := llm.NewExtractor(c, llm.Limits{}).Extract(context.Background(), widgets(30))
	for i, r := range results {
		if i < 16 {
			if r.Err != nil || r.Usage.Booked.Calls != r.Usage.Calls || r.Usage.Booked.PromptTokens != r.Usage.PromptTokens {
				t.Errorf("turn %d: %+v", i, r)
			}
			continue
		}
		e := asKind(t, r.Err, llm.OverBudget)
		if e.Blames() || e.RetryAfter <= 0 || e.RetryAfter > 5*time.Hour || !strings.Contains(e.Error(), "2 requests") {
			t.Errorf("turn %d: %v, again after %s", i, e, e.RetryAfter)
		}
	}
	if d := cmp.Diff([]string{"extract haiku true", "extract haiku true"}, spent.booked); d != "" {
		t.Error(d)
	}
	if got := p.sizes(); got != "8 8" {
		t.Errorf("questions of %s turns", got)
	}
	wantKind(t, c.Available(), llm.OverBudget)
	now, spent.left = now.Add(6*time.Hour), 1
	if err := c.Available(); err != nil {
		t.Errorf("the next day: %v", err)
	}
}

// A question that exceeds the rest of the budget is halved; what still exceeds it waits, and stops nothing else.
func TestBudget_AQuestionBeyondItsRestIsDivided(t *testing.T) {
	t.Parallel()
	p := newPlayer(t, "answer")
	const plenty = 1 << 40
	rest := &purse{left: 100, tokens: plenty, waiting: 5 * time.Hour}
	c := p.client(func(o *llm.Options) { o.Budget = rest })
	x := llm.NewExtractor(c, llm.Limits{})
	turns := widgets(10)
	for i := range turns {
		turns[i].Text += strings.Repeat(" It is fine.", 40) // 120 tokens
	}
	turns[8].Text += strings.Repeat(" It is fine.", 4000) // a question of its own
	if r := x.Extract(context.Background(), turns[:1]); r[0].Err != nil {
		t.Fatal(r[0].Err)
	}
	rest.tokens = (plenty - rest.tokens) + 5*120
	for i, r := range x.Extract(context.Background(), turns[:9]) {
		if i < 4 {
			if r.Err != nil {
				t.Errorf("turn %d: %v", i, r.Err)
			}
			continue
		}
		e := asKind(t, r.Err, llm.TooCostly)
		if e.Blames() || e.OfEndpoint() || !e.Retryable() || e.RetryAfter != 5*time.Hour ||
			!strings.Contains(e.Error(), " tokens is too large") || !strings.Contains(e.Error(), "llm_daily_tokens") {
			t.Errorf("turn %d: %v, again after %s", i, e, e.RetryAfter)
		}
	}
	if err := c.Available(); err != nil {
		t.Errorf("the others are not asked about: %v", err)
	}
	rest.tokens = 10000
	results := x.Extract(context.Background(), turns[8:])
	asKind(t, results[0].Err, llm.TooCostly)
	if results[1].Err != nil {
		t.Errorf("the turn after a long one: %v", results[1].Err)
	}
	if got := p.sizes(); got != "1 4 1" {
		t.Errorf("questions of %s turns", got)
	}
}
