// Package kernel holds the inner loops of the embedded model and of vector search: AVX-512 or AVX2 assembly on amd64
// CPUs that support it, plain Go elsewhere. The implementation is chosen once, at startup.
//
// Callers must pass slices of the right length. A slice that is too short panics before the kernel accesses memory
// outside it.
package kernel

import "os"

// EnvVariable names the environment variable that selects the set: "avx512", "avx2" or "scalar". It is read at startup,
// for tests and faulty machines. An unknown value, or a set that the machine cannot run, leaves the choice to the CPU.
const EnvVariable = "MEMORY_GRAPH_KERNEL"

// Set is one implementation of all kernels. The zero value is unusable: see Active and Scalar.
type Set struct {
	name string

	// The parts with an assembly version. The methods check lengths.
	matMul      func(dst []float32, stride int, w []int8, a []int16, n int, wScale, bias, aScale []float32)
	dots        func(dst, q, rows []float32, stride int)
	weightedSum func(dst, weights, rows []float32, stride int)
	maxAbs      func(v []float32) float32
	expSum      func(v []float32, largest, factor float32) float32
	gelu        func(v []float32)
	quantize16  func(dst []int16, src []float32, scale float32)
	dotInt8     func(a, b []int8) int32
	scanInt8    func(query, rows []int8, out []int32)
}

var (
	scalar = Set{
		name:        "scalar",
		matMul:      matMulScalar,
		dots:        dotsScalar,
		weightedSum: weightedSumScalar,
		maxAbs:      maxAbsScalar,
		expSum:      expSumScalar,
		gelu:        geluScalar,
		quantize16:  quantize16Scalar,
		dotInt8:     dotInt8Scalar,
		scanInt8:    scanInt8Scalar,
	}
	active = choose(os.Getenv(EnvVariable))
)

// choose returns the set with a name, or the fastest if this machine has no such set.
func choose(name string) *Set {
	all := Available()
	for _, s := range all {
		if s.name == name {
			return s
		}
	}
	return all[0]
}

// Available returns the sets that this machine can run, the fastest first. The last is always the scalar one.
func Available() []*Set { return append(native(), &scalar) }

// Active returns the set chosen at startup.
func Active() *Set { return active }

// Scalar returns the plain Go set, which every machine can run.
func Scalar() *Set { return &scalar }

// Name returns the name of the active set: "avx512", "avx2" or "scalar".
func Name() string { return active.name }

// DotInt8 returns the inner product of two int8 vectors of equal length with the active set; see Set.DotInt8.
func DotInt8(a, b []int8) int32 { return active.DotInt8(a, b) }

// ScanInt8 compares a query with every row of a matrix with the active set; see Set.ScanInt8.
func ScanInt8(query, rows []int8, dims int, out []int32) { active.ScanInt8(query, rows, dims, out) }

// Name returns "avx512", "avx2" or "scalar".
func (s *Set) Name() string { return s.name }

// Tokens divides the number of tokens passed to MatMul.
const Tokens = 4

// MatMul multiplies a matrix with the activations of several tokens:
//
//	dst[t*stride+r] = wScale[r] * aScale[t] * Σ w[r*n+i] * a[t*n+i] + bias[r]
//
// with t in [0, len(aScale)) and r in [0, len(wScale)), w int8 [rows][n], a int16 [tokens][n]. The sum is exact if 128
// × max|a| × n < 2³¹: with |a| ≤ 8191 up to n = 2,048. The number of tokens must be a multiple of Tokens, the number of
// rows even, and n a multiple of 64.
func (s *Set) MatMul(dst []float32, stride int, w []int8, a []int16, n int, wScale, bias, aScale []float32) {
	rows, tokens := len(wScale), len(aScale)
	if rows%2 != 0 || tokens%Tokens != 0 || n <= 0 || n%64 != 0 || stride < rows {
		panic("kernel: MatMul: rows must be even, tokens a multiple of 4, n one of 64, and the stride at least the rows")
	}
	if rows == 0 || tokens == 0 {
		return
	}
	s.matMul(dst[:span(tokens, rows, stride)], stride, w[:rows*n], a[:tokens*n], n, wScale, bias[:rows], aScale)
}

// Dots computes the inner products of q with len(dst) rows: dst[i] = Σ q[j] * rows[i*stride+j], j in [0, len(q)).
func (s *Set) Dots(dst, q, rows []float32, stride int) {
	if len(dst) == 0 {
		return
	}
	s.dots(dst, q, rows[:span(len(dst), len(q), stride)], stride)
}

// WeightedSum adds weighted rows: dst[j] = Σ weights[i] * rows[i*stride+j], i in [0, len(weights)). It overwrites dst.
func (s *Set) WeightedSum(dst, weights, rows []float32, stride int) {
	if len(weights) == 0 {
		clear(dst)
		return
	}
	s.weightedSum(dst, weights, rows[:span(len(weights), len(dst), stride)], stride)
}

// MaxAbs returns the largest absolute value, 0 for an empty slice. The values must be finite.
func (s *Set) MaxAbs(v []float32) float32 { return s.maxAbs(v) }

// ExpSum replaces each value with exp((value - largest) × factor) and returns their sum, the divisor of a softmax.
// largest must be the largest value, and factor > 0, so no exponent is above 0. Exponents below -87 count as -87.
func (s *Set) ExpSum(v []float32, largest, factor float32) float32 {
	return s.expSum(v, largest, factor)
}

// Gelu replaces each value x with x·Φ(x), where Φ is the normal distribution, within 1e-6 × (1 + |x|) (Hendrycks and
// Gimpel, Gaussian Error Linear Units, 2016; the exact form, not the one with tanh). The values must be finite.
func (s *Set) Gelu(v []float32) { s.gelu(v) }

// Quantize16 rounds src times scale to the nearest integer, ties to even: dst[i] = round(src[i]*scale). The products
// must be within ±32,767. dst must be at least as long as src.
func (s *Set) Quantize16(dst []int16, src []float32, scale float32) {
	s.quantize16(dst[:len(src)], src, scale)
}

// DotInt8 returns the exact inner product of two vectors of equal length, at most 131,071 components.
func (s *Set) DotInt8(a, b []int8) int32 { return s.dotInt8(a, b[:len(a)]) }

// ScanInt8 compares the query with every row of a contiguous matrix: out[i] = Σ query[j] * rows[i*dims+j], exact, for i
// in [0, len(out)) and j in [0, dims). rows is at least [len(out)][dims]; dims is at most 131,071.
func (s *Set) ScanInt8(query, rows []int8, dims int, out []int32) {
	s.scanInt8(query[:dims], rows[:len(out)*dims], out)
}

// span returns the number of values from the beginning of the first of n rows to the last value used in the last row.
func span(n, width, stride int) int {
	if stride < 0 {
		panic("kernel: the stride is negative")
	}
	return (n-1)*stride + width
}
