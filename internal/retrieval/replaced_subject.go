package retrieval

import (
	"cmp"
	"context"
	"slices"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval/supersession"
)

const (
	partners   = 8  // number of most similar turns that each of the first turns is compared with
	foundFirst = 12 // number of first turns of a ranking that count as found by the question
	// points that a judgement loses for each turn ranked above: lower turns are less what the question is about
	perPlace     = .6
	usualWeight  = 5 // number of comparisons that the namespace's typical values count for
	leastStd     = .05
	tellingReply = 4  // number of words from which the vector of a reply is meaningful
	connectedZ   = 1  // standard deviations from which the question found the turn itself, not just its session
	longQuestion = 30 // number of words from which a question or a reply is too long to count
)

// replacedBySubject judges which of the first turns of a ranking were replaced. A user's turn can be replaced by a
// later user's turn of another session that is similar to it and says something else. Each turn is replaced at most
// once and replaces at most one other turn; the surest pairs win.
func (r *Retriever) replacedBySubject(ctx context.Context, req Request, asked supersession.Asked, found hits,
	above []scored, cs []*candidate) ([]replacement, error) {
	if asked.When == supersession.Past || found.vectors == nil {
		return nil, nil
	}
	x, err := r.comparison(ctx, req, found, cs)
	if err != nil || x == nil {
		return nil, err
	}
	rank := make(map[int64]int, foundFirst)
	for i, s := range above[:min(len(above), foundFirst)] {
		rank[s.turn.ID] = i
	}
	var out []replacement
	judge := func(earlier, later, depth int) {
		a, b := x.turns[earlier], x.turns[later]
		if b.turn.Unvouched && !a.turn.Unvouched || together(a, b) || !a.turn.OccurredAt.Before(b.turn.OccurredAt) ||
			asked.When == supersession.Then && !req.At.ValidAt.IsZero() && b.turn.OccurredAt.After(asked.Until) {
			return
		}
		p, lost := x.pair(earlier, later), perPlace*float64(depth)
		p.Told, p.Retold = a.turn.OccurredAt, b.turn.OccurredAt
		if at, ok := rank[b.turn.ID]; ok {
			p.Found = 1 - float64(at)/foundFirst
		}
		if p.Best(asked)-lost < supersession.Enough { // even the best case is not enough
			return
		}
		p.Later = x.read(later)
		if p.Best(asked)-lost < supersession.Enough {
			return
		}
		p.Earlier = x.read(earlier)
		if p.Best(asked)-lost < supersession.Enough {
			return
		}
		x.look(&p, earlier, later)
		points := p.Points(asked) - lost
		if points >= supersession.Enough && !slices.ContainsFunc(out,
			func(o replacement) bool { return o.earlier == a.turn.ID && o.later == b.turn.ID }) {
			out = append(out, replacement{earlier: a.turn.ID, later: b.turn.ID, points: points, moves: true})
		}
	}
	var seen []int
	for _, s := range above[:min(len(above), judgedFirst)] {
		i, ok := x.place[stating(s.candidate)]
		if !ok || slices.Contains(seen, i) {
			continue
		}
		if max(s.z, x.turns[i].z) < connectedZ { // the question is about something else
			seen = append(seen, i)
			continue
		}
		for _, j := range x.nearest(i, i+1, len(x.turns)) {
			judge(i, j, len(seen))
		}
		if asked.When != supersession.Now { // the turn asked about may rank lower
			for _, j := range x.nearest(i, 0, i) {
				judge(j, i, len(seen))
			}
		}
		seen = append(seen, i)
	}
	return surest(out), nil
}

// stating returns the user's turn that a candidate acknowledges, or the candidate itself.
func stating(c *candidate) *candidate {
	if c.prev != nil && c.prev.turn.Role == memory.RoleUser && acknowledges(c, c.prev.turn.ID) {
		return c.prev
	}
	return c
}

// sitting is the time within which episodes without a session count as said together: an import, or a page in pieces.
const sitting = time.Hour

// together reports whether two turns were said on one occasion. What a person says on one occasion is meant to hold
// together.
func together(a, b *candidate) bool {
	if a.turn.SessionID != "" || b.turn.SessionID != "" {
		return a.turn.SessionID == b.turn.SessionID
	}
	return b.turn.OccurredAt.Sub(a.turn.OccurredAt).Abs() < sitting
}

// surest keeps the surest replacement of each earlier and of each later turn, in the order of found.
func surest(found []replacement) []replacement {
	byPoints := slices.Clone(found)
	slices.SortStableFunc(byPoints, func(a, b replacement) int { return cmp.Compare(b.points, a.points) })
	var kept []replacement
	for _, p := range byPoints {
		if !slices.ContainsFunc(kept, func(o replacement) bool { return o.earlier == p.earlier || o.later == p.later }) {
			kept = append(kept, p)
		}
	}
	return slices.DeleteFunc(found, func(p replacement) bool { return !slices.Contains(kept, p) })
}
