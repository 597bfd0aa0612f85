package store_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func TestRollout_IsOfOneNamespace(t *testing.T) {
	t.Parallel()
	s, _ := clocked(t)
	mode := func(namespace string) memory.RolloutMode {
		m, err := s.RolloutMode(t.Context(), namespace)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, m := range []memory.RolloutMode{memory.RolloutOff, memory.RolloutShadow} {
		if err := s.SetRolloutMode(t.Context(), "n", m, memory.Caller{}); err != nil {
			t.Fatal(err)
		}
		if mode("n") != m || mode("other") != memory.RolloutCanary {
			t.Errorf("after %s the modes are %s and %s", m, mode("n"), mode("other"))
		}
	}
	if err := s.SetRolloutMode(t.Context(), "n", "full", memory.Caller{}); memory.AsError(err).Code !=
		memory.InvalidArgument {
		t.Errorf("an unknown mode gives %v", err)
	}
}

func TestExpansions_AreCountedInWindows(t *testing.T) {
	t.Parallel()
	s, clock := clocked(t)
	add := func(namespace string, tried int64) {
		t.Helper()
		n := memory.Expansions{Tried: tried, Fallbacks: 1, Errors: 1, Covered: tried - 1, Added: 2 * tried}
		if err := s.AddExpansions(t.Context(), map[string]memory.Expansions{namespace: n}, 48*time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	const day = 24 * time.Hour
	add("n", 100) // forgotten when the last is added
	*clock = clock.Add(day)
	add("n", 10)
	add("other", 1000)
	*clock = clock.Add(day - time.Hour)
	add("n", 5)
	add("n", 2)
	*clock = clock.Add(2*time.Hour + time.Minute)
	add("n", 1)
	current, previous, err := s.ExpansionCounts(t.Context(), "n", time.Time{}, day)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(memory.Expansions{Tried: 8, Fallbacks: 3, Errors: 3, Covered: 5, Added: 16}, current); diff != "" {
		t.Errorf("current (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(memory.Expansions{Tried: 10, Fallbacks: 1, Errors: 1, Covered: 9, Added: 20},
		previous); diff != "" {
		t.Errorf("previous (-want +got):\n%s", diff)
	}
	if _, old, err := s.ExpansionCounts(t.Context(), "n", clock.Add(-day), day); err != nil || old.Tried != 0 {
		t.Errorf("two days ago %d were tried, %v", old.Tried, err)
	}
}

func TestTraces_AreListedAndExpire(t *testing.T) {
	t.Parallel()
	s, clock := clocked(t)
	add := func(namespace, query string) {
		t.Helper()
		if err := s.AddTraces(t.Context(), []store.Trace{{At: *clock, Namespace: namespace,
			Request: json.RawMessage(`{"query":"` + query + `"}`), Answer: json.RawMessage(`{}`),
			Took: 1500 * time.Microsecond}}, map[string]int{namespace: 2}); err != nil {
			t.Fatal(err)
		}
	}
	add("n", "first")
	*clock = clock.Add(time.Hour)
	add("other", "elsewhere")
	add("n", "second")
	list := func(offset, limit int) (queries []string, more bool) {
		t.Helper()
		traces, more, err := s.Traces(t.Context(), "n", offset, limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, tr := range traces {
			queries = append(queries, string(tr.Request))
		}
		return queries, more
	}
	if got, more := list(0, 1); more != true || !cmp.Equal(got, []string{`{"query":"second"}`}) {
		t.Errorf("the newest trace is %v, more %v", got, more)
	}
	if got, more := list(1, 1); more || !cmp.Equal(got, []string{`{"query":"first"}`}) {
		t.Errorf("the trace before is %v, more %v", got, more)
	}
	one, err := s.TraceByID(t.Context(), "n", 1)
	if err != nil || one.Took != 1500*time.Microsecond || one.Namespace != "n" {
		t.Errorf("trace 1 is %+v, %v", one, err)
	}
	if _, err := s.TraceByID(t.Context(), "other", 1); memory.AsError(err).Code != memory.NotFound {
		t.Errorf("another namespace reads the trace: %v", err)
	}
	if n, err := s.ExpireTraces(context.WithoutCancel(t.Context()), *clock); err != nil || n != 1 {
		t.Errorf("%d traces expire, %v", n, err)
	}
	if got, _ := list(0, 9); !cmp.Equal(got, []string{`{"query":"second"}`}) {
		t.Errorf("left are %v", got)
	}
	counters, err := s.Counters(t.Context(), "n")
	if err != nil || len(counters) != 1 || counters[0].Code != store.TraceDropped || counters[0].N != 4 {
		t.Errorf("counters %+v, %v", counters, err)
	}
}

func TestTraces_FromBeforeAForgettingAreGone(t *testing.T) {
	t.Parallel()
	s, clock := clocked(t)
	turn := told(t, s, "turn", "Ann works at Acme.", nil)
	asked := store.Trace{At: *clock, Namespace: ns, Request: json.RawMessage(`{}`), Answer: json.RawMessage(`{}`)}
	add := func() {
		t.Helper()
		if err := s.AddTraces(t.Context(), []store.Trace{asked}, nil); err != nil {
			t.Fatal(err)
		}
	}
	add()
	*clock = clock.Add(time.Second)
	if _, err := s.Forget(t.Context(), ns, []memory.ID{memory.EpisodeID(turn.Episode.ID)}, true,
		memory.Caller{Actor: "test"}); err != nil {
		t.Fatal(err)
	}
	add() // it was asked before, and waited to be written
	if list, _, err := s.Traces(t.Context(), ns, 0, 9); err != nil || len(list) != 0 {
		t.Errorf("left are %+v, %v", list, err)
	}
	asked.At = clock.Add(time.Second)
	add()
	if list, _, err := s.Traces(t.Context(), ns, 0, 9); err != nil || len(list) != 1 {
		t.Errorf("a later trace is not stored: %+v, %v", list, err)
	}
}
