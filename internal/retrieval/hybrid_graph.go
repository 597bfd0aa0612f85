package retrieval

import (
	"context"
	"errors"
	"slices"
	"time"

	"memory-graph/internal/memory"
)

// The strategy hybrid_graph. Its baseline has three tiers and uses no graph: the user's standing instructions, the turns
// of this session, and the ranking. Where the rollout of the namespace allows it, the graph adds what is connected to
// the hits of the baseline. Whatever goes wrong, the answer is the baseline with the reason.

// Tier is the part of the baseline that a turn or a memory is from.
type Tier string

// The tiers of the baseline, in their order.
const (
	TierRules    Tier = "rules"     // standing instructions of the user
	TierWorking  Tier = "working"   // turns of this session
	TierLongTerm Tier = "long_term" // the other turns of the ranking
)

// The limits of the baseline. They do not depend on the page.
const (
	workingTurns = 3  // most turns of the session that come before the ranking
	workingFrom  = 50 // the first turns of the ranking that may be of the session
)

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

// orBaseline answers a graph search that failed with the baseline and the reason. It returns the error if the caller did
// not ask search_graph, the call was cancelled, or the baseline fails too.
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
		stopped := r.expandBaseline(ctx, req, b, run)
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
func (r *Retriever) expandBaseline(ctx context.Context, req Request, b *baselineAnswer,
	run *expansionRun) memory.Fallback {
	set := r.settings().HybridGraph
	depth := set.Depth
	if req.Graph != nil && req.Graph.MaxHops > 0 {
		depth = req.Graph.MaxHops
	}
	run.seeds = b.seeds()
	if depth == 0 || len(run.seeds) == 0 {
		return memory.FallbackGuardrail // says nothing about the quality of expansions: not measured
	}
	bounded, stop := ctx, context.CancelFunc(func() {})
	if set.Timeout > 0 {
		bounded, stop = context.WithTimeout(ctx, set.Timeout)
	}
	defer stop()
	found, err := r.expandHits(bounded, req, b, run.seeds, depth)
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

// baselineAnswer is the baseline before a page of it is cut.
type baselineAnswer struct {
	answer   Answer         // without the lists
	rules    []FoundEpisode // the tiers
	working  []FoundEpisode
	longTerm []FoundEpisode
	memories []FoundEntity // of the first tier
}

// baseline returns the three tiers. It reads no graph, except for the names of memories that are instructions. The
// session of the request selects the second tier and does not filter.
func (r *Retriever) baseline(ctx context.Context, req Request, q *parsedQuestion) (*baselineAnswer, error) {
	session := req.Scope.SessionID
	req.Scope.SessionID = ""
	b := &baselineAnswer{}
	var err error
	if b.rules, b.memories, err = r.rules(ctx, req, req.filter()); err != nil {
		return nil, err
	}
	ranked := req
	ranked.Strategy, ranked.Graph, ranked.Offset = Auto, nil, 0
	ranked.Limit = max(workingFrom, req.Offset+req.Limit+1)
	plain := *r
	plain.Mentions = nil // no walk
	if b.answer, err = plain.ask(ctx, ranked, q); err != nil {
		return nil, err
	}
	known := map[int64]bool{}
	for _, f := range b.rules {
		known[f.Episode.ID] = true
	}
	for i, f := range b.answer.Episodes {
		switch {
		case known[f.Episode.ID]:
			continue
		case session != "" && f.Episode.Scope.SessionID == session && i < workingFrom && len(b.working) < workingTurns:
			f.Tier = TierWorking
			b.working = append(b.working, f)
		default:
			f.Tier = TierLongTerm
			b.longTerm = append(b.longTerm, f)
		}
	}
	b.answer.Strategy, b.answer.Episodes = Baseline, nil
	return b, nil
}

// seedShare is the share of the best score of the ranking from which a turn is a hit. The graph makes much of little: what
// lies around a turn that hardly matches is noise.
const seedShare = .25

// seeds returns the hits that an expansion begins at: the turns of this session and the best of the ranking.
func (b *baselineAnswer) seeds() []FoundEpisode {
	list := slices.Concat(b.working, b.longTerm)
	best := 0.
	for _, f := range list {
		best = max(best, f.Score)
	}
	list = slices.DeleteFunc(list, func(f FoundEpisode) bool {
		return f.Episode.Status == memory.StatusQuarantined || f.Score < seedShare*best
	})
	return list[:min(len(list), expandedFrom)]
}

// page returns a page of the answer, with what an expansion adds. Of the turns after the first two tiers, every third is
// one that the expansion added. Within the page the added ones come last.
func (b *baselineAnswer) page(req Request, x expanded) Answer {
	a := b.answer
	turns := slices.Concat(b.rules, b.working)
	if !x.empty() {
		a.Strategy = HybridGraph
	}
	moved := map[int64]bool{}
	for _, f := range x.episodes {
		moved[f.Episode.ID] = true
	}
	rest := slices.DeleteFunc(slices.Clone(b.longTerm), func(f FoundEpisode) bool { return moved[f.Episode.ID] })
	for base, added := rest, x.episodes; len(base)+len(added) > 0; {
		n := min(len(base), baselineTurns)
		turns, base = append(turns, base[:n]...), base[n:]
		if len(added) > 0 {
			turns, added = append(turns, added[0]), added[1:]
		}
	}
	more := a.More
	a.Episodes = cutPage(turns, req, &more)
	slices.SortStableFunc(a.Episodes, func(p, q FoundEpisode) int {
		return int(truth(p.Expanded != nil) - truth(q.Expanded != nil))
	})
	a.Entities = cutPage(slices.Concat(b.memories, x.memories, x.entities), req, &more)
	a.Relations = cutPage(x.relations, req, &more)
	a.Truncated, a.More = a.Truncated || x.truncated, more
	return a
}

// baselineTurns is the number of turns of the ranking for each turn that an expansion adds.
const baselineTurns = 2

// RolloutState is what `rollout` shows of a namespace.
type RolloutState struct {
	Namespace string             `json:"namespace"`
	Mode      memory.RolloutMode `json:"mode"`
	Gate      Quality            `json:"gate"`
}

// ReadRollout returns the mode of a namespace, and the judgement of the quality gate at now, the zero
// time for the reader's clock. It runs two statements.
func ReadRollout(ctx context.Context, r Rollout, namespace string, now time.Time) (RolloutState, error) {
	s := RolloutState{Namespace: namespace}
	var err error
	if s.Mode, err = r.RolloutMode(ctx, namespace); err != nil {
		return s, err
	}
	current, previous, err := r.ExpansionCounts(ctx, namespace, now, QualityWindow)
	s.Gate = JudgeQuality(current, previous)
	return s, err
}
