package retrieval

import (
	"cmp"
	"slices"
)

// ranking scores candidates: a pure function of what was read.
type ranking struct {
	question question
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

// answer orders the candidates (equal scores: the newer first) and cuts the page that was asked for.
func (rk ranking) answer(cs []*candidate, req Request) Answer {
	type scored struct {
		*candidate
		score float64
	}
	all := make([]scored, 0, len(cs))
	for _, c := range cs {
		if rk.strategy != Fused && c.neighbour {
			continue
		}
		all = append(all, scored{c, rk.score(c)})
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.episode.ID, a.episode.ID))
	})
	answer := Answer{Strategy: rk.strategy, Match: None}
	for _, c := range all {
		f := Found{Episode: c.episode, Score: c.score}
		if req.Explain {
			f.Why = rk.why(c.candidate)
		}
		answer.Episodes = append(answer.Episodes, f)
	}
	return answer.page(req)
}
