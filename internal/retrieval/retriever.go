package retrieval

import (
	"context"
	"strings"
	"time"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
)

// Retriever answers questions. Its fields are set once, before the first call.
type Retriever struct {
	Episodes Episodes
	Text     TextIndex
	Vectors  VectorIndex        // nil: text only
	Embedder embedding.Embedder // same embedding space as Vectors

	Graph        Graph                                 // nil: no facts
	Nearest      GraphVectors                          // nil: entities and facts are found only by their names and words
	Mentions     Mentions                              // nil: no walk
	Holder       Holder                                // nil: everything may be rendered
	Communities  Communities                           // nil: none
	Replacements Replacements                          // nil: facts do not tell what was replaced
	Rates        RateSource                            // nil: the rates of the registry
	Settings     *Settings                             // nil: DefaultSettings
	Now          func() time.Time                      // nil: time.Now
	Used         func(namespace string, facts []int64) // gets the facts that answers about the present use; may be nil
	Rules        Rules                                 // nil: no memories among the rules of a baseline
	Rollout      Rollout                               // nil: expansions are always applied

	Measured func(namespace string, e memory.Expansions) // gets what each expansion found; may be nil
	Traced   func(t Trace)                               // gets how each question was answered; may be nil
}

// The number of candidates from each index, and the number of best candidates whose neighbours are read.
const (
	candidatesPerIndex = 120
	neighboursOf       = 50
)

// VectorWeight returns the weight of the standardised cosine for an embedding provider; BM25 / the best BM25 has weight
// 1. Weak vectors must only refine the text score, never outvote it.
func VectorWeight(provider string) float64 {
	switch provider {
	case "openai":
		return .3
	default:
		return .25
	}
}

// Retrieve answers one request. Errors are *memory.Error.
func (r *Retriever) Retrieve(ctx context.Context, req Request) (Answer, error) {
	if r.Traced != nil && strings.TrimSpace(req.Query) != "" && len(req.IDs) == 0 {
		return r.retrieveTraced(ctx, req)
	}
	return r.retrieve(ctx, req)
}

func (r *Retriever) retrieve(ctx context.Context, req Request) (Answer, error) {
	answer, err := r.find(ctx, req)
	if err != nil {
		return Answer{}, err
	}
	if err := r.inWindow(ctx, req, &answer); err != nil {
		return Answer{}, err
	}
	if err := r.addCommunities(ctx, req, &answer); err != nil {
		return Answer{}, err
	}
	if answer.State, err = r.state(ctx, req.Scope.Namespace, answer.State.Degraded); err != nil {
		return Answer{}, err
	}
	if answer.Episodes == nil {
		answer.Episodes = []FoundEpisode{}
	}
	r.used(req.Scope.Namespace, req.At, answer.Relations)
	if !req.Showable && req.BudgetTokens <= 0 {
		return answer, nil
	}
	shown, err := r.Showable(ctx, req.Scope.Namespace, answer)
	if err != nil {
		return Answer{}, err
	}
	answer.Context = renderContext(shown, req.BudgetTokens, r.settings(), r.now())
	if req.Showable {
		shown.Context = answer.Context
		return shown, nil
	}
	return answer, nil
}

// state returns the memory_state of an answer; the codes in degraded come first.
func (r *Retriever) state(ctx context.Context, namespace string, degraded []string) (memory.State, error) {
	state, err := r.Episodes.State(ctx, namespace)
	if err != nil {
		return memory.State{}, err
	}
	state.Degraded = append(degraded, state.Degraded...)
	if state.Degraded == nil {
		state.Degraded = []string{}
	}
	return state, nil
}

func (r *Retriever) find(ctx context.Context, req Request) (Answer, error) {
	switch {
	case len(req.IDs) > 0:
		return r.byID(ctx, req)
	case strings.TrimSpace(req.Query) == "":
		return r.newest(ctx, req)
	default:
		return r.answerQuestion(ctx, req, parseQuestion(req, r.now()))
	}
}

func (r *Retriever) newest(ctx context.Context, req Request) (Answer, error) {
	episodes, err := r.Episodes.NewestEpisodes(ctx, req.filter(), req.Offset, req.Limit+1)
	if err != nil {
		return Answer{}, err
	}
	answer := Answer{Strategy: Newest, Match: None, More: len(episodes) > req.Limit}
	for _, e := range episodes[:min(len(episodes), req.Limit)] {
		if req.knows(e) {
			answer.Episodes = append(answer.Episodes, FoundEpisode{Episode: e})
		}
	}
	if len(answer.Episodes) > 0 {
		answer.Match = Strong
	}
	return answer, r.nameReplaced(ctx, req, answer.Episodes)
}

