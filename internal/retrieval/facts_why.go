package retrieval

import (
	"memory-graph/internal/graph"
)

// whyFact explains the score of a fact: the factors of the strategy's formula, each with weight 1, and how the fact was
// found.
func (w scale) whyFact(s Strategy, f graph.ScoredFact, effective float64) *Why {
	by := "seed"
	if f.Hop > 1 {
		by = "graph_expansion"
	}
	factor := func(name string, value float64, reason string) Feature { return Feature{name, value, 1, reason} }
	why := &Why{Strategy: s, MatchedBy: []string{by}}
	switch s {
	case Hybrid:
		why.Features = []Feature{
			factor("relation_weight", graph.Weight(f.Edge.Relation, f.Edge.Class),
				"the weight of the relation, or of its class"),
			factor("strength", f.Edge.Strength, "how closely the fact joins its ends"),
			factor("effective_confidence", effective, "the stored confidence after decay since the last observation"),
			factor("nearness", 1/float64(max(1, f.Hop)), "1 / hop"),
		}
	case Synapse:
		why.Features = []Feature{factor("activation", f.Score, "the activation that the fact passed on")}
	default:
		why.Features = []Feature{
			factor("entity_match", f.Match, "how well the question names the entity that led to the fact"),
			factor("nearness", 1/float64(1+f.Hop), "1 / (1 + hop)"),
			factor("evolved_weight", w.evolved(f.Edge), "effective confidence, raised by use in answers"),
		}
	}
	if w.recency > 0 && s != Synapse {
		why.Features = append(why.Features, factor("recency", graph.Recency(w.age(f.Edge), w.recency),
			"added for a recent observation; at most doubles the score"))
	}
	return why
}

func whyEntity(s Strategy, isSeed bool, score float64) *Why {
	if isSeed {
		return &Why{Strategy: s, MatchedBy: []string{"seed"},
			Features: []Feature{{"entity_match", score, 1, "how well the question names the entity"}}}
	}
	return &Why{Strategy: s, MatchedBy: []string{"graph_expansion"},
		Features: []Feature{{"fact", score, 1, "the score of the best fact that leads to the entity"}}}
}

func whyNear(s Strategy, cosine float64) *Why {
	return &Why{Strategy: s, MatchedBy: []string{"vector"}, Cosine: cosine,
		Features: []Feature{{"similar", cosine, 1, "its vector is similar to the question's (cosine)"}}}
}
