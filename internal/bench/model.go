package bench

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/engine"
	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// Reading is the engine under test of `bench model`: it stores turns, and lets the model read them.
type Reading interface {
	Memory
	Backfill(ctx context.Context, req engine.BackfillRequest) (engine.Backfilled, error)
	Store(ctx context.Context) (*store.Store, error)
}

// ModelResult is the output of `bench model` for one file.
type ModelResult struct {
	Data    string          `json:"data"`
	SHA256  string          `json:"sha256"`
	N       int             `json:"n"`       // turns
	Unread  int             `json:"unread"`  // turns that the model has not read, for want of an answer
	Why     string          `json:"why"`     // why the last of them is unread
	Near    bool            `json:"near"`    // answers to other prompts about the same turns were used
	Facts   PrecisionRecall `json:"facts"`   // of the graph, ended ones included
	Wrong   int             `json:"wrong"`   // active facts that are not expected, or expected to have ended
	Active  int             `json:"active"`  // active facts
	Types   Share           `json:"types"`   // labelled entities in the graph that have the right type
	Times   Share           `json:"times"`   // labelled times of facts in the graph that are right
	Missed  []GraphFact     `json:"missed"`  // expected facts that are not in the graph
	Extra   []GraphFact     `json:"extra"`   // facts that are not expected, or are active although they ended
	Typed   []string        `json:"typed"`   // "name: type instead of type"
	Untimed []string        `json:"untimed"` // "fact: time instead of time"
	Dropped []DroppedItem   `json:"dropped"` // parts of answers that are not in the graph, because of a check
}

// DroppedItem is a part of an answer that a check or the store did not take.
type DroppedItem struct {
	What   string `json:"what"`
	Reason string `json:"reason"`
	Quote  string `json:"quote"` // the turn
}

// Share is how many of some are right. The share of an empty set is 1.
type Share struct {
	Right int     `json:"right"`
	Of    int     `json:"of"`
	Share float64 `json:"share"`
}

func (s *Share) add(right bool) {
	s.Of++
	if right {
		s.Right++
	}
}

func (s *Share) set() {
	if s.Share = 1; s.Of > 0 {
		s.Share = float64(s.Right) / float64(s.Of)
	}
}

// GraphFact is a fact as a label or the graph has it.
type GraphFact struct {
	LabelledRelation
	Quote string `json:"quote,omitempty"` // the turn that states it
}

// modelNamespace is the namespace of the turns.
const modelNamespace = "bench"

// ReadTurns stores the turns of a file in one session, each on its day, and lets the model read them like a backlog, in
// questions of up to 8 turns. It stops at the first question without an answer, since the next prompts name what the
// graph knows by then. unread is the number of turns that are left, and why is the reason.
func ReadTurns(ctx context.Context, mem Reading, turns []Labelled) (unread int, why error, err error) {
	for i, t := range turns {
		if _, err := mem.StoreEpisode(ctx, store.NewEpisode{
			Episode: memory.Episode{Scope: memory.Scope{Namespace: modelNamespace, SessionID: "s"}, Content: t.Text,
				Role: t.Role, OccurredAt: t.Said},
			IdempotencyKey: fmt.Sprint(i), Caller: memory.Caller{Actor: "hook", Client: "bench"},
		}); err != nil {
			return 0, nil, err
		}
	}
	st, err := mem.Store(ctx)
	if err != nil {
		return 0, nil, err
	}
	for {
		if err := vectorsMade(ctx, st); err != nil {
			return 0, nil, err
		}
		const once = 8 // llm.MaxBatchTurns: one question
		got, err := mem.Backfill(ctx, engine.BackfillRequest{Namespace: modelNamespace, Limit: once})
		if err != nil {
			return 0, nil, err
		}
		if got.Waiting+got.Failed > 0 {
			left, err := st.CountWaiting(ctx, modelNamespace)
			return int(left), got.Why, err
		}
		if got.Turns == 0 {
			return 0, nil, nil
		}
	}
}

// vectorsMade waits until all vectors are made. Prompts list facts by their vectors, so without waiting they would
// depend on the speed of the machine.
func vectorsMade(ctx context.Context, st *store.Store) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		open, err := st.OpenJobs(ctx, modelNamespace)
		if err != nil || !slices.ContainsFunc(open, func(k memory.KindState) bool {
			return k.Kind == store.KindEmbed && k.Pending > 0
		}) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// ScoreGraph compares the graph that ReadTurns made with the labels. A fact is right if a label names its head, its
