package llm_test

import (
	"context"
	"testing"
	"time"

	"memory-graph/extraction/llm"
	"memory-graph/extraction/llm/llmtest"
)

// asked asks n questions that must succeed, and returns the forms of the requests.
func asked(t *testing.T, s *llmtest.Server, c *llm.Client, n int) string {
	t.Helper()
	before := s.Calls()
	for range n {
		if err := ask(t, c); err != nil {
			t.Fatal(err)
		}
	}
	return forms(s.Questions()[before:])
}

func TestLadder_RemembersAFormAndTriesTheSurerOneAgainLater(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.JSONObject, llmtest.Says(agrees))
	clock := &clock{at: said}
	c := newClient(t, s, func(o *llm.Options) { o.Now = clock.now })
	if got := asked(t, s, c, 3); got != "SLOOO" {
		t.Errorf("asked %s, want SLOOO", got)
	}
	clock.at = clock.at.Add(23 * time.Hour)
	if got := asked(t, s, c, 2); got != "OO" {
		t.Errorf("the same day: asked %s, want OO", got)
	}
	clock.at = clock.at.Add(2 * time.Hour)
	if got := asked(t, s, c, 2); got != "SLOO" {
		t.Errorf("a day later: asked %s, want SLOO", got)
	}
	other := question
	other.Model = "other-model"
	before := s.Calls()
	if _, _, err := complete[verdict](context.Background(), c, other); err != nil {
		t.Fatal(err)
	}
	if got := forms(s.Questions()[before:]); got != "SLO" {
		t.Errorf("another model: asked %s, want SLO", got)
	}
}

func TestLadder_FollowsAnEndpointThatChanges(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.VLLM, llmtest.Says(agrees))
	c := newClient(t, s, nil)
	if got := asked(t, s, c, 2); got != "SS" {
		t.Fatalf("asked %s, want SS", got)
	}
	s.Fail(llmtest.NoSchema) // another model is loaded
	if got := asked(t, s, c, 2); got != "SLOO" {
		t.Errorf("asked %s, want SLOO", got)
	}
}

func TestLadder_DoubtsAFormThatWorkedOnlyAfterSeveralBadAnswers(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Ollama, llmtest.Says(agrees))
	c := newClient(t, s, nil)
	asked(t, s, c, 1)
	s.Fail(llmtest.Fenced)
	for range 3 { // a model may fail now and then: the queue asks again
		wantKind(t, ask(t, c), llm.Malformed)
	}
	if got := asked(t, s, c, 2); got != "SLOTT" {
		t.Errorf("asked %s, want SLOTT", got)
	}
	if s.Calls() != 1+3+5 {
		t.Errorf("%d requests, want 9", s.Calls())
	}
}

func TestLadder_AsksInNoFormForLongWhereNoneWorked(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.VLLM, llmtest.Says(agrees))
	clock := &clock{at: said}
	c := newClient(t, s, func(o *llm.Options) { o.Now = clock.now })
	s.Fail(llmtest.Array)
	for range 2 {
		wantKind(t, ask(t, c), llm.Malformed)
	}
	if got := forms(s.Questions()); got != "SLOTT" {
		t.Errorf("asked %s, want SLOTT", got)
	}
	s.Fail(llmtest.None)
	if got := asked(t, s, c, 1); got != "T" {
		t.Errorf("asked %s, want T", got)
	}
	clock.at = clock.at.Add(2 * time.Hour) // one bad first answer must not disable the strict form for long
	if got := asked(t, s, c, 2); got != "SS" {
		t.Errorf("later: asked %s, want SS", got)
	}
}

func TestHabits_AreRemembered(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.OpenAI, llmtest.Says(agrees))
	s.Fail(llmtest.NoTemp)
	c := newClient(t, s, nil)
	if got := asked(t, s, c, 2); got != "SSS" {
		t.Errorf("asked %s, want one question more for the temperature, once", got)
	}
	s.Fail(llmtest.Thinks)
	if got := asked(t, s, c, 2); got != "SSSS" { // as usual; quiet in a refused way; quiet; and quiet at once
		t.Errorf("asked %s, want SSSS", got)
	}
	last := s.Questions()[s.Calls()-1]
	if last.Body["reasoning_effort"] != "none" || last.Body["temperature"] != nil ||
		last.Body["chat_template_kwargs"] != nil {
		t.Errorf("asked %v", last.Body)
	}
}

func TestAsk_GivesMoreRoomOnce(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.VLLM, llmtest.Says(agrees))
	c := newClient(t, s, nil)
	r := question
	r.MaxTokens, r.MoreTokens = 100, 400
	s.FailNext(llmtest.Truncated)
	if _, usage, err := complete[verdict](context.Background(), c, r); err != nil || usage.Calls != 2 {
		t.Fatalf("%+v, %v; want an answer to the second request", usage, err)
	}
	for i, want := range []float64{100, 400} {
		if got := s.Questions()[i].Body["max_completion_tokens"]; got != want {
			t.Errorf("request %d has room for %v, want %v", i+1, got, want)
		}
	}
	s.Fail(llmtest.Truncated)
	_, usage, err := complete[verdict](context.Background(), c, r)
	wantKind(t, err, llm.Truncated)
	if usage.Calls != 2 {
		t.Errorf("%d requests, want 2", usage.Calls)
	}
	r.MoreTokens = 0
	_, usage, err = complete[verdict](context.Background(), c, r)
	wantKind(t, err, llm.Truncated)
	if usage.Calls != 1 {
		t.Errorf("%d requests, want 1", usage.Calls)
	}
}

func TestClient_LeavesAnEndpointAloneThatIsBusyForAnHour(t *testing.T) {
	t.Parallel()
	for _, fault := range []llmtest.Fault{llmtest.TooMany, llmtest.TooManyUntil} {
		s := llmtest.New(t, llmtest.VLLM, llmtest.Says(agrees))
		clock := &clock{at: said}
		c := newClient(t, s, func(o *llm.Options) { o.Now = clock.now })
		s.Fail(fault)
		for range 3600 { // a question every second
			if err := ask(t, c); err == nil {
				t.Fatal("answered")
			}
			clock.at = clock.at.Add(time.Second)
		}
		if n := s.Calls(); n < 10 || n > 30 {
			t.Errorf("%s: %d requests in an hour", fault, n)
		}
		s.Fail(llmtest.None)
		clock.at = clock.at.Add(5 * time.Minute)
		if got := asked(t, s, c, 2); got != "SS" {
			t.Errorf("%s: asked %s once it is over, want SS", fault, got)
		}
	}
}

func TestClient_FindsAnEndpointThatIsBack(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Ollama, llmtest.Says(agrees))
	c := newClient(t, s, nil)
	asked(t, s, c, 1)
	s.Gone() // between two calls, while a connection is open
	wantKind(t, ask(t, c), llm.Unreachable)
	s.Back()
	if got := asked(t, s, c, 1); got != "S" {
		t.Errorf("asked %s, want S", got)
	}
}
