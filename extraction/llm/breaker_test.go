package llm

import (
	"testing"
	"time"
)

// turned is a breaker with a clock that the test advances.
func turned() (*breaker, *time.Time) {
	at := time.Date(2026, 3, 18, 9, 0, 0, 0, time.UTC)
	return &breaker{now: func() time.Time { return at }}, &at
}

// pass lets one question pass that ends with e, and reports whether it was let through.
func pass(b *breaker, e *Error) bool {
	probe, _, why := b.enter()
	if why != nil {
		return false
	}
	b.leave(probe, e)
	return true
}

func TestBreaker_OpensAfterFailuresInARow(t *testing.T) {
	t.Parallel()
	b, at := turned()
	failure := &Error{Kind: Failing}
	for _, e := range []*Error{failure, failure, nil, failure, failure, {Kind: Malformed}, failure, failure, failure} {
		if !pass(b, e) {
			t.Fatal("closed too early")
		}
	}
	if pass(b, nil) {
		t.Fatal("open, and a question passed")
	}
	*at = at.Add(firstPause)
	probe, _, why := b.enter()
	if !probe || why != nil {
		t.Fatal("after the pause there is no probe")
	}
	if pass(b, nil) {
		t.Error("a second question passed beside the probe")
	}
	b.leave(probe, nil)
	for range 2 {
		if !pass(b, nil) {
			t.Error("the probe was answered, and it stays open")
		}
	}
}

func TestBreaker_DoublesItsPause(t *testing.T) {
	t.Parallel()
	b, at := turned()
	failure := &Error{Kind: Unreachable}
	for range failuresToPause {
		pass(b, failure)
	}
	for want := firstPause; want <= 4*longestPause; want *= 2 {
		_, wait, why := b.enter()
		if why == nil || wait != min(want, longestPause) {
			t.Fatalf("pause %s, want %s", wait, min(want, longestPause))
		}
		*at = at.Add(wait)
		if !pass(b, failure) {
			t.Fatalf("after a pause of %s there is no probe", wait)
		}
	}
}

func TestBreaker_OpensAtOnceWhereOneAnswerIsEnough(t *testing.T) {
	t.Parallel()
	for _, e := range []*Error{{Kind: Unauthorized}, {Kind: Misconfigured}, {Kind: RateLimited, RetryAfter: time.Minute}} {
		b, _ := turned()
		pass(b, e)
		_, wait, why := b.enter()
		if why != e || wait != max(firstPause, e.RetryAfter) {
			t.Errorf("%s: pause %s for %v", e.Kind, wait, why)
		}
	}
}

func TestBreaker_LearnsNothingFromWhoGaveUp(t *testing.T) {
	t.Parallel()
	b, at := turned()
	for range failuresToPause {
		pass(b, &Error{Kind: TimedOut})
	}
	*at = at.Add(firstPause)
	if !pass(b, &Error{Kind: Cancelled}) {
		t.Fatal("no probe")
	}
	probe, _, _ := b.enter()
	if !probe {
		t.Error("a probe that was given up leaves no place for the next")
	}
}

func TestBreaker_IgnoresWhatWasUnderWayWhenItOpened(t *testing.T) {
	t.Parallel()
	b, at := turned()
	for range failuresToPause + 5 {
		if probe, _, why := b.enter(); probe || why != nil {
			t.Fatal("not closed")
		}
	}
	for range failuresToPause + 5 {
		b.leave(false, &Error{Kind: Failing})
	}
	if _, wait, _ := b.enter(); wait != firstPause {
		t.Errorf("pause %s, want %s: late failures are one failure", wait, firstPause)
	}
	*at = at.Add(firstPause)
	if !pass(b, nil) {
		t.Error("no probe")
	}
}
