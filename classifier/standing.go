package classifier

import (
	"math"

	"memory-graph/internal/embedding"
)

// The vector to look for standing facts with is the message's vector, plus what users tell of themselves for this kind
// of request. Half of what all such requests have in common is taken off the first, and half of what all such
// statements have in common off the second. So "plan me a trip" is unlike every other request and not only unlike
// statements, and is led to the home town and the passport, with which it shares no word.
const (
	lessCommon = .5
	moreKind   = .4
	kindWidth  = .05 // the difference of cosines by which one kind is e times as likely as another
)

// standing returns the vector to look for standing facts with, of length 1; nil without a vector of the message.
func (m *model) standing(vector []float32) []float32 {
	if len(vector) != m.dimensions || len(m.kinds) == 0 {
		return nil
	}
	shares, all := make([]float64, len(m.kinds)), 0.
	for i, k := range m.kinds {
		shares[i] = math.Exp(float64(dot(vector, k.asked)) / kindWidth)
		all += shares[i]
	}
	told := make([]float32, len(vector)) // what all statements have in common
	for _, k := range m.kinds {
		sum(told, k.about)
	}
	embedding.Normalize(told)
	out := make([]float32, len(vector))
	for i, x := range vector {
		out[i] = x - lessCommon*m.requests[i]
		for j, k := range m.kinds {
			out[i] += moreKind * float32(shares[j]/all) * (k.about[i] - lessCommon*told[i])
		}
	}
	embedding.Normalize(out)
	return out
}
