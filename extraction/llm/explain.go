package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	api "github.com/openai/openai-go/v3"
)

// explain words a failed request. The cause is kept for the log where it cannot hold the key.
func (c *Client) explain(ctx context.Context, err error, response *http.Response) *Error {
	if response != nil && response.StatusCode >= 300 {
		return c.explainStatus(err, response)
	}
	switch {
	case errors.Is(context.Cause(ctx), errTimeout):
		return c.fail(TimedOut, context.DeadlineExceeded, "did not answer in time")
	case ctx.Err() != nil:
		return c.fail(Cancelled, ctx.Err(), "was not waited for")
	case errors.Is(err, errTooLong):
		return c.fail(Malformed, nil, "answered with more than %d MiB", MaxAnswerBytes>>20)
	case response != nil && errors.Is(err, io.ErrUnexpectedEOF):
		return c.fail(Unreachable, nil, "broke off in the middle of its answer")
	case response != nil && isNetwork(err):
		return c.fail(Unreachable, nil, "broke off in the middle of its answer")
	case response != nil:
		return c.notTheAPI(response)
	}
	// The library's error repeats the URL, with a password that may be in it: its innermost cause does not.
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return c.fail(Unreachable, err, "cannot be reached: %s", c.tidy(err.Error()))
}

// isNetwork says that the connection failed, and not what came through it.
func isNetwork(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.As(err, &timeout)
}

// notTheAPI words an answer that is none.
func (c *Client) notTheAPI(response *http.Response) *Error {
	status := 0
	if response != nil {
		status = response.StatusCode
	}
	e := c.fail(Misconfigured, nil, "answered %d with what is not a chat completion", status)
	e.Status = status
	return e
}

// explainStatus words an answer that says by its status that there is none.
func (c *Client) explainStatus(err error, response *http.Response) *Error {
	code := response.StatusCode
	status := fmt.Sprintf("%d %s", code, http.StatusText(code))
	words := c.words(err, response)
	said := words
	if said != "" {
		said = ": " + said
	}
	var e *Error
	switch {
	case code < 400:
		e = c.fail(Misconfigured, nil, "sends elsewhere: %s", status)
	case code == http.StatusUnauthorized || code == http.StatusForbidden: // its own words may repeat the key
		e = c.fail(Unauthorized, nil, "refused the key: %s", status)
	case code == http.StatusPaymentRequired:
		e = c.fail(Unauthorized, nil, "asks for payment: %s%s", status, said)
	case code == http.StatusTooManyRequests:
		e = c.fail(RateLimited, nil, "has had too many requests: %s%s", status, said)
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
	e.RetryAfter = retryAfter(response.Header, c.options.Now())
	return e
}

// formWords are what endpoints say when they cannot answer in the form that was asked for.
var formWords = []string{"response_format", "json_schema", "json_object", "json mode", "structured output", "grammar",
	"guided"}

// lengthWords are what they say when the question is too long, which no other form changes.
var lengthWords = []string{"context length", "context_length", "context window", "context size", "too long",
	"too many tokens"}

// names says whether any of the words stands in a text.
func names(text string, words ...string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// words gives what the endpoint says about its error, in one short line.
func (c *Client) words(err error, response *http.Response) string {
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
	return c.tidy(message)
}

// tidy makes somebody else's text one short line without the key.
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

// retryAfter reads how long the endpoint asks to be left alone, at most MaxPause; 0 where it says nothing that can be
// read (RFC 9110, 10.2.3, and OpenAI's own header in milliseconds).
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseInt(h.Get("Retry-After-Ms"), 10, 64); err == nil && ms > 0 {
		return min(time.Duration(min(ms, MaxPause.Milliseconds()))*time.Millisecond, MaxPause)
	}
	said := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseInt(said, 10, 64); err == nil {
		return time.Duration(max(0, min(s, int64(MaxPause/time.Second)))) * time.Second
	}
	if at, err := http.ParseTime(said); err == nil {
		return max(0, min(at.Sub(now), MaxPause))
	}
	return 0
}
