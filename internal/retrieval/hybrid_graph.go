package retrieval

import (
	"context"
	"errors"
	"slices"
	"time"

	"memory-graph/internal/memory"
)

// The strategy hybrid_graph. Its baseline has three tiers and uses no graph: the user's standing instructions, the
// turns of this session, and the ranking. Where the rollout of the namespace allows it, the graph adds what is
// connected to the hits of the baseline. Whatever goes wrong, the answer is the baseline with the reason.

// Rollout tells how far expansions are rolled out, and what recent ones found. Every method runs one statement.
type Rollout interface {
	// RolloutMode returns the mode of a namespace.
	RolloutMode(ctx context.Context, namespace string) (memory.RolloutMode, error)
	// ExpansionCounts returns the counts of the window that ends at until, and of the window before it. The zero time is
	// the reader's present.
	ExpansionCounts(ctx context.Context, namespace string, until time.Time, window time.Duration) (current,
		previous memory.Expansions, err error)
}

// expansionRun is what a question with hybrid_graph did, for its trace.
type expansionRun struct {
	mode    memory.RolloutMode // "" if it was not read
	quality *Quality           // nil if the gate was not asked
	seeds   []FoundEpisode     // the hits that the expansion began at
	found   expanded           // what it found, applied or not
	cause   error              // why it failed
	timings []Timing
}

// lose notes in an answer that the graph could not be read.
func (a *Answer) lose(req Request) {
	switch {
	case req.Graph != nil:
		a.Fallback = memory.FallbackError
	case !slices.Contains(a.State.Degraded, "graph_unavailable"):
		a.State.Degraded = append(a.State.Degraded, "graph_unavailable")
	}
}

// orBaseline answers a graph search that failed with the baseline and the reason. It returns the error if the caller
// did not ask search_graph, the call was cancelled, or the baseline fails too.
func (r *Retriever) orBaseline(ctx context.Context, req Request, q *parsedQuestion, cause error) (Answer, error) {
	if req.Graph == nil || ctx.Err() != nil {
		return Answer{}, cause
	}
	b, err := r.baseline(ctx, req, q)
	if err != nil {
		return Answer{}, cause
	}
	b.answer.Fallback = memory.FallbackError
	return b.page(req, expanded{}), nil
}

// hybridGraph answers by the strategy hybrid_graph.
func (r *Retriever) hybridGraph(ctx context.Context, req Request, q *parsedQuestion) (Answer, error) {
	run := &expansionRun{}
	lap := r.laps(&run.timings)
	b, err := r.baseline(ctx, req, q)
	if err != nil {
		return Answer{}, err
	}
	lap("baseline")
	runs, fallback := r.rolledOut(ctx, req.Scope.Namespace, run)
	lap("rollout")
	if runs {
		stopped := r.expandBaseline(ctx, req, q, b, run)
		if fallback == "" {
			fallback = stopped
		}
		lap("expansion")
	}
	if err := ctx.Err(); err != nil {
		return Answer{}, memory.Errorf(memory.Unavailable, "The call was cancelled: %w.", err)
	}
	use := run.found
	if fallback != "" {
		use = expanded{}
	}
	b.answer.Fallback = fallback
	answer := b.page(req, use)
	answer.expansion = run
	return answer, nil
}

// rolledOut reports whether the expansion is run, and why it is not applied. Errors count as a reason: an answer never
// depends on the rollout being known.
func (r *Retriever) rolledOut(ctx context.Context, namespace string, run *expansionRun) (bool, memory.Fallback) {
	if !r.settings().HybridGraph.Enabled {
		return false, memory.FallbackFlag
	}
	if r.Rollout == nil {
		run.mode = memory.RolloutCanary
		return true, ""
	}
	var err error
	if run.mode, err = r.Rollout.RolloutMode(ctx, namespace); err != nil {
		run.mode, run.cause = "", err
		return false, memory.FallbackGuardrail
	}
	switch run.mode {
	case memory.RolloutOff:
		return false, memory.FallbackOff
	case memory.RolloutShadow:
		return true, memory.FallbackShadow
	}
	current, previous, err := r.Rollout.ExpansionCounts(ctx, namespace, r.now(), QualityWindow)
	if err != nil {
		run.cause = err
		return false, memory.FallbackGuardrail
	}
	quality := JudgeQuality(current, previous)
	run.quality = &quality
	if quality.Blocked { // still measured, so that the gate opens again when the causes are gone
		return true, memory.FallbackGate
	}
	return true, ""
}

// expandBaseline runs the expansion and measures it. It returns the reason if it could not be run to its end.
func (r *Retriever) expandBaseline(ctx context.Context, req Request, q *parsedQuestion, b *baselineAnswer,
	run *expansionRun) memory.Fallback {
	set := r.settings().HybridGraph
	depth := set.Depth
	if req.Graph != nil && req.Graph.MaxHops > 0 {
		depth = req.Graph.MaxHops
	}
	run.seeds = b.seeds()
	if depth == 0 || len(run.seeds) == 0 && len(q.names) < 2 {
		return memory.FallbackGuardrail // says nothing about the quality of expansions: not measured
	}
	bounded, stop := ctx, context.CancelFunc(func() {})
	if set.Timeout > 0 {
		bounded, stop = context.WithTimeout(ctx, set.Timeout)
	}
	defer stop()
	found, err := r.expandHits(bounded, req, q, b, run.seeds, depth)
	if err == nil && len(run.seeds) == 0 && !found.joins {
		return memory.FallbackGuardrail
	}
	count := memory.Expansions{Tried: 1}
	var stopped memory.Fallback
	switch {
	case err == nil:
		run.found = found
		if n := len(found.episodes) + len(found.relations) + len(found.memories); n > 0 {
			count.Covered, count.Added = 1, int64(n)
		}
	case ctx.Err() != nil: // the caller went away
		return memory.FallbackGuardrail
	case bounded.Err() != nil && errors.Is(bounded.Err(), context.DeadlineExceeded):
		run.cause, stopped, count.Fallbacks = err, memory.FallbackGuardrail, 1
	default:
		run.cause, stopped, count.Fallbacks, count.Errors = err, memory.FallbackError, 1, 1
	}
	if r.Measured != nil {
		r.Measured(req.Scope.Namespace, count)
	}
	return stopped
}
