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

// request asks for the vectors of one batch, in the order of the texts.
func (e *Embedder) request(ctx context.Context, texts []string) ([][]float32, error) {
	body := api.EmbeddingNewParams{
		Model: e.options.Model,
		Input: api.EmbeddingNewParamsInputUnion{OfArrayOfStrings: texts},
	}
	if e.options.Dimensions > 0 {
		body.Dimensions = param.NewOpt(int64(e.options.Dimensions))
	}
	var response *http.Response // where the library loses the status: {"error": "text"}
	answer, err := e.service.New(ctx, body, option.WithResponseInto(&response))
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, e.explain(err, response)
	}
	return e.rows(answer, len(texts))
}

// rows takes the vectors out of an answer, each to the place of its text.
func (e *Embedder) rows(answer *api.CreateEmbeddingResponse, n int) ([][]float32, error) {
	if answer == nil || len(answer.Data) != n {
		got := 0
		if answer != nil {
			got = len(answer.Data)
		}
		return nil, e.fail(nil, "gave %d vectors for %d texts", got, n).
			WithHint("Check that the address is that of an OpenAI-compatible API and the model one for embeddings.")
	}
	rows := make([][]float32, n)
	want := e.dimensions
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= int64(n) || rows[d.Index] != nil {
			return nil, e.fail(nil, "gave a vector with index %d, twice or outside of the %d texts", d.Index, n)
		}
		if want == 0 {
			want = len(d.Embedding) // a probe: whatever it is
		}
		if len(d.Embedding) != want || want == 0 {
			return nil, e.fail(nil, "gave a vector of %d components, not of %d", len(d.Embedding), want).
				WithHint("Set the embedding dimensions to what the model gives.")
		}
		row := make([]float32, want)
		for i, x := range d.Embedding {
			row[i] = float32(x)
		}
		if !embedding.Normalize(row) {
			return nil, e.fail(nil, "gave a vector that is all zero or not finite")
		}
		rows[d.Index] = row
	}
	return rows, nil
}

// fail makes an Unavailable error that says which endpoint did what.
func (e *Embedder) fail(cause error, format string, args ...any) *memory.Error {
	return &memory.Error{
		Code:    memory.Unavailable,
		Message: fmt.Sprintf("The embedding endpoint %s %s.", e.endpoint, fmt.Sprintf(format, args...)),
		Hint:    "Check the embedding settings and the endpoint's log; text search goes on meanwhile.",
		Err:     cause,
	}
}

// explain words a failed request for the caller. The cause is kept for the log where it cannot hold the key.
func (e *Embedder) explain(err error, response *http.Response) error {
	if response != nil && response.StatusCode >= 400 {
		status := fmt.Sprintf("%d %s", response.StatusCode, http.StatusText(response.StatusCode))
		switch response.StatusCode {
		case http.StatusUnauthorized, http.StatusForbidden: // the endpoint's own words may repeat the key
			return e.fail(nil, "refused the key: %s", status).WithHint("Check the embedding API key.")
		case http.StatusNotFound:
			return e.fail(nil, "answered %s%s", status, e.words(err, response)).
				WithHint("Check the base URL, which goes up to and with /v1, and the model %q.", e.options.Model)
		}
		return e.fail(nil, "answered %s%s", status, e.words(err, response))
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return e.fail(err, "did not answer within %s", e.options.Timeout)
	}
	if response != nil {
		return e.fail(nil, "answered %d with what is not an embeddings response", response.StatusCode).
			WithHint("Check that the address is that of an OpenAI-compatible API, up to and with /v1.")
	}
	// The library's error repeats the URL, with a password that may be in it: its innermost cause does not.
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return e.fail(err, "cannot be reached: %s", e.tidy(err.Error()))
}

// words gives what the endpoint says about its error, as ": text", or nothing.
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

// tidy makes somebody else's text one short line without the key.
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
