package graph

import (
	"math"
	"time"
)

// HiddenBelow is the effective confidence below which a fact is hidden from retrieval and not deleted (T7).
const HiddenBelow = .1

// EffectiveConfidence is what is left of a fact's stored confidence after days without an observation of it:
// stored × e^(−rate × days) (decision 16, T6). Days before the observation count as none.
func EffectiveConfidence(stored, rate, days float64) float64 {
	return stored * math.Exp(-rate*max(0, days))
}

// Hidden says whether a fact of this effective confidence is left out of answers (T7).
func Hidden(effective float64) bool { return effective < HiddenBelow }

// EvolvedWeight is a confidence raised by how often the edge was of use in answers:
// min(1, confidence × (1 + 0.2 ln(1 + count))) (decision 18, Z24: +14 % at 1, +48 % at 10). The cap is on the product.
func EvolvedWeight(count, confidence float64) float64 {
	return min(1, confidence*(1+.2*math.Log1p(max(0, count))))
}

// What an entity's confidence loses when nothing is heard of it (decision 17, F14); the heartbeat writes it. It is for
// ranking alone and hides nothing.
const (
	IdleTime   = 7 * 24 * time.Hour // without an update or a mention, before it begins
	IdleFactor = .9                 // what each interval of the heartbeat leaves from then on, not below the floor
)

// Recency is how much an age in days weighs at a rate per day: 1/(1 + age × rate), 1 at rate 0 (decisions 19, 24).
func Recency(ageDays, rate float64) float64 { return 1 / (1 + max(0, ageDays)*rate) }

// RecencyBoost raises a score for what is recent: min(base + 1/(1 + age × rate), 2 × base); a rate of 0 leaves it as it
// is.
func RecencyBoost(base, ageDays, rate float64) float64 {
	if rate <= 0 {
		return base
	}
	return min(base+Recency(ageDays, rate), 2*base)
}

// BFSScore is the strategy bfs: entity_match × 1/(1 + hop) × evolved weight (decision 22, Z20). hop is the number of
// edges from the seed to the fact, itself included.
func BFSScore(entityMatch float64, hop int, evolved float64) float64 {
	return entityMatch / float64(1+hop) * evolved
}

// HybridScore is the strategy hybrid: (weight of the relation × strength × effective confidence) / max(1, hop)
// (decision 23, M8).
func HybridScore(weight, strength, effective float64, hop int) float64 {
	return weight * strength * effective / float64(max(1, hop))
}

// Rates says how fast facts fade.
type Rates struct {
	Default float64            // of relations that have none of their own, per day
	Set     map[string]float64 // what relation_decay set, before everything else; may be nil
}

// Of gives a relation's rate per day (decision 16): the one that was set, else the registry's own, else the default.
func (r Rates) Of(relation string) float64 {
	if rate, ok := r.Set[relation]; ok {
		return rate
	}
	if rate := Lookup(relation).Rate; rate != DefaultRate {
		return rate
	}
	return r.Default
}

// Days gives a duration in days.
func Days(d time.Duration) float64 { return d.Hours() / 24 }
