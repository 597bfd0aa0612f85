package waitfor_test

import (
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"memory-graph/internal/waitfor"
)

func TestWithin_LooksUntilItIsSo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		looks := 0
		if !waitfor.Within(time.Hour, func() bool { looks++; return looks == 100 }) || looks != 100 {
			t.Errorf("%d polls, want 100", looks)
		}
	})
}

func TestWithin_EndsAndLooksAtLeastOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		looks := 0
		if waitfor.Within(0, func() bool { looks++; return false }) || looks == 0 {
			t.Errorf("the condition holds after %d polls", looks)
		}
		began := time.Now()
		if waitfor.Within(time.Minute, func() bool { return false }) || time.Since(began) > 61*time.Second {
			t.Errorf("it ended after %s, want a minute", time.Since(began))
		}
	})
}

// failing records the failure of a test.
type failing struct {
	testing.TB
	said string
}

func (f *failing) Helper() {}

func (f *failing) Fatalf(format string, args ...any) {
	f.said = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestUntil_FailsTheTestThatWaitsInVain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &failing{TB: t}
		done := make(chan struct{})
		go func() {
			defer close(done)
			waitfor.Until(f, "the cow flies", func() bool { return false })
			t.Error("the test continued")
		}()
		<-done
		if f.said != "never: the cow flies" {
			t.Errorf("the failure says %q", f.said)
		}
	})
}
