package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

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
