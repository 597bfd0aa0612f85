package retrieval

import (
	"context"
	"time"

	"memory-graph/internal/memory"
)

// Trace is the record of how one question was answered. It holds ids, names and numbers, and no content of turns. The
// text in it is masked by Mask.
type Trace struct {
	At        time.Time
	Namespace string
	Took      time.Duration
	Request   TraceRequest
	Answer    TraceAnswer
}

// TraceRequest is the question of a trace.
type TraceRequest struct {
	Asked     string   `json:"asked"` // retrieve, search_graph or context
	Query     string   `json:"query"`
	Strategy  Strategy `json:"strategy"` // as requested
	Project   string   `json:"project,omitempty"`
	User      string   `json:"user,omitempty"`
	SessionID string   `json:"session_id,omitempty"`
	ValidAt   string   `json:"valid_at,omitempty"`
	KnownAt   string   `json:"known_at,omitempty"`
	MaxHops   int      `json:"max_hops,omitempty"`
	Limit     int      `json:"limit"`
	Offset    int      `json:"offset,omitempty"`
}

// TraceAnswer is what was found and why. Lists are never null.
type TraceAnswer struct {
	Strategy       Strategy           `json:"strategy"` // that answered
	Match          Match              `json:"match"`
	Fallback       memory.Fallback    `json:"fallback,omitempty"`
	Cause          string             `json:"cause,omitempty"` // the error behind a fallback, or of the whole question
	Rollout        memory.RolloutMode `json:"rollout,omitempty"`
	Gate           *Quality           `json:"gate,omitempty"`
	Seeds          []TraceItem        `json:"seeds"`      // turns or entities that the graph search began at
	Expansions     []TraceItem        `json:"expansions"` // what the expansion found, applied or not
	Episodes       []TraceItem        `json:"episodes"`   // the page that was returned
	Relations      []TraceItem        `json:"relations"`
	Entities       []TraceItem        `json:"entities"`
	BelowThreshold int                `json:"below_threshold"`
	Degraded       []string           `json:"degraded"`
	Timings        []Timing           `json:"timings"`
}

// TraceItem is one item with the values of its features.
type TraceItem struct {
	ID        string         `json:"id"`
	Name      string         `json:"name,omitempty"` // of an entity, or a fact as head, relation and tail
	Score     float64        `json:"score"`
	Tier      Tier           `json:"tier,omitempty"`
	MatchedBy []string       `json:"matched_by,omitempty"`
	Features  []TraceFeature `json:"features,omitempty"`
	Graph     *Expansion     `json:"graph,omitempty"`
}

// TraceFeature is the value of one feature of a score.
type TraceFeature struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Weight float64 `json:"weight"`
}

// Timing is how long one step took.
type Timing struct {
	Step   string `json:"step"`
	Micros int64  `json:"us"`
}

// tracedItems is the maximum number of items of a list in a trace.
const tracedItems = 30

// retrieveTraced is Retrieve with a trace. The answer is the same: explanations that nobody asked for are taken out.
func (r *Retriever) retrieveTraced(ctx context.Context, req Request) (Answer, error) {
	began := r.now()
	asked := req
	req.Explain = true
	answer, err := r.retrieve(ctx, req)
	t := Trace{At: began, Namespace: req.Scope.Namespace, Took: r.now().Sub(began), Request: traceRequest(asked),
		Answer: traceAnswer(answer)}
	if err != nil {
		t.Answer.Cause = err.Error()
	}
	t.Answer.Timings = append(t.Answer.Timings, Timing{"total", t.Took.Microseconds()})
	r.Traced(t)
	if !asked.Explain {
		answer = answer.unexplained()
	}
	return answer, err
}

// laps returns a function that notes the time since its last call as a step.
func (r *Retriever) laps(into *[]Timing) func(step string) {
	last := r.now()
	return func(step string) {
		now := r.now()
		*into = append(*into, Timing{step, now.Sub(last).Microseconds()})
		last = now
	}
}

func (a Answer) unexplained() Answer {
	for i := range a.Episodes {
		a.Episodes[i].Why = nil
	}
	for i := range a.Standing {
		a.Standing[i].Why = nil
	}
	for i := range a.Entities {
		a.Entities[i].Why = nil
	}
	for i := range a.Seeds {
		a.Seeds[i].Why = nil
	}
	for i := range a.Relations {
		a.Relations[i].Why = nil
	}
	return a
}

