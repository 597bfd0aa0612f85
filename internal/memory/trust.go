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
	MethodAgreed       Method = "rule_and_model" // both found it independently in one turn

	// For links, which nobody stated: they follow from two nodes, and end when the nodes no longer support them.
	MethodSimilarity  Method = "similarity"   // the nodes' vectors are similar
	MethodModelLinked Method = "model_linked" // a model read both nodes
	MethodMetadata    Method = "metadata"     // the caller named the topic, category, repository or type of a memory
)

// Thresholds of confidence. See docs/decisions.md, "Trust".
const (
	// StrongConfidence is the confidence from which a fact ends a fact of the same trust, regardless of the other's
	// confidence.
	StrongConfidence = .65
	// ShownConfidence is the least stored confidence of a fact in an injected context block.
	ShownConfidence = .6
)

// Trust returns the rank of an origin: user 4, agent 3, assistant 2, tool 1, all others 0.
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

// Cap returns the highest confidence that a fact of the origin can have.
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

// Cap returns the highest confidence that the method allows.
func (m Method) Cap() float64 {
	switch m {
	case MethodSupplied, MethodSimilarity, MethodMetadata:
		return 1
	case MethodAgreed:
		return .95
	case MethodRule:
		return .9
	case MethodRuleHedged, MethodModelLinked:
		return .7
	case MethodModelImplied: // below StrongConfidence: it ends no stated fact
		return .6
	case MethodModelStated:
		return .85
	}
	return 0
}

// Linked reports whether the method derives a fact from two nodes, without anybody stating it.
func (m Method) Linked() bool {
	return m == MethodSimilarity || m == MethodModelLinked || m == MethodMetadata
}

// Computed reports whether a fact of the method only leads to others: no person and no model states it, so context
// blocks leave it out.
func (m Method) Computed() bool { return m == MethodSimilarity || m == MethodMetadata }

// Extracted reports whether an extractor read the fact in a text. Its types are guesses: nobody gave them.
func (m Method) Extracted() bool {
	switch m {
	case MethodRule, MethodRuleHedged, MethodModelStated, MethodModelImplied, MethodAgreed:
		return true
	}
	return false
}

// Capped returns the confidence to store for a draft: the claimed value, limited by the caps of its origin and method.
func Capped(claimed *float64, o Origin, m Method) float64 {
	limit := min(o.Cap(), m.Cap())
	if claimed == nil {
		return limit
	}
	return min(*claimed, limit)
}

// MostTrusted returns the more trusted of two origins. A fact that is observed again gets it.
func MostTrusted(a, b Origin) Origin {
	if b.Trust() > a.Trust() {
		return b
	}
	return a
}

// LeastTrusted returns the less trusted of two origins. A fact inferred from both gets it.
func LeastTrusted(a, b Origin) Origin {
	if b.Trust() < a.Trust() {
		return b
	}
	return a
}
