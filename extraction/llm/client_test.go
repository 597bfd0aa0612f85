package llm_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/extraction/llm"
	"memory-graph/extraction/llm/llmtest"
	"memory-graph/internal/memory"
)

// complete requests an answer of the struct type T.
func complete[T any](ctx context.Context, c *llm.Client, r llm.Request) (T, llm.Usage, error) {
	var into, none T
	usage, err := c.Complete(ctx, r, &into)
	if err != nil {
		return none, usage, err
	}
	return into, usage, nil
}

// verdict is an answer type for questions that are not about facts.
type verdict struct {
	Verdict string  `json:"verdict" jsonschema:"enum=agrees,enum=contradicts"`
	Why     *string `json:"why" jsonschema:"nullable"`
	Score   float64 `json:"score"`
	Pairs   []int   `json:"pairs"`
}

const agrees = `{"verdict": "agrees", "why": null, "score": 0.5, "pairs": [1, 2]}`

var question = llm.Request{System: "Do they agree?", User: "A and B.", Name: "verdict"}

func newClient(t *testing.T, s *llmtest.Server, change func(*llm.Options)) *llm.Client {
	t.Helper()
	o := llm.Options{BaseURL: s.URL(), Model: llmtest.Model, APIKey: s.Key()}
	if change != nil {
		change(&o)
	}
	c, err := llm.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func ask(t *testing.T, c *llm.Client) error {
	t.Helper()
	_, _, err := complete[verdict](context.Background(), c, question)
	return err
}

// wantKind checks an error with asKind.
func wantKind(t *testing.T, err error, kind llm.Kind) {
	t.Helper()
	_ = asKind(t, err, kind)
}

// asKind checks the kind of an error, and the required and forbidden parts of its text.
func asKind(t *testing.T, err error, kind llm.Kind) *llm.Error {
	t.Helper()
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != kind {
		t.Fatalf("error %v, want one of kind %s", err, kind)
	}
	if memory.AsError(err).Code != memory.Unavailable || memory.AsError(err).Hint == "" {
		t.Errorf("%v: code %s, want unavailable and a hint", err, memory.AsError(err).Code)
	}
	if all := fmt.Sprintf("%v %+v", err, memory.AsError(err).Err); strings.Contains(all, llmtest.Key) {
		t.Errorf("the key is in the error: %s", all)
	}
	return e
}

func TestAsk_GivesTheAnswerAsAStruct(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.OpenAI, llmtest.Says(agrees))
	got, usage, err := complete[verdict](context.Background(), newClient(t, s, nil), question)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(verdict{Verdict: "agrees", Score: .5, Pairs: []int{1, 2}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if usage.Calls != 1 || usage.PromptTokens == 0 || usage.CompletionTokens == 0 {
		t.Errorf("usage %+v, want one call and its tokens", usage)
	}
	q := s.Questions()[0]
	if q.System != question.System || q.User != question.User || q.Name != "verdict" || q.Model != llmtest.Model ||
		q.Body["temperature"] != 0.0 {
		t.Errorf("asked %+v", q)
	}
}

func TestAsk_GivesNoPartOfABadAnswer(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"missing":          `{"verdict": "agrees", "why": null, "score": 0.5}`,
		"unknown":          `{"verdict": "agrees", "why": null, "score": 0.5, "pairs": [], "more": 1}`,
		"another case":     `{"Verdict": "agrees", "why": null, "score": 0.5, "pairs": []}`,
		"null":             `{"verdict": null, "why": null, "score": 0.5, "pairs": []}`,
		"a string":         `{"verdict": "agrees", "why": null, "score": "0.5", "pairs": []}`,
		"a fraction":       `{"verdict": "agrees", "why": null, "score": 0.5, "pairs": [1.5]}`,
		"no list":          `{"verdict": "agrees", "why": null, "score": 0.5, "pairs": null}`,
		"too large":        `{"verdict": "agrees", "why": null, "score": 1e999, "pairs": []}`,
		"twice":            `{"verdict": "agrees", "verdict": "contradicts", "why": null, "score": 0.5, "pairs": []}`,
		"an array":         `[` + agrees + `]`,
		"more than one":    agrees + agrees,
		"cut":              agrees[:20],
		"a word":           `agrees`,
		"a bare null":      `null`,
		"too deep":         strings.Repeat("[", 1000),
		"control sign":     "{\"verdict\": \"a\x01\", \"why\": null, \"score\": 0.5, \"pairs\": []}",
		"comment":          `{"verdict": "agrees", /* surely */ "why": null, "score": 0.5, "pairs": []}`,
		"an empty object":  `{}`,
		"an open brace":    `{`,
		"a comma too many": `{"verdict": "agrees", "why": null, "score": 0.5, "pairs": [1,]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.New(t, llmtest.Ollama, llmtest.Says(content))
			got, usage, err := complete[verdict](context.Background(), newClient(t, s, nil), question)
			wantKind(t, err, llm.Malformed)
			if diff := cmp.Diff(verdict{}, got); diff != "" {
				t.Errorf("a part of the answer is there:\n%s", diff)
			}
			if usage.Calls != 4 || usage.PromptTokens == 0 {
				t.Errorf("usage %+v, want all four forms counted", usage)
			}
			if strings.Contains(err.Error(), "agrees") {
				t.Errorf("the answer is quoted: %v", err)
			}
		})
	}
}

func TestAsk_LetsTheCallerCheck(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Ollama, llmtest.Says(agrees))
	r := question
	r.Check = func() error { return errors.New("pair 2 was not asked about") }
	_, _, err := complete[verdict](context.Background(), newClient(t, s, nil), r)
	wantKind(t, err, llm.Malformed)
	if !strings.Contains(err.Error(), "pair 2 was not asked about") {
		t.Errorf("error %v, want it to say why", err)
	}
}

func TestComplete_RefusesWhatHasNoForm(t *testing.T) {
	t.Parallel()
	c := newClient(t, llmtest.New(t, llmtest.Ollama, llmtest.Says(agrees)), nil)
	var text string
	if _, err := c.Complete(context.Background(), question, &text); err == nil {
		t.Error("a string was taken for the form of an answer")
	}
	var open struct {
		Any map[string]string `json:"any"`
	}
	if _, err := c.Complete(context.Background(), question, &open); err == nil {
		t.Error("a map was taken for the form of an answer")
	}
	if _, err := c.Complete(context.Background(), question, nil); err == nil {
		t.Error("nothing was taken for the form of an answer")
	}
}

// Not parallel: it sets the variables that the library's own client would read.
func TestAsk_IgnoresTheVariablesOfOtherPrograms(t *testing.T) {
	for name, value := range map[string]string{
		"OPENAI_API_KEY": "sk-of-another-program", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "OPENAI_ORG_ID": "org",
		"OPENAI_PROJECT_ID": "project", "OPENAI_CUSTOM_HEADERS": "Openai-Other: 1", "OPENAI_ADMIN_KEY": "sk-admin",
	} {
		t.Setenv(name, value)
	}
	// The server fails the test if it receives an unexpected key or header.
	if err := ask(t, newClient(t, llmtest.New(t, llmtest.Ollama, llmtest.Says(agrees)), nil)); err != nil {
		t.Error(err)
	}
}

func TestAsk_StopsWithItsContext(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Ollama, llmtest.Says(agrees))
	s.Fail(llmtest.Hang)
	c := newClient(t, s, func(o *llm.Options) { o.Concurrency = 1 })
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(30*time.Millisecond, cancel)
	for range 2 {
		_, _, err := complete[verdict](ctx, c, question)
		wantKind(t, err, llm.Cancelled)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v is not the context's", err)
		}
	}
	late, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	_, _, err := complete[verdict](late, c, question)
	wantKind(t, err, llm.Cancelled) // the caller's timeout is not a fault of the endpoint
	if c.Failing() != nil {
		t.Errorf("the endpoint is blamed: %v", c.Failing())
	}
}

func TestAsk_GivesUpAfterItsTime(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Ollama, llmtest.Says(agrees))
	s.Fail(llmtest.Hang)
	c := newClient(t, s, nil)
	short := question
	short.Timeout = 30 * time.Millisecond
	_, _, err := complete[verdict](context.Background(), c, short)
	e := asKind(t, err, llm.TimedOut)
	if !e.Retryable() || !e.OfEndpoint() || !errors.Is(e, context.DeadlineExceeded) {
		t.Errorf("%v is retryable, the endpoint's, and a deadline that passed", e)
	}
	if c.Failing() == nil {
		t.Error("nothing says that the endpoint fails")
	}
	s.Fail(llmtest.None)
	if err := ask(t, c); err != nil || c.Failing() != nil {
		t.Errorf("after it came back: %v, failing %v", err, c.Failing())
	}
}

func TestAsk_SaysThatNobodyIsThere(t *testing.T) {
	t.Parallel()
	c, err := llm.New(llm.Options{BaseURL: "http://user:pass-word@127.0.0.1:1/v1", Model: "m", APIKey: llmtest.Key})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	e := asKind(t, ask(t, c), llm.Unreachable)
	if all := fmt.Sprintf("%v %+v %s", e, memory.AsError(e).Err, c.Endpoint()); strings.Contains(all, "pass-word") ||
		!strings.Contains(all, "http://127.0.0.1:1/v1") {
		t.Errorf("error %s, want the address without the password", all)
	}
}

func TestAsk_KeepsToTheConcurrency(t *testing.T) {
	t.Parallel()
	var now, most atomic.Int32
	gate := make(chan struct{})
	s := llmtest.New(t, llmtest.Ollama, func(llmtest.Request) (string, bool) {
		most.Store(max(most.Load(), now.Add(1)))
		<-gate
		now.Add(-1)
		return agrees, true
	})
	c := newClient(t, s, func(o *llm.Options) { o.Concurrency = 2 })
	var wait sync.WaitGroup
	for range 6 {
		wait.Go(func() {
			if err := ask(t, c); err != nil {
				t.Error(err)
			}
		})
	}
	for range 6 {
		gate <- struct{}{}
	}
	wait.Wait()
	if most.Load() > 2 || s.Calls() != 6 {
		t.Errorf("%d requests at once, %d in all; want at most 2 of 6", most.Load(), s.Calls())
	}
}

func TestAsk_ReadsNoEndlessAnswer(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Ollama, llmtest.Says(strings.Repeat(" ", llm.MaxAnswerBytes)+agrees))
	err := ask(t, newClient(t, s, func(o *llm.Options) { o.Timeout = 5 * time.Minute }))
	if wantKind(t, err, llm.Malformed); !strings.Contains(err.Error(), "4 MiB") {
		t.Errorf("error %v, want it to say how much came", err)
	}
}

func TestNew_RefusesOptionsThatCannotWork(t *testing.T) {
	t.Parallel()
	for _, o := range []llm.Options{
		{Model: "m"},
		{BaseURL: "localhost:11434/v1", Model: "m"},
		{BaseURL: "file:///etc/passwd", Model: "m"},
		{BaseURL: "http://x\x7f:pass-word@h/v1", Model: "m"},
		{BaseURL: "http://127.0.0.1/v1"},
		{BaseURL: "http://127.0.0.1/v1", Model: "m", Timeout: -1},
		{BaseURL: "http://127.0.0.1/v1", Model: "m", Concurrency: -1},
	} {
		_, err := llm.New(o)
		if err == nil || memory.AsError(err).Code != memory.InvalidArgument || strings.Contains(err.Error(), "pass-word") {
			t.Errorf("New(%+v): %v, want InvalidArgument", o, err)
		}
	}
}

func TestAsk_LogsWhatChangesAndNoMore(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.JSONObject, llmtest.Says(agrees))
	var log strings.Builder
	clock := &clock{at: said}
	c := newClient(t, s, func(o *llm.Options) {
		o.Now = clock.now
		o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == "time" || a.Key == "endpoint" {
				return slog.Attr{}
			}
			return a
		}}))
	})
	for range 2 {
		if err := ask(t, c); err != nil {
			t.Fatal(err)
		}
	}
	s.Fail(llmtest.WrongKey)
	wantKind(t, ask(t, c), llm.Unauthorized)
	wantKind(t, ask(t, c), llm.Paused)
	s.Fail(llmtest.OtherModel)
	clock.at = clock.at.Add(time.Minute)
	if err := ask(t, c); err != nil {
		t.Fatal(err)
	}
	want := `level=INFO msg="The language model needs another request form." model=test-model form=json_object
level=WARN msg="The language model is paused after failures." kind=unauthorized
level=INFO msg="The endpoint answers with another model than before." asked=test-model before=test-model now=test-model-6
level=INFO msg="The language model answers again."
`
	if diff := cmp.Diff(want, log.String()); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}
