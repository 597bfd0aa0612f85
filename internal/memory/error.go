package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Code classifies an Error for programs. Clients rely on the codes: do not change them.
type Code string

// The error codes.
const (
	InvalidArgument Code = "invalid_argument"
	NotFound        Code = "not_found"
	Ambiguous       Code = "ambiguous"
	Conflict        Code = "conflict"
	TooLarge        Code = "too_large"
	ReadOnly        Code = "read_only"
	Unavailable     Code = "unavailable"
	Internal        Code = "internal"
)

// Error is a failure described for the caller: what failed, with which value, and what to do next.
type Error struct {
	Code       Code
	Message    string      // what failed, with which value: one sentence
	Hint       string      // what to do next: one sentence, may be empty
	Candidates []Candidate // for Ambiguous: what the value may mean
	Err        error       // the cause, for the log; never shown to the caller
}

// Candidate is one possible meaning of an ambiguous name, with what tells it from the others.
type Candidate struct {
	ID            string `json:"id"`
	Name          string `json:"name"`
	Type          string `json:"type"`
	Facts         *int64 `json:"facts,omitempty"`          // active facts, counted up to MaxFactsCounted; nil: unknown
	Fact          string `json:"fact,omitempty"`           // the surest of them
	LastMentioned string `json:"last_mentioned,omitempty"` // RFC 3339
}

// CountedFacts returns the number of facts in words; "" if it is unknown.
func (c Candidate) CountedFacts() string {
	switch {
	case c.Facts == nil:
		return ""
	case *c.Facts == 1:
		return "1 fact"
	case *c.Facts >= MaxFactsCounted:
		return fmt.Sprintf("%d or more facts", MaxFactsCounted)
	}
	return fmt.Sprintf("%d facts", *c.Facts)
}

// MaxFactsCounted is the highest number of facts of a candidate: counting the facts of a hub would cost too much.
const MaxFactsCounted = 1000

// Error returns the message and the hint, separated by a space.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + " " + e.Hint
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf returns an Error without a hint. The operand of a %w verb becomes the cause.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), Err: errors.Unwrap(err)}
}

// WithHint sets the hint, the sentence that says what to do next, and returns e.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// AsError returns err as an *Error: err itself if it is or wraps one, otherwise an Internal error with a general
// message and err as the hidden cause. It returns nil for a nil err.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Code: Internal, Message: "something failed inside memory-graph.",
		Hint: "The log has the cause. Try again, and report the error if it persists.", Err: err}
}

// Reason returns a file operation's error without the path, for a sentence that already names the path.
func Reason(err error) error {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		return pe.Err
	}
	if le := (*os.LinkError)(nil); errors.As(err, &le) {
		return le.Err
	}
	return err
}
