package retrieval

import (
	"context"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// scale computes weights of edges at an instant.
type scale struct {
	now      time.Time // the instant that is read
	asStored bool      // the instant is not now: use the confidence stored then, without decay
	rates    graph.Rates
	recency  float64
}

func (r *Retriever) scale(ctx context.Context, namespace string, at memory.AsOf) (scale, error) {
	set := r.settings()
	s := scale{now: r.now(), asStored: !at.Now(), rates: graph.Rates{Default: set.RelationDecayRate},
		recency: set.TemporalDecayRate}
	if s.asStored {
		s.now = at.Valid()
		return s, nil
	}
	if r.Rates != nil {
		var err error
		if s.rates.Set, err = r.Rates(ctx, namespace); err != nil {
			return scale{}, err
		}
	}
	return s, nil
}

func (s scale) age(e memory.Edge) float64 { return graph.Days(s.now.Sub(e.LastObservedAt)) }

func (s scale) effective(e memory.Edge) float64 {
	if s.asStored {
		return e.Confidence
	}
	return graph.EffectiveConfidence(e.Confidence, s.rates.Of(e.Relation), s.age(e))
}

func (s scale) evolved(e memory.Edge) float64 {
	return graph.EvolvedWeight(e.RetrievalCount, s.effective(e))
}

// pathWeight returns the weight of an edge on a path, 0..1.
func (s scale) pathWeight(e memory.Edge) float64 { return s.evolved(e) * e.Strength }

// confidence returns the effective confidence of a fact. A fact that has ended does not decay further.
func (s scale) confidence(f memory.Relationship) float64 {
	if !f.Active(s.now) {
		return f.Confidence
	}
	return s.effective(memory.Edge{Relation: f.Relation, Confidence: f.Confidence, LastObservedAt: f.LastObservedAt})
}

// boost raises a score for a recent observation if the configuration says so.
func (s scale) boost(score float64, e memory.Edge) float64 {
	return graph.RecencyBoost(score, s.age(e), s.recency)
}

// entity returns the confidence of an entity: the stored one, which the heartbeat decays, and 0 after the entity's end.
func (s scale) entity(e memory.Entity) float64 {
	if s.asStored {
		return e.Confidence
	}
	return e.ConfidenceAt(s.now)
}
