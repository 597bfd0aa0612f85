package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sets are the kernels of this machine, each to be held against plain formulas. On a machine without AVX2 only the
// scalar ones are tested.
func sets() []*Set {
	all := []*Set{Scalar()}
	if n := native(); n != nil {
		all = append(all, n)
	}
	return all
}

// eachSet runs a test with every set of kernels.
func eachSet(t *testing.T, f func(t *testing.T, s *Set)) {
	t.Parallel()
	for _, s := range sets() {
		t.Run(s.Name(), func(t *testing.T) {
			t.Parallel()
			f(t, s)
		})
	}
}

func randomInt8(r *rand.Rand, n int) []int8 {
	v := make([]int8, n)
	for i := range v {
		v[i] = int8(r.IntN(256) - 128)
	}
	return v
}

func randomFloats(r *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

func near(a, b, scale float64) bool { return math.Abs(a-b) <= 1e-5*(1+scale) }

func TestChoose_ObeysTheVariable(t *testing.T) {
	t.Parallel()
	if got := choose("scalar").Name(); got != "scalar" {
		t.Errorf("choose(scalar) = %q", got)
	}
	want := "scalar"
	if native() != nil {
		want = "avx2"
	}
	for _, v := range []string{"", "avx2", "other"} {
		if got := choose(v).Name(); got != want {
			t.Errorf("choose(%q) = %q, want %q", v, got, want)
		}
	}
	if Name() != Active().Name() {
		t.Errorf("Name() = %q, Active().Name() = %q", Name(), Active().Name())
	}
}

func TestDotInt8_IsExactAtEveryLength(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(1, 2))
		for n := range 600 {
			a, b := randomInt8(r, n), randomInt8(r, n)
			var want int32
			for i := range a {
				want += int32(a[i]) * int32(b[i])
			}
			if got := s.DotInt8(a, b); got != want {
				t.Fatalf("length %d: got %d, want %d", n, got, want)
			}
		}
	})
}

func TestDotInt8_HoldsAtTheExtremes(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		const n = 131071
		for _, c := range [][2]int8{{-128, -128}, {-128, 127}, {127, 127}, {127, -127}} {
			a, b := make([]int8, n), make([]int8, n)
			for i := range a {
				a[i], b[i] = c[0], c[1]
			}
			if got, want := s.DotInt8(a, b), int32(c[0])*int32(c[1])*n; got != want {
				t.Errorf("%v × %d: got %d, want %d", c, n, got, want)
			}
		}
	})
}

func TestScanInt8_EqualsOneDotForEachRow(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(3, 4))
		for _, dims := range []int{0, 1, 7, 15, 16, 17, 31, 32, 33, 48, 100, 255, 256, 383, 384, 385, 1536} {
			for n := range 14 {
				query := randomInt8(r, dims+3) // a longer query is cut at dims
				rows := randomInt8(r, n*dims)
				got, want := make([]int32, n+1), make([]int32, n+1)
				got[n], want[n] = 77, 77 // a guard behind the output
				for i := range want[:n] {
					for j := range dims {
						want[i] += int32(query[j]) * int32(rows[i*dims+j])
					}
				}
				s.ScanInt8(query, rows, dims, got[:n])
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("dims %d, %d rows (-want +got):\n%s", dims, n, diff)
				}
			}
		}
	})
}

func TestScanInt8_RefusesAShortMatrix(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		defer func() {
			if recover() == nil {
				t.Error("a matrix of 3 rows was scanned for 4")
			}
		}()
		s.ScanInt8(make([]int8, 32), make([]int8, 3*32), 32, make([]int32, 4))
	})
}

func TestMatMul4_EqualsTheFormula(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(5, 6))
		for _, n := range []int{64, 128, 192, 384, 1536} {
			for _, rows := range []int{0, 2, 4, 6, 34} {
				stride := rows + r.IntN(5)
				w := randomInt8(r, rows*n)
				a := make([]int16, Tokens*n)
				for i := range a {
					a[i] = int16(r.IntN(2*8191+1) - 8191)
				}
				wScale, bias, aScale := randomFloats(r, rows), randomFloats(r, rows), randomFloats(r, Tokens)
				const guard = 12345
				got := make([]float32, Tokens*stride+1)
				for i := range got {
					got[i] = guard
				}
				s.MatMul4(got, stride, w, a, n, wScale, bias, aScale)
				for i, g := range got {
					tok, row := 0, i
					if stride > 0 {
						tok, row = i/stride, i%stride
					}
					if tok >= Tokens || row >= rows {
						if g != guard {
							t.Fatalf("n %d, rows %d, stride %d: wrote outside of the result, at %d", n, rows, stride, i)
						}
						continue
					}
					var sum int64
					for j := range n {
						sum += int64(w[row*n+j]) * int64(a[tok*n+j])
					}
					scaled := float64(sum) * float64(wScale[row]) * float64(aScale[tok])
					if want := scaled + float64(bias[row]); !near(float64(g), want, math.Abs(scaled)) {
						t.Fatalf("n %d, rows %d: token %d, row %d: got %v, want %v", n, rows, tok, row, g, want)
					}
				}
			}
		}
	})
}

