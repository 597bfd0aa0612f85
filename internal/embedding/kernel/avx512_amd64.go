package kernel

// avx512 has two kernels that use 64-byte registers and VNNI instructions; the others are the AVX2 kernels. Its results
// are identical to AVX2's, to the last bit.
var avx512 = Set{
	name:        "avx512",
	matMul:      matMulAVX512,
	dots:        dotsBlocks,
	weightedSum: weightedSumBlocks,
	maxAbs:      maxAbsBlocks,
	expSum:      expSumBlocks,
	gelu:        geluBlocks,
	quantize16:  quantize16Blocks,
	dotInt8:     dotInt8Blocks,
	scanInt8:    scanInt8VNNI,
}

// matMul8AVX512 and matMul4AVX512 require rows even and > 0, n a multiple of 64 and > 0.
//
//go:noescape
func matMul8AVX512(dst *float32, stride int, w *int8, a *int16, n, rows int, wScale, bias, aScale *float32)

//go:noescape
func matMul4AVX512(dst *float32, stride int, w *int8, a *int16, n, rows int, wScale, bias, aScale *float32)

// scanInt8AVX512 adds start + Σ query[j] * (row[j] + 128) for four rows at a time. quads is a quarter of the rows, > 0.
// n is the number of components to use of the dims of each row, a multiple of 64 and > 0.
//
//go:noescape
func scanInt8AVX512(query, rows *int8, n, dims, quads int, out *int32, start int32)

func matMulAVX512(dst []float32, stride int, w []int8, a []int16, n int, wScale, bias, aScale []float32) {
	t := 0
	for ; t+8 <= len(aScale); t += 8 {
		matMul8AVX512(&dst[t*stride], stride, &w[0], &a[t*n], n, len(wScale), &wScale[0], &bias[0], &aScale[t])
	}
	if t < len(aScale) {
		matMul4AVX512(&dst[t*stride], stride, &w[0], &a[t*n], n, len(wScale), &wScale[0], &bias[0], &aScale[t])
	}
}

func scanInt8VNNI(query, rows []int8, out []int32) {
	dims, blocks := len(query), len(query)&^63
	whole := len(out) &^ 3
	if blocks == 0 || whole == 0 {
		scanInt8Blocks(query, rows, out)
		return
	}
	var start int32 // subtracts the 128 that the instruction requires added to each component of a row
	for _, x := range query[:blocks] {
		start -= 128 * int32(x)
	}
	scanInt8AVX512(&query[0], &rows[0], blocks, dims, whole/4, &out[0], start)
	if blocks < dims {
		for i := range out[:whole] {
			out[i] += dotInt8Blocks(query[blocks:], rows[i*dims+blocks:(i+1)*dims])
		}
	}
	for i := whole; i < len(out); i++ {
		out[i] = dotInt8Blocks(query, rows[i*dims:(i+1)*dims])
	}
}
