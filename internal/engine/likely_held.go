package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
)

// likelyHeld returns facts of likely entities in the project of the first turn: facts that are active now, and facts
// that held when the turn was said, because an old turn may end a fact that is over by now. Facts with both head and
// tail named come first, then those with one of the two named. At most likelyOfOne of these belong to one entity. The
// facts of these entities and of the user that are most similar to a turn follow, since people change a fact without
// naming it ("make it 40%").
func (x *extractor) likelyHeld(ctx context.Context, tasks []*task, of []likelyEntity, self int64) []extraction.Held {
	turn := tasks[0].turn.Episode
	var nodes []int64
	place := map[int64]int{}
	for i, e := range of {
		nodes = append(nodes, e.ID)
		place[e.ID] = i
	}
	list := x.heldLinks(ctx, turn, nodes)
	best := bestHeld(list, of, place)
	if self != 0 {
		list = withoutTwice(append(list, x.heldLinks(ctx, turn, []int64{self})...))
	}
	best = append(best, x.similarHeld(ctx, tasks, list, best)...)
	said, err := saidAt(ctx, x.store, turn.Scope.Namespace, best)
	if err != nil {
		x.log.Warn("reading turns failed; the model is told of facts without their beginnings", "error", err)
	}
	var out []extraction.Held
	for _, f := range best {
		out = append(out, heldFact(f, said))
	}
	return out
}

// heldLinks returns the facts of entities that are active now or held when a turn was said.
func (x *extractor) heldLinks(ctx context.Context, turn memory.Episode, nodes []int64) []memory.Relationship {
	if len(nodes) == 0 {
		return nil
	}
	q := memory.EdgeQuery{Namespace: turn.Scope.Namespace, Nodes: nodes, Direction: memory.Both, Ahead: true}
	list, err := x.links(ctx, q, turn.Scope)
	if err == nil && turn.OccurredAt.Before(x.now()) {
		q.Ahead, q.At.ValidAt = false, turn.OccurredAt
		var then []memory.Relationship
		then, err = x.links(ctx, q, turn.Scope)
		list = withoutTwice(append(list, then...))
	}
	if err != nil {
		x.log.Warn("reading active facts failed; the model is told of fewer", "error", err)
	}
	return list
}

// withoutTwice returns the list with each fact once.
func withoutTwice(list []memory.Relationship) []memory.Relationship {
	seen := make(map[int64]bool, len(list))
	return slices.DeleteFunc(list, func(f memory.Relationship) bool {
		twice := seen[f.ID]
		seen[f.ID] = true
		return twice
	})
}

// similarities returns how similar facts of a namespace are to a text, -1..1.
type similarities func(ctx context.Context, namespace, text string, facts []memory.Triple) ([]float64, error)

// similarHeld returns the facts of a list that are most similar to each clause of each turn, without those that are
// chosen already. A turn says many things, so the vector of the whole turn is near to none of them.
func (x *extractor) similarHeld(ctx context.Context, tasks []*task, list, known []memory.Relationship) (
	similar []memory.Relationship) {
	if x.similar == nil {
		return nil
	}
	listed := make(map[int64]bool, len(known))
	for _, f := range known {
		listed[f.ID] = true
	}
	triples := make([]memory.Triple, len(list))
	order := make([]int, len(list))
	for i, f := range list {
		triples[i] = memory.Triple{Head: f.Head.ID, Relation: f.Relation, Tail: f.Tail.ID}
		order[i] = i
	}
	for _, t := range tasks {
		for _, clause := range clauses(t.turn.Content) {
			scores, err := x.similar(ctx, t.turn.Scope.Namespace, clause, triples)
			if err != nil {
				x.log.Warn("comparing facts with a turn failed; the model is told of fewer", "turn",
					memory.EpisodeID(t.turn.ID), "error", err)
				return similar
			}
			slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
			for _, i := range order[:min(len(order), likelySimilar)] {
				if f := list[i]; scores[i] > 0 && !listed[f.ID] && len(similar) < likelyAllSimilar {
					listed[f.ID] = true
					similar = append(similar, f)
				}
			}
		}
	}
	return similar
}

