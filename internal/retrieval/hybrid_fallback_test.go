package retrieval_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

// failingEdges fails every expansion, but no seed of a search.
type failingEdges struct{ *store.Store }

func (failingEdges) EdgesWithin(context.Context, memory.EdgeQuery, memory.Filter) ([]memory.Edge, bool, error) {
	return nil, false, memory.Errorf(memory.Internal, "the disk is away")
}

// endlessEdges answers when the time of the expansion is over.
type endlessEdges struct{ *store.Store }

func (endlessEdges) EdgesWithin(ctx context.Context, _ memory.EdgeQuery, _ memory.Filter) ([]memory.Edge, bool, error) {
	<-ctx.Done()
	return nil, false, ctx.Err()
}

// failingRollout cannot tell the mode.
type failingRollout struct{ *store.Store }

func (failingRollout) RolloutMode(context.Context, string) (memory.RolloutMode, error) {
	return "", memory.Errorf(memory.Internal, "the disk is away")
}

// failingCounts cannot tell what was measured.
type failingCounts struct{ *store.Store }

func (failingCounts) ExpansionCounts(context.Context, string, time.Time, time.Duration) (a, b memory.Expansions,
	err error) {
	return a, b, memory.Errorf(memory.Internal, "the disk is away")
}

// provocations provoke each reason for a baseline.
var provocations = map[string]struct {
	reason  memory.Fallback
	provoke func(w world)
	// what is measured: nothing, if the expansion is not run or says nothing about expansions
	measured memory.Expansions
	query    string
}{
	"the setting": {reason: memory.FallbackFlag, provoke: func(w world) { w.Settings.HybridGraph.Enabled = false }},
	"off":         {reason: memory.FallbackOff, provoke: func(w world) { w.rollout(memory.RolloutOff) }},
	"shadow": {reason: memory.FallbackShadow, provoke: func(w world) { w.rollout(memory.RolloutShadow) },
		measured: memory.Expansions{Tried: 1, Covered: 1, Added: 4}},
	"the gate": {reason: memory.FallbackGate, provoke: func(w world) {
		w.count(memory.Expansions{Tried: 20, Fallbacks: 1, Errors: 1, Covered: 19, Added: 19})
	}, measured: memory.Expansions{Tried: 1, Covered: 1, Added: 4}},
	"a graph that fails": {reason: memory.FallbackError, provoke: func(w world) { w.Graph = failingEdges{w.store} },
		measured: memory.Expansions{Tried: 1, Fallbacks: 1, Errors: 1}},
	"no time": {reason: memory.FallbackGuardrail, provoke: func(w world) {
		w.Settings.HybridGraph.Timeout, w.Graph = time.Millisecond, endlessEdges{w.store}
	}, measured: memory.Expansions{Tried: 1, Fallbacks: 1}},
	"no depth":     {reason: memory.FallbackGuardrail, provoke: func(w world) { w.Settings.HybridGraph.Depth = 0 }},
	"no hits":      {reason: memory.FallbackGuardrail, provoke: func(world) {}, query: "zebra"},
	"no mode":      {reason: memory.FallbackGuardrail, provoke: func(w world) { w.Rollout = failingRollout{w.store} }},
	"no judgement": {reason: memory.FallbackGuardrail, provoke: func(w world) { w.Rollout = failingCounts{w.store} }},
}

func TestHybridGraph_EachReasonForABaselineIsNamed(t *testing.T) {
	t.Parallel()
	for name, c := range provocations {
		for _, graph := range []*retrieval.GraphScope{nil, {}} { // retrieve and search_graph
			t.Run(fmt.Sprintf("%s/search_graph %v", name, graph != nil), func(t *testing.T) {
				t.Parallel()
				w, hit, _, _ := alarms(t)
				var measured memory.Expansions
				w.Measured = func(_ string, e memory.Expansions) { measured = measured.Plus(e) }
				c.provoke(w)
				query := c.query
				if query == "" {
					query = "rollout alarms"
				}
				a := w.expand(retrieval.Request{Query: query, Graph: graph})
				if a.Fallback != c.reason || a.Strategy != retrieval.Baseline || len(a.Relations)+len(a.Entities) != 0 {
					t.Errorf("fallback %q, strategy %s, facts %v", a.Fallback, a.Strategy, said(a.Relations))
				}
				if c.query == "" && ids(a)[0] != hit {
					t.Errorf("turns %v, want first %s", ids(a), hit)
				}
				if diff := cmp.Diff(c.measured, measured); diff != "" {
					t.Errorf("measured (-want +got):\n%s", diff)
				}
				if len(*w.used) != 0 {
					t.Errorf("facts %v count as used, and no answer has them", *w.used)
				}
			})
		}
	}
}

// Whatever the reason, the answer is the same to the byte, except for the reason.
func TestHybridGraph_ShadowAndBaselineAreTheSameBytes(t *testing.T) {
	t.Parallel()
	w, _, _, _ := alarms(t)
	w.tell("", "Never restart billing at noon.", "billing")
	plain, set := *w.Retriever, *w.Settings
	answer := func(req retrieval.Request) string {
		a := w.expand(req)
		text, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(string(text), `"Fallback":"`+string(a.Fallback)+`"`, `"Fallback":""`)
	}
	for _, req := range []retrieval.Request{{Query: "rollout alarms", BudgetTokens: 400},
		{Query: "rollout alarms", Explain: true, Limit: 3, Offset: 3}, {Query: "alarms", Graph: &retrieval.GraphScope{}}} {
		w.rollout(memory.RolloutOff)
		want := answer(req)
		for _, name := range []string{"shadow", "the setting", "a graph that fails", "no depth", "no mode", "no judgement"} {
			provocations[name].provoke(w)
			if diff := cmp.Diff(want, answer(req)); diff != "" {
				t.Errorf("%s: the answer is not the baseline (-off +got):\n%s", name, diff)
			}
			*w.Retriever, *w.Settings = plain, set
			w.rollout(memory.RolloutCanary)
		}
		if answer(req) == want {
			t.Errorf("%q: canary answers like the baseline, so this shows nothing", req.Query)
		}
	}
}

func TestHybridGraph_TheGateOpensAgainWhenTheCauseIsGone(t *testing.T) {
	t.Parallel()
	w, _, _, _ := alarms(t)
	w.Measured = func(_ string, e memory.Expansions) { w.count(e) }
	w.Graph = failingEdges{w.store}
	for range 20 {
		w.expand(retrieval.Request{Query: "rollout alarms"})
	}
	w.Graph = w.store
	if a := w.expand(retrieval.Request{Query: "rollout alarms"}); a.Fallback != memory.FallbackGate {
		t.Fatalf("after twenty errors the fallback is %q", a.Fallback)
	}
	w.later(retrieval.QualityWindow + time.Hour)
	for range 20 {
		w.expand(retrieval.Request{Query: "rollout alarms"})
	}
	if a := w.expand(retrieval.Request{Query: "rollout alarms"}); a.Fallback != "" {
		t.Errorf("a day later the fallback is %q", a.Fallback)
	}
}
