package retrieval

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"memory-graph/embedding/kernel"
	"memory-graph/memory"
	"memory-graph/retrieval/holds"
)

const (
	partners     = 4  // the nearest turns of another time that each of the first is compared with
	foundFirst   = 12 // how many of a ranking count as found by the question
	perPlace     = .4 // points that a judgement loses for each turn that stands above: it is less what the question is about
	usualWeight  = 5  // how many comparisons what is usual in the namespace stands for, where few turns are compared
	leastStd     = .05
	longQuestion = 30 // words from which a turn that ends with a question mark is no question that the next turn answers
)

// replacedBySubject judges which of the first of a ranking later turns replaced: a turn of a person, by another one of
// another session that is near to it and says something else. Of each turn at most one replacement is taken, and each turn
// replaces at most one: the surest ones.
func (r *Retriever) replacedBySubject(ctx context.Context, req Request, asked holds.Asked, found hits, above []scored, cs []*candidate) ([]replacement, error) {
	if asked.When == holds.Past || found.vectors == nil {
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
		if together(a, b) || !a.turn.OccurredAt.Before(b.turn.OccurredAt) || asked.When == holds.Then && !req.At.ValidAt.IsZero() && b.turn.OccurredAt.After(asked.Until) {
			return
		}
		p := x.pair(earlier, later)
		if at, ok := rank[b.turn.ID]; ok {
			p.Found = 1 - float64(at)/foundFirst
		}
		if !p.Possible() {
			return
		}
		p.Earlier, p.Later = x.read(earlier), x.read(later)
		points := p.Points(asked) - perPlace*float64(depth)
		if points >= holds.Enough && !slices.ContainsFunc(out, func(o replacement) bool { return o.earlier == a.turn.ID && o.later == b.turn.ID }) {
			out = append(out, replacement{earlier: a.turn.ID, later: b.turn.ID, points: points, moves: true})
		}
	}
	var seen []int
	for _, s := range above[:min(len(above), judgedFirst)] {
		i, ok := x.place[stating(s.candidate)]
		if !ok || slices.Contains(seen, i) {
			continue
		}
		for _, j := range x.nearest(i, i+1, len(x.turns)) {
			judge(i, j, len(seen))
		}
		if asked.When != holds.Now { // what is asked about may stand further down
			for _, j := range x.nearest(i, 0, i) {
				judge(j, i, len(seen))
			}
		}
		seen = append(seen, i)
	}
	return surest(out), nil
}

// stating gives the turn that a candidate repeats, where it acknowledges one, else the candidate.
func stating(c *candidate) *candidate {
	if c.prev != nil && c.prev.turn.Role == memory.RoleUser && acknowledges(c, c.prev.turn.ID) {
		return c.prev
	}
	return c
}

// sitting is the time within which what belongs to no session counts as said together: an import, a page cut into pieces.
const sitting = time.Hour

// together says whether two turns were said in one go: what one person says then is meant to hold side by side.
func together(a, b *candidate) bool {
	if a.turn.SessionID != "" || b.turn.SessionID != "" {
		return a.turn.SessionID == b.turn.SessionID
	}
	return b.turn.OccurredAt.Sub(a.turn.OccurredAt).Abs() < sitting
}

// surest keeps of each earlier and of each later turn its surest replacement, in the order found.
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

// comparison holds the turns that may be replaced or replace, by time, and how near they are to each other.
type comparison struct {
	turns     []*candidate
	place     map[*candidate]int
	voices    [][2]voice // of each turn, and of the question that it answers
	mean, std float64    // of the similarity of turns, as far as the question's own tells it
	rows      map[int][]float64
	said      map[int]*holds.Said
}

