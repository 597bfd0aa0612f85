package graph

import (
	"math"
	"time"
)

// HiddenBelow is the effective confidence below which retrieval hides a fact. The fact is not deleted.
const HiddenBelow = .1

// EffectiveConfidence returns what is left of a fact's stored confidence after days without an observation: stored ×
// e^(−rate × days). Negative days count as 0. See docs/decisions.md, "Facts decay when read".
func EffectiveConfidence(stored, rate, days float64) float64 {
	return stored * math.Exp(-rate*max(0, days))
}

// Hidden reports whether answers leave out a fact of this effective confidence.
func Hidden(effective float64) bool { return effective < HiddenBelow }

// Rank rounds an effective confidence to hundredths for sorting. A smaller difference is the decay of a few hours, and
// says nothing about which fact is surer.
func Rank(effective float64) float64 { return math.Round(effective*100) / 100 }

// EvolvedWeight returns a confidence raised by the number of answers that used the edge: min(1, confidence × (1 + 0.2
// ln(1 + count))). That is +14 % at 1 and +48 % at 10. See docs/decisions.md, "Use raises weight".
func EvolvedWeight(count, confidence float64) float64 {
	return min(1, confidence*(1+.2*math.Log1p(max(0, count))))
}

// The decay of an entity's confidence without observations, which the heartbeat writes to the file. It affects ranking
// only and hides nothing. See docs/decisions.md, "Entities decay in the file".
const (
	IdleTime   = 7 * 24 * time.Hour // time without an update or a mention before the decay begins
	IdleFactor = .9                 // factor per interval of the heartbeat after that; the result is not below the floor
)

// Recency returns the weight of an age in days at a rate per day: 1/(1 + age × rate). It is 1 at rate 0.
func Recency(ageDays, rate float64) float64 { return 1 / (1 + max(0, ageDays)*rate) }

// RecencyBoost raises a score for recency: min(base + 1/(1 + age × rate), 2 × base). Rate 0 leaves the score unchanged.
// Valid rates are in [0, 10]; the configuration checks them. See docs/decisions.md, "Recency boost".
func RecencyBoost(base, ageDays, rate float64) float64 {
	if rate <= 0 {
		return base
	}
	return min(base+Recency(ageDays, rate), 2*base)
}

// BFSScore returns the score of the strategy bfs: entity_match × 1/(1 + hop) × evolved weight. hop is the number of
// edges from the seed to the fact, including the fact. See docs/decisions.md, "Strategy bfs".
func BFSScore(entityMatch float64, hop int, evolved float64) float64 {
	return entityMatch / float64(1+hop) * evolved
}

// HybridScore returns the score of the strategy hybrid: (weight of the relation × strength × effective confidence) /
// max(1, hop). See docs/decisions.md, "Strategy hybrid".
func HybridScore(weight, strength, effective float64, hop int) float64 {
	return weight * strength * effective / float64(max(1, hop))
}

// Rates holds the decay rates of relations.
type Rates struct {
	Default float64            // per day, for relations without a rate of their own
	Set     map[string]float64 // the setting relation_decay, which overrides the registry; may be nil
}

// Of returns a relation's rate per day: from Set, else from the registry, else the default.
func (r Rates) Of(relation string) float64 {
	if rate, ok := r.Set[relation]; ok {
		return rate
	}
	if rate := Lookup(relation).Rate; rate != DefaultRate {
		return rate
	}
	return r.Default
}

// Days returns a duration in days.
func Days(d time.Duration) float64 { return d.Hours() / 24 }
