package retrieval

import (
	"context"
	"errors"
	"strings"

	"memory-graph/embedding"
	"memory-graph/memory"
)

// Retriever answers questions. Its fields are set once, before the first call.
type Retriever struct {
	Episodes Episodes
	Text     TextIndex
	Vectors  VectorIndex        // nil: text only
	Embedder embedding.Embedder // of the same space as Vectors
}

// How many candidates each index gives, and of how many of the best the neighbours are looked at.
const (
	candidatesPerIndex = 200
	neighboursOf       = 50
)

// VectorWeight is the weight of the standardised cosine beside BM25 / max, by embedding provider: weak vectors must
// only add to the text, never outvote it (decision 26).
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
	answer, err := r.find(ctx, req)
	if err != nil {
		return Answer{}, err
	}
	state, err := r.Episodes.State(ctx, req.Scope.Namespace)
	if err != nil {
		return Answer{}, err
	}
	state.Degraded = append(answer.State.Degraded, state.Degraded...)
	if state.Degraded == nil {
		state.Degraded = []string{}
	}
	answer.State = state
	if answer.Episodes == nil {
		answer.Episodes = []Found{}
	}
	answer.Context = RenderContext(answer, req.BudgetTokens)
	return answer, nil
}

func (r *Retriever) find(ctx context.Context, req Request) (Answer, error) {
	switch {
	case len(req.IDs) > 0:
		return r.byID(ctx, req)
	case strings.TrimSpace(req.Query) == "":
		return r.newest(ctx, req)
	default:
		return r.ask(ctx, req)
	}
}

func (r *Retriever) byID(ctx context.Context, req Request) (Answer, error) {
	var nums []int64
	var unknown []string
	for _, id := range req.IDs {
		if id.Kind != memory.KindEpisode {
			unknown = append(unknown, id.String())
			continue
		}
		nums = append(nums, id.Num)
	}
	episodes, err := r.Episodes.Episodes(ctx, req.Scope.Namespace, nums)
	if err != nil {
		return Answer{}, err
	}
	byNum := make(map[int64]memory.Episode, len(episodes))
	for _, e := range episodes {
		byNum[e.ID] = e
	}
	answer := Answer{Strategy: ByID, Match: Strong}
	for _, n := range nums {
		e, ok := byNum[n]
		if !ok {
			unknown = append(unknown, memory.EpisodeID(n).String())
			continue
		}
		answer.Episodes = append(answer.Episodes, Found{Episode: e})
	}
	if len(unknown) > 0 {
		return Answer{}, memory.Errorf(memory.NotFound, "ids: %s not found in namespace %q.", strings.Join(unknown, ", "), req.Scope.Namespace).
			WithHint("Ask with a query, or with neither for the newest.")
	}
	return answer.page(req), nil
}

func (r *Retriever) newest(ctx context.Context, req Request) (Answer, error) {
	episodes, err := r.Episodes.NewestEpisodes(ctx, req.filter(), req.Offset, req.Limit+1)
	if err != nil {
		return Answer{}, err
	}
	answer := Answer{Strategy: Newest, Match: None, More: len(episodes) > req.Limit}
	for _, e := range episodes[:min(len(episodes), req.Limit)] {
		answer.Episodes = append(answer.Episodes, Found{Episode: e})
	}
	if len(answer.Episodes) > 0 {
		answer.Match = Strong
	}
	return answer, nil
}

func (req Request) filter() memory.Filter {
	return memory.Filter{Namespace: req.Scope.Namespace, Project: req.Scope.Project, User: req.Scope.User, SessionID: req.Scope.SessionID,
		Roles: req.Roles, Since: req.Since, Until: req.Until}
}

// page cuts what the request passes over and what is beyond its limit.
func (a Answer) page(req Request) Answer {
	a.Episodes = a.Episodes[min(req.Offset, len(a.Episodes)):]
	if len(a.Episodes) > req.Limit {
		a.Episodes, a.More = a.Episodes[:req.Limit], true
	}
	return a
}