// comparison reads the vectors of the candidates that may take part: turns of people. It is nil where there are too few.
func (r *Retriever) comparison(ctx context.Context, req Request, found hits, cs []*candidate) (*comparison, error) {
	x := &comparison{place: map[*candidate]int{}, rows: map[int][]float64{}, said: map[int]*holds.Said{}}
	var ids []int64
	for _, c := range cs {
		if c.turn.Role == memory.RoleUser && c.hasVector && !c.turn.Quarantined && c.words <= holds.MaxWords {
			x.turns = append(x.turns, c)
			ids = append(ids, c.turn.ID)
			if q := answered(c); q != nil && q.hasVector {
				ids = append(ids, q.turn.ID)
			}
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
	x.voices = make([][2]voice, len(x.turns))
	for i, c := range x.turns {
		x.place[c] = i
		x.voices[i][0] = newVoice(vectors[c.turn.ID])
		if q := answered(c); q != nil {
			x.voices[i][1] = newVoice(vectors[q.turn.ID])
		}
	}
	x.mean, x.std = found.vectors.Mean, found.vectors.Std
	return x, nil
}

// answered gives the short question of somebody else that a turn answers: it tells what the turn is about. nil for none.
func answered(c *candidate) *candidate {
	if c.prev != nil && c.prev.asks && c.prev.words < longQuestion && !sameSpeaker(c.prev.turn, c.turn) {
		return c.prev
	}
	return nil
}

// voice is a vector and 1 / its length; the zero value is near to nothing.
type voice struct {
	vec     []int8
	inverse float64
}

func newVoice(vec []int8) voice {
	n := kernel.DotInt8(vec, vec)
	if n == 0 {
		return voice{}
	}
	return voice{vec, 1 / math.Sqrt(float64(n))}
}

// cosine is -1 where there is nothing to compare.
func (v voice) cosine(o voice) float64 {
	if len(v.vec) == 0 || len(v.vec) != len(o.vec) {
		return -1
	}
	return float64(kernel.DotInt8(v.vec, o.vec)) * v.inverse * o.inverse
}

// row gives how near a turn is to each: the cosine, or that with the question which one of the two answers, where that is
// nearer.
func (x *comparison) row(i int) []float64 {
	row, ok := x.rows[i]
	if !ok {
		row = make([]float64, len(x.turns))
		mine := x.voices[i]
		for j, other := range x.voices {
			row[j] = max(mine[0].cosine(other[0]), mine[0].cosine(other[1]), mine[1].cosine(other[0]))
		}
		x.rows[i] = row
	}
	return row
}

// nearest gives those of the turns from, …, to-1 that are nearest to a turn.
func (x *comparison) nearest(i, from, to int) []int {
	row := x.row(i)
	list := make([]int, 0, to-from)
	for j := from; j < to; j++ {
		list = append(list, j)
	}
	slices.SortFunc(list, func(a, b int) int { return cmp.Or(cmp.Compare(row[b], row[a]), cmp.Compare(b, a)) })
	return list[:min(partners, len(list))]
}

// pair compares two turns without reading them.
func (x *comparison) pair(earlier, later int) holds.Pair {
	forth, nearest := x.deviation(x.row(earlier)[earlier+1:], later-earlier-1)
	back, nearestBack := x.deviation(x.row(later)[:later], earlier)
	return holds.Pair{
		Forth: forth, Back: back, Nearest: nearest, NearestBack: nearestBack,
		SameSpeaker: sameSpeaker(x.turns[earlier].turn, x.turns[later].turn),
	}
}

// deviation gives how far one of the values lies above the mean in standard deviations, what is usual in the namespace
// among them, and whether it is the highest.
func (x *comparison) deviation(values []float64, i int) (float64, bool) {
	sum, squares, best := usualWeight*x.mean, usualWeight*(x.std*x.std+x.mean*x.mean), -1.
	for _, v := range values {
		sum += v
		squares += v * v
		best = max(best, v)
	}
	n := float64(len(values) + usualWeight)
	mean := sum / n
	std := max(leastStd, math.Sqrt(max(0, squares/n-mean*mean)))
	return (values[i] - mean) / std, values[i] >= best
}

func (x *comparison) read(i int) *holds.Said {
	said, ok := x.said[i]
	if !ok {
		about := ""
		if q := answered(x.turns[i]); q != nil {
			about = q.turn.Content
		}
		said = holds.Read(x.turns[i].turn.Content, about)
		x.said[i] = said
	}
	return said
}
