package bench

import (
	"context"
	"slices"
	"time"

	"memory-graph/episodes"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

// Memory is the engine under test, the same as in the server.
type Memory interface {
	StoreEpisode(ctx context.Context, in store.NewEpisode) (episodes.Result, error)
	Retrieve(ctx context.Context, req retrieval.Request) (retrieval.Answer, error)
	State(ctx context.Context, namespace string) (memory.State, error)
}

// Quantiles are of durations in milliseconds.
type Quantiles struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
}

// RecallResult is the output of `bench recall`. The top-level scores are over all groups except LoCoMo's category 5,
// whose questions have no answer.
type RecallResult struct {
	Scores
	Groups   map[string]Scores `json:"groups"`
	StoreMS  Quantiles         `json:"store_ms"`
	QueryMS  Quantiles         `json:"query_ms"`
	Data     string            `json:"data"`
	SHA256   string            `json:"sha256"`
	Tool     string            `json:"tool"`
	Strategy string            `json:"strategy"`
	Embedder string            `json:"embedder"`
}

// adversarial is the LoCoMo category that the top-level scores leave out.
const adversarial = "5"

// depth is the number of episodes to request: the largest k of R@k is 20.
const depth = 20

// Asker selects the tool and the strategy for questions.
type Asker struct {
	Tool     string // ToolRetrieve or ToolSearchGraph
	Strategy retrieval.Strategy
}

// The tools that answer questions.
const (
	ToolRetrieve    = "retrieve"
	ToolSearchGraph = "search_graph"
)

func (a Asker) request(namespace, query string) retrieval.Request {
	req := retrieval.Request{Scope: memory.Scope{Namespace: namespace}, Query: query, Strategy: a.Strategy, Limit: depth}
	if a.Tool == ToolSearchGraph {
		req.Graph = &retrieval.GraphScope{}
	}
	return req
}

// Recall stores the documents of each group in its own namespace, waits for their vectors, and asks every question
// verbatim. progress may be nil.
func Recall(ctx context.Context, mem Memory, set Set, form string, by Asker,
	progress func(done, total int)) (RecallResult, error) {
	total, done := 0, 0
	for _, g := range set.Groups {
		total += len(g.Documents) + len(g.Questions)
	}
	step := func() {
		done++
		if progress != nil {
			progress(done, total)
		}
	}
	var stored, queried []float64
	ids := map[string]string{} // namespace and episode id → document id
	for _, g := range set.Groups {
		for _, d := range g.Documents {
			start := time.Now()
			res, err := mem.StoreEpisode(ctx, store.NewEpisode{
				Episode: memory.Episode{Scope: memory.Scope{Namespace: g.namespace(), SessionID: d.SessionID}, Content: d.Content,
					Speaker: d.Speaker, OccurredAt: d.OccurredAt}, IdempotencyKey: g.Name + "/" + d.ID,
				Caller: memory.Caller{Actor: "bench"}})
			if err != nil {
				return RecallResult{}, err
			}
			stored = append(stored, milliseconds(start))
			ids[g.namespace()+" "+res.EpisodeID.String()] = d.ID
			step()
		}
	}
	rows := map[string][]asked{}
	for _, g := range set.Groups {
		if err := settle(ctx, mem, g.namespace()); err != nil {
			return RecallResult{}, err
		}
		for _, q := range g.Questions {
			start := time.Now()
			answer, err := mem.Retrieve(ctx, by.request(g.namespace(), q.Text))
			if err != nil {
				return RecallResult{}, err
			}
			queried = append(queried, milliseconds(start))
			row := asked{question: q}
			for _, f := range answer.Episodes {
				row.found = append(row.found, ids[g.namespace()+" "+memory.EpisodeID(f.Episode.ID).String()])
			}
			rows[q.Group] = append(rows[q.Group], row)
			step()
		}
	}
	out := RecallResult{Groups: map[string]Scores{}, StoreMS: quantiles(stored), QueryMS: quantiles(queried),
		Data: set.Name, SHA256: set.SHA256, Tool: by.Tool, Strategy: string(by.Strategy)}
	var headline []asked
	for name, list := range rows {
		out.Groups[name] = score(list)
		if form != Locomo || name != adversarial {
			headline = append(headline, list...)
		}
	}
	out.Scores = score(headline)
	return out, nil
}

func (g Group) namespace() string { return "bench-" + g.Name }

// settle waits until the background work of the namespace is done.
func settle(ctx context.Context, mem Memory, namespace string) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		state, err := mem.State(ctx, namespace)
		if state.Pending == 0 || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

func milliseconds(since time.Time) float64 { return float64(time.Since(since).Nanoseconds()) / 1e6 }

func quantiles(ms []float64) Quantiles {
	if len(ms) == 0 {
		return Quantiles{}
	}
	slices.Sort(ms)
	return Quantiles{P50: ms[len(ms)/2], P95: ms[len(ms)*95/100]}
}
