package retrieval

import (
	"cmp"
	"context"
	"math"
	"slices"

	"memory-graph/internal/embedding/kernel"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval/supersession"
)

// comparison holds the turns that may replace each other, sorted by time, and their similarities.
type comparison struct {
	turns     []*candidate
	place     map[*candidate]int
	voices    [][3]voice // of each turn: its own vector, that of the question it answers, and that of the reply to it
	mean, std float64    // of the cosines with the question, as an estimate for the cosines between turns
	rows      map[int][]float64
	said      map[int]*supersession.Said
}

// comparison reads the vectors of the candidates that may replace each other: turns of users. It returns nil if there
// are fewer than two.
func (r *Retriever) comparison(ctx context.Context, req Request, found hits, cs []*candidate) (*comparison, error) {
	x := &comparison{place: map[*candidate]int{}, rows: map[int][]float64{}, said: map[int]*supersession.Said{}}
	var ids []int64
	for _, c := range cs {
		if c.turn.Role == memory.RoleUser && c.hasVector && !c.turn.Quarantined && c.words <= supersession.MaxWords {
			x.turns = append(x.turns, c)
			ids = append(ids, c.turn.ID)
			if q := answered(c); q != nil && q.hasVector {
				ids = append(ids, q.turn.ID)
			}
			if q := reply(c); q != nil && q.hasVector {
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
	x.voices = make([][3]voice, len(x.turns))
	for i, c := range x.turns {
		x.place[c] = i
		x.voices[i][0] = newVoice(vectors[c.turn.ID])
		if q := answered(c); q != nil {
			x.voices[i][1] = newVoice(vectors[q.turn.ID])
		}
		if q := reply(c); q != nil && q.words >= tellingReply {
			x.voices[i][2] = newVoice(vectors[q.turn.ID])
		}
	}
	x.mean, x.std = found.vectors.Mean, found.vectors.Std
	return x, nil
}

// answered returns the short question of another speaker that a turn answers, or nil. The question tells what the turn
// is about.
func answered(c *candidate) *candidate {
	if c.prev != nil && c.prev.asks && c.prev.words < longQuestion && !sameSpeaker(c.prev.turn, c.turn) {
		return c.prev
	}
	return nil
}

// reply returns the assistant's short reply to a turn, or nil. A reply often repeats what the assistant understood.
func reply(c *candidate) *candidate {
	if c.next != nil && c.next.turn.Role == memory.RoleAssistant && c.next.words < longQuestion {
		return c.next
	}
	return nil
}

// voice is a vector with 1 / its length. The zero value is similar to nothing.
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

// cosine returns -1 if one of the vectors is missing.
func (v voice) cosine(o voice) float64 {
	if len(v.vec) == 0 || len(v.vec) != len(o.vec) {
		return -1
	}
	return float64(kernel.DotInt8(v.vec, o.vec)) * v.inverse * o.inverse
}

// row returns the similarity of a turn to every turn. It is the highest of the cosine of both turns and the cosines of
// one turn with the question or the reply that belongs to the other. Replies are not compared with each other, since
// many are alike ("Noted").
func (x *comparison) row(i int) []float64 {
	row, ok := x.rows[i]
	if !ok {
		row = make([]float64, len(x.turns))
		mine := x.voices[i]
		for j, other := range x.voices {
			row[j] = max(mine[0].cosine(other[0]), mine[0].cosine(other[1]), mine[1].cosine(other[0]),
				mine[0].cosine(other[2]), mine[2].cosine(other[0]))
		}
		x.rows[i] = row
	}
	return row
}

// nearest returns the turns in [from, to) that are most similar to turn i, the most similar first; of equally similar
// ones the later.
func (x *comparison) nearest(i, from, to int) []int {
	row := x.row(i)
	list := make([]int, 0, partners+1)
	for j := from; j < to; j++ {
		at := len(list)
		for at > 0 && row[list[at-1]] <= row[j] {
			at--
		}
		if at < partners {
			list = slices.Insert(list, at, j)
			list = list[:min(partners, len(list))]
		}
	}
	return list
}

// pair compares two turns without reading them. It only looks from the earlier turn's side. The view from the later
// turn costs a comparison with every turn, so it is assumed to be the best possible.
func (x *comparison) pair(earlier, later int) supersession.Pair {
	forth, nearest := x.deviation(x.row(earlier)[earlier+1:], later-earlier-1)
	return supersession.Pair{
		Forth: forth, Back: math.Inf(1), Nearest: nearest, NearestBack: true,
		SameSpeaker: sameSpeaker(x.turns[earlier].turn, x.turns[later].turn),
	}
}

// look adds the view from the later turn's side to a pair.
func (x *comparison) look(p *supersession.Pair, earlier, later int) {
	p.Back, p.NearestBack = x.deviation(x.row(later)[:later], earlier)
}

// deviation returns how far a value lies above the mean, in standard deviations, and whether it is the highest. The
// mean and the deviation include usualWeight values that are typical of the namespace.
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

func (x *comparison) read(i int) *supersession.Said {
	said, ok := x.said[i]
	if !ok {
		about := ""
		if q := answered(x.turns[i]); q != nil {
			about = q.turn.Content
		}
		answer := ""
		if q := reply(x.turns[i]); q != nil {
			answer = q.turn.Content
		}
		said = supersession.Read(x.turns[i].turn.Content, about, answer)
		x.said[i] = said
	}
	return said
}
