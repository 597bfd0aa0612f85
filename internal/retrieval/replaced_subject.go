package retrieval

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"memory-graph/internal/embedding"
	"memory-graph/internal/embedding/kernel"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval/supersession"
)

const (
	partners    = 6  // number of most similar turns that each of the first turns is compared with
	foundFirst  = 12 // number of first turns of a ranking that each of the first turns is compared with too
	usualWeight = 5  // number of comparisons that the namespace's typical values count for
	leastStd    = .05
	leastShare  = .5 // of the better score of a pair: below it the other turn is about something else
)

// comparison holds the turns that may supersede each other, sorted by time, and what was computed of them.
type comparison struct {
	turns     []*candidate
	vectors   [][]int8
	read      []*supersession.Turn
	place     map[*candidate]int
	mean, std float64 // of the cosines with the question, as an estimate for the cosines between turns
	scale     embedding.Scale
	rows      map[int][]float64
}

// replacedBySubject judges which of the first turns of a ranking were superseded: a user's turn, by a later one. If the
// question is about an earlier time, it also judges which turns the first ones superseded, because the turn asked about
// may rank lower. The pairs come back surest first.
func (r *Retriever) replacedBySubject(ctx context.Context, req Request, asked supersession.Asked, found hits,
	above []scored, cs []*candidate) ([]replacement, error) {
	if asked.When == supersession.Past || found.vectors == nil {
		return nil, nil
	}
	x, err := r.comparison(ctx, req, found, above, cs)
	if err != nil || x == nil {
		return nil, err
	}
	var first []int
	for _, s := range above[:min(len(above), foundFirst)] {
		if i, ok := x.place[s.candidate]; ok {
			first = append(first, i)
		}
	}
	var out []replacement
	judged := map[[2]int]bool{}
	scores := make(map[*candidate]float64, len(above))
	for _, s := range above {
		scores[s.candidate] = s.score
	}
	judge := func(earlier, later int) {
		a, b := x.turns[earlier], x.turns[later]
		if earlier >= later || judged[[2]int{earlier, later}] || b.turn.Unvouched && !a.turn.Unvouched || together(a, b) ||
			min(scores[a], scores[b]) < leastShare*max(scores[a], scores[b]) ||
			asked.When == supersession.Then && !req.At.ValidAt.IsZero() && b.turn.OccurredAt.After(asked.Until) {
			return
		}
		judged[[2]int{earlier, later}] = true
		p := x.pair(earlier, later)
		if points := p.Points(asked); points >= supersession.Enough {
			out = append(out, replacement{earlier: a.turn.ID, later: b.turn.ID, points: points, moves: true,
				why: func() string { return p.Why(asked) }})
		}
	}
	for _, s := range above[:min(len(above), judgedFirst)] {
		i, ok := x.place[stating(s.candidate)]
		if !ok {
			continue
		}
		for _, j := range slices.Concat(x.nearest(i, i+1, len(x.turns)), first) {
			judge(i, j)
		}
		if asked.When == supersession.Then || asked.When == supersession.First {
			for _, j := range x.nearest(i, 0, i) {
				judge(j, i)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b replacement) int { return cmp.Compare(b.points, a.points) })
	return out, nil
}

// comparison reads the vectors of the turns of users. It returns nil if there are fewer than two.
func (r *Retriever) comparison(ctx context.Context, req Request, found hits, above []scored,
	cs []*candidate) (*comparison, error) {
	x := &comparison{place: map[*candidate]int{}, rows: map[int][]float64{}, mean: found.vectors.Mean,
		std: found.vectors.Std, scale: found.vectors.Scale}
	var ids []int64
	for _, c := range cs {
		if c.turn.Role == memory.RoleUser && c.hasVector && !c.turn.Quarantined && !c.echo {
			x.turns, ids = append(x.turns, c), append(ids, c.turn.ID)
		}
	}
	if len(x.turns) < 2 {
		return nil, nil
	}
	vectors, err := r.Vectors.Vectors(ctx, req.Scope.Namespace, ids)
	if err != nil || len(vectors) == 0 {
		return nil, err
	}
	slices.SortFunc(x.turns, func(a, b *candidate) int {
		return cmp.Or(a.turn.OccurredAt.Compare(b.turn.OccurredAt), cmp.Compare(a.turn.ID, b.turn.ID))
	})
	for i, c := range x.turns {
		x.place[c] = i
		x.vectors = append(x.vectors, vectors[c.turn.ID])
		x.read = append(x.read, &supersession.Turn{Content: c.passage.of(c.turn.Content),
			Z: c.z, Rank: len(above), Asks: c.asks})
	}
	for rank, s := range above {
		if i, ok := x.place[s.candidate]; ok {
			x.read[i].Rank = rank
		}
	}
	return x, nil
}

// cosine returns -1 if one of the vectors is missing.
func cosine(a, b []int8, scale embedding.Scale) float64 {
	norms := math.Sqrt(float64(kernel.DotInt8(a, a)) * float64(kernel.DotInt8(b, b)))
	if norms == 0 || len(a) != len(b) {
		return -1
	}
	return scale.Of(float64(kernel.DotInt8(a, b)) / norms)
}

// row returns the cosines of a turn with every turn.
func (x *comparison) row(i int) []float64 {
	row, ok := x.rows[i]
	if !ok {
		row = make([]float64, len(x.turns))
		for j, other := range x.vectors {
			row[j] = cosine(x.vectors[i], other, x.scale)
		}
		x.rows[i] = row
	}
	return row
}

// nearest returns the turns in [from, to) that are most similar to turn i; of equally similar ones the later.
func (x *comparison) nearest(i, from, to int) []int {
	row, list := x.row(i), make([]int, 0, to-from)
	for j := from; j < to; j++ {
		list = append(list, j)
	}
	slices.SortFunc(list, func(a, b int) int { return cmp.Or(cmp.Compare(row[b], row[a]), b-a) })
	return list[:min(partners, len(list))]
}

// pair compares two turns. The mean and the deviation include usualWeight values that are typical of the namespace.
func (x *comparison) pair(earlier, later int) supersession.Pair {
	row := x.row(earlier)
	sum, squares, best := usualWeight*x.mean, usualWeight*(x.std*x.std+x.mean*x.mean), -1.
	for _, v := range row[earlier+1:] {
		sum += v
		squares += v * v
		best = max(best, v)
	}
	n := float64(len(row) - earlier - 1 + usualWeight)
	mean := sum / n
	std := max(leastStd, math.Sqrt(max(0, squares/n-mean*mean)))
	return supersession.Pair{Earlier: x.read[earlier], Later: x.read[later], Deviation: (row[later] - mean) / std,
		Nearest: row[later] >= best}
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

// together reports whether two episodes belong to one occasion and so are meant to be true together: two without a
// session that were stored within one sitting, or two speakers' of one session. In a session people do correct
// themselves.
func together(a, b *candidate) bool {
	if a.turn.SessionID == "" && b.turn.SessionID == "" {
		return b.turn.OccurredAt.Sub(a.turn.OccurredAt).Abs() < sitting
	}
	return a.turn.SessionID == b.turn.SessionID && !sameSpeaker(a.turn, b.turn)
}