func TestMatMul4_HoldsAtTheExtremes(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		const n = 1536
		w, a := make([]int8, 2*n), make([]int16, Tokens*n)
		for i := range w {
			w[i] = -128
		}
		for i := range a {
			a[i] = 8191
		}
		got, one := make([]float32, 2*Tokens), []float32{1, 1, 1, 1}
		s.MatMul4(got, 2, w, a, n, one[:2], []float32{0, 0}, one)
		for i, g := range got {
			if want := float32(-128 * 8191 * n); g != want {
				t.Errorf("[%d] = %v, want %v", i, g, want)
			}
		}
	})
}

func TestMatMul4_RefusesShapesItCannotDo(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		f := make([]float32, 64)
		for name, call := range map[string]func(){
			"odd rows":         func() { s.MatMul4(f, 3, make([]int8, 192), make([]int16, 256), 64, f[:3], f, f) },
			"n not of 64":      func() { s.MatMul4(f, 2, make([]int8, 96), make([]int16, 192), 48, f[:2], f, f) },
			"stride too small": func() { s.MatMul4(f, 1, make([]int8, 128), make([]int16, 256), 64, f[:2], f, f) },
			"short weights":    func() { s.MatMul4(f, 2, make([]int8, 127), make([]int16, 256), 64, f[:2], f, f) },
			"short result":     func() { s.MatMul4(f[:7:7], 2, make([]int8, 128), make([]int16, 256), 64, f[:2], f, f) },
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s was accepted", name)
					}
				}()
				call()
			}()
		}
	})
}

func TestDots_EqualsTheFormulaAtEveryLength(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(7, 8))
		for width := range 70 {
			for _, count := range []int{0, 1, 2, 5} {
				stride := width + r.IntN(9)
				q, rows := randomFloats(r, width), randomFloats(r, count*stride+width)
				got := make([]float32, count)
				s.Dots(got, q, rows, stride)
				for i, g := range got {
					var want, size float64
					for j := range q {
						p := float64(q[j]) * float64(rows[i*stride+j])
						want, size = want+p, size+math.Abs(p)
					}
					if !near(float64(g), want, size) {
						t.Fatalf("width %d, row %d: got %v, want %v", width, i, g, want)
					}
				}
			}
		}
	})
}

func TestWeightedSum_EqualsTheFormulaAtEveryLength(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(9, 10))
		for width := range 110 {
			for _, count := range []int{0, 1, 2, 5, 33} {
				stride := width + r.IntN(9)
				weights, rows := randomFloats(r, count), randomFloats(r, count*stride+width)
				got := append(randomFloats(r, width), 77)
				s.WeightedSum(got[:width], weights, rows, stride)
				if got[width] != 77 {
					t.Fatalf("width %d: wrote behind the result", width)
				}
				for j, g := range got[:width] {
					var want, size float64
					for i, w := range weights {
						p := float64(w) * float64(rows[i*stride+j])
						want, size = want+p, size+math.Abs(p)
					}
					if !near(float64(g), want, size) {
						t.Fatalf("width %d, column %d: got %v, want %v", width, j, g, want)
					}
				}
			}
		}
	})
}

func TestMaxAbs_FindsTheLargestAtEveryPlace(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(11, 12))
		for n := range 70 {
			v := randomFloats(r, n)
			for place := range v {
				old := v[place]
				for _, x := range []float32{99, -99} {
					v[place] = x
					if got := s.MaxAbs(v); got != 99 {
						t.Fatalf("length %d, %v at %d: got %v", n, x, place, got)
					}
				}
				v[place] = old
			}
		}
		if got := s.MaxAbs(nil); got != 0 {
			t.Errorf("MaxAbs(nil) = %v, want 0", got)
		}
	})
}

func TestQuantize16_RoundsToEvenAtEveryLength(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(13, 14))
		for n := range 70 {
			src := randomFloats(r, n)
			for i := range src {
				if i%3 == 0 {
					src[i] = float32(r.IntN(64)-32) + .5 // ties
				}
			}
			got := make([]int16, n+1)
			got[n] = 77
			s.Quantize16(got, src, 2)
			s.Quantize16(got[:0], nil, 2)
			for i, x := range src {
				if want := int16(math.RoundToEven(float64(x * 2))); got[i] != want {
					t.Fatalf("length %d: %v × 2 gave %d, want %d", n, x, got[i], want)
				}
			}
			if got[n] != 77 {
				t.Fatalf("length %d: wrote behind the result", n)
			}
		}
		got := make([]int16, 32)
		src := make([]float32, 32)
		for i := range src {
			src[i] = []float32{32767, -32767, .5, 1.5, -.5, -2.5, 2047.4, 0}[i%8]
		}
		s.Quantize16(got, src, 1)
		if diff := cmp.Diff([]int16{32767, -32767, 0, 2, 0, -2, 2047, 0}, got[24:]); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestExpSum_EqualsTheFormula(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(19, 20))
		for n := range 70 {
			v := randomFloats(r, n)
			largest := float32(math.Inf(-1))
			for i := range v {
				v[i] *= 40
				largest = max(largest, v[i])
			}
			const factor = .3
			got := append([]float32{}, v...)
			sum := s.ExpSum(got, largest, factor)
			var want float64
			for i, x := range v {
				power := (float64(x) - float64(largest)) * factor
				y := math.Exp(power)
				want += y
				if math.Abs(float64(got[i])-y) > (5e-7-2e-7*power)*y+1e-37 { // the power itself is rounded to float32
					t.Fatalf("length %d: e^((%v-%v)*%v) = %v, want %v", n, x, largest, factor, got[i], y)
				}
			}
			if !near(float64(sum), want, want) {
				t.Fatalf("length %d: sum %v, want %v", n, sum, want)
			}
		}
	})
}

