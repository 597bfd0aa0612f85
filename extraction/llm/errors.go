package llm

import (
	"cmp"
	"fmt"
	"time"

	"memory-graph/internal/memory"
)

// Kind classifies why a question has no answer.
type Kind string

// The kinds. The first group concerns the endpoint as a whole, so any other question would fail the same way. The
// second group concerns one question and its answer.
const (
	Unreachable   Kind = "unreachable"   // no connection, or a broken one
	TimedOut      Kind = "timeout"       // no answer within the timeout
	RateLimited   Kind = "rate_limited"  // 429
	Failing       Kind = "failing"       // 5xx, 408, 409
	Paused        Kind = "paused"        // not asked: the endpoint failed too often, or requested a pause
	Unauthorized  Kind = "unauthorized"  // 401, 402, 403: the key or the account
	Misconfigured Kind = "misconfigured" // 404, a redirect, or a web page: the address or the model
	RefusedForm   Kind = "refused_form"  // the endpoint supports none of the forms of structured answers
	NoAnswer      Kind = "no_answer"     // a command failed, or printed something else than an answer
	OverBudget    Kind = "over_budget"   // not asked: the budget of the day is spent

	Rejected  Kind = "rejected"   // another 4xx: the question is too long, or has an unsupported part
	Truncated Kind = "truncated"  // the answer was cut off
	Empty     Kind = "empty"      // an answer without content
	Malformed Kind = "malformed"  // not the requested JSON
	Refusal   Kind = "refusal"    // the model or a filter refused to answer
	TooCostly Kind = "too_costly" // not asked: the question exceeds the rest of the budget, a smaller one may not
	Cancelled Kind = "cancelled"  // the caller gave up
)

// OfEndpoint reports whether the kind concerns the endpoint as a whole, so that further questions should wait.
func (k Kind) OfEndpoint() bool {
	switch k {
	case Unreachable, TimedOut, RateLimited, Failing, Paused, Unauthorized, Misconfigured, RefusedForm, NoAnswer,
		OverBudget:
		return true
	}
	return false
}

// Retryable reports whether the same question may succeed later without any change of settings.
func (k Kind) Retryable() bool {
	switch k {
	case Unauthorized, Misconfigured, RefusedForm, Rejected, Refusal:
		return false
	}
	return true
}

// Error is why a question has no answer. It wraps a memory.Error with code Unavailable, which in turn may wrap the
// cause: errors.Is finds context.Canceled if the caller gave up. It never holds the key or a password of the address.
// It quotes at most 200 characters of what the endpoint says, and nothing of the model's answer.
type Error struct {
	Kind Kind
	// Status is the HTTP status, 0 if there was none.
	Status int
	// RetryAfter is the pause that the endpoint requested, or the rest of the current pause; 0 if unknown. It is at most
	// MaxPause, except for OverBudget and TooCostly.
	RetryAfter time.Duration

	words *memory.Error
	said  string // the endpoint's message, in lower case
	// byCommand means that a command was asked
	byCommand bool
	// chance means that a command failed directly after an answer, so this question may be the reason.
	chance bool
}

// Error returns the message and the hint.
func (e *Error) Error() string { return e.words.Error() }

// Unwrap returns the memory.Error.
func (e *Error) Unwrap() error { return e.words }

// Retryable reports whether the error's kind is retryable.
func (e *Error) Retryable() bool { return e.Kind.Retryable() }

// OfEndpoint reports whether the error's kind concerns the endpoint.
func (e *Error) OfEndpoint() bool { return e.Kind.OfEndpoint() }

// Blames reports whether the question may be the reason for the failure, so that it counts as an attempt to answer it.
// A time-out or a server error of an endpoint may be caused by the question. A command that fails again and again fails
// at every question.
func (e *Error) Blames() bool {
	switch {
	case e.Kind == TooCostly: // it was not asked
		return false
	case !e.OfEndpoint() || e.chance:
		return true
	case e.byCommand:
		return false
	}
	return e.Kind == TimedOut || e.Kind == Failing
}

// commandHints are the hints for a command, by kind.
var commandHints = map[Kind]string{
	TimedOut: "Raise llm_command_timeout, or use a faster model. Stored turns wait.",
	NoAnswer: "Run the command by hand: it must read a prompt on stdin and print one JSON object. Stored turns wait.",
	Misconfigured: "Check llm_command: the program must be in the PATH of the server, or have an absolute path. Stored " +
		"turns wait.",
	Failing: "Check the free space of the temporary directory. Stored turns wait and are retried.",
}

// hints are the hints by kind.
var hints = map[Kind]string{
	Unreachable: "Check that the endpoint runs. Stored turns wait for it.",
	TimedOut: "Raise extraction_timeout_secs, or use a smaller model or a faster machine. Stored turns " +
		"wait.",
	RateLimited:   "No action is needed: stored turns wait and are retried.",
	Failing:       "Check the endpoint's log. Stored turns wait and are retried.",
	Paused:        "No action is needed: it is asked again automatically.",
	Unauthorized:  "Check llm_api_key.",
	Misconfigured: "Check the model's name, and that llm_base_url ends with /v1.",
	RefusedForm:   "Use a model or an endpoint that can answer in JSON.",
	Rejected:      "Check the endpoint's log, or try another model.",
	Truncated:     "Use a model with a larger context, or raise the endpoint's limit on answers.",
	Empty:         "Use a model without reasoning, or disable reasoning at the endpoint.",
	Malformed:     "Use a larger model, or an endpoint that enforces a JSON schema.",
	Refusal:       "No action is needed: facts from the rules and the caller are kept.",
	NoAnswer:      "Check the command.",
	OverBudget:    "Raise llm_daily_calls or llm_daily_tokens, or wait: stored turns are read when the day (UTC) is over.",
	TooCostly:     "Raise llm_daily_tokens, or wait: other turns are read, and this one stays stored.",
	Cancelled:     "The question is retried when it is next due.",
}

// fail returns an error of a kind. The format says what the endpoint did.
func (c *Client) fail(k Kind, cause error, format string, args ...any) *Error {
	who, hint, byCommand := "The language model at "+c.endpoint, hints[k], len(c.options.Command) > 0
	if byCommand {
		who, hint = "llm_command "+c.endpoint[len("command:"):], cmp.Or(commandHints[k], hint)
	}
	return &Error{Kind: k, byCommand: byCommand, words: &memory.Error{
		Code:    memory.Unavailable,
		Message: fmt.Sprintf("%s %s.", who, fmt.Sprintf(format, args...)),
		Hint:    hint,
		Err:     cause,
	}}
}
