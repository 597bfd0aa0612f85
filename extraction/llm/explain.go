package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"memory-graph/internal/endpoint"
)

// explain returns the error of a failed request. It keeps the cause only if it cannot contain the key.
func (c *Client) explain(ctx context.Context, err error, answer *endpoint.Answer) *Error {
	if answer != nil && answer.Status >= 300 {
		return c.explainStatus(answer)
	}
	switch {
	case errors.Is(context.Cause(ctx), errTimeout):
		return c.fail(TimedOut, context.DeadlineExceeded, "did not answer in time")
	case ctx.Err() != nil:
		return c.fail(Cancelled, ctx.Err(), "was not asked to the end: the call was cancelled")
	case errors.Is(err, endpoint.ErrTooLong):
		return c.fail(Malformed, nil, "answered with more than %d MiB", MaxAnswerBytes>>20)
	case answer != nil && errors.Is(err, io.ErrUnexpectedEOF):
		return c.fail(Unreachable, nil, "closed the connection during its answer")
	case answer != nil && isNetwork(err):
		return c.fail(Unreachable, nil, "closed the connection during its answer")
	case answer != nil:
		return c.notTheAPI(answer)
	}
	// The innermost cause is the shortest.
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return c.fail(Unreachable, err, "cannot be reached: %s", c.tidy(err.Error()))
}

// isNetwork reports whether the connection failed, rather than the content it delivered.
func isNetwork(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.As(err, &timeout)
}

// notTheAPI returns the error for an answer that is not a chat completion.
func (c *Client) notTheAPI(answer *endpoint.Answer) *Error {
	e := c.fail(Misconfigured, nil, "answered %d without a chat completion", answer.Status)
	e.Status = answer.Status
	return e
}

// explainStatus returns the error for a status of 300 or higher.
func (c *Client) explainStatus(answer *endpoint.Answer) *Error {
	code := answer.Status
	status := fmt.Sprintf("%d %s", code, http.StatusText(code))
	words := c.tidy(answer.Words())
	said := words
	if said != "" {
		said = ": " + said
	}
	var e *Error
	switch {
	case code < 400:
		e = c.fail(Misconfigured, nil, "redirects: %s", status)
	case code == http.StatusUnauthorized || code == http.StatusForbidden: // its message may repeat the key
		e = c.fail(Unauthorized, nil, "refused the key: %s", status)
	case code == http.StatusPaymentRequired:
		e = c.fail(Unauthorized, nil, "asks for payment: %s%s", status, said)
	case code == http.StatusTooManyRequests:
		e = c.fail(RateLimited, nil, "refused too many requests: %s%s", status, said)
	case names(words, formWords...):
		e = c.fail(RefusedForm, nil, "refused the form of the answer: %s%s", status, said)
	case code == http.StatusNotFound || code == http.StatusMethodNotAllowed:
		e = c.fail(Misconfigured, nil, "answered %s%s", status, said)
	case code >= 500 || code == http.StatusRequestTimeout || code == http.StatusConflict:
		e = c.fail(Failing, nil, "answered %s%s", status, said)
	default:
		e = c.fail(Rejected, nil, "answered %s%s", status, said)
	}
	e.Status, e.said = code, strings.ToLower(words)
	asked, _ := endpoint.RetryAfter(answer.Header, c.options.Now())
	e.RetryAfter = min(asked, MaxPause)
	return e
}

// formWords occur in refusals of the requested form.
var formWords = []string{"response_format", "json_schema", "json_object", "json mode", "structured output", "grammar",
	"guided"}

// lengthWords occur in refusals of a question that is too long. Another form does not help there.
var lengthWords = []string{"context length", "context_length", "context window", "context size", "too long",
	"too many tokens"}

// names reports whether the text contains any of the words, ignoring case.
func names(text string, words ...string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// tidy makes external text one short line, with the key masked.
func (c *Client) tidy(text string) string {
	if c.options.APIKey != "" {
		text = strings.ReplaceAll(text, c.options.APIKey, "(key)")
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if runes := []rune(text); len(runes) > 200 {
		text = string(runes[:200]) + "…"
	}
	return strings.TrimRight(text, ".")
}
