package retrieval

import (
	"cmp"
	"slices"
)

// ranking scores candidates. It reads only the candidates, never the store.
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

func (rk ranking) why(c scored) *Why {
	w := &Why{Strategy: rk.strategy, TextRank: c.textRank, Cosine: c.cosine, MatchedBy: []string{}, Features: []Feature{}}
	if c.textRank > 0 {
		w.MatchedBy = append(w.MatchedBy, "text")
	}
	if c.hasVector && !c.neighbour && !c.reached && !c.replaces {
		w.MatchedBy = append(w.MatchedBy, "vector")
	}
	if c.neighbour {
		w.MatchedBy = append(w.MatchedBy, "neighbour")
	}
	if c.replaces {
		w.MatchedBy = append(w.MatchedBy, "replacement")
		return w // the features did not lead to it
	}
	if c.mass > 0 && rk.strategy == Walk {
		w.MatchedBy = append(w.MatchedBy, "walk")
	}
	for _, f := range rk.features {
		if v := f.value(c.candidate); v != 0 {
			w.Features = append(w.Features, Feature{Name: f.name, Value: v, Weight: f.weight, Reason: f.reason})
		}
	}
	return w
}

// scored is a candidate with its score.
type scored struct {
	*candidate
	score float64
	shift *shift // nil if its score alone decides its rank
}

// order ranks the candidates, best first; of equal scores the newer comes first. The candidates below are those that
// nothing connects to the question.
func (rk ranking) order(cs []*candidate) (above, below []scored) {
	floor := loneCosineFloor
	if slices.ContainsFunc(cs, func(c *candidate) bool { return c.textRank > 0 }) {
		floor = cosineFloor
	}
	for _, c := range cs {
		s := scored{candidate: c, score: rk.score(c)}
		if c.connected(floor) {
			above = append(above, s)
		} else {
			below = append(below, s)
		}
	}
	for _, list := range [][]scored{above, below} {
		slices.SortFunc(list, func(a, b scored) int {
			return cmp.Or(cmp.Compare(truth(a.echo), truth(b.echo)), cmp.Compare(b.score, a.score),
				cmp.Compare(b.turn.ID, a.turn.ID))
		})
	}
	return above, below
}

// The cosine below which a vector connects nothing, since unrelated turns reach it by chance. The limit is higher if no
// turn contains a word of the question.
const (
	cosineFloor     = .1
	loneCosineFloor = .25
)

// connected reports whether the candidate is related to the question by more than its session: by the walk, by its own
// text, vector or fact, or by those of the turn just before or after.
func (c *candidate) connected(floor float64) bool {
	return c.mass >= faintMass || c.related(floor) || c.prev != nil && c.prev.related(floor) ||
		c.next != nil && c.next.related(floor)
}

func (c *candidate) related(floor float64) bool {
	return c.textRank > 0 || c.cosine >= floor || c.fact >= floor
}

// page cuts the requested page. The caller reads its episodes.
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