func TestExpSum_NeverLeavesTheNumbers(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		v := []float32{-math.MaxFloat32, -1e30, -300, -88, -87, 0, -1e-30, -math.SmallestNonzeroFloat32, -1e9}
		if sum := s.ExpSum(v, 0, 1); !(sum >= 3 && sum < 3.001) {
			t.Errorf("sum %v of %v, want 3", sum, v)
		}
		for i, x := range v {
			if !(x >= 0 && x <= 1) {
				t.Errorf("[%d] = %v, want it within 0 and 1", i, x)
			}
		}
	})
}

func TestGelu_EqualsTheFormula(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		var in []float32
		for x := float32(-30); x < 30; x += .0037 {
			in = append(in, x)
		}
		in = append(in, 0, float32(math.Copysign(0, -1)), 1e-30, -1e-30, 1e15, -1e15, 1, -1, 2)
		for _, n := range []int{len(in), 7, 1, 0} {
			got := append([]float32{}, in[len(in)-n:]...)
			s.Gelu(got)
			for i, x := range in[len(in)-n:] {
				want := float64(x) * .5 * math.Erfc(-float64(x)/math.Sqrt2)
				if !(math.Abs(float64(got[i])-want) <= 1e-6*(1+math.Abs(float64(x)))) {
					t.Fatalf("gelu(%v) = %v, want %v", x, got[i], want)
				}
			}
		}
	})
}

func FuzzInt8_NativeEqualsScalar(f *testing.F) {
	f.Add([]byte{1, 2, 3}, []byte{4, 5, 6, 128, 127}, 2)
	f.Add(make([]byte, 384), make([]byte, 384*5+1), 384)
	f.Fuzz(func(t *testing.T, q, m []byte, dims int) {
		dims = max(0, min(dims, len(q)))
		query, rows := make([]int8, len(q)), make([]int8, len(m))
		for i, b := range q {
			query[i] = int8(b)
		}
		for i, b := range m {
			rows[i] = int8(b)
		}
		n := 3
		if dims > 0 {
			n = len(rows) / dims
		}
		want := make([]int32, n)
		Scalar().ScanInt8(query, rows, dims, want)
		for _, s := range sets() {
			got := make([]int32, n)
			s.ScanInt8(query, rows, dims, got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s, dims %d, %d rows (-scalar +got):\n%s", s.Name(), dims, n, diff)
			}
			k := min(len(query), len(rows))
			if a, b := s.DotInt8(query[:k], rows[:k]), Scalar().DotInt8(query[:k], rows[:k]); a != b {
				t.Fatalf("%s: DotInt8 %d, scalar %d", s.Name(), a, b)
			}
		}
	})
}

func BenchmarkScanInt8(b *testing.B) {
	const n, dims = 100_000, 384
	r := rand.New(rand.NewPCG(15, 16))
	rows, query, out := randomInt8(r, n*dims), randomInt8(r, dims), make([]int32, n)
	for _, s := range sets() {
		b.Run(fmt.Sprintf("%s/%dx%d", s.Name(), n, dims), func(b *testing.B) {
			for b.Loop() {
				s.ScanInt8(query, rows, dims, out)
			}
		})
	}
}

func BenchmarkMatMul4(b *testing.B) {
	r := rand.New(rand.NewPCG(17, 18))
	for _, shape := range [][2]int{{384, 384}, {1536, 384}, {384, 1536}} {
		rows, n := shape[0], shape[1]
		w, a := randomInt8(r, rows*n), make([]int16, Tokens*n)
		scale, dst := randomFloats(r, rows), make([]float32, Tokens*rows)
		for _, s := range sets() {
			b.Run(fmt.Sprintf("%s/%dx%d", s.Name(), rows, n), func(b *testing.B) {
				for b.Loop() {
					s.MatMul4(dst, rows, w, a, n, scale, scale, scale[:Tokens])
				}
				b.ReportMetric(float64(b.N)*float64(rows*n*Tokens)/b.Elapsed().Seconds()/1e9, "GMAC/s")
			})
		}
	}
}
