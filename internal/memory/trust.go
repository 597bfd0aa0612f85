package memory

// Method says how a fact was taken from what was said.
type Method string

// The methods.
const (
	MethodSupplied     Method = "supplied"
	MethodRule         Method = "rule"
	MethodRuleHedged   Method = "rule_hedged"
	MethodModelStated  Method = "model_stated"
	MethodModelImplied Method = "model_implied"
	MethodAgreed       Method = "rule_and_model" // both found it in one turn, each by itself

	// Of links, which nobody said: they follow from two nodes, and go when these do not bear them out any more.
	MethodSimilarity  Method = "similarity"   // their vectors are near
	MethodModelLinked Method = "model_linked" // a model read both
)

// Thresholds of confidence.
const (
	// StrongConfidence ends facts of the same trust whatever their own confidence is.
	StrongConfidence = .65
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
	case MethodSupplied, MethodSimilarity:
		return 1
	case MethodAgreed:
		return .95
	case MethodRule:
		return .9
	case MethodRuleHedged, MethodModelLinked:
		return .7
	case MethodModelImplied: // below StrongConfidence: it ends nothing that was stated
		return .6
	case MethodModelStated:
		return .85
	}
	return 0
}

// Linked says whether a fact of the method was said by nobody, and follows from the two nodes that it links.
func (m Method) Linked() bool { return m == MethodSimilarity || m == MethodModelLinked }

// Capped gives the confidence that a draft is stored with: what it claims, at most what its origin and its method
// allow.
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

// LeastTrusted gives the origin of what is inferred from both: the lower of the two.
func LeastTrusted(a, b Origin) Origin {
	if b.Trust() < a.Trust() {
		return b
	}
	return a
}
