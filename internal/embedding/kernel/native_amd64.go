package kernel

import "golang.org/x/sys/cpu"

var avx2 = Set{
	name:        "avx2",
	matMul:      matMulAVX2,
	dots:        dotsBlocks,
	weightedSum: weightedSumBlocks,
	maxAbs:      maxAbsBlocks,
	expSum:      expSumBlocks,
	gelu:        geluBlocks,
	quantize16:  quantize16Blocks,
	dotInt8:     dotInt8Blocks,
	scanInt8:    scanInt8Blocks,
}

// native returns the sets that the CPU and the operating system support, the fastest first.
func native() []*Set {
	var all []*Set
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		if cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VNNI {
			all = append(all, &avx512)
		}
		all = append(all, &avx2)
	}
	return all
}

// The assembly works on blocks of a fixed width; the wrappers handle the rest in plain Go. Pointers are to the first
// element; counts are elements, not bytes.

// matMul4AVX2 requires rows even and > 0, n a multiple of 64 and > 0.
//
//go:noescape
func matMul4AVX2(dst *float32, stride int, w *int8, a *int16, n, rows int, wScale, bias, aScale *float32)

// dotsAVX2 requires width a multiple of 8 and > 0, and count > 0.
//
//go:noescape
func dotsAVX2(dst, q, rows *float32, stride, width, count int)

// dots4AVX2 does the same for quads × 4 rows; quads > 0.
//
//go:noescape
func dots4AVX2(dst, q, rows *float32, stride, width, quads int)

// weightedSum8AVX2 adds up 8 columns of count rows, weightedSum32AVX2 32 columns; count > 0.
//
//go:noescape
func weightedSum8AVX2(dst, weights, rows *float32, stride, count int)

//go:noescape
func weightedSum32AVX2(dst, weights, rows *float32, stride, count int)

// maxAbsAVX2 requires n a multiple of 8 and > 0.
//
//go:noescape
func maxAbsAVX2(v *float32, n int) float32

// expSumAVX2 requires n a multiple of 8 and > 0.
//
//go:noescape
func expSumAVX2(v *float32, n int, largest, factor float32) float32

// geluAVX2 requires n a multiple of 8 and > 0.
//
//go:noescape
func geluAVX2(v *float32, n int)

// quantize16AVX2 requires n a multiple of 16 and > 0.
//
//go:noescape
func quantize16AVX2(dst *int16, src *float32, n int, scale float32)

// dotInt8AVX2 requires n a multiple of 16 and > 0.
//
//go:noescape
func dotInt8AVX2(a, b *int8, n int) int32

// scanInt8AVX2 handles four rows at a time. quads is a quarter of the rows, > 0. n is the number of components to use
// of the dims of each row, a multiple of 16 and > 0.
//
//go:noescape
func scanInt8AVX2(query, rows *int8, n, dims, quads int, out *int32)

func matMulAVX2(dst []float32, stride int, w []int8, a []int16, n int, wScale, bias, aScale []float32) {
	for t := 0; t < len(aScale); t += 4 {
		matMul4AVX2(&dst[t*stride], stride, &w[0], &a[t*n], n, len(wScale), &wScale[0], &bias[0], &aScale[t])
	}
}

func dotsBlocks(dst, q, rows []float32, stride int) {
	blocks := len(q) &^ 7
	if blocks == 0 {
		dotsScalar(dst, q, rows, stride)
		return
	}
	whole := len(dst) &^ 3
	if whole > 0 {
		dots4AVX2(&dst[0], &q[0], &rows[0], stride, blocks, whole/4)
	}
	if whole < len(dst) {
		dotsAVX2(&dst[whole], &q[0], &rows[whole*stride], stride, blocks, len(dst)-whole)
	}
	for j := blocks; j < len(q); j++ {
		for i := range dst {
			dst[i] += q[j] * rows[i*stride+j]
		}
	}
}

func weightedSumBlocks(dst, weights, rows []float32, stride int) {
	j := 0
	for ; j+32 <= len(dst); j += 32 {
		weightedSum32AVX2(&dst[j], &weights[0], &rows[j], stride, len(weights))
	}
	for ; j+8 <= len(dst); j += 8 {
		weightedSum8AVX2(&dst[j], &weights[0], &rows[j], stride, len(weights))
	}
	if j < len(dst) {
		weightedSumScalar(dst[j:], weights, rows[j:], stride)
	}
}

func maxAbsBlocks(v []float32) float32 {
	blocks := len(v) &^ 7
	if blocks == 0 {
		return maxAbsScalar(v)
	}
	return max(maxAbsAVX2(&v[0], blocks), maxAbsScalar(v[blocks:]))
}

func expSumBlocks(v []float32, largest, factor float32) float32 {
	blocks := len(v) &^ 7
	var sum float32
	if blocks > 0 {
		sum = expSumAVX2(&v[0], blocks, largest, factor)
	}
	if blocks == len(v) {
		return sum
	}
	var rest [8]float32 // one padded block; the padding is ignored afterwards
	n := copy(rest[:], v[blocks:])
	for i := n; i < len(rest); i++ {
		rest[i] = largest
	}
	expSumAVX2(&rest[0], len(rest), largest, factor)
	for i, x := range rest[:n] {
		v[blocks+i] = x
		sum += x
	}
	return sum
}

func geluBlocks(v []float32) {
	blocks := len(v) &^ 7
	if blocks > 0 {
		geluAVX2(&v[0], blocks)
	}
	geluScalar(v[blocks:])
}

func quantize16Blocks(dst []int16, src []float32, scale float32) {
	blocks := len(src) &^ 15
	if blocks > 0 {
		quantize16AVX2(&dst[0], &src[0], blocks, scale)
	}
	quantize16Scalar(dst[blocks:], src[blocks:], scale)
}

func dotInt8Blocks(a, b []int8) int32 {
	blocks := len(a) &^ 15
	if blocks == 0 {
		return dotInt8Scalar(a, b)
	}
	return dotInt8AVX2(&a[0], &b[0], blocks) + dotInt8Scalar(a[blocks:], b[blocks:])
}

func scanInt8Blocks(query, rows []int8, out []int32) {
	dims, blocks := len(query), len(query)&^15
	quads := len(out) / 4
	if blocks == 0 {
		scanInt8Scalar(query, rows, out)
		return
	}
	if quads > 0 {
		scanInt8AVX2(&query[0], &rows[0], blocks, dims, quads, &out[0])
	}
	if blocks < dims {
		for i := range out[:quads*4] {
			out[i] += dotInt8Scalar(query[blocks:], rows[i*dims+blocks:(i+1)*dims])
		}
	}
	for i := quads * 4; i < len(out); i++ {
		out[i] = dotInt8Blocks(query, rows[i*dims:(i+1)*dims])
	}
}
