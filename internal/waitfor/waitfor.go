// Package waitfor is for tests that wait for another process or for real work in the background. Prefer
// testing/synctest or a channel if the test can use one.
package waitfor

import (
	"testing"
	"time"
)

// Patience is the timeout of Until. A healthy run never comes near it; it only ends tests that hang.
const Patience = 4 * time.Minute

// Pauses between two polls: short at first, because most waits are, then longer, because a poll may be expensive.
const (
	shortest = 200 * time.Microsecond
	longest  = 50 * time.Millisecond
)

// Until polls until ok returns true, and fails the test after Patience. what describes the condition in the failure.
func Until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	if !Within(Patience, ok) {
		t.Fatalf("never: %s", what)
	}
}

// Within polls until ok returns true, for at most d, and reports whether it did. It polls at least once.
func Within(d time.Duration, ok func() bool) bool {
	end := time.Now().Add(d)
	for pause := shortest; !ok(); pause = min(2*pause, longest) {
		if time.Now().After(end) {
			return false
		}
		time.Sleep(pause)
	}
	return true
}
