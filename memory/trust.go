package memory

// Method says how a fact was taken from what was said (decision 29).
type Method string

// The methods.
const (
	MethodSupplied     Method = "supplied"
	MethodRule         Method = "rule"
	MethodRuleHedged   Method = "rule_hedged"
	MethodModelStated  Method = "model_stated"
	MethodModelImplied Method = "model_implied"
	MethodAgreed       Method = "rule_and_model" // both found it in one turn, each by itself
)

// The confidences of decision 29.
const (
	// StrongConfidence ends facts of the same trust whatever their own confidence is.
	StrongConfidence = .65
	// FullConfidence is where a fact counts as full (F9).
	FullConfidence = .7
	// ShownConfidence is the least stored confidence of a fact in an injected context.
	ShownConfidence = .6
)

// Trust ranks origins: user 4, agent 3, assistant 2, tool 1, everything else 0.
func (o Origin) Trust() int {
	switch o {
	case OriginUser:
		return 4
	case OriginAgent:
		return 3
	case OriginAssistant:
		return 2
	case OriginTool:
		return 1
	}
	return 0
}

// Cap is the highest confidence that a fact of the origin can have.
func (o Origin) Cap() float64 {
	switch o {
	case OriginUser:
		return 1
	case OriginAgent:
		return .9
	case OriginAssistant:
		return .6
	case OriginTool:
		return .4
	}
	return 0
}

// Cap is the highest confidence that the method gives.
func (m Method) Cap() float64 {
	switch m {
	case MethodSupplied:
		return 1
	case MethodAgreed:
		return .95
	case MethodRule:
		return .9
	case MethodRuleHedged, MethodModelImplied:
		return .7
	case MethodModelStated:
		return .85
	}
	return 0
}

// Capped gives the confidence that a draft is stored with: what it claims, at most what its origin and its method allow.
func Capped(claimed *float64, o Origin, m Method) float64 {
	limit := min(o.Cap(), m.Cap())
	if claimed == nil {
		return limit
	}
	return min(*claimed, limit)
}

// MostTrusted gives the origin of a fact that was observed again: the higher of the two.
func MostTrusted(a, b Origin) Origin {
	if b.Trust() > a.Trust() {
		return b
	}
	return a
}
