package builtin

import (
	"math"

	"memory-graph/internal/embedding/builtin/internal/weights"
)

// rootOfHead is 1/√32, the scale of attention scores.
const rootOfHead = 0.17677669529663689

// layerNorm normalises a token's state in place to mean 0 and variance 1, then applies the learnt weight and bias (Ba
// et al., Layer Normalization, 2016). ε is 1e-12.
func layerNorm(v []float32, n *weights.Norm) {
	v = v[:dims]
	var s0, s1, s2, s3 float32 // four independent sums let the additions overlap
	for j := 0; j < dims; j += 4 {
		s0 += v[j]
		s1 += v[j+1]
		s2 += v[j+2]
		s3 += v[j+3]
	}
	mean := (s0 + s1 + s2 + s3) / dims
	s0, s1, s2, s3 = 0, 0, 0, 0
	for j := 0; j < dims; j += 4 {
		a, b, c, d := v[j]-mean, v[j+1]-mean, v[j+2]-mean, v[j+3]-mean
		s0 += a * a
		s1 += b * b
		s2 += c * c
		s3 += d * d
	}
	variance := (s0 + s1 + s2 + s3) / dims
	scale := float32(1 / math.Sqrt(float64(variance)+1e-12))
	weight, bias := n.Weight[:dims], n.Bias[:dims]
	for j, x := range v {
		v[j] = (x-mean)*scale*weight[j] + bias[j]
	}
}
