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
		return w // nothing else led to it
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

// scored is a candidate in its place.
type scored struct {
	*candidate
	score float64
	shift *shift // nil where it stands where its score puts it
}

// order ranks the candidates, best first, equal scores the newer first, and parts them at the floor: below it nothing
// connects an episode to the question.
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

// The similarity below which meaning connects nothing: unrelated turns reach it by chance. Where no turn has any word
// of the question, more is asked for.
const (
	cosineFloor     = .1
	loneCosineFloor = .25
)

// connected says whether anything but its session leads from the question to the candidate, the walk among it, or it
// stands just before or after one that has it.
func (c *candidate) connected(floor float64) bool {
	return c.mass >= faintMass || c.related(floor) || c.prev != nil && c.prev.related(floor) ||
		c.next != nil && c.next.related(floor)
}

func (c *candidate) related(floor float64) bool { return c.textRank > 0 || c.cosine >= floor }

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
