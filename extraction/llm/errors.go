package llm

import (
	"fmt"
	"time"

	"memory-graph/internal/memory"
)

// Kind says what went wrong with a question.
type Kind string

// The kinds. Those in the first group are of the endpoint as a whole: whatever is asked next will meet the same. Those
// in the second are of this question and its answer.
const (
	Unreachable   Kind = "unreachable"   // no connection, or it broke
	TimedOut      Kind = "timeout"       // no answer within the time that an answer may take
	RateLimited   Kind = "rate_limited"  // 429
	Failing       Kind = "failing"       // 5xx, 408, 409
	Paused        Kind = "paused"        // not asked: it failed too often just now, or asked to be left alone
	Unauthorized  Kind = "unauthorized"  // 401, 403: the key
	Misconfigured Kind = "misconfigured" // 404, a redirect, a page instead of an answer: the address or the model
	RefusedForm   Kind = "refused_form"  // it takes none of the forms in which a structured answer can be asked for

	Rejected  Kind = "rejected"  // another 4xx: the question is too long, or has what the endpoint does not take
	Truncated Kind = "truncated" // the answer was cut off
	Empty     Kind = "empty"     // an answer without content
	Malformed Kind = "malformed" // not the JSON that was asked for
	Refusal   Kind = "refusal"   // the model, or a filter, would not answer
	Cancelled Kind = "cancelled" // whoever asked gave up
)

// OfEndpoint says that the fault is the endpoint's as a whole and not that of one question: who has more to ask waits.
func (k Kind) OfEndpoint() bool {
	switch k {
	case Unreachable, TimedOut, RateLimited, Failing, Paused, Unauthorized, Misconfigured, RefusedForm:
		return true
	}
	return false
}

// Retryable says that the same question may get an answer later, with nobody changing anything.
func (k Kind) Retryable() bool {
	switch k {
	case Unauthorized, Misconfigured, RefusedForm, Rejected, Refusal:
		return false
	}
	return true
}

// Error is why a question has no answer. It wraps a memory.Error with code Unavailable, worded for the caller, which in
// turn wraps the cause: errors.Is finds context.Canceled where whoever asked gave up. Neither the key nor a password in
// the address is ever in it. What the endpoint says is quoted in at most 200 characters; what the model says is not.
type Error struct {
	Kind Kind
	// Status is the HTTP status, 0 where there was none.
	Status int
	// RetryAfter is how long the endpoint asked to be left alone, or is left alone; 0 where nothing is known. It is at
	// most MaxPause.
	RetryAfter time.Duration

	words *memory.Error
	said  string // what the endpoint said, in small letters
}

// Error gives what failed and what to do next, as one or two sentences.
func (e *Error) Error() string { return e.words.Error() }

// Unwrap gives the memory.Error.
func (e *Error) Unwrap() error { return e.words }

// Retryable is that of its kind.
func (e *Error) Retryable() bool { return e.Kind.Retryable() }

// OfEndpoint is that of its kind.
func (e *Error) OfEndpoint() bool { return e.Kind.OfEndpoint() }

// hints say what to do next, by kind.
var hints = map[Kind]string{
	Unreachable: "Check that the endpoint runs; what is stored waits for it.",
	TimedOut: "Give it more time (extraction_timeout_secs), a smaller model or a faster machine; what is stored " +
		"waits.",
	RateLimited:   "Nothing needs doing: what is stored waits and is tried again.",
	Failing:       "Check the endpoint's log; what is stored waits and is tried again.",
	Paused:        "Nothing needs doing: it is asked again by itself.",
	Unauthorized:  "Check llm_api_key.",
	Misconfigured: "Check llm_base_url, which goes up to and with /v1, and the model's name.",
	RefusedForm:   "Use a model or an endpoint that can answer in JSON.",
	Rejected:      "The endpoint's log may say more; another model may take it.",
	Truncated:     "Use a model with a larger context, or raise the endpoint's limit on answers.",
	Empty:         "Use a model without reasoning, or switch reasoning off at the endpoint.",
	Malformed:     "A larger model, or an endpoint that keeps to a JSON schema, answers in the form that is asked for.",
	Refusal:       "Nothing needs doing: the rules and what the caller supplied stand.",
	Cancelled:     "It is asked again when it is next due.",
}

// fail makes an error that says what the endpoint did.
func (c *Client) fail(k Kind, cause error, format string, args ...any) *Error {
	return &Error{Kind: k, words: &memory.Error{
		Code:    memory.Unavailable,
		Message: fmt.Sprintf("The language model at %s %s.", c.endpoint, fmt.Sprintf(format, args...)),
		Hint:    hints[k],
		Err:     cause,
	}}
}
