package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Code classifies an Error for programs. The set is part of the tool contract.
type Code string

// The codes of the tool contract.
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

// Error is a failure worded for the caller: what failed, with which value, and what to do next.
type Error struct {
	Code       Code
	Message    string      // what failed, with which value: one sentence
	Hint       string      // what to do next: one sentence, may be empty
	Candidates []Candidate // for Ambiguous: what the value may have meant
	Err        error       // the cause, for the log; never shown to the caller
}

// Candidate is one of the things that an ambiguous name may mean.
type Candidate struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type string `json:"type"`
}

// Error gives message and hint as one or two sentences.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + " " + e.Hint
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an Error without a hint. A %w verb's operand becomes the cause.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), Err: errors.Unwrap(err)}
}

// WithHint returns the error with the sentence that tells what to do next.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// AsError gives err as an *Error: itself when it is one or wraps one, otherwise an Internal error that hides the cause
// behind a general sentence. A nil err gives nil.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Code: Internal, Message: "something failed inside memory-graph.",
		Hint: "The log has the cause; try again, and report it if it stays.", Err: err}
}

// Reason is a file's error without the path, for a sentence that names it already.
func Reason(err error) error {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		return pe.Err
	}
	if le := (*os.LinkError)(nil); errors.As(err, &le) {
		return le.Err
	}
	return err
}