// relation and its tail, by any of their names, and if it has ended exactly if the last label of it says so. If a later
// label replaces the fact (a new home), both are right. Types match within a family. Times match as far as the label
// gives them.
func ScoreGraph(ctx context.Context, mem Reading, turns []Labelled) (ModelResult, error) {
	out := ModelResult{N: len(turns)}
	st, err := mem.Store(ctx)
	if err != nil {
		return out, err
	}
	g, err := readGraph(ctx, st)
	if err != nil {
		return out, err
	}
	labels := expected(turns)
	out.Facts.Found, out.Facts.Expected = len(g.facts), len(labels)
	right := 0
	for _, f := range g.facts {
		active := f.ValidUntil.IsZero() && f.ExpiresAt.IsZero()
		if active {
			out.Active++
		}
		means := func(l label) bool { return !l.found && g.matches(f, l.LabelledRelation) }
		i := slices.IndexFunc(labels, func(l label) bool { return means(l) && l.Ended == !active })
		if i < 0 {
			i = slices.IndexFunc(labels, means)
		}
		if i >= 0 {
			labels[i].found = true
			out.times(labels[i].LabelledRelation, f)
		}
		if i >= 0 && (labels[i].either || labels[i].Ended == !active) {
			right++
			continue
		}
		if active {
			out.Wrong++
		}
		out.Extra = append(out.Extra, GraphFact{LabelledRelation{Head: f.Head.Name, Relation: f.Relation, Tail: f.Tail.Name,
			Ended: !active}, g.quote(ctx, st, f)})
	}
	found := 0
	for _, l := range labels {
		if l.found {
			found++
			continue
		}
		out.Missed = append(out.Missed, GraphFact{l.LabelledRelation, l.quote})
	}
	out.Facts.set(right)
	out.Facts.Recall = 1
	if len(labels) > 0 {
		out.Facts.Recall = float64(min(right, found)) / float64(len(labels))
	}
	out.types(g, turns)
	out.Types.set()
	out.Times.set()
	return out, nil
}

// label is an expected fact after all turns.
type label struct {
	LabelledRelation
	quote         string
	either, found bool // either: a later label replaces it, so it may have ended
}

// expected returns the labels of all turns, each fact once, in its last state.
func expected(turns []Labelled) []label {
	var out []label
	for _, t := range turns {
		for _, r := range t.Relations {
			for i := range out {
				if graph.Lookup(r.Relation).One && out[i].Relation == r.Relation && !r.Ended &&
					entityKey(out[i].Head) == entityKey(r.Head) && entityKey(out[i].Tail) != entityKey(r.Tail) {
					out[i].either = true
				}
			}
			plain := LabelledRelation{Head: r.Head, Relation: r.Relation, Tail: r.Tail, Or: r.Or}
			i := slices.IndexFunc(out, func(l label) bool {
				return LabelledRelation{Head: l.Head, Relation: l.Relation, Tail: l.Tail}.key() == plain.key()
			})
			if i < 0 {
				out = append(out, label{LabelledRelation: plain, quote: t.Text})
				i = len(out) - 1
			}
			l := &out[i]
			l.Ended, l.either = r.Ended || r.Until != "", false
			if r.From != "" {
				l.From = r.From
			}
			if r.Until != "" {
				l.Until = r.Until
			}
		}
	}
	return out
}

// times scores the labelled times of a fact in the graph.
func (out *ModelResult) times(l LabelledRelation, f memory.Relationship) {
	end := f.ValidUntil
	if end.IsZero() {
		end = f.ExpiresAt
	}
	for _, t := range []struct {
		want string
		got  time.Time
	}{{l.From, f.ValidFrom}, {l.Until, end}} {
		if t.want == "" {
			continue
		}
		got := "no time"
		if !t.got.IsZero() {
			got = t.got.UTC().Format(time.DateOnly)
		}
		ok := strings.HasPrefix(got, t.want)
		out.Times.add(ok)
		if !ok {
			out.Untimed = append(out.Untimed, fmt.Sprintf("%s → %s → %s: %s instead of %s", l.Head, l.Relation, l.Tail, got,
				t.want))
		}
	}
}