func traceRequest(req Request) TraceRequest {
	t := TraceRequest{Asked: "retrieve", Query: req.Query, Strategy: req.Strategy, Project: req.Scope.Project,
		User: req.Scope.User, SessionID: req.Scope.SessionID, ValidAt: memory.RFC3339(req.At.ValidAt),
		KnownAt: memory.RFC3339(req.At.KnownAt), Limit: req.Limit, Offset: req.Offset}
	if t.Strategy == "" {
		t.Strategy = Auto
	}
	switch {
	case req.Graph != nil:
		t.Asked, t.MaxHops = "search_graph", req.Graph.MaxHops
	case req.Showable:
		t.Asked = "context"
	}
	return t
}

func traceAnswer(a Answer) TraceAnswer {
	t := TraceAnswer{Strategy: a.Strategy, Match: a.Match, Fallback: a.Fallback, BelowThreshold: a.BelowThreshold,
		Degraded: append([]string{}, a.State.Degraded...), Timings: []Timing{}, Expansions: []TraceItem{},
		Episodes: traceItems(a.Episodes, traceEpisode), Relations: traceItems(a.Relations, traceRelation),
		Entities: traceItems(a.Entities, traceEntity), Seeds: traceItems(a.Seeds, traceEntity)}
	run := a.expansion
	if run == nil {
		return t
	}
	t.Rollout, t.Gate = run.mode, run.quality
	if run.cause != nil {
		t.Cause = run.cause.Error()
	}
	t.Seeds = traceItems(run.seeds, traceEpisode)
	t.Expansions = append(t.Expansions, traceItems(run.found.relations, traceRelation)...)
	t.Expansions = append(t.Expansions, traceItems(run.found.episodes, traceEpisode)...)
	t.Expansions = append(t.Expansions, traceItems(run.found.memories, traceEntity)...)
	t.Expansions = append(t.Expansions, traceItems(run.found.entities, traceEntity)...)
	t.Timings = append(t.Timings, run.timings...)
	return t
}

func traceItems[T any](list []T, item func(T) TraceItem) []TraceItem {
	out := make([]TraceItem, 0, min(len(list), tracedItems))
	for _, f := range list[:min(len(list), tracedItems)] {
		out = append(out, item(f))
	}
	return out
}

func traceEpisode(f FoundEpisode) TraceItem {
	it := TraceItem{ID: memory.EpisodeID(f.Episode.ID).String(), Score: f.Score, Tier: f.Tier, Graph: f.Expanded.copied()}
	it.because(f.Why)
	return it
}

func traceEntity(f FoundEntity) TraceItem {
	it := TraceItem{ID: f.Entity.Ref().String(), Name: f.Entity.Name, Score: f.Score, Tier: f.Tier,
		Graph: f.Expanded.copied()}
	it.because(f.Why)
	return it
}

func traceRelation(f FoundRelation) TraceItem {
	r := f.Relationship
	it := TraceItem{ID: r.Ref().String(), Name: r.Head.Name + " " + r.Relation + " " + r.Tail.Name, Score: f.Score,
		Graph: f.Expanded.copied()}
	it.because(f.Why)
	return it
}

// copied returns a copy, which masking may change.
func (e *Expansion) copied() *Expansion {
	if e == nil {
		return nil
	}
	c := *e
	return &c
}

func (it *TraceItem) because(w *Why) {
	if w == nil {
		return
	}
	it.MatchedBy = w.MatchedBy
	for _, f := range w.Features {
		it.Features = append(it.Features, TraceFeature{f.Name, f.Value, f.Weight})
	}
}

// Mask replaces the secrets in every text of the trace.
func (t *Trace) Mask(mask func(string) string) {
	for _, s := range []*string{&t.Namespace, &t.Request.Query, &t.Request.Project, &t.Request.User,
		&t.Request.SessionID, &t.Answer.Cause} {
		*s = mask(*s)
	}
	for _, list := range [][]TraceItem{t.Answer.Seeds, t.Answer.Expansions, t.Answer.Episodes, t.Answer.Relations,
		t.Answer.Entities} {
		for i := range list {
			list[i].Name = mask(list[i].Name)
			if list[i].Graph != nil {
				list[i].Graph.LinkedNode.Name = mask(list[i].Graph.LinkedNode.Name)
			}
		}
	}
}