// ask ranks by the strategy: text and vectors side by side, then everything else from one reading of the candidates.
func (r *Retriever) ask(ctx context.Context, req Request) (Answer, error) {
	q := readQuestion(req.Query)
	strategy := req.Strategy
	if strategy == "" || strategy == Auto {
		strategy = Fused
	}
	f := req.filter()
	found, degraded, err := r.search(ctx, q, f, strategy, req.Strategy == Vector || req.Strategy == Fused)
	if err != nil {
		return Answer{}, err
	}
	if found.vectors == nil && strategy == Fused && (req.Strategy == "" || req.Strategy == Auto) {
		strategy = Text
	}
	cs, err := r.gather(ctx, f, q, found, strategy)
	if err != nil {
		return Answer{}, err
	}
	rk := ranking{question: q, strategy: strategy, features: r.features(strategy)}
	above, below := rk.order(cs)
	answer := rk.answer(above, below, req)
	if answer.Match, err = r.match(ctx, q, above, found.vectors != nil); err != nil {
		return Answer{}, err
	}
	answer.State.Degraded = degraded
	return answer, nil
}

func (r *Retriever) features(s Strategy) []feature {
	switch s {
	case Text:
		return features(0)[:1]
	case Vector:
		return []feature{{"vector", 1, "its meaning is near the question's (cosine)", func(c *candidate) float64 { return c.cosine }}}
	default:
		return features(r.vectorWeight())
	}
}

// hits is what the indexes found.
type hits struct {
	text    []memory.Hit
	vectors *Similarities // nil: nothing to rank from
	vec     []int8        // the question's, with vectors
}

// search asks both indexes at once. With strict a missing vector index is the caller's error, else it only degrades.
func (r *Retriever) search(ctx context.Context, q question, f memory.Filter, s Strategy, strict bool) (hits, []string, error) {
	var found hits
	var degraded []string
	type result struct {
		sims Similarities
		vec  []int8
		err  error
	}
	var vectors chan result
	if s != Text {
		vectors = make(chan result, 1)
		go func() {
			sims, vec, err := r.rankVectors(ctx, q, f)
			vectors <- result{sims, vec, err}
		}()
	}
	if s != Vector {
		var err error
		if found.text, err = r.Text.SearchText(ctx, q.query, f, candidatesPerIndex); err != nil {
			return hits{}, nil, err
		}
	}
	if vectors == nil {
		return found, nil, nil
	}
	res := <-vectors
	switch {
	case res.err == nil:
		found.vectors, found.vec = &res.sims, res.vec
	case s == Vector || ctx.Err() != nil:
		return hits{}, nil, res.err
	case errors.Is(res.err, errNoVectors):
		if strict {
			return hits{}, nil, memory.Errorf(memory.Unavailable, "strategy %q needs vectors, and no embedder is configured.", s).WithHint("Use text or auto.")
		}
	default:
		degraded = append(degraded, "vectors_unavailable")
	}
	return found, degraded, nil
}

var errNoVectors = memory.Errorf(memory.Unavailable, "There are no vectors to rank: no embedder is configured.").WithHint("Use strategy text or auto.")

func (r *Retriever) rankVectors(ctx context.Context, q question, f memory.Filter) (Similarities, []int8, error) {
	if r.Vectors == nil || r.Embedder == nil || !r.Embedder.Identity().Enabled() {
		return Similarities{}, nil, errNoVectors
	}
	vecs, err := r.Embedder.Embed(ctx, embedding.Query, []string{q.raw})
	if err != nil {
		return Similarities{}, nil, err
	}
	vec := embedding.Quantize(vecs[0])
	sims, err := r.Vectors.Rank(ctx, vec, f, candidatesPerIndex)
	return sims, vec, err
}

// vectorWeight is the weight of the configured embedder's vectors.
func (r *Retriever) vectorWeight() float64 {
	if r.Embedder == nil {
		return 0
	}
	return VectorWeight(r.Embedder.Identity().Provider)
}
