package memory

// RolloutMode says how far graph expansion is rolled out in a namespace. See docs/decisions.md, "Guarded rollout".
type RolloutMode string

// The modes of a rollout.
const (
	RolloutOff    RolloutMode = "off"    // baseline only
	RolloutShadow RolloutMode = "shadow" // expand for the figures, answer with the baseline
	RolloutCanary RolloutMode = "canary" // answer with the expansion, unless the quality gate blocks it
)

// DefaultRollout is the mode of a namespace that has none of its own: who asks for the strategy gets it.
const DefaultRollout = RolloutCanary

// ParseRolloutMode returns the mode of a name. The error is InvalidArgument.
func ParseRolloutMode(s string) (RolloutMode, error) {
	switch m := RolloutMode(s); m {
	case RolloutOff, RolloutShadow, RolloutCanary:
		return m, nil
	}
	return "", Errorf(InvalidArgument, "mode: %q is not a mode of the rollout.", s).WithHint("Use off, shadow or canary.")
}

// Fallback is the reason why an answer is the baseline, without the graph; "" if the graph is in the answer.
type Fallback string

// The reasons for a baseline.
const (
	FallbackFlag      Fallback = "feature_flag_disabled" // the setting hybrid_graph.enabled is false
	FallbackOff       Fallback = "rollout_off"           // the mode of the namespace is off
	FallbackShadow    Fallback = "shadow_mode"           // the mode is shadow: the expansion was only measured
	FallbackGate      Fallback = "quality_gate_blocked"  // the mode is canary, and recent expansions were too bad
	FallbackError     Fallback = "graph_expansion_error" // reading the graph failed
	FallbackGuardrail Fallback = "rollout_guardrail"     // nothing to expand from, no depth, out of time, or no known mode
)

// Expansions counts expansions of a span of time, applied or only measured.
type Expansions struct {
	Tried     int64 // expansions that were run
	Fallbacks int64 // of them, those that failed or ran out of time
	Errors    int64 // of the fallbacks, those that failed
	Covered   int64 // of the others, those that found at least one item beyond the baseline
	Added     int64 // the items that they found beyond the baseline, together
}

// Plus returns the sum of two counts.
func (e Expansions) Plus(o Expansions) Expansions {
	return Expansions{e.Tried + o.Tried, e.Fallbacks + o.Fallbacks, e.Errors + o.Errors, e.Covered + o.Covered,
		e.Added + o.Added}
}
