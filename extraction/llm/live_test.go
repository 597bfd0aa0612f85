package llm_test

import (
	"context"
	"os"
	"testing"
	"time"

	"memory-graph/extraction"
	"memory-graph/extraction/llm"
	"memory-graph/internal/memory"
)

// This test asks a real model. It shows that the client understands the endpoint and that the prompt leads to facts. A
// benchmark measures their quality.
func TestLive_AModelReadsTurns(t *testing.T) {
	const prefix = "MEMORY_GRAPH_LIVE_LLM_"
	base, model := os.Getenv(prefix+"BASE_URL"), os.Getenv(prefix+"MODEL")
	if base == "" || model == "" {
		t.Skipf("set %sBASE_URL and %sMODEL (and %sAPI_KEY, where there is one) to ask a model", prefix, prefix, prefix)
	}
	c, err := llm.New(llm.Options{BaseURL: base, Model: model, APIKey: os.Getenv(prefix + "API_KEY"),
		Timeout: 2 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	turns := []extraction.Input{
		{Role: memory.RoleUser, Self: "Ada", OccurredAt: said,
			Text: "I work at Contoso since March 2024, and we use Redis for the checkout service."},
		{Role: memory.RoleUser, Self: "Ada", OccurredAt: said, Text: "Could we maybe use Kafka one day? No idea."},
		{Role: memory.RoleUser, Self: "Ada", OccurredAt: said, Text: "We switched from Redis to Valkey last week."},
	}
	found := 0
	for i, r := range llm.NewExtractor(c, llm.Limits{}).Extract(context.Background(), turns) {
		if r.Err != nil {
			t.Fatalf("turn %d: %v", i+1, r.Err)
		}
		t.Logf("turn %d: %d calls, %d and %d tokens, left out %v", i+1, r.Usage.Calls, r.Usage.PromptTokens,
			r.Usage.CompletionTokens, r.Found.Dropped)
		for _, f := range r.Found.Relations {
			found++
			t.Logf("  %s %s %s, ended %v, from %s, %.2f %s: %q", f.Head, f.Relation, f.Tail, f.Ended,
				memory.Seconds(f.ValidFrom), *f.Confidence, f.Method, f.Quote)
		}
		if i == 1 && len(r.Found.Relations) > 0 {
			t.Error("a question states nothing")
		}
	}
	if found == 0 {
		t.Error("no facts")
	}
}