// types scores the labelled entities that are in the graph.
func (out *ModelResult) types(g graphRead, turns []Labelled) {
	seen := map[string]bool{}
	for _, t := range turns {
		for _, e := range t.Entities {
			key := entityKey(e.Name)
			if seen[key] || len(g.named[key]) == 0 {
				continue
			}
			seen[key] = true
			typ := g.named[key][0].Type
			for _, one := range g.named[key] { // a name of several entities: the best one counts
				if slices.Contains(memory.TypeFamily(e.Type), one.Type) {
					typ = one.Type
				}
			}
			ok := slices.Contains(memory.TypeFamily(e.Type), typ)
			out.Types.add(ok)
			if !ok {
				out.Typed = append(out.Typed, fmt.Sprintf("%s: %s instead of %s", e.Name, typ, e.Type))
			}
		}
	}
}

// graphRead is a graph of a few hundred facts.
type graphRead struct {
	facts []memory.Relationship
	names map[int64][]string         // keys of an entity's names
	named map[string][]memory.Entity // entities by key
}

// once returns each fact once: of a fact that held more than once the active one, else the one that ended last.
func once(list []memory.Relationship) []memory.Relationship {
	type key struct {
		head, tail int64
		relation   string
	}
	at := map[key]int{}
	var out []memory.Relationship
	for _, f := range list {
		k := key{f.Head.ID, f.Tail.ID, f.Relation}
		i, seen := at[k]
		switch {
		case !seen:
			at[k] = len(out)
			out = append(out, f)
		case f.ValidUntil.IsZero() || !out[i].ValidUntil.IsZero() && f.ValidUntil.After(out[i].ValidUntil):
			out[i] = f
		}
	}
	return out
}

func readGraph(ctx context.Context, st *store.Store) (graphRead, error) {
	g := graphRead{names: map[int64][]string{}, named: map[string][]memory.Entity{}}
	const page = 500
	for offset, more := 0, true; more; offset += page {
		var list []memory.Entity
		var err error
		if list, more, err = st.ListEntities(ctx, store.EntityFilter{Namespace: modelNamespace}, offset, page); err != nil {
			return g, err
		}
		for _, e := range list {
			for _, name := range append([]string{e.Name, e.Canonical}, e.Aliases...) {
				if key := entityKey(name); !slices.Contains(g.names[e.ID], key) {
					g.names[e.ID] = append(g.names[e.ID], key)
					g.named[key] = append(g.named[key], e)
				}
			}
		}
	}
	for offset, more := 0, true; more; offset += page {
		var list []memory.Relationship
		var err error
		if list, more, err = st.ListRelationships(ctx, store.RelationshipFilter{Namespace: modelNamespace, All: true}, offset,
			page); err != nil {
			return g, err
		}
		g.facts = append(g.facts, list...)
	}
	g.facts = once(g.facts)
	return g, nil
}

// matches reports whether a label means the fact, in either direction if the relation is symmetric or is known by the
// name of its other direction (parent_of for child_of).
func (g graphRead) matches(f memory.Relationship, l LabelledRelation) bool {
	return slices.ContainsFunc(append([]string{l.Relation}, l.Or...), func(name string) bool {
		same := graph.Store(name, f.Head.Type, f.Tail.Type)
		if (f.Relation == name || !same.Swap && f.Relation == same.Relation) && g.between(f, l.Head, l.Tail) {
			return true
		}
		turned := graph.Store(name, f.Tail.Type, f.Head.Type)
		return (turned.Swap || graph.Lookup(name).Symmetric) && f.Relation == turned.Relation && g.between(f, l.Tail, l.Head)
	})
}

// between reports whether a fact has this head and this tail.
func (g graphRead) between(f memory.Relationship, head, tail string) bool {
	return slices.Contains(g.names[f.Head.ID], entityKey(head)) && slices.Contains(g.names[f.Tail.ID], entityKey(tail))
}

// quote returns the turn that a fact was taken from.
func (g graphRead) quote(ctx context.Context, st *store.Store, f memory.Relationship) string {
	if len(f.Evidence) == 0 {
		return ""
	}
	turns, err := st.Episodes(ctx, modelNamespace, f.Evidence[:1])
	if err != nil || len(turns) == 0 {
		return ""
	}
	return turns[0].Content
}
