package kernel

import "math"

// matMulScalar handles four tokens at a time. One multiplication computes two products: the activations of two tokens
// are in the halves of an int64. Neither sum exceeds 32 bits, so the lower half of the total is the first sum, and the
// remainder is the second.
func matMulScalar(dst []float32, stride int, w []int8, a []int16, n int, wScale, bias, aScale []float32) {
	both := make([]int64, 2*n)
	for t := 0; t < len(aScale); t += 4 {
		fourTokens(dst[t*stride:], stride, w, a[t*n:], both, wScale, bias, aScale[t:])
	}
}

// fourTokens multiplies the first four tokens of a; both is a buffer of 2·n.
func fourTokens(dst []float32, stride int, w []int8, a []int16, both []int64, wScale, bias, aScale []float32) {
	n := len(both) / 2
	t01, t23 := both[:n], both[n:]
	for i := range n {
		t01[i] = int64(a[i]) + int64(a[n+i])<<32
		t23[i] = int64(a[2*n+i]) + int64(a[3*n+i])<<32
	}
	for r := 0; r < len(wScale); r += 2 {
		sums := twoRows(w[r*n:(r+1)*n], w[(r+1)*n:(r+2)*n], t01, t23)
		for k, sum := range sums {
			row, t := r+k/2, k%2*2
			first := int32(sum)
			second := int32((sum - int64(first)) >> 32)
			dst[t*stride+row] = float32(first)*aScale[t]*wScale[row] + bias[row]
			dst[(t+1)*stride+row] = float32(second)*aScale[t+1]*wScale[row] + bias[row]
		}
	}
}

// twoRows returns the packed sums of the first row with both pairs of tokens, then those of the second row.
func twoRows(row0, row1 []int8, t01, t23 []int64) [4]int64 {
	row1, t01, t23 = row1[:len(row0)], t01[:len(row0)], t23[:len(row0)] // no bounds checks inside the loop
	var s0, s1, s2, s3 int64
	for i, x := range row0 {
		a, b := t01[i], t23[i]
		v, w := int64(x), int64(row1[i])
		s0 += v * a
		s1 += v * b
		s2 += w * a
		s3 += w * b
	}
	return [4]int64{s0, s1, s2, s3}
}

func dotsScalar(dst, q, rows []float32, stride int) {
	for i := range dst {
		row := rows[i*stride:][:len(q)]
		var s0, s1, s2, s3 float32 // four independent sums let the additions overlap
		j := 0
		for ; j+4 <= len(q); j += 4 {
			s0 += q[j] * row[j]
			s1 += q[j+1] * row[j+1]
			s2 += q[j+2] * row[j+2]
			s3 += q[j+3] * row[j+3]
		}
		for ; j < len(q); j++ {
			s0 += q[j] * row[j]
		}
		dst[i] = (s0 + s1) + (s2 + s3)
	}
}

func weightedSumScalar(dst, weights, rows []float32, stride int) {
	clear(dst)
	for i, w := range weights {
		for j, x := range rows[i*stride:][:len(dst)] {
			dst[j] += w * x
		}
	}
}

func maxAbsScalar(v []float32) float32 {
	var m float32
	for _, x := range v {
		m = max(m, math.Float32frombits(math.Float32bits(x)&^(1<<31)))
	}
	return m
}

func quantize16Scalar(dst []int16, src []float32, scale float32) {
	// Adding 1.5·2²³ leaves no fraction bits in a float32, so the addition rounds to the nearest integer, ties to even.
	// The conversions prevent the compiler from fusing the operations.
	const shift = 3 << 22
	for i, x := range src {
		dst[i] = int16(float32(float32(x*scale)+shift) - shift)
	}
}

func dotInt8Scalar(a, b []int8) int32 {
	b = b[:len(a)]
	var sum int32
	for i, x := range a {
		sum += int32(x) * int32(b[i])
	}
	return sum
}

func scanInt8Scalar(query, rows []int8, out []int32) {
	n := len(query)
	for i := range out {
		out[i] = dotInt8Scalar(query, rows[i*n:(i+1)*n])
	}
}
