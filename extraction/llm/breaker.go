package llm

import (
	"sync"
	"time"
)

// How an endpoint that fails is left alone.
const (
	// failuresToPause is how many questions in a row must fail by the endpoint's fault before it is left alone.
	failuresToPause = 3
	// firstPause is how long it is left alone at first; each probe that fails doubles it.
	firstPause = 5 * time.Second
	// longestPause bounds the doubling: an endpoint that is back is found within this time.
	longestPause = 5 * time.Minute
	// MaxPause bounds what an endpoint may ask for with Retry-After.
	MaxPause = 15 * time.Minute
)

// breaker keeps questions from an endpoint that would only fail. Closed, it lets everything pass; open, nothing until a
// time; then one question, the probe, whose outcome closes or opens it again.
type breaker struct {
	now func() time.Time

	mu       sync.Mutex
	failures int       // in a row
	until    time.Time // zero: closed
	pause    time.Duration
	probing  bool
	last     *Error // why it is open
}

// enter asks whether a question may be put. Where it may not, wait is how long to wait and why is the reason. probe
// says that the outcome decides; whoever is let in must call leave.
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
		return false, firstPause, b.last // until the probe is back
	}
	b.probing = true
	return true, 0, nil
}

// leave tells how the question ended; e is nil where it was answered, even badly: the endpoint is there. changed says
// that the breaker opened or closed with it.
func (b *breaker) leave(probe bool, e *Error) (changed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if probe {
		b.probing = false
	}
	switch {
	case e != nil && e.Kind == Cancelled:
		return false // it tells nothing
	case e == nil || !e.OfEndpoint():
		changed = !b.until.IsZero()
		b.failures, b.until, b.pause, b.last = 0, time.Time{}, 0, nil
		return changed
	}
	b.failures++
	b.last = e
	open := !b.until.IsZero()
	if !probe && open {
		return false // it was under way when others found out
	}
	// One answer is enough where more would say the same: a wrong key, a time to wait that is given.
	if !probe && b.failures < failuresToPause && e.RetryAfter == 0 && e.Retryable() {
		return false
	}
	b.pause = min(max(firstPause, 2*b.pause), longestPause)
	b.until = b.now().Add(max(b.pause, min(e.RetryAfter, MaxPause)))
	return !open
}

// Available says whether a question would be put now: nil, or an *Error of kind Paused that says what failed, with
// RetryAfter as the time until the endpoint is asked again. Of an endpoint that was never asked nothing bad is known.
func (c *Client) Available() error {
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

// Failing gives how the endpoint failed when it was last asked, an *Error, or nil where it answered, even badly, or was
// never asked. Unlike Available it lasts until an answer comes: it is what to show, and not what to wait for.
func (c *Client) Failing() error {
	b := &c.breaker
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.last == nil {
		return nil
	}
	return b.last
}

// paused makes the error for a question that is not put.
func (c *Client) paused(why *Error, left time.Duration) *Error {
	e := c.fail(Paused, why, "is left alone for %s, since it failed: %s", left.Round(time.Second), why.Kind)
	if !why.Retryable() {
		e.words.Hint = why.words.Hint // somebody has to do something
	}
	e.RetryAfter = left
	return e
}
