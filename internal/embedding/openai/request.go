package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	api "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
)

// request requests the vectors of one batch, in the order of the texts. It also returns the tokens of the texts.
func (e *Embedder) request(ctx context.Context, texts []string) (rows [][]float32, tokens int64, err error) {
	body := api.EmbeddingNewParams{
		Model: e.options.Model,
		Input: api.EmbeddingNewParamsInputUnion{OfArrayOfStrings: texts},
	}
	if e.options.Dimensions > 0 {
		body.Dimensions = param.NewOpt(int64(e.options.Dimensions))
	}
	var response *http.Response // for the answer {"error": "text"}, for which the library loses the status
	answer, err := e.service.New(ctx, body, option.WithResponseInto(&response))
	if err != nil {
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		return nil, 0, e.explain(err, response)
	}
	if answer != nil {
		tokens = max(0, answer.Usage.PromptTokens)
	}
	rows, err = e.rows(answer, len(texts))
	return rows, tokens, err
}

// rows extracts the vectors from an answer, in the order of the texts.
func (e *Embedder) rows(answer *api.CreateEmbeddingResponse, n int) ([][]float32, error) {
	if answer == nil || len(answer.Data) != n {
		got := 0
		if answer != nil {
			got = len(answer.Data)
		}
		return nil, e.fail(nil, "returned %d vectors for %d texts", got, n).
			WithHint("Check that the address belongs to an OpenAI-compatible API and that the model makes embeddings.")
	}
	rows := make([][]float32, n)
	want := e.dimensions
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= int64(n) || rows[d.Index] != nil {
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
func (e *Embedder) explain(err error, response *http.Response) error {
	if response != nil && response.StatusCode >= 400 {
		status := fmt.Sprintf("%d %s", response.StatusCode, http.StatusText(response.StatusCode))
		switch response.StatusCode {
		case http.StatusUnauthorized, http.StatusForbidden: // the endpoint's message may repeat the key
			return e.fail(nil, "refused the key: %s", status).WithHint("Check the embedding API key.")
		case http.StatusNotFound:
			return e.fail(nil, "answered %s%s", status, e.words(err, response)).
				WithHint("Check the base URL, which must end with /v1, and the model %q.", e.options.Model)
		}
		return e.fail(nil, "answered %s%s", status, e.words(err, response))
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return e.fail(err, "did not answer within %s", e.options.Timeout)
	}
	if response != nil {
		return e.fail(nil, "answered %d, but not with an embeddings response", response.StatusCode).
			WithHint("Check that the address belongs to an OpenAI-compatible API and includes /v1.")
	}
	// The library's error repeats the URL, which may contain a password. Its innermost cause does not.
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return e.fail(err, "cannot be reached: %s", e.tidy(err.Error()))
}

// words returns the endpoint's error message as ": text", or "".
func (e *Embedder) words(err error, response *http.Response) string {
	var apiError *api.Error
	message := ""
	if errors.As(err, &apiError) {
		message = apiError.Message
	}
	if message == "" && response.Body != nil {
		if b, err := io.ReadAll(io.LimitReader(response.Body, 4096)); err == nil {
			message = string(b)
		}
	}
	if message = e.tidy(message); message == "" {
		return ""
	}
	return ": " + message
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
