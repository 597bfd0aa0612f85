package retrieval

import (
	"context"
	"slices"

	"memory-graph/internal/memory"
)

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

// baselineAnswer is the baseline before a page of it is cut.
type baselineAnswer struct {
	question *parsedQuestion
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
	b := &baselineAnswer{question: q}
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

// seedShare is the share of the best score of the ranking from which a turn is a hit. The graph makes much of little:
// what lies around a turn that hardly matches is noise.
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

// page returns a page of the answer, with what an expansion adds. Of the turns after the first two tiers, every third
// is one that the expansion added. Within the page the added ones come last.
func (b *baselineAnswer) page(req Request, x expanded) Answer {
	a := b.answer
	if x.joins && b.question.asksForLink() && len(req.Roles) == 0 {
		a.Match = Strong
	}
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