// Limits of clauses.
const (
	clauseWords = 3  // a shorter one continues with the next
	mostClauses = 12 // of one turn
)

// clauses splits a text at punctuation and line ends.
func clauses(s string) (list []string) {
	clause := ""
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(".,;:!?()\n–—", r) }) {
		if clause += " " + part; len(strings.Fields(clause)) >= clauseWords {
			list = append(list, strings.TrimSpace(clause))
			clause = ""
		}
		if len(list) == mostClauses {
			return list
		}
	}
	if clause = strings.TrimSpace(clause); clause != "" {
		list = append(list, clause)
	}
	return list
}

// links returns the facts of a query that are visible in a scope and that somebody stated.
func (x *extractor) links(ctx context.Context, q memory.EdgeQuery, scope memory.Scope) ([]memory.Relationship, error) {
	list, _, err := x.store.LinksOf(ctx, q, memory.Filter{Project: scope.Project, User: scope.User, Unassigned: true}, 0,
		likelyLinks)
	return slices.DeleteFunc(list, func(f memory.Relationship) bool {
		return f.Method.Linked() || len(f.Head.Name) > likelyBytes || len(f.Tail.Name) > likelyBytes
	}), err
}

// bestHeld returns the facts for a model's prompt.
func bestHeld(list []memory.Relationship, of []likelyEntity, place map[int64]int) (best []memory.Relationship) {
	worth := [notNamed]int{inTurns: 4, partly: 2, inLines: 1}
	score := func(f memory.Relationship) (sum, first int) {
		first = len(of)
		for _, end := range []int64{f.Head.ID, f.Tail.ID} {
			if i, ok := place[end]; ok {
				first = min(first, i)
				if rank := of[i].rank; rank < notNamed {
					sum += worth[rank]
				}
			}
		}
		return sum, first
	}
	slices.SortStableFunc(list, func(a, b memory.Relationship) int {
		as, ai := score(a)
		bs, bi := score(b)
		return cmp.Or(cmp.Compare(bs, as), cmp.Compare(ai, bi))
	})
	var more []memory.Relationship
	count := map[int]int{}
	for _, f := range list {
		_, i := score(f)
		if count[i]++; count[i] <= likelyOfOne {
			best = append(best, f)
		} else {
			more = append(more, f)
		}
	}
	best = append(best, more...)
	return best[:min(len(best), likelyFacts)]
}

// turnReader reads turns.
type turnReader interface {
	Episodes(ctx context.Context, namespace string, ids []int64) ([]memory.Episode, error)
}

// saidAt returns when the first turn that states a fact was said, by the id of the turn.
func saidAt(ctx context.Context, turns turnReader, namespace string, list []memory.Relationship) (map[int64]time.Time,
	error) {
	var ids []int64
	for _, f := range list {
		ids = append(ids, f.Evidence[:min(1, len(f.Evidence))]...)
	}
	read, err := turns.Episodes(ctx, namespace, ids)
	at := map[int64]time.Time{}
	for _, e := range read {
		at[e.ID] = e.OccurredAt
	}
	return at, err
}

// heldFact returns a fact as extractors know it. said is when turns were said (saidAt).
func heldFact(f memory.Relationship, said map[int64]time.Time) extraction.Held {
	h := extraction.Held{Head: f.Head.Name, HeadType: f.Head.Type, Relation: f.Relation, Tail: f.Tail.Name,
		TailType: f.Tail.Type, Fact: f.Fact, From: f.ValidFrom, FromUnit: f.FromUnit, Until: f.ValidUntil,
		UntilUnit: f.UntilUnit}
	if h.Until.IsZero() {
		h.Until = f.ExpiresAt
	}
	if len(f.Evidence) > 0 {
		at, known := said[f.Evidence[0]]
		h.Assumed = known && at.Truncate(time.Second).Equal(f.ValidFrom)
	}
	return h
}
