package embedding

import "math"

// Quantize rounds a vector to int8, scaled so that its largest component becomes ±127. Cosine ignores the scale, and a
// fixed scale would give a unit vector of 384 components only about ±7 of the range. Ties round to even; -128 never
// occurs. A vector that is all zero or not finite gives all zeros.
func Quantize(v []float32) []int8 {
	q := make([]int8, len(v))
	var largest float32
	for _, x := range v {
		a := float32(math.Abs(float64(x)))
		if !(a <= math.MaxFloat32) { // NaN fails every comparison
			return q
		}
		largest = max(largest, a)
	}
	if largest == 0 {
		return q
	}
	for i, x := range v {
		q[i] = int8(math.RoundToEven(float64(x) / float64(largest) * 127))
	}
	return q
}

// Normalize scales a vector to length 1 (L2) in place and reports whether it could. A vector that is all zero or not
// finite stays unchanged.
func Normalize(v []float32) bool {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if !(sum > 0) || math.IsInf(sum, 1) {
		return false
	}
	scale := 1 / math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) * scale)
	}
	return true
}
