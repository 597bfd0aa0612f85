package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// graphAnswer is what these tests read of the graph tools' answers.
type graphAnswer struct {
	ID          string                           `json:"id"`
	Status      string                           `json:"status"`
	Version     int                              `json:"version"`
	EpisodeID   string                           `json:"episode_id"`
	Entity      struct{ ID string }              `json:"entity"`
	Relation    struct{ ID string }              `json:"relation"`
	Relations   []struct{ ID string }            `json:"relations"`
	Superseded  json.RawMessage                  `json:"superseded"` // ids; of supersede, the fact
	Replacement *struct{ ID string }             `json:"replacement"`
	Errors      []struct{ Item, Message string } `json:"errors"`
}

// graphAnswer reads a tool's answer, or the *toolError that it is.
func (r reply) graphAnswer() (graphAnswer, error) {
	var a graphAnswer
	if _, err := r.read(); err != nil {
		return a, err
	}
	var result struct {
		StructuredContent json.RawMessage `json:"structuredContent"`
	}
	if err := json.Unmarshal(r.raw, &result); err != nil {
		return a, err
	}
	return a, json.Unmarshal(result.StructuredContent, &a)
}

// graphCall is one call of the crowd. Its token is in what it stores, and nowhere else.
type graphCall struct {
	tool  string
	token string
	args  arguments
	a     graphAnswer
	done  bool // it was acknowledged
}

// Six processes change one graph at once, on few names, so that they meet: what was acknowledged is there, once, with
// its version and its event, and nothing is active twice.
func TestGraph_SixProcessesChangeItAtOnce(t *testing.T) {
	t.Parallel()
	const processes, window = 6, 8
	calls := count(504, 3000) / processes
	db := newDB(t)
	hosts := make([]*host, processes)
	told := make([][]*graphCall, processes)
	var running sync.WaitGroup
	for p := range hosts {
		hosts[p] = start(t, db)
	}
	hosts[0].initialize()
	for _, name := range crowdPeople { // they can be asked for from the first call on; all other names are a race
		hosts[0].eventually("create_entity", arguments{"name": name, "type": "person"})
	}
	known := &factIDs{}
	for p, h := range hosts {
		running.Go(func() {
			var err error
			if told[p], err = crowd(h, known, p, calls, window); err != nil {
				t.Errorf("process %d: %v", p, err)
			}
		})
	}
	running.Wait()
	var all []*graphCall
	acknowledged := map[string]int{}
	for _, list := range told {
		for _, c := range list {
			all = append(all, c)
			if c.done {
				acknowledged[c.tool]++
			}
		}
	}
	t.Logf("acknowledged: %v of %d", acknowledged, len(all))
	for _, tool := range []string{"create_entity", "create_relation", "store_episode", "supersede", "update_entity",
		"graph_traverse", "retrieve_linked", "search_graph"} {
		if acknowledged[tool] < len(all)/50 {
			t.Errorf("%s was acknowledged %d times", tool, acknowledged[tool])
		}
	}
	for _, h := range hosts {
		h.stop()
	}
	verifyGraph(t, db, all)
}

// factIDs are the facts that anybody was told of: what is superseded is taken from all processes'.
type factIDs struct {
	mu  sync.Mutex
	ids []string
}

func (f *factIDs) add(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if id != "" && !slices.Contains(f.ids, id) {
		f.ids = append(f.ids, id)
	}
}

func (f *factIDs) any(rng *rand.Rand) (string, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.ids) == 0 {
		return "", false
	}
	return f.ids[rng.IntN(len(f.ids))], true
}

// crowd makes n calls, a window of them under way at a time. Only superseding may be refused, for what ended meanwhile.
func crowd(h *host, known *factIDs, process, n, window int) ([]*graphCall, error) {
	if process > 0 { // the first one is
		if _, err := h.ask("initialize", initializeParams); err != nil {
			return nil, err
		}
	}
	rng := rand.New(rand.NewPCG(uint64(process), 500))
	answers := make(chan reply, window)
	under := map[int]*graphCall{}
	var all []*graphCall
	var errs []error
	for len(all) < n || len(under) > 0 {
		for len(all) < n && len(under) < window {
			c := newGraphCall(rng, known, fmt.Sprintf("token%dx%d", process, len(all)))
			all = append(all, c)
			under[h.begin(answers, c.tool, c.args)] = c
		}
		r := <-answers
		c := under[r.id]
		delete(under, r.id)
		var err error
		c.a, err = r.graphAnswer()
		var refused *toolError
		switch {
		case err == nil && len(c.a.Errors) == 0:
			c.done = true
			known.add(c.a.Relation.ID)
			for _, f := range c.a.Relations {
				if c.tool == "store_episode" {
					known.add(f.ID)
				}
			}
		case c.tool == "supersede" && errors.As(err, &refused) && refused.Code == "conflict":
		default:
			errs = append(errs, fmt.Errorf("%s %v: %v, %w", c.tool, c.args, c.a.Errors, err))
		}
	}
	return all, errors.Join(errs...)
}

// Few names, so that everybody speaks of the same.
var (
	crowdPeople = []string{"Ada", "Ben", "Cleo"}
	crowdThings = []string{"Postgres", "SQLite", "Redis", "Kafka"}
	crowdFirms  = []string{"Acme", "Globex", "Initech"}
)

// newGraphCall draws a call.
func newGraphCall(rng *rand.Rand, known *factIDs, token string) *graphCall {
	one := func(list []string) string { return list[rng.IntN(len(list))] }
	fact := func() arguments {
		switch rng.IntN(4) {
		case 0:
			return arguments{"head": one(crowdPeople), "head_type": "person", "relation": "works_at", "tail": one(crowdFirms),
				"tail_type": "organization"}
		case 1:
			return arguments{"head": one(crowdPeople), "head_type": "person", "relation": one([]string{"prefers", "dislikes"}),
				"tail": one(crowdThings), "tail_type": "tool"}
		default:
			return arguments{"head": one(crowdPeople), "head_type": "person", "relation": "uses", "tail": one(crowdThings),
				"tail_type": "tool"}
		}
	}
	c := &graphCall{token: token}
	switch n := rng.IntN(100); {
	case n < 12:
		c.tool, c.args = "create_entity", arguments{"name": one(crowdThings), "type": "tool", "aliases": []string{token}}
	case n < 40:
		c.tool, c.args = "create_relation", fact()
		c.args["fact"] = "It is so, says " + token + "."
		if rng.IntN(2) == 0 {
			c.args["valid_from"] = fmt.Sprintf("20%02d-%02d-01", 10+rng.IntN(15), 1+rng.IntN(12))
		}
	case n < 55:
		c.tool, c.args = "store_episode", arguments{"content": "They talked about " + token + ".", "session_id": token,
			"relations": []arguments{fact(), fact()}}
	case n < 75:
		if id, ok := known.any(rng); ok {
			c.tool, c.args = "supersede", arguments{"relationship_id": id, "reason": token}
			if rng.IntN(2) == 0 {
				c.args["replacement"] = arguments{"relation": "uses", "tail": one(crowdThings)}
			}
			break
		}
		fallthrough
	case n < 88:
		c.tool, c.args = "update_entity", arguments{"entity": one(crowdPeople), "description": "Described by " + token + "."}
	case n < 92:
		c.tool, c.args = "search_graph", arguments{"query": one(crowdPeople) + " " + one(crowdThings)}
	case n < 96:
		c.tool, c.args = "graph_traverse", arguments{"start_entity": one(crowdPeople)}
	default:
		c.tool, c.args = "retrieve_linked", arguments{"entity": one(crowdPeople)}
	}
	return c
}
