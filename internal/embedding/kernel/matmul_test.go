package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMatMul_EqualsTheFormula(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(5, 6))
		for _, n := range []int{64, 128, 192, 384, 1536} {
			for _, rows := range []int{0, 2, 4, 6, 34} {
				for _, tokens := range []int{0, 4, 8, 12, 20} {
					testMatMul(t, s, r, n, rows, tokens)
				}
			}
		}
	})
}

func testMatMul(t *testing.T, s *Set, r *rand.Rand, n, rows, tokens int) {
	t.Helper()
	stride := rows + r.IntN(5)
	w, a := randomInt8(r, rows*n), randomInt16(r, tokens*n)
	wScale, bias, aScale := randomFloats(r, rows), randomFloats(r, rows), randomFloats(r, tokens)
	const guard = 12345
	got := make([]float32, tokens*stride+1)
	for i := range got {
		got[i] = guard
	}
	s.MatMul(got, stride, w, a, n, wScale, bias, aScale)
	for i, g := range got {
		tok, row := 0, i
		if stride > 0 {
			tok, row = i/stride, i%stride
		}
		if tok >= tokens || row >= rows {
			if g != guard {
				t.Fatalf("n %d, rows %d, tokens %d, stride %d: wrote outside of the result, at %d", n, rows, tokens, stride, i)
			}
			continue
		}
		var sum int64
		for j := range n {
			sum += int64(w[row*n+j]) * int64(a[tok*n+j])
		}
		scaled := float64(sum) * float64(wScale[row]) * float64(aScale[tok])
		if want := scaled + float64(bias[row]); !near(float64(g), want, math.Abs(scaled)) {
			t.Fatalf("n %d, rows %d, tokens %d: token %d, row %d: got %v, want %v", n, rows, tokens, tok, row, g, want)
		}
	}
}

// The assembly sets give identical results, so a vector does not depend on the machine.
func TestMatMul_IsTheSameInEveryAssembly(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(21, 22))
	sets := native()
	if len(sets) < 2 {
		t.Skipf("this machine has %d assembly sets: there is nothing to compare", len(sets))
	}
	for _, n := range []int{64, 384, 1536} {
		const rows, tokens = 10, 20
		w, a := randomInt8(r, rows*n), randomInt16(r, tokens*n)
		wScale, bias, aScale := randomFloats(r, rows), randomFloats(r, rows), randomFloats(r, tokens)
		var first []float32
		for _, s := range sets {
			got := make([]float32, tokens*rows)
			s.MatMul(got, rows, w, a, n, wScale, bias, aScale)
			if first == nil {
				first = got
			}
			if diff := cmp.Diff(first, got); diff != "" {
				t.Fatalf("n %d (-%s +%s):\n%s", n, sets[0].Name(), s.Name(), diff)
			}
		}
	}
}

// With scales of 1 and no bias a result is the integer sum, rounded once: the sets must agree exactly.
func FuzzMatMul_EverySetSumsAsScalar(f *testing.F) {
	f.Add([]byte{1, 2, 3, 250}, uint8(0), uint8(0), uint8(0))
	f.Add([]byte{128, 127, 0, 255, 77}, uint8(5), uint8(16), uint8(4))
	f.Fuzz(func(t *testing.T, seed []byte, columns, pairs, fours uint8) {
		n, rows, tokens := 64*(1+int(columns)%8), 2*(1+int(pairs)%9), Tokens*(1+int(fours)%6)
		at := func(i int) byte { // some byte of the seed, independent of the shape
			if len(seed) == 0 {
				return byte(i)
			}
			return seed[(i+i/len(seed))%len(seed)]
		}
		w, a := make([]int8, rows*n), make([]int16, tokens*n)
		for i := range w {
			w[i] = int8(at(i))
		}
		for i := range a {
			a[i] = int16(int8(at(3*i)))*64 + int16(at(5*i)%64)
		}
		ones, zeros := make([]float32, max(rows, tokens)), make([]float32, rows)
		for i := range ones {
			ones[i] = 1
		}
		var want []float32
		for _, s := range append([]*Set{Scalar()}, native()...) {
			got := make([]float32, tokens*rows)
			s.MatMul(got, rows, w, a, n, ones[:rows], zeros, ones[:tokens])
			if want == nil {
				want = got
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("n %d, rows %d, tokens %d (-scalar +%s):\n%s", n, rows, tokens, s.Name(), diff)
			}
		}
	})
}

func TestMatMul_HoldsAtTheExtremes(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		const n, tokens = 1536, 12
		w, a := make([]int8, 2*n), make([]int16, tokens*n)
		for i := range w {
			w[i] = -128
		}
		for i := range a {
			a[i] = 8191
		}
		ones := make([]float32, tokens)
		for i := range ones {
			ones[i] = 1
		}
		got := make([]float32, 2*tokens)
		s.MatMul(got, 2, w, a, n, ones[:2], []float32{0, 0}, ones)
		for i, g := range got {
			if want := float32(-128 * 8191 * n); g != want {
				t.Errorf("[%d] = %v, want %v", i, g, want)
			}
		}
	})
}

func TestMatMul_RefusesShapesItCannotDo(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		f := make([]float32, 64)
		odd := len(f) - 61 // 3, which the checks of the source would refuse to see in a call
		for name, call := range map[string]func(){
			"odd rows":         func() { s.MatMul(f, 3, make([]int8, 192), make([]int16, 256), 64, f[:odd], f, f[:4]) },
			"odd tokens":       func() { s.MatMul(f, 2, make([]int8, 128), make([]int16, 320), 64, f[:2], f, f[:5]) },
			"n not of 64":      func() { s.MatMul(f, 2, make([]int8, 96), make([]int16, 192), 48, f[:2], f, f[:4]) },
			"stride too small": func() { s.MatMul(f, 1, make([]int8, 128), make([]int16, 256), 64, f[:2], f, f[:4]) },
			"short weights":    func() { s.MatMul(f, 2, make([]int8, 127), make([]int16, 256), 64, f[:2], f, f[:4]) },
			"short tokens":     func() { s.MatMul(f, 2, make([]int8, 128), make([]int16, 511), 64, f[:2], f, f[:8]) },
			"short result":     func() { s.MatMul(f[:7:7], 2, make([]int8, 128), make([]int16, 256), 64, f[:2], f, f[:4]) },
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

func BenchmarkMatMul(b *testing.B) {
	const tokens = 16 // makes every set use its largest tile
	r := rand.New(rand.NewPCG(17, 18))
	for _, shape := range [][2]int{{384, 384}, {1536, 384}, {384, 1536}} {
		rows, n := shape[0], shape[1]
		w, a := randomInt8(r, rows*n), make([]int16, tokens*n)
		scale, dst := randomFloats(r, rows), make([]float32, tokens*rows)
		for _, s := range Available() {
			b.Run(fmt.Sprintf("%s/%dx%d", s.Name(), rows, n), func(b *testing.B) {
				for b.Loop() {
					s.MatMul(dst, rows, w, a, n, scale, scale, scale[:tokens])
				}
				b.ReportMetric(float64(b.N)*float64(rows*n*tokens)/b.Elapsed().Seconds()/1e9, "GMAC/s")
			})
		}
	}
}
