package retrieval

import (
	"cmp"
	"slices"
)

// ranking scores candidates: a pure function of what was read.
type ranking struct {
	strategy Strategy
	features []feature
}

func (rk ranking) score(c *candidate) float64 {
	sum := 0.0
	for _, f := range rk.features {
		if f.weight != 0 {
			sum += f.weight * f.value(c)
		}
	}
	return sum
}

func (rk ranking) why(c *candidate) *Why {
	w := &Why{Strategy: rk.strategy, TextRank: c.textRank, Cosine: c.cosine, MatchedBy: []string{}, Features: []Feature{}}
	if c.textRank > 0 {
		w.MatchedBy = append(w.MatchedBy, "text")
	}
	if c.hasVector && !c.neighbour {
		w.MatchedBy = append(w.MatchedBy, "vector")
	}
	if c.neighbour {
		w.MatchedBy = append(w.MatchedBy, "neighbour")
	}
	for _, f := range rk.features {
		if v := f.value(c); v != 0 {
			w.Features = append(w.Features, Feature{Name: f.name, Value: v, Weight: f.weight, Reason: f.reason})
		}
	}
	return w
}

// scored is a candidate in its place.
type scored struct {
	*candidate
	score float64
}

// order ranks the candidates, best first, equal scores the newer first, and parts them at the floor: below it nothing
// connects an episode to the question.
func (rk ranking) order(cs []*candidate) (above, below []scored) {
	for _, c := range cs {
		s := scored{c, rk.score(c)}
		if c.connected() {
			above = append(above, s)
		} else {
			below = append(below, s)
		}
	}
	for _, list := range [][]scored{above, below} {
		slices.SortFunc(list, func(a, b scored) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.turn.ID, a.turn.ID))
		})
	}
	return above, below
}

// cosineFloor is the similarity below which meaning connects nothing: unrelated turns reach it by chance.
const cosineFloor = .1

// connected says whether anything but its session leads from the question to the candidate, or it stands just before or
// after one that has it.
func (c *candidate) connected() bool {
	return c.related() || c.prev != nil && c.prev.related() || c.next != nil && c.next.related()
}

func (c *candidate) related() bool { return c.textRank > 0 || c.cosine >= cosineFloor }

// page cuts what was asked for: the episodes are yet to be read.
func (rk ranking) page(above, below []scored, req Request) (Answer, []scored) {
	answer := Answer{Strategy: rk.strategy, BelowThreshold: len(below)}
	if len(below) > 0 {
		answer.BestBelow = below[0].score
	}
	first := min(req.Offset, len(above))
	last := min(first+req.Limit, len(above))
	answer.More = last < len(above)
	return answer, above[first:last]
}
