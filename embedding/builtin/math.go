package builtin

import (
	"math"

	"memory-graph/embedding/builtin/internal/weights"
)

// rootOfHead is 1/√32, by which scores are scaled.
const rootOfHead = 0.17677669529663689

// layerNorm makes a token's state mean 0 and variance 1, then applies the learnt weight and bias, in place
// (Ba et al., Layer Normalization, 2016). ε is 1e-12.
func layerNorm(v []float32, n *weights.Norm) {
	v = v[:dims]
	var s0, s1, s2, s3 float32 // four chains: an addition need not wait for the one before
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

// softmax turns scores times a factor into shares that add up to 1, in place.
func softmax(v []float32, factor float32) {
	largest := v[0]
	for _, x := range v {
		largest = max(largest, x)
	}
	var sum float32
	for i, x := range v {
		y := exp((x - largest) * factor)
		v[i] = y
		sum += y
	}
	scale := 1 / sum
	for i := range v {
		v[i] *= scale
	}
}

// exp is eˣ for x ≤ 0, within 3e-7 of its value; below -87 it is 0. x is split into k·ln 2 + r with |r| ≤ ln 2 / 2,
// eʳ is the Taylor polynomial of degree 6 (error below r⁷/7! = 1.2e-7), and 2ᵏ goes into the exponent.
func exp(x float32) float32 {
	if x < -87 {
		return 0
	}
	const (
		high = 0.693359375    // ln 2 in two parts, the first with so few bits that k times it is exact
		low  = -2.12194440e-4 // (Cody and Waite, 1980)
	)
	k := float32(int32(x*math.Log2E - .5)) // x ≤ 0: truncation rounds to nearest here
	r := x - k*high - k*low
	p := 1 + r*(1+r*(1./2+r*(1./6+r*(1./24+r*(1./120+r*(1./720))))))
	return p * math.Float32frombits(uint32(int32(k)+127)<<23)
}

// The table of the normal distribution Φ from -phiEnd to phiEnd. Between its points gelu goes straight: with a step of
// 1/341 the error is below step² × max|Φ″| / 8 = 2.6e-7, less than the rounding of the activations that follow.
const (
	phiEnd   = 6
	phiSteps = 4096
)

var phi = func() *[phiSteps + 2]float32 {
	var table [phiSteps + 2]float32
	for i := range table {
		x := float64(i)/phiSteps*2*phiEnd - phiEnd
		table[i] = float32(.5 * math.Erfc(-x/math.Sqrt2))
	}
	return &table
}()

// gelu applies x·Φ(x) to each value, in place (Hendrycks and Gimpel, Gaussian Error Linear Units, 2016; the exact form).
func gelu(v []float32) {
	table := phi
	for i, x := range v {
		switch {
		case x <= -phiEnd:
			v[i] = 0
		case x < phiEnd:
			at := (x + phiEnd) * (phiSteps / (2 * phiEnd))
			k := int32(at)
			low := table[k]
			v[i] = x * (low + (at-float32(k))*(table[k+1]-low))
		}
	}
}