func (req Request) filter() memory.Filter {
	f := req.scope()
	f.Roles = req.Roles
	if known := req.At.KnownAt; !known.IsZero() { // what was known then is not later; knows checks the rest
		if last := wholeSecond(known.Add(1)); f.Until.IsZero() || last.Before(f.Until) {
			f.Until = last
		}
	}
	return f
}

// knows reports whether an episode was already stored at the requested KnownAt.
func (req Request) knows(e memory.Episode) bool {
	return req.At.KnownAt.IsZero() || !e.CreatedAt.After(req.At.KnownAt)
}

// wholeSecond rounds t up to a whole second. Turns are stored in whole seconds, so rounding changes no result, and all
// indexes use the same bound.
func wholeSecond(t time.Time) time.Time {
	if whole := t.Truncate(time.Second); whole.Before(t) {
		return whole.Add(time.Second)
	}
	return t
}

// ask ranks episodes by the strategy: text and vector search run in parallel, then the candidates are read once.
func (r *Retriever) ask(ctx context.Context, req Request, q *parsedQuestion) (Answer, error) {
	if len(q.words) == 0 { // only punctuation
		return Answer{Strategy: Text, Match: None}, nil
	}
	auto := req.Strategy == "" || req.Strategy == Auto
	walks := req.Strategy == Walk || auto && req.Graph != nil
	strategy := req.Strategy
	if auto || walks {
		strategy = Fused
	}
	f := req.filter()
	found, degraded, err := r.search(ctx, q, f, strategy, auto || walks)
	if err != nil {
		return Answer{}, err
	}
	cs, err := r.gather(ctx, req, f, q, found, strategy)
	if err != nil {
		return Answer{}, err
	}
	lost := false // the graph could not be read
	rk := ranking{strategy: strategy, features: r.features(strategy)}
	above, below := rk.order(cs)
	if walks || auto && passages(above) {
		more, led, err := r.walk(ctx, f, q, found, above, cs)
		if err != nil && (req.Strategy == Walk && req.Graph == nil || ctx.Err() != nil) {
			return Answer{}, err
		}
		if err != nil {
			lost = true
			more = cs
		}
		cs = more
		if led || req.Strategy == Walk {
			rk = ranking{strategy: Walk, features: append(rk.features, walkFeature)}
			above, below = rk.order(more)
		}
	}
	ranked := above // match judges the ranking before supersession reorders it
	var replaced []replacement
	if strategy == Fused {
		if above, below, replaced, err = r.supersede(ctx, req, f, q, found, above, below, cs); err != nil {
			return Answer{}, err
		}
	}
	answer, page := rk.page(above, below, req)
	answer.leads = leadsOf(above)
	words := weigh(q.stems, found.frequencies)
	answer.Match = match(words, q, ranked)
	answer.State.Degraded = degraded
	if lost {
		answer.lose(req)
	}
	answer.Episodes, err = r.read(ctx, req, rk, page, replaced, words)
	return answer, err
}

// read returns the episodes of a page. It leaves out episodes that were deleted in the meantime or were not yet known
// at the requested time.
func (r *Retriever) read(ctx context.Context, req Request, rk ranking, page []scored, replaced []replacement,
	words []word) ([]FoundEpisode, error) {
	by := supersededBy(replaced)
	ids := make([]int64, len(page))
	for i, c := range page {
		ids[i] = c.turn.ID
	}
	episodes, err := r.Episodes.Episodes(ctx, req.Scope.Namespace, ids)
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]memory.Episode, len(episodes))
	for _, e := range episodes {
		byID[e.ID] = e
	}
	out := make([]FoundEpisode, 0, len(page))
	for _, c := range page {
		e, ok := byID[c.turn.ID]
		if !ok || !req.knows(e) {
			continue
		}
		f := FoundEpisode{Episode: e, Score: c.score, SupersededBy: by[e.ID], Evidence: evidence(words, c.candidate),
			Quoted: c.passage.from}
		if req.Explain {
			f.Why = rk.why(c)
			f.Why.Features = append(f.Why.Features, whyReplaced(c, replaced)...)
		}
		out = append(out, f)
	}
	return out, nil
}

func (r *Retriever) features(s Strategy) []feature {
	switch s {
	case Text:
		return []feature{{"text", 1, "it shares words with the question (BM25 / the best BM25)",
			func(c *candidate) float64 { return c.indexed }}}
	case Vector:
		return []feature{{"vector", 1, "its vector is similar to the question's (cosine)",
			func(c *candidate) float64 { return c.cosine }}}
	default:
		return features(r.vectorWeight())
	}
}

// vectorWeight returns the weight for the configured embedder, 0 without one.
func (r *Retriever) vectorWeight() float64 {
	if r.Embedder == nil {
		return 0
	}
	return VectorWeight(r.Embedder.Identity().Provider)
}
