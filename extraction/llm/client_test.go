package llm_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/extraction/llm"
)

type verdict struct {
	Verdict string  `json:"verdict" jsonschema:"enum=agrees,enum=contradicts"`
	Why     *string `json:"why" jsonschema:"nullable"`
	Score   float64 `json:"score"`
}

func TestAsk_GivesTheAnswerAsAStruct(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		t.Log(string(b))
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"{\"verdict\":\"agrees\",\"why\":null,\"score\":0.5}"}}],"usage":{"prompt_tokens":7,"completion_tokens":3}}`))
	}))
	defer s.Close()
	c, err := llm.New(llm.Options{BaseURL: s.URL + "/v1", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	got, usage, err := llm.Ask[verdict](context.Background(), c, llm.Request{System: "s", User: "u", Name: "verdict"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(verdict{Verdict: "agrees", Score: .5}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(llm.Usage{Calls: 1, PromptTokens: 7, CompletionTokens: 3}, usage); diff != "" {
		t.Error(diff)
	}
}
