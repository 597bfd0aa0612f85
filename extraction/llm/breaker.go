package llm

import (
	"sync"
	"time"
)

// Pauses after failures of the endpoint.
const (
	// failuresToPause is how many questions in a row must fail through the endpoint's fault before a pause.
	failuresToPause = 3
	// firstPause is the length of the first pause. Each failed probe doubles it.
	firstPause = 5 * time.Second
	// longestPause bounds the doubling, so a recovered endpoint is found within this time.
	longestPause = 5 * time.Minute
	// MaxPause bounds the pause that an endpoint may request with Retry-After.
	MaxPause = 15 * time.Minute
)

// breaker is a circuit breaker for the endpoint. While closed, it lets every question pass. While open, it lets none
// pass until a given time, and then one question, the probe. The result of the probe closes or opens it again.
type breaker struct {
	now func() time.Time

	mu       sync.Mutex
	failures int       // in a row
	until    time.Time // zero: closed
	pause    time.Duration
	probing  bool
	last     *Error // why it is open
	answered bool   // the last question was answered
}

// enter reports whether a question may be sent. If why is not nil, it may not: why is the last failure, and wait is the
// time to wait. probe means that the question is the probe. After a nil why, the caller must call leave.
func (b *breaker) enter() (probe bool, wait time.Duration, why *Error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.until.IsZero() {
		return false, 0, nil
	}
	if left := b.until.Sub(b.now()); left > 0 {
		return false, left, b.last
	}
	if b.probing {
		return false, firstPause, b.last // until the probe returns
	}
	b.probing = true
	return true, 0, nil
}

// leave records how the question ended. e is nil if the endpoint answered, even badly. changed reports whether the
// breaker opened or closed.
func (b *breaker) leave(probe bool, e *Error) (changed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if probe {
		b.probing = false
	}
	switch {
	case e != nil && (e.Kind == Cancelled || e.Kind == OverBudget || e.Kind == TooCostly):
		return false // says nothing about the endpoint
	case e == nil || !e.OfEndpoint():
		changed = !b.until.IsZero()
		b.failures, b.until, b.pause, b.last, b.answered = 0, time.Time{}, 0, nil, true
		return changed
	}
	e.chance = e.byCommand && b.answered
	b.failures++
	b.last, b.answered = e, false
	open := !b.until.IsZero()
	if !probe && open {
		return false // the question was sent before the breaker opened
	}
	// One failure is enough if more would be the same, such as a wrong key or a given Retry-After.
	if !probe && b.failures < failuresToPause && e.RetryAfter == 0 && e.Retryable() {
		return false
	}
	b.pause = min(max(firstPause, 2*b.pause), longestPause)
	b.until = b.now().Add(max(b.pause, min(e.RetryAfter, MaxPause)))
	return !open
}

// Doubtful reports whether a command failed at the last question. Then it is asked about one turn at a time.
func (c *Client) Doubtful() bool { return len(c.options.Command) > 0 && c.Failing() != nil }

// Available returns nil if a question would be sent now. Otherwise it returns an *Error of kind OverBudget, or of kind
// Paused that names the failure, with RetryAfter as the time until the next question. An endpoint that was never asked
// counts as available.
func (c *Client) Available() error {
	if e := c.overBudget(); e != nil {
		return e
	}
	b := &c.breaker
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.until.IsZero() {
		return nil
	}
	if left := b.until.Sub(b.now()); left > 0 {
		return c.paused(b.last, left)
	}
	return nil
}

// Failing returns the *Error of the last question, or nil if the endpoint answered, even badly, or was never asked.
// Unlike Available, it reports the failure until an answer comes. It is for display, not for deciding whether to wait.
func (c *Client) Failing() error {
	b := &c.breaker
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.last == nil {
		return nil
	}
	return b.last
}

// paused returns the error for a question that is not sent.
func (c *Client) paused(why *Error, left time.Duration) *Error {
	e := c.fail(Paused, why, "is paused for %s after a failure: %s", left.Round(time.Second), why.Kind)
	if !why.Retryable() {
		e.words.Hint = why.words.Hint // the user must change something
	}
	e.RetryAfter = left
	return e
}
