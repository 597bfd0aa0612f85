// Package waitfor is for tests that wait for another process, or for real work in the background. Where a test can
// run in a bubble of testing/synctest, or can be told by a channel, it needs none of this.
package waitfor

import (
	"testing"
	"time"
)

// Patience is how long Until waits. No healthy run comes near it: it only keeps a hanging test from hanging for ever.
const Patience = 4 * time.Minute

// Pauses between two looks: short at first, because most waits are, then longer, because a look may cost something.
const (
	shortest = 200 * time.Microsecond
	longest  = 50 * time.Millisecond
)

// Until looks until ok gives true, and fails the test when that never comes. what names it in the failure.
func Until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	if !Within(Patience, ok) {
		t.Fatalf("never: %s", what)
	}
}

// Within looks until ok gives true, for at most d, and says whether it did. It looks at least once.
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
