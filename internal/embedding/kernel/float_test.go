package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDots_EqualsTheFormulaAtEveryLength(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(7, 8))
		for width := range 70 {
			for _, count := range []int{0, 1, 2, 4, 5, 11} {
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
					t.Fatalf("width %d: wrote past the result", width)
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
				t.Fatalf("length %d: wrote past the result", n)
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
