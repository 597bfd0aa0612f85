package kernel

import "math"

func matMul4Scalar(dst []float32, stride int, w []int8, a []int16, n int, wScale, bias, aScale []float32) {
	a0, a1, a2, a3 := a[:n], a[n:2*n], a[2*n:3*n], a[3*n:4*n]
	for r, ws := range wScale {
		row := w[r*n : (r+1)*n]
		// Equal lengths, said in a way that lets the compiler drop the bounds checks of the loop.
		a0, a1, a2, a3 = a0[:len(row)], a1[:len(row)], a2[:len(row)], a3[:len(row)]
		var s0, s1, s2, s3 int32
		for i, x := range row {
			v := int32(x)
			s0 += v * int32(a0[i])
			s1 += v * int32(a1[i])
			s2 += v * int32(a2[i])
			s3 += v * int32(a3[i])
		}
		b := bias[r]
		dst[r] = float32(s0)*aScale[0]*ws + b
		dst[stride+r] = float32(s1)*aScale[1]*ws + b
		dst[2*stride+r] = float32(s2)*aScale[2]*ws + b
		dst[3*stride+r] = float32(s3)*aScale[3]*ws + b
	}
}

func dotsScalar(dst, q, rows []float32, stride int) {
	for i := range dst {
		row := rows[i*stride:][:len(q)]
		var s0, s1, s2, s3 float32 // four chains: an addition need not wait for the one before
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
	// Adding 1.5·2²³ leaves no room for a fraction in a float32, so the addition itself rounds to the nearest integer,
	// ties to even. The conversions keep the compiler from fusing the steps on machines that could.
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
