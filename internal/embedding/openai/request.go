package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"memory-graph/internal/embedding"
	"memory-graph/internal/endpoint"
	"memory-graph/internal/memory"
)

// question is the body of a request to embeddings, and response the used part of its answer.
type (
	question struct {
		Model      string   `json:"model"`
		Input      []string `json:"input"`
		Dimensions int      `json:"dimensions,omitempty"`
	}
	response struct {
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float64 `json:"embedding"`
		} `json:"data"`
		Usage struct {
			PromptTokens int64 `json:"prompt_tokens"`
		} `json:"usage"`
	}
)

// request requests the vectors of one batch, in the order of the texts. It also returns the tokens of the texts.
func (e *Embedder) request(ctx context.Context, texts []string) (rows [][]float32, tokens int64, err error) {
	var got response
	answer, err := e.api.Post(ctx, "embeddings", question{e.options.Model, texts, e.options.Dimensions}, &got)
	switch {
	case ctx.Err() != nil && err != nil:
		return nil, 0, ctx.Err()
	case err != nil || answer.Status >= 300:
		return nil, 0, e.explain(err, answer)
	}
	rows, err = e.rows(got, len(texts))
	return rows, max(0, got.Usage.PromptTokens), err
}

// rows extracts the vectors from an answer, in the order of the texts.
func (e *Embedder) rows(answer response, n int) ([][]float32, error) {
	if len(answer.Data) != n {
		return nil, e.fail(nil, "returned %d vectors for %d texts", len(answer.Data), n).
			WithHint("Check that the address belongs to an OpenAI-compatible API and that the model makes embeddings.")
	}
	rows := make([][]float32, n)
	want := e.dimensions
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= n || rows[d.Index] != nil {
			return nil, e.fail(nil, "returned a vector with index %d, a duplicate or not among the %d texts", d.Index, n)
		}
		if want == 0 {
			want = len(d.Embedding) // a probe accepts any length
		}
		if len(d.Embedding) != want || want == 0 {
			return nil, e.fail(nil, "returned a vector of %d components instead of %d", len(d.Embedding), want).
				WithHint("Set the embedding dimensions to the length of the model's vectors.")
		}
		row := make([]float32, want)
		for i, x := range d.Embedding {
			row[i] = float32(x)
		}
		if !embedding.Normalize(row) {
			return nil, e.fail(nil, "returned a vector that is all zero or not finite")
		}
		rows[d.Index] = row
	}
	return rows, nil
}

// fail returns an Unavailable error about the endpoint.
func (e *Embedder) fail(cause error, format string, args ...any) *memory.Error {
	return &memory.Error{
		Code:    memory.Unavailable,
		Message: fmt.Sprintf("The embedding endpoint %s %s.", e.endpoint, fmt.Sprintf(format, args...)),
		Hint:    "Check the embedding settings and the endpoint's log; text search still works.",
		Err:     cause,
	}
}

// explain converts a failed request to an error for the caller. It keeps the cause for the log if it cannot contain the
// key.
func (e *Embedder) explain(err error, answer *endpoint.Answer) error {
	if answer != nil && answer.Status >= 400 {
		status := fmt.Sprintf("%d %s", answer.Status, http.StatusText(answer.Status))
		words := e.tidy(answer.Words())
		if words != "" {
			words = ": " + words
		}
		switch answer.Status {
		case http.StatusUnauthorized, http.StatusForbidden: // the endpoint's message may repeat the key
			return e.fail(nil, "refused the key: %s", status).WithHint("Check the embedding API key.")
		case http.StatusNotFound:
			return e.fail(nil, "answered %s%s", status, words).
				WithHint("Check the base URL, which must end with /v1, and the model %q.", e.options.Model)
		}
		return e.fail(nil, "answered %s%s", status, words)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return e.fail(err, "did not answer within %s", e.options.Timeout)
	}
	if answer != nil {
		return e.fail(nil, "answered %d, but not with an embeddings response", answer.Status).
			WithHint("Check that the address belongs to an OpenAI-compatible API and includes /v1.")
	}
	// The innermost cause is the shortest.
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return e.fail(err, "cannot be reached: %s", e.tidy(err.Error()))
}

// tidy shortens a foreign text to one line without the key.
func (e *Embedder) tidy(text string) string {
	if e.options.APIKey != "" {
		text = strings.ReplaceAll(text, e.options.APIKey, "(key)")
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if runes := []rune(text); len(runes) > 200 {
		text = string(runes[:200]) + "…"
	}
	return strings.TrimRight(text, ".")
}
